"""A co-pilot takes the agent's place.

Example: {"type": "take_control", "seq": 4}
Answer: {"type": "ack", …}, and to everybody {"type": "control", "seat": 1, "controls": [… "copilot"], …}.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import COPILOT, Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import copilot_seat, joint


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    live, seat = joint(match), copilot_seat(match, connection)
    if match.controllers[seat]["kind"] == COPILOT:
        raise Refused("in_control", "You have taken over already.")
    await live.take_over(connection)
    await match.acknowledge(connection, message["seq"])
