"""A movement key went up: the chef stops going there, or goes on where another key that is down says.

Example: {"type": "release", "seq": 8, "action": 2}
Answer: none. A key that wasn't down is no mistake: another browser of the same player may have pressed it.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import integer, joint
from webapp.host.messages.press import steered_seat


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    live, action = joint(match), integer(message, "action", 0, match.sim.num_actions - 1)
    if not live.takes_keys:
        raise Refused("stream", "This game takes inputs, in binary frames.")
    seat = steered_seat(match, connection)
    if seat is not None:
        live.keys[seat].release(action)
