"""What browsers may send to a match: one file a message, each with an example.

A handler validates in early returns by raising `Refused` (a code and a sentence), and only then acts; what is
refused changes nothing. A browser's messages are handled one after the other. Binary frames have a handler
of their own (inputs). Not for: what the host sends (host/frames).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages import (
    confirm_reading,
    hand_back,
    instruct,
    join,
    leave,
    look,
    move,
    ping,
    press,
    ready,
    release,
    rewrite,
    say,
    see,
    take_control,
    takeover,
    wake,
    watch,
    withdraw,
)

Handler = Callable[[LiveMatch, Connection, dict[str, Any]], Awaitable[None]]

HANDLERS: dict[str, Handler] = {
    "join": join.handle,
    "ping": ping.handle,
    "move": move.handle,
    "press": press.handle,
    "release": release.handle,
    "ready": ready.handle,
    "watch": watch.handle,
    "take_control": take_control.handle,
    "hand_back": hand_back.handle,
    "instruct": instruct.handle,
    "confirm_reading": confirm_reading.handle,
    "rewrite": rewrite.handle,
    "withdraw": withdraw.handle,
    "say": say.handle,
    "see": see.handle,
    "look": look.handle,
    "takeover": takeover.handle,
    "leave": leave.handle,
    "wake": wake.handle,
}
