"""A move of one's own seat, on the state that the player saw.

Example: {"type": "move", "seq": 7, "tick": 12, "action": 3}
Answer, once the move is durable: {"type": "ack", "seq": 7, "tick": 13}; then everybody gets the new state.
Where all move at once, turn by turn, it is kept until all people have moved; the last one counts.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import driven_seat, integer


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    seat = driven_seat(match, connection)
    tick = integer(message, "tick", 0, 1 << 31)
    action = integer(message, "action", 0, match.sim.num_actions - 1)
    if tick != match.sim.tick:
        raise Refused("stale", f"The game has gone on: it is at tick {match.sim.tick}, you saw tick {tick}.")
    await match.move(connection, seat, action, message["seq"])
