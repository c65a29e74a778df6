"""A binary frame: what a player does in the next ticks, in games that stream.

Example: engine/games/arena/protocol.py, INPUT.
Answer: none of its own; snapshots say which number was the last one used.
"""

from __future__ import annotations

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import driven_seat
from webapp.host.streams import StreamMatch


def handle(match: LiveMatch, connection: Connection, data: bytes) -> None:
    """Raises Refused; nothing else, whatever the bytes are."""
    if not isinstance(match, StreamMatch):
        raise Refused("malformed", "Messages of this game are JSON text, not binary.")
    if not connection.joined:
        raise Refused("not_joined", "Send join first.")
    match.take_frame(connection, driven_seat(match, connection), data)
