"""The reading wasn't right: say it again, choose another reading of the same text, or change its sub-goals.
The first one stays stored, as rewritten, and the new one knows which it replaces.

Answer: as of `instruct`; the old one is told again with the status "rewritten".
"""

from __future__ import annotations

from engine.refusal import Refusal
from engine.shapes import Id
from engine.simulation.life import State
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import ID, Said, cleaned, own_instruction
from webapp.host.messages.instruct import check_room, store, understood
from webapp.host.messages.withdraw import check_may_be
from webapp.language.readings import STRICT, Wants, choose, firmly, wanting

NEW = "77b1d5b0-26a5-4c3e-9d6f-0d2b8a4c1e55"


class Message(Said, json_schema_extra={"example": {"id": ID, "new_id": NEW, "text": "colours mean play"}}):
    id: Id
    new_id: Id
    text: str | None = None
    """Left out where `choice` says another reading of the same words, or `subgoals` another goal."""
    subgoals: Wants | None = None
    """In games with chips: all that is asked for, where the player took some away or changed their values."""


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    old = own_instruction(match, connection, message.id)
    new_id, chosen = message.new_id, message.choice
    check_may_be(State.REWRITTEN, old)
    check_room(match, new_id)
    if message.text is not None or (chosen is None and message.subgoals is None):
        typed = cleaned(message.text or "")
        reading = await understood(match, message, old["seat"], typed)
        if reading["talk"]:
            raise Refused(
                "talk", "This text asks for nothing, so your instruction stays. Say what I should do instead."
            )
    else:
        typed = old["text"]
        try:
            other = old["reading"] if chosen is None else choose(old["reading"], chosen)
            reading = firmly(other, match.game, old["reading"].get("firm", STRICT))
            if message.subgoals is not None:
                reading = wanting(reading, [one.model_dump() for one in message.subgoals])
        except Refusal as error:
            raise Refused("not_offered", str(error)) from None
    named = (old["reading"] or {}).get("to") is not None and reading.get("to") is None
    to = (
        None if named else old["target_seat"]
    )  # who was called by name in the old words isn't in the new ones
    await store(match, connection, message, new_id, old["seat"], typed, to, reading, replaces=old["id"])
