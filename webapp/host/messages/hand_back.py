"""A co-pilot gives the agent its place back. Losing the connection does the same.

Answer: {"type": "ack", …}, and to everybody {"type": "control", "seat": 1, "controls": [… "agent"], "text"}.
"""

from __future__ import annotations

from webapp.host.connection import COPILOT, Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, copilot_seat, joint


async def handle(match: LiveMatch, connection: Connection, message: Numbered) -> None:
    live, seat = joint(match), copilot_seat(match, connection)
    if match.controllers[seat]["kind"] != COPILOT:
        raise Refused("not_controlled", "The agent is playing; there is nothing to hand back.")
    await live.give_back(seat)
    await match.acknowledge(connection, message.seq)
