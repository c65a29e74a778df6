"""The result of reading an instruction. Not the reading itself, which is different in each game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Reading:
    """What was understood, in the agent's own words and as a program.

    `refused`: nothing to obey; `sentence` then says what can be read. `confidence`: 0 to 1, how likely this
    is what was meant (chance.py). `unread`: parts of the text that the program doesn't account for.
    `alternatives`: other readings to offer, each `{"sentence", "program"}`. `talk`: refused because it asks
    for no move, such as thanks. `does`: what becomes of earlier instructions, "cancel", "undo", "again" or
    "redirect" (declared.py), "" for nothing. `to`: the one seat that the text calls by its name, in games
    whose programs name no seats. `wish`: where it is refused because all of it is what the speaker keeps from
    themselves, its notation: a plan of the team goes by it. `never`: some of it can't be done in such a game,
    ever, and `sentence` says why: that is no question of what was meant.
    """

    text: str
    refused: bool
    sentence: str
    confidence: float = 0.0
    program: dict[str, Any] | None = None
    unread: list[str] = field(default_factory=list)
    alternatives: list[dict[str, Any]] = field(default_factory=list)
    talk: bool = False
    does: str = ""
    to: int | None = None
    wish: str = ""
    never: bool = False

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Reading:
        """The reading of which `as_json` is a part of what was stored."""
        return cls(**{field.name: stored[field.name] for field in fields(cls) if field.name in stored})

    def as_json(self) -> dict[str, Any]:
        """The reading as plain JSON; `reading` repeats `sentence` (None when refused) for programs."""
        return {**asdict(self), "reading": None if self.refused else self.sentence}
