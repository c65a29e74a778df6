"""The reading is right: agents obey it from their next move on.

Answer: {"type": "ack", …}, and to everybody the instruction with the status "confirmed".
"""

from __future__ import annotations

from engine.simulation.life import State
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import own_instruction
from webapp.host.messages.withdraw import Message, change
from webapp.host.taking_back import take_back_with


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    instruction = own_instruction(match, connection, message.id)
    if instruction["status"] == State.UNREAD:
        raise Refused(
            "unread", "This text couldn't be read, so there is nothing to confirm; say it in other words."
        )
    await change(match, connection, message, instruction, State.CONFIRMED)
    await take_back_with(match, {**instruction, "status": State.CONFIRMED})
