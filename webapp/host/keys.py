"""The keys of one seat between two ticks: what was pressed last counts, and nothing queues up.

Pure state, no clock. Not for who may press them (webapp.host.messages).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Owner = TypeVar("Owner")
MOVEMENTS = range(4)  # actions that repeat while their key is held


@dataclass
class Keys(Generic[Owner]):
    """`held`: movement keys that are down, in the order of their presses. `pressed`: the last press since the
    last tick, as (action, who pressed it, that page's number); a tap that ended before the tick still acts.
    """

    held: list[int] = field(default_factory=list)
    pressed: tuple[int, Owner, int] | None = None

    def press(self, action: int, owner: Owner, seq: int) -> None:
        self.pressed = (action, owner, seq)
        if action in MOVEMENTS:
            self.release(action)
            self.held.append(action)

    def release(self, action: int) -> None:
        """A key that isn't down is none of our business: its press was another seat's or came too late."""
        if action in self.held:
            self.held.remove(action)

    def clear(self) -> None:
        self.held.clear()
        self.pressed = None

    def drop(self, owner: Owner) -> None:
        """A page has gone: nothing is held down for it any more. What another one has just pressed counts."""
        self.held.clear()
        if self.pressed is not None and self.pressed[1] is owner:
            self.pressed = None

    def take(self) -> tuple[int | None, tuple[Owner, int] | None]:
        """(action of this tick or None, (who pressed it, number) if it was pressed since the last tick)."""
        if self.pressed is not None:
            (action, owner, seq), self.pressed = self.pressed, None
            return action, (owner, seq)
        return (self.held[-1] if self.held else None), None
