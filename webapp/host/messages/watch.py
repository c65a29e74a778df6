"""Through whose eyes to look, for spectators and for players who are out.

Example: {"type": "watch", "seq": 5, "seat": 3}, or null for one's own place: from above, if one has none.
Answer: {"type": "ack", …}; the next snapshots are of that seat.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import integer
from webapp.host.streams import StreamMatch


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    if not isinstance(match, StreamMatch):
        raise Refused("no_eyes", "In this game spectators see everything.")
    wish = message.get("seat")
    if wish is not None:
        wish = integer(message, "seat", 0, len(match.seats) - 1)
    match.watch(connection, wish)
    await match.acknowledge(connection, message["seq"])
