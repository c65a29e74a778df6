"""A move of one's own seat, on the state that the player saw.

Answer, once the move is durable: {"type": "ack", "seq": 7, "tick": 13}; then everybody gets the new state.
Where all move at once, turn by turn, it is kept until all people have moved; the last one counts.
"""

from __future__ import annotations

from engine.shapes import Count
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, driven_seat, one_of


class Message(Numbered, json_schema_extra={"example": {"tick": 12, "action": 3}}):
    tick: Count
    """That the player saw."""
    action: Count


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    seat = driven_seat(match, connection)
    action = one_of(match.sim.num_actions, message.action, "action")
    if message.tick != match.sim.tick:
        raise Refused(
            "stale", f"The game has gone on: it is at tick {match.sim.tick}, you saw tick {message.tick}."
        )
    await match.move(connection, seat, action, message.seq)
