"""The held-out instructions of README.md here: reading the files, and what a Hanabi clause answers.

Not for: measuring (engine/evaluation/bench_language.py), and never for building a reader.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.language.hanabi.table import POSITIONS, actions, observations

FOLDER = Path(__file__).resolve().parent
Item = dict[str, Any]


def load(game: str) -> list[Item]:
    """The texts of a game in the order of the file. Raises ValueError for a game without a set."""
    path = FOLDER / f"{game}.jsonl"
    if not path.exists():
        known = ", ".join(sorted(found.stem for found in FOLDER.glob("*.jsonl")))
        raise ValueError(f"There are held-out instructions for {known}; there are none for {game!r}.")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def paper() -> list[Item]:
    """The wordings of the instructRL paper: {"text", "wording", "convention", "yes"}."""
    return json.loads((FOLDER / "paper.json").read_text(encoding="utf-8"))


def answers(item: Item) -> np.ndarray:
    """What every question of Hanabi's prior is to be answered: bool (321, 12)."""
    right = np.zeros((len(observations()), len(actions())), bool)
    for clause in item["yes"]:
        right |= _fits(json.dumps(clause))
    for clause in item.get("no", ()):
        right &= ~_fits(json.dumps(clause))
    return right


@cache
def _fits(packed: str) -> np.ndarray:
    """The questions that a clause is about: bool (321, 12)."""
    clause = json.loads(packed)
    found = np.zeros((len(observations()), len(actions())), bool)
    for row, (key, _) in enumerate(observations()):
        did, _, rest = key.partition(":")
        value, _, cards = rest.partition(":")
        if not did.startswith("hint"):
            value, cards = "", ""
        touched = cards.split(",") if cards else []
        if not _asked(clause, did, value, touched):
            continue
        for column, (move, _) in enumerate(actions()):
            kind, _, position = move.partition(":")
            if kind.startswith("hint"):
                found[row, column] = clause["move"] in (kind, "hint")
            else:
                found[row, column] = clause["move"] == kind and position in chosen(clause["cards"], touched)
    return found


def _asked(clause: Item, did: str, value: str, touched: list[str]) -> bool:
    after = [kind or "null" for kind in clause["after"]]
    if "*" not in after and did not in after:
        return False
    if clause.get("value") is not None and str(clause["value"]) != value:
        return False
    many = clause.get("touched")
    return many is None or (len(touched) == 1 if many == "one" else len(touched) > 1)


def chosen(cards: str, touched: list[str]) -> list[str]:
    """The positions that a clause names, when those in `touched` (oldest first) were hinted."""
    untouched = [position for position in POSITIONS if position not in touched]
    groups = {"touched": touched, "untouched": untouched, "": list(POSITIONS), "any": list(POSITIONS)}
    if cards in groups:
        return groups[cards]
    name, _, end = cards.rpartition("_")
    if end in ("newest", "oldest"):
        return groups[name][-1:] if end == "newest" else groups[name][:1]
    return [cards]
