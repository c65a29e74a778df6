"""The held-out instructions of README.md here: reading the files.

Not for: measuring (engine/evaluation/bench_language.py), and never for building a reader.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
Item = dict[str, Any]


def games() -> list[str]:
    """The games that have a set."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def load(game: str) -> list[Item]:
    """The texts of a game in the order of the file. Raises ValueError for a game without a set."""
    path = FOLDER / f"{game}.jsonl"
    if not path.exists():
        known = ", ".join(games())
        raise ValueError(f"There are held-out instructions for {known}; there are none for {game!r}.")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
