"""Is the line alive, and how long does it take there and back?

Example: {"type": "ping", "at": 5120.4}
Answer: {"type": "pong", "at": 5120.4, "tick": 12}; and with {"meter": true}, where the host's time went since
it was first asked: {…, "meter": {"seconds": {"simulation": 0.8}, "counts": {…}}}.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.meter import meter


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    at = message.get("at")
    if not isinstance(at, int | float) or isinstance(at, bool):
        raise Refused("malformed", "The field at must be a number.")
    pong = {"type": "pong", "at": at, "tick": match.sim.tick}
    await connection.send(pong | ({"meter": meter.as_json()} if message.get("meter") is True else {}))
