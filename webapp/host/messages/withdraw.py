"""Take an instruction back: agents stop obeying it. It stays stored.

Answer: {"type": "ack", …}, and to everybody the instruction with the status "withdrawn".
"""

from __future__ import annotations

from typing import Any

from engine.shapes import Id
from engine.simulation.life import State, may_follow
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import ID, Numbered, own_instruction


class Message(Numbered, json_schema_extra={"example": {"id": ID}}):
    id: Id


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    instruction = own_instruction(match, connection, message.id)
    await change(match, connection, message, instruction, State.WITHDRAWN)


async def change(
    match: LiveMatch, connection: Connection, message: Numbered, instruction: dict[str, Any], state: State
) -> None:
    """Store the new state and tell; shared with `confirm_reading`. Raises Refused."""
    check_may_be(state, instruction)
    records = await match.record_status(instruction["id"], state)
    await match.acknowledge(connection, message.seq)
    await match.note_instructions(records)


def check_may_be(state: State, instruction: dict[str, Any]) -> None:
    """Raises Refused for an instruction that can't come to be in this state any more."""
    if not may_follow(state, instruction["status"]):
        raise Refused("closed", f"This instruction is {instruction['status']} already.")
