"""The chance that a written program is right as a whole, exactly as it would be carried out.

A logistic model of a few features of what the model wrote (engine.language.model): how sure it was of the
whole and of its least certain token, how much likelier this program is than the next one, whether that one
contradicts it, and whether a part of the text asks for more. Its numbers are fitted on texts of other hands
than the model's (engine.learning.reading.chance) and lie in weights/chance.json. Not for what is done with an
uncertain reading.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from engine.language import text as typed
from engine.language.declared import SPEECH, Clause
from engine.language.encoder import FOLDER
from engine.language.model import Written

FILE = "chance.json"
ENOUGH = 0.86
"""A program that is less likely right is asked about, not carried out. So 4 % of what is carried out at once
is wrong on the development sets."""
UNFITTED = 0.45
"""The chance at most in games on whose texts the numbers weren't fitted: what they say is asked about."""
FARTHEST = 8.0
FEATURES = ("odds", "least", "margin", "rivals", "contradicted", "clauses", "tokens", "words", "lost")


def features(text: str, programs: list[Written], lost: list[str]) -> np.ndarray:
    """Of the first of some programs, the others being its rivals, and the parts of the text that it has lost
    (lost.py): float64 (len(FEATURES),).
    """
    first, others = programs[0], programs[1:]
    margin = min((first.odds - other.odds for other in others), default=FARTHEST)
    rivals = sum(first.odds - other.odds < 3 for other in others)
    clash = any(first.odds - other.odds < 4 and contradict(first.clauses, other.clauses) for other in others)
    words = len(typed.clean(text).split())
    return np.array(
        [
            max(first.odds, -FARTHEST),
            max(min(first.steps), -FARTHEST),
            np.clip(margin, -FARTHEST, FARTHEST),
            rivals,
            float(clash),
            len(first.clauses),
            np.log1p(len(first.steps)),
            np.log1p(words),
            float(bool(lost)),
        ]
    )


def contradict(one: list[Clause], other: list[Clause]) -> bool:
    """Whether an act is asked for in one program and forbidden in the other, or asked of somebody else."""
    for clause in one:
        for rival in other:
            if clause["act"] == rival["act"] and clause["act"] not in SPEECH:
                if bool(clause.get("not")) != bool(rival.get("not")) or clause.get("by") != rival.get("by"):
                    return True
    return False


def torn(clauses: list[Clause]) -> bool:
    """Whether a program asks for something and forbids the same."""
    plain = [
        {name: value for name, value in clause.items() if name not in ("not", "then")} for clause in clauses
    ]
    return any(
        one == other and bool(clauses[at].get("not")) != bool(clauses[later].get("not"))
        for at, one in enumerate(plain)
        for later, other in enumerate(plain)
    )


def chance(numbers: dict[str, Any], game: str, values: np.ndarray) -> float:
    """The logistic model. `numbers`: {"mean", "scale", "weight": by feature, "bias": by game}."""
    scaled = (values - np.array(numbers["mean"])) / np.array(numbers["scale"])
    return float(1 / (1 + np.exp(-(scaled @ np.array(numbers["weight"]) + numbers["bias"].get(game, 0.0)))))


def of(game: str, text: str, programs: list[Written], lost: list[str]) -> float:
    """The chance that the first of some programs is what the text means."""
    likely = round(chance(_fitted(), game, features(text, programs, lost)), 3)
    return likely if game in _fitted()["bias"] else min(likely, UNFITTED)


@cache
def _fitted() -> dict[str, Any]:
    return json.loads((FOLDER / FILE).read_text(encoding="utf-8"))
