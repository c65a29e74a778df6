"""How readings are scored in games without their own `readings.py` in this room: by their labels
(engine/games/<game>/language/labels.py), with and without values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.language import labels as labelling

Item = dict[str, Any]
MAIN, EXACT = "f1", 3
"""The figure that stands for all, and where `counts` says that all is right."""


def of_program(game: str, program: dict[str, Any]) -> set[str]:
    """The labels of a program."""
    return set(labelling.labels_of(game, labelling.row_of(game, program)))


def right(game: str, item: Item) -> list[set[str]]:
    """The readings of an instruction that are equally right ("or" in a bank or set)."""
    (key,) = labelling.row_of(game, None)
    both = [item[key], *([item["or"]] if "or" in item else [])]
    return [set(labelling.labels_of(game, {key: rows})) for rows in both]


def counts(game: str, item: Item, labels: set[str] | None) -> list[float]:
    """[hits, said, meant, exact] for the closest of the right readings, and the first three again for the
    labels' groups alone.
    """
    group, got, wanted = labelling.labels_module(game).group, labels or set(), right(game, item)
    best = max((_overlap(got, some) for some in wanted), key=lambda c: f1(*c))
    groups = [_overlap({*map(group, got)}, {*map(group, some)}) for some in wanted]
    return [*best, float(best[0] == best[1] == best[2]), *max(groups, key=lambda c: f1(*c))]


def _overlap(got: set[str], wanted: set[str]) -> tuple[float, float, float]:
    return float(len(got & wanted)), float(len(got)), float(len(wanted))


def f1(hits: float, read: float, meant: float) -> float:
    """The harmonic mean of precision and recall; 1 if nothing was said or meant."""
    return 2 * hits / (read + meant) if read + meant else 1.0


FIGURES: dict[str, Callable[[np.ndarray], float]] = {
    "f1": lambda c: f1(*c[:, :3].sum(0)),
    "precision": lambda c: c[:, 0].sum() / max(1, c[:, 1].sum()),
    "recall": lambda c: c[:, 0].sum() / max(1, c[:, 2].sum()),
    "f1_choice": lambda c: f1(*c[:, 4:7].sum(0)),
    "exact": lambda c: c[:, 3].mean(),
}
