"""What is counted in episodes: shares of occasions, and what followed what. The counters of a game are in its
folder (`habits.py`, `evaluation/told.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Habits = Callable[[np.ndarray, int, int, np.ndarray], Iterable[tuple[str, bool]]]
Shares = dict[str, list[int]]  # by what is counted: [how often, on how many occasions]


def nothing_yet() -> Shares:
    """No occasions."""
    return defaultdict(lambda: [0, 0])


def add(counts: Shares, seen: Iterable[tuple[str, bool]]) -> None:
    """Count occasions: what was to be seen, and whether it was."""
    for name, happened in seen:
        counts[name][0] += bool(happened)
        counts[name][1] += 1


class Sequels:
    """What seats did, and what each did next after another seat's move."""

    def __init__(self, seats: int) -> None:
        self.seats: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.after: dict[str, Counter[str]] = {}
        self.lately: list[str] = [""] * seats  # what the others did last, by seat

    def note(self, done: Iterable[tuple[int, str]]) -> None:
        """Count a step: the seat, and what it did."""
        done = list(done)
        for seat, name in done:
            self.seats[seat][name] += 1
            if self.lately[seat]:
                self.after.setdefault(self.lately[seat], Counter())[name] += 1
        for seat in range(len(self.seats)):
            for other, name in done:
                if other != seat:
                    self.lately[seat] = name

    def found(self) -> dict[str, Any]:
        """{"seats": [{what: times}], "after": {what: {what next: times}}}."""
        return {
            "seats": [dict(sorted(seat.items())) for seat in self.seats],
            "after": {name: dict(sorted(counts.items())) for name, counts in sorted(self.after.items())},
        }
