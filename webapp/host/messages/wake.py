"""Wake the agents that sleep in a guided first game, at the step that asks for it.

Answer: {"type": "ack", …}, and to everybody {"type": "control", …} for each of them.
"""

from __future__ import annotations

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, own_seat


async def handle(match: LiveMatch, connection: Connection, message: Numbered) -> None:
    own_seat(match, connection)
    step = match.coach.course.now if match.coach else None
    if match.coach is None or step is None or not step.asks:
        raise Refused("nobody_sleeps", "Nobody here waits to be woken.")
    await match.coach.wake(range(len(match.seats)))
    await match.acknowledge(connection, message.seq)
