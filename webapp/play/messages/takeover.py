"""Let an agent play for somebody whose connection has been lost for a minute; they get the seat back on
return.

Example: {"type": "takeover", "seq": 12, "seat": 1}
Answer: {"type": "ack", …}, and to everybody {"type": "control", "seat": 1, "text": "…"}.
"""

from __future__ import annotations

import time
from typing import Any

from webapp.play.host.connection import Connection, Refused
from webapp.play.host.match import ABSENT_BEFORE_TAKEOVER, LiveMatch
from webapp.play.messages.fields import integer, own_seat


async def handle(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> None:
    own_seat(match, connection)
    seat = integer(message, "seat", 0, len(match.seats) - 1)
    if match.controllers[seat]["kind"] != "person":
        raise Refused("is_agent", "An agent is playing this seat already.")
    since = match.absent_since.get(seat)
    if since is None:
        raise Refused("present", "This player is here.")
    left = ABSENT_BEFORE_TAKEOVER - (time.monotonic() - since)
    if left > 0:
        raise Refused("too_early", f"Give them {round(left) or 1} more seconds to come back.")
    await match.stand_in(seat, left=False)
    await match.acknowledge(connection, message["seq"])
