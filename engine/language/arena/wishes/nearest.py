"""What nobody wrote a rule for, read as the most similar phrasing of the bank.

TF-IDF over words, pairs of words and runs of letters, compared by cosine. Used only where all words are of
the game, so that what is refused stays refused. Loaded when it is first needed.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from functools import cache
from math import log, sqrt
from pathlib import Path
from typing import Any

from engine.language import text as typed
from engine.language.arena.wishes import cut

BANK = Path(__file__).parents[2] / "phrasings" / "arena.jsonl"
LEAST = 0.45
"""Less similar than this, the most similar phrasing says nothing."""
_WORD, _PAIR, _RUN = 2.0, 1.0, 0.4  # how much each kind of feature counts
_RUNS = (3, 4)  # letters

Features = dict[str, float]


def nearest(text: str) -> dict[str, str]:
    """{name: value} of the most similar phrasing; {} where that is refused or nothing is similar."""
    rows, postings, _ = _bank()
    likeness: dict[int, float] = defaultdict(float)
    for feature, weight in _vector(_features(text)).items():
        for row, other in postings.get(feature, ()):
            likeness[row] += weight * other
    best = max(likeness, key=lambda row: likeness[row], default=None)
    return rows[best]["goals"] if best is not None and likeness[best] >= LEAST else {}


@cache
def _bank() -> tuple[list[dict[str, Any]], dict[str, list[tuple[int, float]]], dict[str, float]]:
    """(phrasings, feature -> its weight in each of them, feature -> how telling it is)."""
    rows = [json.loads(line) for line in BANK.read_text().splitlines()]
    found = [_features(row["text"]) for row in rows]
    seen = Counter(feature for features in found for feature in features)
    telling = {feature: log(len(rows) / (1 + count)) for feature, count in seen.items()}
    postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row, features in enumerate(found):
        for feature, weight in _weighted(features, telling).items():
            postings[feature].append((row, weight))
    return rows, postings, telling


def _features(text: str) -> Features:
    words = [cut.INGS.get(word, word) for word in re.findall(r"[\w']+", typed.clean(text))]
    found: Features = defaultdict(float)
    for word in words:
        found[f"{word} "] += _WORD
        for length in _RUNS:
            for at in range(len(word) + 3 - length):
                found[f"<{word}>"[at : at + length]] += _RUN
    for pair in zip(words, words[1:], strict=False):
        found[" ".join(pair)] += _PAIR
    return found


def _vector(features: Features) -> Features:
    return _weighted(features, _bank()[2])


def _weighted(features: Features, telling: dict[str, float]) -> Features:
    """Of length 1."""
    weights = {feature: count * telling.get(feature, 0.0) for feature, count in features.items()}
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {feature: weight / length for feature, weight in weights.items()} if length else {}
