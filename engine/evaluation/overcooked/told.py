"""What is counted in kitchens in which somebody was told something (engine.evaluation.told)."""

from __future__ import annotations

from collections import Counter
from typing import Any


class Counts:
    """By seat the sub-goals that it completed ("pick onion", "put_pot onion", "deliver soup", …) and ticks in
    which it stood still; after each sub-goal of another cook which one a seat completed next.
    """

    def __init__(self, seats: int) -> None:
        self.seats: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.after: dict[str, Counter[str]] = {}
        self.lately: list[str] = [""] * seats  # what the others did last, by seat

    def note(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """A tick, between the open views before it and after it."""
        done = [(one["seat"], _name(one)) for one in after["last"]["events"]]
        for seat, name in done:
            self.seats[seat][name] += 1
            if self.lately[seat]:
                self.after.setdefault(self.lately[seat], Counter())[name] += 1
        for seat, counts in enumerate(self.seats):
            counts["still"] += before["cooks"][seat] == after["cooks"][seat]
            for other, name in done:
                if other != seat:
                    self.lately[seat] = name

    def found(self) -> dict[str, Any]:
        return {
            "seats": [dict(sorted(one.items())) for one in self.seats],
            "after": {name: dict(sorted(one.items())) for name, one in sorted(self.after.items())},
        }


def _name(event: dict[str, Any]) -> str:
    """A sub-goal: what was done, and with what."""
    item = (event["item"] or {}).get("kind", "")
    return f"{event['kind']} {item}".strip()
