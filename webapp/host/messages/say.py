"""Words to the other people of the own side. Agents don't listen to these; they listen to instructions.

Example: {"type": "say", "seq": 11, "text": "sorry!"}
Answer: {"type": "ack", …}, and to the own side
{"type": "utterance", "seat": 0, "tick": 12, "text": "sorry!"}.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import own_seat, text


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    seat = own_seat(match, connection)
    typed = text(message)
    await match.say(seat, typed)
    await match.acknowledge(connection, message["seq"])
