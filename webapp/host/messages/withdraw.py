"""Take an instruction back: agents stop obeying it. It stays stored.

Example: {"type": "withdraw", "seq": 10, "id": "6a0e…"}
Answer: {"type": "ack", …}, and to everybody the instruction with the status "withdrawn".
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import own_instruction


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    found = own_instruction(match, connection, message)
    if found["status"] in ("rewritten", "withdrawn"):
        raise Refused("closed", f"This instruction was {found['status']} already.")
    await change(match, connection, message, found, "withdrawn")


async def change(
    match: LiveMatch, connection: Connection, message: dict[str, Any], found: dict[str, Any], status: str
) -> None:
    """Store the new status and tell; shared with `confirm_reading`."""
    records = await match.record_status(found["id"], status)
    await match.acknowledge(connection, message["seq"])
    await match.note_instructions(records)
