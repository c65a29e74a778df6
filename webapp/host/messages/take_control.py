"""A co-pilot takes the agent's place.

Answer: {"type": "ack", …}, and to everybody {"type": "control", "seat": 1, "controls": [… "copilot"], …}.
"""

from __future__ import annotations

from webapp.host.connection import COPILOT, Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, copilot_seat, joint


async def handle(match: LiveMatch, connection: Connection, message: Numbered) -> None:
    live, seat = joint(match), copilot_seat(match, connection)
    if match.controllers[seat]["kind"] == COPILOT:
        raise Refused("in_control", "You have taken over already.")
    await live.take_over(connection)
    await match.acknowledge(connection, message.seq)
