"""Parts of games' counts of events, and what pages show of them (engine.evaluation.told)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from engine import brings


def shares_of(game: str) -> dict[str, str]:
    """The counts of a game that pages show as shares, {name: title}."""
    return dict(brings.Told.of(game).SHARES)


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
            "seats": [dict(sorted(one.items())) for one in self.seats],
            "after": {name: dict(sorted(one.items())) for name, one in sorted(self.after.items())},
        }
