"""One browser's socket, as a match sees it: who it is, what it has sent, how to send to it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

SEND_TIMEOUT = 5.0  # seconds after which a browser that doesn't read is let go


class Refused(Exception):
    """A message that changes nothing: a code for programs, a sentence for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class TokenBucket:
    """At most `burst` messages at once and `rate` a second in the long run."""

    def __init__(
        self, rate: float = 20.0, burst: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.tokens, self.at = burst, clock()

    def take(self) -> bool:
        """Whether one more message is within the limit."""
        now = self.clock()
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass(eq=False)
class Connection:
    """A socket. `seat` is None for spectators; `client` names the page that opened it, across reconnects."""

    user_id: int
    name: str
    seat: int | None
    session: str
    send_text: Callable[[str], Awaitable[None]]
    close: Callable[[int], Awaitable[None]]
    client: str = ""
    joined: bool = False
    bucket: TokenBucket = field(default_factory=TokenBucket)

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame; a browser that can't take it within five seconds is closed."""
        try:
            await asyncio.wait_for(self.send_text(json.dumps(frame, separators=(",", ":"))), SEND_TIMEOUT)
        except (TimeoutError, RuntimeError, OSError):
            await self.drop(1011)

    async def refuse(self, code: str, text: str, seq: int | None = None) -> None:
        frame: dict[str, Any] = {"type": "error", "code": code, "text": text}
        await self.send(frame if seq is None else {**frame, "seq": seq})

    async def drop(self, code: int) -> None:
        try:
            await self.close(code)
        except (RuntimeError, OSError):
            return
