"""A key went down: its action is this chef's at the next tick, unless another press comes before it.

Movements (actions 0 to 3) go on at every tick until their key is released.

Answer: none of its own; the state that it led to says {"key": 7}.
"""

from __future__ import annotations

import time

from engine.shapes import Count
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, driven_seat, joint, one_of

REFUSE_EVERY = 2.0  # seconds: whose keys don't count is told so once, not at every key


class Message(Numbered, json_schema_extra={"example": {"action": 2}}):
    action: Count


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    live, action = joint(match), one_of(match.sim.num_actions, message.action, "action")
    if not live.real_time:
        raise Refused("turns", "This game goes turn by turn; send a move.")
    if not live.takes_keys:
        raise Refused("stream", "This game takes inputs, in binary frames.")
    seat = steered_seat(match, connection)
    if seat is not None:
        live.keys[seat].press(action, connection, message.seq)


def steered_seat(match: LiveMatch, connection: Connection) -> int | None:
    """The seat that this browser's keys move; None if it has just been told that there is none."""
    try:
        return driven_seat(match, connection)
    except Refused:
        now = time.monotonic()
        if now - connection.refused_keys_at < REFUSE_EVERY:
            return None
        connection.refused_keys_at = now
        raise
