"""The probability that a reading is right: the `confidence` of `engine.language.read`.

A logistic model of a few features, among them the share of the words that the grammar read and the model's
(meaning.py) probability of the labels. Its weights are fitted for each game on the development set
(engine.learning.sureness) and lie in weights/sureness.json; a model that a site trained brings its own. Texts
that stand word for word in the banks have confidence 1. Not for what is done with an uncertain reading
(webapp/language/readings.py), nor for how well the probabilities hold (engine.evaluation.reading_scores).
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.language import exceptions, meaning
from engine.language import text as typed
from engine.language.bank import known
from engine.language.reading import Reading

FILE = "sureness.json"
ENOUGH = 0.5
"""A reading that is likelier wrong than right is asked about, not carried out. Chosen on the development
sets; docs/benchmarks.md says what it costs."""
LEFT_OUT = 0.3
"""How sure a reading is at most that leaves out an exception: it isn't all that was said."""
MOST = 0.99
"""How sure a reading is at most that nobody has written down."""
UNKNOWN = -3.0
"""Log odds of a label that the model doesn't know."""
FARTHEST = 6.0
FEATURES = ("read", "agreed", "alone", "least", "rival", "labels", "words")
"""The share of the words that the grammar read; whether it read the same labels; whether it read nothing;
the log odds of the least likely label of the reading, and of the likeliest that it hasn't; how many labels it
has; how many words were typed (log).
"""


def features(game: str, words: Reading, reading: Reading, odds: meaning.Meaning) -> np.ndarray:
    """Features of a reading that isn't refused, and of the grammar's own reading of the same text: float64
    (len(FEATURES),).
    """
    labels = set(_labels(game, reading.program))
    read = set() if words.refused else set(_labels(game, words.program))
    chosen = [odds.labels.get(label, UNKNOWN) for label in labels]
    rest = [value for label, value in odds.labels.items() if label not in labels]
    least, rival = min(chosen, default=0.0), max(rest, default=UNKNOWN)
    values = (
        0.0 if words.refused else words.confidence,
        float(bool(read) and read == labels),
        float(not read),
        np.clip(least, -FARTHEST, FARTHEST),
        np.clip(rival, -FARTHEST, FARTHEST),
        len(labels),
        np.log1p(len(reading.text.split())),
    )
    return np.array(values, float)


def _labels(game: str, program: dict[str, Any] | None) -> list[str]:
    return meaning.labels_of(game, meaning.row_of(game, program)) if program else []


def chance(numbers: dict[str, Any], values: np.ndarray) -> float:
    """The logistic model. `numbers`: {"mean", "scale", "weight", "bias"} of a game."""
    scaled = (values - np.array(numbers["mean"])) / np.array(numbers["scale"])
    return float(1 / (1 + np.exp(-(scaled @ np.array(numbers["weight"]) + numbers["bias"]))))


def shipped(game: str) -> dict[str, Any]:
    """The weights of a game, fitted for the model that is shipped with it."""
    return _fitted(meaning.shipped_file(game, FILE))[game]


@cache
def _fitted(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))["games"]


def judged(game: str, words: Reading, reading: Reading, model: meaning.Model) -> Reading:
    """The reading with its confidence, and with the exceptions that it leaves out among the unread words.
    `words`: the grammar's own reading of the text.
    """
    if reading.refused or reading.program is None:
        return reading
    without = left_out(game, reading)
    if not without and is_known(game, reading):
        return replace(reading, confidence=1.0)
    sure = reading.confidence  # what labels have no name for ("never mind") is as sure as its words
    if _labels(game, reading.program):
        numbers = model.about["sureness"][game] if "sureness" in model.about else shipped(game)
        sure = chance(numbers, features(game, words, reading, model.meaning(game, reading.text)))
    sure = min(sure, LEFT_OUT if without else MOST)
    return replace(reading, confidence=round(sure, 3), unread=_unread(reading, without))


def is_known(game: str, reading: Reading) -> bool:
    """Whether these very words stand in a bank with this meaning."""
    row = known(game).get(typed.clean(reading.text))
    return row is not None and set(meaning.labels_of(game, row)) == set(_labels(game, reading.program))


def left_out(game: str, reading: Reading) -> list[str]:
    """The exceptions of the text that the program doesn't carry."""
    carries, program = meaning.labels_module(game).carries, reading.program
    return [phrase for phrase in exceptions.found(reading.text) if program and not carries(program, phrase)]


def _unread(reading: Reading, without: list[str]) -> list[str]:
    """The words that were not read, each once; those of an exception in one piece, as typed."""
    whole = typed.clean(reading.text)
    pieces = [exception if exception != whole else exception.split()[0] for exception in without]
    words = {word for exception in without for word in typed.words(exception)}
    kept = [word for word in reading.unread if word not in words and not (pieces and word == "the condition")]
    return kept + pieces
