"""A movement key went up: the chef stops going there, or goes on where another key that is down says.

Answer: none. A key that wasn't down is no mistake: another browser of the same player may have pressed it.
"""

from __future__ import annotations

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import joint, one_of
from webapp.host.messages.press import Message, steered_seat


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    live, action = joint(match), one_of(match.sim.num_actions, message.action, "action")
    if not live.takes_keys:
        raise Refused("stream", "This game takes inputs, in binary frames.")
    seat = steered_seat(match, connection)
    if seat is not None:
        live.keys[seat].release(action)
