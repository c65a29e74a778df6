"""What a text means beside its program: a vector of its meaning, and labels of a published table
(Arena's sub-goals, Table 7 of the OpenContra paper).

A sentence encoder (encoder.py) with a head for each game gives the log odds that a text asks for something,
and those of each label. What trained it is no longer here (weights/README.md says which). Not for programs
(model.py, which takes the encoder's lowest layers from the same file). Nothing here imports torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings
from engine.language import encoder
from engine.language import text as typed

FILE = "reader.safetensors"
LEAST_ASKING = 2.0
"""Log odds that a text needs to have labels at all; chosen on the development sets."""


@dataclass(frozen=True)
class Meaning:
    """Log odds: `asks`, that the text asks for anything; `labels`, of each label if it does."""

    asks: float
    labels: dict[str, float]


class Model:
    """Encoder and heads from one file of weights. Raises ValueError for a file without them."""

    def __init__(self, path: Path) -> None:
        weights, self.about = encoder.load(path)
        try:
            self.encoder = encoder.Encoder(weights)
            self.heads = {
                game: (weights[f"{game}.weight"], weights[f"{game}.bias"]) for game in self.about["labels"]
            }
        except (KeyError, TypeError) as problem:
            raise ValueError(f"{path} is no whole reader: it lacks {problem}.") from None
        self.meaning = lru_cache(maxsize=1024)(self._meaning)

    def vector(self, text: str) -> np.ndarray:
        """float32 (2 * WIDTH,) of length 1; texts with similar meaning have similar vectors."""
        raw = self._vector(text)
        return raw / np.linalg.norm(raw)

    def _vector(self, text: str) -> np.ndarray:
        return self.encoder.encode(encoder.tokens([typed.clean(text)])[0])

    def _meaning(self, game: str, text: str) -> Meaning:
        weight, bias = self.heads[game]
        odds = weight @ self._vector(text) + bias
        return Meaning(float(odds[0]), dict(zip(self.about["labels"][game], odds[1:].tolist(), strict=True)))


@cache
def model() -> Model:
    return Model(encoder.FOLDER / FILE)


def labels(game: str, text: str) -> list[str]:
    """The labels of a text that are likelier than not, the likeliest first, one of each group; none where it
    asks for nothing, and in games for which no head was trained.
    """
    if game not in model().heads:
        return []
    found = model().meaning(game, text)
    return _chosen(labels_module(game), found) if found.asks >= LEAST_ASKING else []


def labelled(game: str, text: str) -> dict[str, Any] | None:
    """{"sentence", "program"} of the labels of a text, where a game declares some; None where it has none."""
    declared = brings.Language.of(game).DECLARED if brings.Language.brought(game) else None
    found = labels(game, text) if declared and declared.labels else []
    return labels_module(game).option(found) if found else None


def _chosen(own: brings.Labels, found: Meaning) -> list[str]:
    best: dict[str, str] = {}
    for label in sorted(found.labels, key=lambda label: -found.labels[label]):
        if found.labels[label] > 0:
            best.setdefault(own.group(label), label)
    return list(best.values())


def labels_of(game: str, row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return labels_module(game).labels(row)


def row_of(game: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """A program in the form of the bank; None: nothing was read."""
    return labels_module(game).row_of(program)


def labels_module(game: str) -> brings.Labels:
    """A game's labels.py; raises ValueError if there is none."""
    module = brings.Labels.brought(game)
    if module is None:
        raise ValueError(f"The readings of {game!r} have no labels.")
    return module
