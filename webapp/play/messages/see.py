"""What a seat sees and may do, in the words of the game (Tables 1 and 2 of the instructRL paper in Hanabi).

Example: {"type": "see", "seq": 12, "seat": 1}
Answer: {"type": "ack", …} and, to this browser alone, {"type": "seen", "seat": 1, "tick": 8, "sees":
"my partner told me that …", "moves": ["discard my 1st card", …]}. Spectators are answered late, as with
everything.

Nobody learns a secret by it: Hanabi's words are of what happened before everybody's eyes, and `moves` has all
moves there are, because which of them are legal now would tell what a player holds; in a kitchen nothing is
hidden. In games whose words tell what only one seat sees, it is refused.
"""

from __future__ import annotations

from typing import Any

from webapp.play.host.connection import Connection, Refused
from webapp.play.host.match import LiveMatch
from webapp.play.messages.fields import integer


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    spec, seat = match.sim.spec, integer(message, "seat", 0, len(match.seats) - 1)
    if spec.heads:
        raise Refused("hidden", "In this game each player sees something else; nobody is told what.")
    tick, state = match.state_for(connection)
    moves = [spec.action_text(state, seat, move) for move in range(match.sim.num_actions)]
    await match.acknowledge(connection, message["seq"])
    await connection.send(
        {
            "type": "seen",
            "seat": seat,
            "tick": tick,
            "sees": spec.observation_text(state, seat),
            "moves": list(dict.fromkeys(moves)),
        }
    )
