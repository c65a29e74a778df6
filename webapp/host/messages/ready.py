"""Whether the person at this page is ready to begin: some games wait for the pointer, or for a tap.

A page that said "waits": true as it joined isn't ready before that.
Answer: {"type": "ack", …}; a countdown begins once everybody is ready.
"""

from __future__ import annotations

from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered


class Message(Numbered, json_schema_extra={"example": {"on": True}}):
    on: bool


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    connection.ready = message.on
    await match.readiness_changed()
    await match.acknowledge(connection, message.seq)
