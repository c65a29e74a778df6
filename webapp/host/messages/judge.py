"""Whether what agents did is what was meant: "yes, that" or "no" to an instruction of one's own that agents
follow or followed. The last answer counts; it is data for the next round.

Answer: {"type": "ack", …}, and to everybody who heard it {"type": "judged", "id", "sign": 1, …}.
"""

from __future__ import annotations

from typing import Literal

from engine.shapes import Id
from engine.simulation.life import State
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import ID, Numbered, own_instruction


class Message(Numbered, json_schema_extra={"example": {"id": ID, "sign": 1}}):
    id: Id
    sign: Literal[1, 0, -1]
    """1: yes, that; -1: no; 0: neither, take back what was said."""


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    instruction = own_instruction(match, connection, message.id)
    if instruction["status"] != State.CONFIRMED:
        raise Refused("not_obeyed", "Nobody was to obey this instruction, so there is nothing to say of it.")
    await match.judge(instruction, message.sign)
    await match.acknowledge(connection, message.seq)
