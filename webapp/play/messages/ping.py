"""Is the line alive, and how long does it take there and back?

Example: {"type": "ping", "at": 5120.4}
Answer: {"type": "pong", "at": 5120.4, "tick": 12}
"""

from __future__ import annotations

from typing import Any

from webapp.play.host.connection import Connection, Refused
from webapp.play.host.match import LiveMatch


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    at = message.get("at")
    if not isinstance(at, int | float) or isinstance(at, bool):
        raise Refused("malformed", "The field at must be a number.")
    await connection.send({"type": "pong", "at": at, "tick": match.sim.tick})
