"""Through whose eyes to look, for spectators and for players who are out.

Answer: {"type": "ack", …}; the next snapshots are of that seat.
"""

from __future__ import annotations

from engine.shapes import Count
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, one_of
from webapp.host.streams import StreamMatch


class Message(Numbered, json_schema_extra={"example": {"seat": 3}}):
    seat: Count | None = None
    """Null: one's own place, from above if one has none."""


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    if not isinstance(match, StreamMatch):
        raise Refused("no_eyes", "In this game spectators see everything.")
    wish = message.seat
    match.watch(connection, None if wish is None else one_of(len(match.seats), wish, "seat"))
    await match.acknowledge(connection, message.seq)
