"""What is counted in kitchens in which somebody was told something (engine.evaluation.told)."""

from __future__ import annotations

from typing import Any

from engine.evaluation.counted import Sequels


class Counts:
    """By seat the sub-goals that it completed ("pick onion", "put_pot onion", "deliver soup", …) and ticks in
    which it stood still; after each sub-goal of another cook which one a seat completed next.
    """

    def __init__(self, seats: int) -> None:
        self.sequels = Sequels(seats)

    def note(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """A tick, between the open views before it and after it."""
        self.sequels.note((event["seat"], _name(event)) for event in after["last"]["events"])
        for seat, counts in enumerate(self.sequels.seats):
            counts["still"] += before["cooks"][seat] == after["cooks"][seat]

    def found(self) -> dict[str, Any]:
        return self.sequels.found()


def _name(event: dict[str, Any]) -> str:
    """A sub-goal: what was done, and with what."""
    item = (event["item"] or {}).get("kind", "")
    return f"{event['kind']} {item}".strip()
