"""Leave for good: the person is out. If another person still plays, an agent that can plays on in this seat;
else the game ends as abandoned.

Answer: {"type": "ack", …}, and to everybody {"type": "control", …} or {"type": "end", "reason": "abandoned",
…}.
"""

from __future__ import annotations

from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, own_seat


async def handle(match: LiveMatch, connection: Connection, message: Numbered) -> None:
    seat = own_seat(match, connection)
    if match.stand_in_agent and match.others_playing(seat):
        await match.stand_in(seat, left=True)
    else:
        await match.finish("abandoned")
    await match.acknowledge(connection, message.seq)
