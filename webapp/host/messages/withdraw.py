"""Take an instruction back: agents stop obeying it. It stays stored.

Answer: {"type": "ack", …}, and to everybody the instruction with the status "withdrawn".
"""

from __future__ import annotations

from typing import Any

from engine.shapes import Id
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import ID, Numbered, own_instruction


class Message(Numbered, json_schema_extra={"example": {"id": ID}}):
    id: Id


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    instruction = own_instruction(match, connection, message.id)
    if instruction["status"] in ("rewritten", "withdrawn"):
        raise Refused("closed", f"This instruction was {instruction['status']} already.")
    await change(match, connection, message, instruction, "withdrawn")


async def change(
    match: LiveMatch, connection: Connection, message: Numbered, instruction: dict[str, Any], status: str
) -> None:
    """Store the new status and tell; shared with `confirm_reading`."""
    records = await match.record_status(instruction["id"], status)
    await match.acknowledge(connection, message.seq)
    await match.note_instructions(records)
