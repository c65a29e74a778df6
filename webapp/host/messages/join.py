"""The first message of a socket: which page this is, so that its numbering goes on across reconnects.

Answer: {"type": "joined", …}, {"type": "state", …}, and {"type": "end", …} if the game is over.
"""

from __future__ import annotations

from engine.shapes import Id, Shape
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import ID


class Message(Shape, json_schema_extra={"example": {"client": ID}}):
    client: Id
    """Of the page: its numbering goes on by it."""
    waits: bool = False
    """The game doesn't begin before this page has said that it is `ready`."""


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    if connection.joined:
        raise Refused("joined", "This socket has joined already.")
    connection.client = message.client
    connection.ready = not message.waits
    await match.join(connection)
