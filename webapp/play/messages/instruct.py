"""An instruction to the agents (or to one seat): stored as typed, with its tick, and read back.

Example: {"type": "instruct", "seq": 8, "id": "6a0e…", "text": "if I hint a colour, play it", "target": null}
In Arena with what the player looks at or clicked on the map, in units: "aim": {"x": 9000, "y": 12000, "seat":
5}; seat may be null.
Answer: {"type": "ack", "seq": 8, …}, and to everybody {"type": "instruction", "id", "status": "read" |
"unread", …}.
It is obeyed once its reading is confirmed; where nobody waits for a move, at once ("confirmed"). The browser
makes the id, so that one sent twice is stored once.
"""

from __future__ import annotations

import asyncio
from typing import Any

from engine import language
from webapp.play.host import frames
from webapp.play.host.connection import Connection, Refused
from webapp.play.host.match import LiveMatch
from webapp.play.messages.fields import aim, identifier, own_seat, target, text

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
    reading = await asyncio.to_thread(language.read, match.game, said, _context(match, message, seat))
    if new_id in match.instructions:  # sent by two pages of one player
        raise Refused("duplicate", "This instruction has arrived before; it was not taken twice.")
    understood = "read" if match.sim.spec.turn_based else "confirmed"
    values = {
        "id": new_id,
        "user_id": connection.user_id,
        "seat": seat,
        "target_seat": to,
        "tick": match.sim.tick,
        "text": said,
        "reading": reading.as_json(),
        "status": "unread" if reading.refused else understood,
    }
    records = await match.record_instruction(values, replaces)
    await match.acknowledge(connection, message["seq"])
    await match.note_instructions(records)


def _context(match: LiveMatch, message: dict[str, Any], seat: int) -> dict[str, Any]:
    """What an instruction may refer to besides its words: see engine.language.arena.reader."""
    names = [frames.seat_name(match, index) for index in range(len(match.seats))]
    return {"aim": aim(match, message), "names": names, "seat": seat}
