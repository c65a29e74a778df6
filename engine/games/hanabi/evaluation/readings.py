"""How readings of Hanabi conventions are scored: by the answers to all questions of the prior (instructRL
paper, section 5.2), 321 observations by 12 moves.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.games.hanabi.language import table
from engine.games.hanabi.language.programs import POSITIONS
from engine.games.hanabi.language.table import actions, observations

Item = dict[str, Any]
MAIN, EXACT = "answered_right", 4
FIGURES: dict[str, Callable[[np.ndarray], float]] = {
    "answered_right": lambda c: (c[:, 0].sum() + c[:, 2].sum()) / (c[:, 1].sum() + c[:, 3].sum()),
    "balanced": lambda c: (c[:, 0].sum() / c[:, 1].sum() + c[:, 2].sum() / c[:, 3].sum()) / 2,
    "all_right": lambda c: c[:, 4].mean(),
}
# Of the paper (appendix C.2): text-davinci-003 on its own wordings, share of 3,852 questions, [colour, rank].
GPT_3_5 = {"original": [1.0, 1.0], "without quotes": [0.9997, 0.9997], "simple": [0.9707, 0.9714]}


def of_program(game: str, program: dict[str, Any]) -> np.ndarray:
    """A program's answers: bool (321, 12)."""
    keys = [key for key, _ in actions()]
    rows = [[table.answer(program, seen, move) for move in keys] for seen, _ in observations()]
    return np.array(rows, bool)


def right(game: str, item: Item) -> list[np.ndarray]:
    """The one right reading of an instruction."""
    return [answers(item)]


def counts(game: str, item: Item, labels: np.ndarray | None) -> list[float]:
    """[yes right, yes, no right, no, all right]; a refused instruction (None) answers no to everything."""
    wanted = answers(item)
    same = wanted == (np.zeros_like(wanted) if labels is None else labels)
    return [same[wanted].sum(), wanted.sum(), same[~wanted].sum(), (~wanted).sum(), same.all()]


def baselines() -> dict[str, np.ndarray]:
    """Answers to be better than, whatever was said."""
    return {'always "no"': np.zeros((len(observations()), len(actions())), bool)}


def beside(read: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Share of questions answered right on each wording of the instructRL paper: [colour, rank]."""
    by_wording: dict[str, list[float]] = {}
    for item in paper():
        wanted = answers(item)
        got = read(item["text"]).get("meant", np.zeros_like(wanted))
        by_wording.setdefault(item["wording"], []).append(round(float((got == wanted).mean()), 4))
    return {"paper_wordings": {"embedded": by_wording, "GPT-3.5 (instructRL paper)": GPT_3_5}}


def paper() -> list[Item]:
    """The wordings of the instructRL paper: {"text", "wording", "convention", "yes"}."""
    return json.loads(Path(__file__).with_name("paper.json").read_text(encoding="utf-8"))


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
    fits = np.zeros((len(observations()), len(actions())), bool)
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
                fits[row, column] = clause["move"] in (kind, "hint")
            else:
                fits[row, column] = clause["move"] == kind and position in chosen(clause["cards"], touched)
    return fits


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
