"""The reading wasn't right: say it again, or choose another reading of the same text. The first one stays
stored, as rewritten, and the new one knows which it replaces.

Example: {"type": "rewrite", "seq": 9, "id": "6a0e…", "new_id": "77b1…", "text": "colours mean play"}
or, with a number of the frame's `options`, {…, "choice": 1} instead of the text.
Answer: as of `instruct`; the old one is told again with the status "rewritten".
"""

from __future__ import annotations

from typing import Any

from engine.refusal import Refusal
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import choice, identifier, own_instruction, text
from webapp.host.messages.instruct import check_room, store, understood
from webapp.language.readings import STRICT, choose, firmly


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    old = own_instruction(match, connection, message)
    new_id, chosen = identifier(message, "new_id"), choice(message)
    if old["status"] in ("rewritten", "withdrawn"):
        raise Refused("closed", f"This instruction was {old['status']} already.")
    check_room(match, new_id)
    if "text" in message or chosen is None:
        typed = text(message)
        reading = await understood(match, message, old["seat"], typed, chosen)
        if reading["talk"]:
            raise Refused(
                "talk", "This text asks for nothing, so your instruction stays. Say what I should do instead."
            )
    else:
        typed = old["text"]
        try:
            meant = choose(old["reading"], chosen)
            reading = firmly(meant, match.game, old["reading"].get("firm", STRICT))
        except Refusal as error:
            raise Refused("not_offered", str(error)) from None
    named = (old["reading"] or {}).get("to") is not None and reading.get("to") is None
    to = (
        None if named else old["target_seat"]
    )  # who was called by name in the old words isn't in the new ones
    await store(match, connection, message, new_id, old["seat"], typed, to, reading, replaces=old["id"])
