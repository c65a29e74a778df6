"""What the person at one seat sends between two ticks, in games that take an input every tick.

Pure state; the clock is passed in. Not for who may send (webapp.host.messages), nor for what an input means
(the game's protocol).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Owner = TypeVar("Owner")
MOST_WAITING = 4
REPEATS = 5  # ticks for which somebody goes on as they did when nothing comes
# Seconds in which inputs are counted, and how many times as many as ticks may come in them: a line, or this
# process, may stand still for three seconds and let all through at once.
WINDOW = 10.0
MOST_FASTER = 1.3
SPARE_TICKS = 100  # ticks in a row with more than one input waiting, after which one is left out


class TooFast(Exception):
    """Inputs come faster than time."""


@dataclass
class Inputs(Generic[Owner]):
    """A queue of at most four: what is older than its newest four is never used.

    `owner` is the page that drives, the one that joined last; `used` its last number that was used.
    """

    ticks_per_second: float
    owner: Owner | None = None
    used: int = 0
    last: Any = None  # the input that was used last
    _newest: int = 0
    _waiting: deque[Any] = field(default_factory=deque)
    _arrived: deque[tuple[float, int]] = field(default_factory=deque)
    _count: int = 0
    _missed: int = 0
    _spare: int = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def give(self, owner: Owner) -> None:
        """From now on this page drives; its numbers begin anew."""
        self.clear()
        self.owner = owner

    def clear(self) -> None:
        """Nobody drives."""
        self.owner, self.last = None, None
        self.used = self._newest = self._missed = self._spare = 0
        self._waiting.clear()

    def drop(self, owner: Owner) -> None:
        """A page has gone."""
        if self.owner is owner:
            self.clear()

    def put(self, inputs: list[Any], now: float) -> None:
        """Queue what is new of a frame. Raises TooFast, and takes nothing of it then."""
        new = [sent for sent in inputs if sent.seq > self._newest]
        if not new:
            return
        while self._arrived and now - self._arrived[0][0] > WINDOW:
            self._count -= self._arrived.popleft()[1]
        if self._count + len(new) > WINDOW * MOST_FASTER * self.ticks_per_second:
            raise TooFast
        self._arrived.append((now, len(new)))
        self._count += len(new)
        self._newest = new[-1].seq
        self._waiting.extend(new)
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()

    def take(self) -> tuple[Any, bool]:
        """(input of this tick or None, whether it is a new one).

        When none has come, the last one for REPEATS ticks; the queue is longer by one from then on, which
        makes up for a line that isn't even. When there was always one more than needed for long, the oldest
        is left out: nobody plays with a delay that their line no longer has.
        """
        if not self._waiting:
            self._missed += 1
            self._spare = 0
            return (self.last if self._missed <= REPEATS else None), False
        self._spare = self._spare + 1 if len(self._waiting) > 1 else 0
        if self._spare > SPARE_TICKS:
            self._waiting.popleft()
            self._spare = 0
        self.last = self._waiting.popleft()
        self.used = self.last.seq
        self._missed = 0
        return self.last, True
