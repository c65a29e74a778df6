"""Whether the person at this page is ready to begin: some games wait for the pointer, or for a tap.

Example: {"type": "ready", "seq": 2, "on": true}. A page that said "waits": true as it joined isn't ready
before that.
Answer: {"type": "ack", …}; a countdown begins once everybody is ready.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    if not isinstance(message.get("on"), bool):
        raise Refused("malformed", "Say on: true or false.")
    connection.ready = message["on"]
    await match.readiness_changed()
    await match.acknowledge(connection, message["seq"])
