"""An instruction to the agents (or to one seat): stored as typed, with its tick, and read back.

Answer: {"type": "ack", "seq": 8, …}, and to everybody {"type": "instruction", "id", "status": "read" |
"unread", …}.
It is obeyed at once ("confirmed") where its reading was chosen, or is sure enough and nobody waits for a move
(webapp.language.readings.status); else once the reading is confirmed. Talk, such as thanks, is no
instruction: it is said as by `say`; what it says about earlier ones is done (taking_back.py). The browser
makes the id, so that one sent twice is stored once.
"""

from __future__ import annotations

import asyncio
from typing import Any

from engine.refusal import Refusal
from engine.shapes import Count, Id
from webapp.host import frames
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import ID, Said, aim, cleaned, own_seat, target
from webapp.host.taking_back import take_back, take_back_with
from webapp.language.readings import for_plan, meant, status

MOST = 100  # instructions in one match


class Message(
    Said, json_schema_extra={"example": {"id": ID, "text": "if I hint a colour, play it", "target": None}}
):
    id: Id
    text: str
    target: Count | None = None
    """The seat that is spoken to; null: all agents."""


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    seat = own_seat(match, connection)
    typed = cleaned(message.text)
    to = target(match, message.target, seat)
    new_id = message.id
    check_room(match, new_id)
    reading = await understood(match, message, seat, typed)
    heard = to if reading.get("to") is None else reading["to"]
    if reading["talk"] and (does := reading.get("does")):
        if again := await take_back(match, seat, heard, does):
            typed, to, reading = again["text"], again["target_seat"], {**again["reading"], "to": None}
    if reading["talk"]:
        await match.say(seat, typed)
        await match.acknowledge(connection, message.seq)
        return
    await store(match, connection, message, new_id, seat, typed, to, reading)


async def store(
    match: LiveMatch,
    connection: Connection,
    message: Said,
    new_id: str,
    seat: int,
    typed: str,
    to: int | None,
    reading: dict[str, Any],
    replaces: str | None = None,
) -> None:
    """Store and tell; shared with `rewrite`."""
    check_room(match, new_id)  # two pages of one player may have sent it meanwhile
    if reading.get("to") is not None:
        to = reading["to"]
    if match.in_force.goes_to_plan({"seat": seat, "target_seat": to}):
        reading = for_plan(match.game, reading)
    values = {
        "id": new_id,
        "user_id": connection.user_id,
        "seat": seat,
        "target_seat": to,
        "tick": match.sim.tick,
        "text": typed,
        "reading": reading,
        "status": status(reading, asks=match.sim.spec.turn_based),
    }
    records = await match.record_instruction(values, replaces)
    await match.acknowledge(connection, message.seq)
    await match.note_instructions(records)
    await take_back_with(match, values)


def check_room(match: LiveMatch, new_id: str) -> None:
    """Raises Refused for an instruction that has come before, and where there have been too many."""
    if new_id in match.instructions:
        raise Refused("duplicate", "This instruction has arrived before; it was not taken twice.")
    if len(match.instructions) >= MOST:
        raise Refused("too_many", f"This game has had {MOST} instructions; that is the most there can be.")


async def understood(match: LiveMatch, message: Said, seat: int, typed: str) -> dict[str, Any]:
    """The reading to store: what the page showed, else read beside the match. Raises Refused."""
    context = _context(match, message, seat)
    heard = (match.game, typed, context, message.seal, message.choice, message.firm)
    try:
        return await asyncio.to_thread(meant, *heard)
    except Refusal as error:
        raise Refused("not_offered", str(error)) from None


def _context(match: LiveMatch, message: Said, seat: int) -> dict[str, Any]:
    """What an instruction may refer to besides its words: see engine.language.read."""
    names = [frames.seat_name(match, index) for index in range(len(match.seats))]
    people = [other.index for other in match.seats if other.kind == "person"]
    context = {"names": names, "seat": seat, "people": people, "options": match.sim.options}
    return {"aim": aim(match, message.aim), **context}
