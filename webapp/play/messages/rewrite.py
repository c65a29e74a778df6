"""The reading wasn't right: say it again. The first wording stays stored, as rewritten.

Example: {"type": "rewrite", "seq": 9, "id": "6a0e…", "new_id": "77b1…", "text": "colours mean play"}
Answer: as of `instruct`; the old one is told again with the status "rewritten".
"""

from __future__ import annotations

from typing import Any

from webapp.play.host.connection import Connection, Refused
from webapp.play.host.match import LiveMatch
from webapp.play.messages.fields import identifier, own_instruction, text
from webapp.play.messages.instruct import store


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    old = own_instruction(match, connection, message)
    new_id, said = identifier(message, "new_id"), text(message)
    if old["status"] in ("rewritten", "withdrawn"):
        raise Refused("closed", f"This instruction was {old['status']} already.")
    await store(match, connection, message, new_id, old["seat"], said, old["target_seat"], replaces=old["id"])
