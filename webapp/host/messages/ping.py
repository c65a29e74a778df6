"""Is the line alive, and how long does it take there and back?

Answer: {"type": "pong", "at": 5120.4, "tick": 12}; and with {"meter": true}, where the host's time went since
it was first asked: {…, "meter": {"seconds": {"simulation": 0.8}, "counts": {…}}}.
"""

from __future__ import annotations

from engine.shapes import Shape
from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.meter import meter


class Message(Shape, json_schema_extra={"example": {"at": 5120.4}}):
    at: float
    """Comes back as it is, such as the time by one's own clock."""
    meter: bool = False


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    pong = {"type": "pong", "at": message.at, "tick": match.sim.tick}
    await connection.send(pong | ({"meter": meter.as_json()} if message.meter else {}))
