"""The held-out instructions of docs/held-out-instructions.md: reading the files, of each game that has one
`evaluation/instructions.jsonl`.

Not for: measuring (engine/evaluation/reading_scores.py), and never for building a reader.
"""

from __future__ import annotations

import json
from typing import Any

from engine import games as registry

FILE = "instructions.jsonl"
Item = dict[str, Any]


def games() -> list[str]:
    """The games that have a set."""
    return [game for game in registry.names() if (registry.folder(game) / "evaluation" / FILE).exists()]


def load(game: str) -> list[Item]:
    """The texts of a game in the order of the file. Raises ValueError for a game without a set."""
    if game not in games():
        known = ", ".join(games())
        raise ValueError(f"There are held-out instructions for {known}; there are none for {game!r}.")
    path = registry.folder(game) / "evaluation" / FILE
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
