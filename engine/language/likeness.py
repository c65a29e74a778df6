"""What no grammar reads: whether a text is about the game at all, and the phrasing that it is most like.

The bank of phrasings (phrasings/<game>.jsonl, each with its right reading or none) serves twice. A linear
model of its words, pairs of words and runs of letters, trained by engine.learning.relevance, tells texts that
ask for something from those that mean nothing here. And the phrasing that shares most of those features
(TF-IDF, cosine) is read in place of the text. A guess is never surer than half.

Nothing here imports torch. Loaded when it is first needed.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import log, log1p, sqrt
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from safetensors import safe_open

from engine.language import text as typed
from engine.language.reading import Reading

FOLDER = Path(__file__).parent / "phrasings"
BUCKETS = 1 << 15  # of the linear model's features
MOST_WORDS = 60
CONFIDENCE = 0.5
"""How sure a guess is at most."""
LEAST_ALIKE = 0.15
"""Less alike (cosine) than this, no phrasing says anything."""
GUESSES = 3  # readings that are offered
LOOKED_AT = 8  # phrasings that are read for them
_RUNS = (3, 4)  # letters

Features = dict[str, float]


def bank(game: str) -> list[dict[str, Any]]:
    """The phrasings of a game: {"text", "refused", and the right reading}."""
    lines = (FOLDER / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def features(text: str) -> Features:
    """Words, pairs of words and runs of letters, by how much each counts."""
    words = re.findall(r"[\w']+", typed.clean(text))[:MOST_WORDS]
    found: Features = defaultdict(float)
    for word in words:
        found[f"word {word}"] += 1.0
        framed = f"<{word}>"
        for length in _RUNS:
            for at in range(len(framed) - length + 1):
                found[framed[at : at + length]] += 0.4
    for pair in zip(["^", *words], [*words, "$"], strict=True):
        found[" ".join(pair)] += 1.0
    return dict(found)


def hashed(text: str) -> tuple[np.ndarray, np.ndarray]:
    """The features as (buckets, values) of a vector of length 1, for the linear model."""
    sums: dict[int, float] = defaultdict(float)
    for feature, count in features(text).items():
        sums[crc32(feature.encode()) % BUCKETS] += count
    values = np.log1p(np.array(list(sums.values()), np.float32))
    return np.array(list(sums), np.int64), values / max(1e-9, float(np.linalg.norm(values)))


def is_about(game: str, text: str) -> bool:
    """Whether a text is more likely to ask for something in the game than to mean nothing there."""
    weights, bias = _linear(game)
    buckets, values = hashed(text)
    return bool(len(buckets)) and float(values @ weights[buckets]) + bias > 0


@cache
def _linear(game: str) -> tuple[np.ndarray, float]:
    """The weights, and the bias less the score that a text has to have."""
    with safe_open(FOLDER / f"{game}.safetensors", "np") as file:
        return file.get_tensor("weights").astype(np.float32), float(file.get_tensor("bias")[0])


def guess(text: str, game: str, read: Callable[[str], Reading], refused: Reading) -> Reading:
    """The reading of the phrasings that a refused text is most like, the others as alternatives; `refused`
    itself where the text is about something else or nothing is like it.
    """
    if not is_about(game, text):
        return refused
    found: list[Reading] = []
    for phrasing in nearest(game, text):
        other = read(phrasing)
        if not other.refused and other.sentence not in [one.sentence for one in found]:
            found.append(other)
    if not found:
        return refused
    best = found[0]
    others = [{"sentence": one.sentence, "program": one.program} for one in found[1:GUESSES]]
    sure = round(CONFIDENCE * best.confidence, 3)
    return replace(best, text=text, confidence=sure, unread=refused.unread, alternatives=others)


def nearest(game: str, text: str) -> list[str]:
    """The phrasings that a text is most like, the most alike first."""
    texts, postings, telling = _index(game)
    alike: dict[int, float] = defaultdict(float)
    for feature, weight in _weighted(features(text), telling).items():
        for row, other in postings.get(feature, ()):
            alike[row] += weight * other
    rows = sorted((row for row in alike if alike[row] >= LEAST_ALIKE), key=lambda row: (-alike[row], row))
    return [texts[row] for row in rows[:LOOKED_AT]]


@cache
def _index(game: str) -> tuple[list[str], dict[str, list[tuple[int, float]]], Features]:
    """(phrasings that ask for something, feature -> its weight in each, feature -> how telling it is)."""
    texts = [row["text"] for row in bank(game) if not row["refused"]]
    found = [features(text) for text in texts]
    seen: dict[str, int] = defaultdict(int)
    for own in found:
        for feature in own:
            seen[feature] += 1
    telling = {feature: log((1 + len(texts)) / (1 + count)) for feature, count in seen.items()}
    postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row, own in enumerate(found):
        for feature, weight in _weighted(own, telling).items():
            postings[feature].append((row, weight))
    return texts, postings, telling


def _weighted(own: Features, telling: Features) -> Features:
    """Of length 1."""
    weights = {feature: log1p(count) * telling.get(feature, 0.0) for feature, count in own.items()}
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {feature: weight / length for feature, weight in weights.items() if weight} if length else {}
