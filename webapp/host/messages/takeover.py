"""Let an agent play for somebody whose connection has been lost for a while; they get the seat back on
return.

Example: {"type": "takeover", "seq": 12, "seat": 1}
Answer: {"type": "ack", …}, and to everybody {"type": "control", "seat": 1, "text": "…"}.
"""

from __future__ import annotations

from typing import Any

from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import integer, own_seat


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    own_seat(match, connection)
    seat = integer(message, "seat", 0, len(match.seats) - 1)
    if match.controllers[seat]["kind"] != "person":
        raise Refused("is_agent", "An agent is playing this seat already.")
    left = match.stand_in_after(seat)
    if left is None:
        raise Refused("present", "This player is here.")
    if left > 0:
        raise Refused("too_early", f"Give them {round(left) or 1} more seconds to come back.")
    await match.stand_in(seat, left=False)
    await match.acknowledge(connection, message["seq"])
