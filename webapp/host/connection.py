"""One browser's socket, as a match sees it: who it is, what it has sent, how to send to it."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.refusal import Refusal
from webapp.host.meter import meter

logger = logging.getLogger(__name__)
GONE = (TimeoutError, RuntimeError, OSError)  # the browser has, or doesn't read
SEND_TIMEOUT = 5.0  # seconds after which a browser that doesn't read is let go
CLOSE_TIMEOUT = 1.0  # seconds that closing waits for what is under way, and then for the browser


class Refused(Refusal):
    """A message that changes nothing, with a code for programs beside the sentence. Caught by the consumer,
    which sends both.
    """

    def __init__(self, code: str = "", sentence: str = "") -> None:
        super().__init__(sentence)
        self.code = code


def code_of(refusal: Refusal) -> str:
    """The code for programs: what isn't refused with one of its own is malformed."""
    return refusal.code if isinstance(refusal, Refused) else "malformed"


class TokenBucket:
    """At most `burst` messages at once and `rate` a second in the long run."""

    def __init__(
        self, rate: float = 50.0, burst: float = 60.0, clock: Callable[[], float] = time.monotonic
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


PLAYER, COPILOT, SPECTATOR = "player", "copilot", "spectator"


@dataclass(eq=False)
class Connection:
    """A socket. `seat` is the seat of a player or of a co-pilot, None for spectators; `client` names the page
    that opened it, across reconnects.

    Frames go out one after the other. A state that hasn't gone when the next one comes is never sent: a slow
    browser sees fewer states, not old ones.
    """

    user_id: int
    name: str
    seat: int | None
    session: str
    write: Callable[[str | bytes], Awaitable[None]]
    close: Callable[[int], Awaitable[None]]
    role: str = PLAYER
    pseudonym: str = ""
    client: str = ""
    joined: bool = False
    ready: bool = True  # to begin
    key: int | None = None  # number of this page's last key press that was used
    bucket: TokenBucket = field(default_factory=TokenBucket)
    # Inputs come all the time: after a standstill many at once, of which the newest are used.
    inputs: TokenBucket = field(default_factory=partial(TokenBucket, burst=300.0))
    refused_keys_at: float = -math.inf
    joined_at: float = 0.0
    watching: int | None = None  # the seat that a spectator asked to see; None: from above, or their own
    refused: Counter[str] = field(default_factory=Counter)  # frames, by code
    _waiting: list[str | bytes] = field(default_factory=list)
    _state: str | bytes | None = None
    _sending: asyncio.Task | None = None

    @property
    def watches(self) -> bool:
        """Whether this is a spectator, who sees the open game, late."""
        return self.role == SPECTATOR

    def post(self, text: str | bytes, state: bool = False) -> None:
        """Send without waiting; a `state` replaces one that hasn't gone yet."""
        if state:
            self._state = text
        else:
            if self._state is not None:
                self._waiting.append(self._state)
                self._state = None
            self._waiting.append(text)
        if self._sending is None:
            self._send_all()

    def _send_all(self) -> None:
        """Send at once what goes at once, as nearly all does; a task waits for a browser that is slow."""
        try:
            while (text := self._next()) is not None:
                begun = meter.begin()
                writing = self.write(text).__await__()
                try:
                    until = next(writing)
                except StopIteration:
                    meter.end("sending", begun)
                    continue
                self._sending = asyncio.ensure_future(self._send_slowly(_Begun(writing, until)))
                return
        except Exception as error:  # whatever it is, it ends this socket and not the tick that tells a state
            self._sending = asyncio.ensure_future(self._give_up(error))

    def _next(self) -> str | bytes | None:
        if self._waiting:
            return self._waiting.pop(0)
        text, self._state = self._state, None
        return text

    async def _send_slowly(self, begun: Awaitable[None]) -> None:
        """Send the rest of what is begun, then all that waits: one task, as closing waits for it."""
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                await begun
            while (text := self._next()) is not None:
                async with asyncio.timeout(SEND_TIMEOUT):
                    await self.write(text)
        except Exception as error:
            await self._give_up(error)
        finally:
            self._sending = None

    async def _give_up(self, error: Exception) -> None:
        if not isinstance(error, GONE):
            logger.error("a frame for user %s could not be sent", self.user_id, exc_info=error)
        self._waiting.clear()
        self._state = None
        try:
            await self.drop(1011)
        finally:
            self._sending = None

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame and wait until it has gone; a browser that can't take it in five seconds is closed."""
        self.post(encode(frame))
        if self._sending is not None:
            await asyncio.shield(self._sending)

    async def refuse(self, code: str, text: str, seq: int | None = None) -> None:
        frame: dict[str, Any] = {"type": "error", "code": code, "text": text}
        await self.send(frame if seq is None else {**frame, "seq": seq})

    async def drop(self, code: int) -> None:
        """Close, after what is under way has gone or a second has passed; a browser that doesn't take the
        close either is waited for a second more.
        """
        if self._sending is not None and self._sending is not asyncio.current_task():
            await asyncio.wait({self._sending}, timeout=CLOSE_TIMEOUT)
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self.close(code)
        except GONE:
            return


class _Begun:
    """What was awaited up to `until`, which it waits for now: to be awaited from there on."""

    def __init__(self, awaited: Generator[Any, None, None], until: Any) -> None:
        self.awaited, self.until = awaited, until

    def __await__(self) -> Generator[Any, None, None]:
        yield self.until
        yield from self.awaited


def encode(frame: dict[str, Any]) -> str:
    return json.dumps(frame, separators=(",", ":"))
