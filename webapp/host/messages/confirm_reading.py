"""The reading is right: agents obey it from their next move on.

Example: {"type": "confirm_reading", "seq": 9, "id": "6a0e…"}
Answer: {"type": "ack", …}, and to everybody the instruction with the status "confirmed".
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import own_instruction
from webapp.host.messages.withdraw import change


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    instruction = own_instruction(match, connection, message)
    if instruction["status"] == "unread":
        raise Refused(
            "unread", "This text couldn't be read, so there is nothing to confirm; say it in other words."
        )
    if instruction["status"] != "read":
        raise Refused("closed", f"This instruction is {instruction['status']} already.")
    await change(match, connection, message, instruction, "confirmed")
