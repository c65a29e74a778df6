"""An instruction to the agents (or to one seat): stored as typed, with its tick, and read back.

Example: {"type": "instruct", "seq": 8, "id": "6a0e…", "text": "if I hint a colour, play it", "target": null}
Answer: {"type": "ack", "seq": 8, …}, and to everybody {"type": "instruction", "id", "status": "read" |
"unread", …}.
It is obeyed once its reading is confirmed. The browser makes the id, so that one sent twice is stored once.
"""

from __future__ import annotations

import asyncio
from typing import Any

from engine import language
from webapp.play.host import storage
from webapp.play.host.connection import Connection, Refused
from webapp.play.host.match import LiveMatch
from webapp.play.messages.fields import identifier, own_seat, target, text

MOST = 100  # instructions in one match


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    seat = own_seat(match, connection)
    said = text(message)
    to = target(match, message, seat)
    await store(match, connection, message, identifier(message), seat, said, to, replaces=None)


async def store(
    match: LiveMatch,
    connection: Connection,
    message: dict[str, Any],
    new_id: str,
    seat: int,
    said: str,
    to: int | None,
    replaces: str | None,
) -> None:
    """Read, store and tell; shared with `rewrite`."""
    if new_id in match.instructions:
        raise Refused("duplicate", "This instruction has arrived before; it was not taken twice.")
    if len(match.instructions) >= MOST:
        raise Refused("too_many", f"This game has had {MOST} instructions; that is the most there can be.")
    reading = await asyncio.to_thread(language.read, match.game, said)
    values = {
        "id": new_id,
        "user_id": connection.user_id,
        "seat": seat,
        "target_seat": to,
        "tick": match.sim.tick,
        "text": said,
        "reading": reading.as_json(),
        "status": "unread" if reading.refused else "read",
    }
    records = await match.in_thread(
        storage.add_instruction, match.id, match.epoch, values, match.sim.tick, replaces
    )
    await connection.send({"type": "ack", "seq": message["seq"], "tick": match.sim.tick})
    await match.note_instructions(records)
