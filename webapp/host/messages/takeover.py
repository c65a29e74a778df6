"""Let an agent play for somebody whose connection has been lost for a while; they get the seat back on
return.

Answer: {"type": "ack", …}, and to everybody {"type": "control", "seat": 1, "text": "…"}.
"""

from __future__ import annotations

from engine.shapes import Count
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered, one_of, own_seat


class Message(Numbered, json_schema_extra={"example": {"seat": 1}}):
    seat: Count


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    own_seat(match, connection)
    seat = one_of(len(match.seats), message.seat, "seat")
    if match.controllers[seat]["kind"] != "person":
        raise Refused("is_agent", "An agent is playing this seat already.")
    left = match.stand_in_after(seat)
    if left is None:
        raise Refused("present", "This player is here.")
    if left > 0:
        raise Refused("too_early", f"Give them {round(left) or 1} more seconds to come back.")
    await match.stand_in(seat, left=False)
    await match.acknowledge(connection, message.seq)
