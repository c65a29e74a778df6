"""Better or worse than another agent, in sentences: first with the human proxy as partner, because partners
are made for people, then in self-play. Measures nothing (engine.learning.algorithms.evaluate_round).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import brings
from engine.learning.parts.sides import has_sides
from webapp.agents import cards

# What is compared, and where a result keeps its differences deal by deal.
MEASURES = {"people": "people_difference", "self_play": "difference"}


def where(game: str, measure: str = "self_play") -> str:
    """How scores were measured: "with the human proxy", "in self-play", or against whom where sides play each
    other.
    """
    if measure == "people":
        return "with the human proxy"
    suits = brings.Training.of(game)
    rival = suits.YARDSTICK_WORDS or suits.YARDSTICK or "the base"
    return f"against {rival}" if has_sides(game) else "in self-play"


@dataclass(frozen=True)
class Verdict:
    """One agent less another in one measure; an interval that holds 0 is no clear difference."""

    game: str
    measure: str
    mean: float
    half: float

    @property
    def word(self) -> str:
        if abs(self.mean) <= self.half:
            return ""
        return "better" if self.mean > 0 else "worse"

    @property
    def where(self) -> str:
        return where(self.game, self.measure)

    @property
    def text(self) -> str:
        if not self.word:
            return f"No clear difference {self.where}: {self.mean:+.2f} ± {self.half:.2f} points."
        points, name = brings.Training.of(self.game).UNIT
        also = f", {abs(self.mean) / points:.1f} {name}" if name else ""
        gap = f"{abs(self.mean):.2f} ± {self.half:.2f} points{also}"
        return f"The candidate is {self.word} {self.where} by {gap}."


def of(game: str, differences: Mapping[str, dict[str, Any] | None]) -> list[Verdict]:
    """The verdicts on what was measured, with people first: {measure: score of the difference}."""
    known = [(measure, cards.interval(differences.get(measure))) for measure in MEASURES]
    return [Verdict(game, measure, figure["mean"], figure["half"]) for measure, figure in known if figure]


def first_clear(verdicts: list[Verdict]) -> Verdict | None:
    """The verdict that counts: with people, where that is clear."""
    return next((verdict for verdict in verdicts if verdict.word), None)
