"""What a seat sees and may do, in the words of the game (Tables 1 and 2 of the instructRL paper in Hanabi).

Answer: {"type": "ack", …} and, to this browser alone, {"type": "seen", "seat": 1, "tick": 8, "sees":
"my partner told me that …", "details": [["What hints told of my cards", "1st: red; …"]], "moves": ["discard
my 1st card", …]}. Spectators are answered late, as with everything.

Nobody learns a secret by it: Hanabi's words are of what happened before everybody's eyes, and `moves` has all
moves there are, because which of them are legal now would tell what a player holds; in a kitchen nothing is
hidden. Each such game says so in its words.py (`OPEN`); in others one asks about one's own seat. In Arena one
asks about oneself and one's squad, and is told what one's own snapshots show (engine/games/arena/telling.py);
its moves are no list.
"""

from __future__ import annotations

from engine.shapes import Count
from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, one_of


class Message(Numbered, json_schema_extra={"example": {"seat": 1}}):
    seat: Count


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    seat = one_of(len(match.seats), message.seat, "seat")
    words = match.words_for(connection, seat)
    await match.acknowledge(connection, message.seq)
    await connection.send({"type": "seen", "seat": seat, **words})
