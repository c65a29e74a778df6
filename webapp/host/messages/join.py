"""The first message of a socket: which page this is, so that its numbering goes on across reconnects.

Example: {"type": "join", "client": "9c1f6c1e-…"}; with "waits": true the game doesn't begin before this page
has said that it is ready.
Answer: {"type": "joined", …}, {"type": "state", …}, and {"type": "end", …} if the game is over.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import identifier


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    client = identifier(message, "client")
    if connection.joined:
        raise Refused("joined", "This socket has joined already.")
    connection.client = client
    connection.ready = message.get("waits") is not True
    await match.join(connection)
