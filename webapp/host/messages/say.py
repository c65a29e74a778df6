"""Words to the other people of the own side. Agents don't listen to these; they listen to instructions.

Answer: {"type": "ack", …}, and to the own side
{"type": "utterance", "seat": 0, "tick": 12, "text": "sorry!"}.
"""

from __future__ import annotations

from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, cleaned, own_seat


class Message(Numbered, json_schema_extra={"example": {"text": "sorry!"}}):
    text: str


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    seat = own_seat(match, connection)
    typed = cleaned(message.text)
    await match.say(seat, typed)
    await match.acknowledge(connection, message.seq)
