"""What browsers may send to a match: one file a message, each with an example.

A handler validates in early returns by raising `Refused` (a code and a sentence), and only then acts; what is
refused changes nothing. Handlers run in the match's own task, one after the other. Not for: what the host
sends (host/frames).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from webapp.play.host.connection import Connection
from webapp.play.host.match import LiveMatch
from webapp.play.messages import (
    confirm_reading,
    instruct,
    join,
    leave,
    move,
    ping,
    rewrite,
    say,
    takeover,
    withdraw,
)

Handler = Callable[[LiveMatch, Connection, dict[str, Any]], Awaitable[None]]

HANDLERS: dict[str, Handler] = {
    "join": join.handle,
    "ping": ping.handle,
    "move": move.handle,
    "instruct": instruct.handle,
    "confirm_reading": confirm_reading.handle,
    "rewrite": rewrite.handle,
    "withdraw": withdraw.handle,
    "say": say.handle,
    "takeover": takeover.handle,
    "leave": leave.handle,
}
