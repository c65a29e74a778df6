"""How well instructions are read: readings scored against what they should be.

By the labels of a reading: all of them right (exact), precision, recall and F1, with their values and without
(F1 choice; OpenContra paper, section 5.2), or as a game's own `readings.py` says. Figures have 95 % intervals
over instructions drawn again. Nothing is trained. Not for: the held-out sets and the baselines
(`manage.py bench language`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import brings, language
from engine.evaluation import readings as by_labels
from engine.evaluation.intervals import estimate
from engine.evaluation.reliability import reliability
from engine.language.labels import labels
from engine.language.reading import Reading

Said = dict[str, Any]
"""What a reader made of a text: {"refused", and "meant": what is scored of it}."""


def scoring(game: str) -> brings.Readings:
    """How readings of a game are scored."""
    return brings.Readings.brought(game) or brings.Readings(by_labels)


def read(game: str, text: str) -> Said:
    """What the reader in use makes of a text."""
    return of_reading(game, language.read(game, text))


def has_labels(game: str) -> bool:
    """Whether texts of a game are scored by the labels that they get beside their programs."""
    own = brings.Language.brought(game)
    return own is not None and bool(own.DECLARED.labels)


def of_reading(game: str, reading: Reading) -> Said:
    """A reading as it is scored: by its program, or by the labels of its text in games that declare some."""
    if not has_labels(game):
        return of_program(game, None if reading.refused else reading.program)
    found = labels(game, reading.text)
    return {"refused": True} if reading.refused and not found else {"refused": False, "meant": set(found)}


def of_program(game: str, program: dict[str, Any] | None) -> Said:
    """A reading as it is scored; None: refused."""
    if program is None:
        return {"refused": True}
    return {"refused": False, "meant": scoring(game).of_program(game, program)}


def score(game: str, items: list[dict[str, Any]], meanings: list[Said]) -> dict[str, Any]:
    """Every figure with its interval: {"name": {"mean", "low", "high"}}."""
    good = [(item, meaning) for item, meaning in zip(items, meanings, strict=True) if not item["refused"]]
    bad = [meaning for item, meaning in zip(items, meanings, strict=True) if item["refused"]]
    counts = np.array([counts_of(game, item, meaning) for item, meaning in good], float)
    figures = {name: interval(counts, figure) for name, figure in scoring(game).FIGURES.items()}
    refused = np.array([[meaning["refused"]] for _, meaning in good], float)
    figures["good_refused"] = interval(refused, lambda c: c.sum(0)[0] / len(c))
    if bad:
        refused = np.array([[meaning["refused"]] for meaning in bad], float)
        figures["meaningless_refused"] = interval(refused, lambda c: c.sum(0)[0] / len(c))
    return figures


def counts_of(game: str, item: dict[str, Any], meaning: Said) -> list[float]:
    return scoring(game).counts(game, item, meaning.get("meant"))


def interval(counts: np.ndarray, figure: Callable[[np.ndarray], float]) -> dict[str, float]:
    """A figure and its 95 % interval over instructions (rows of `counts`)."""
    return estimate(len(counts), lambda picked: figure(counts[picked]))


def is_right(game: str, item: dict[str, Any], meaning: Said) -> bool:
    """Whether all of it was read as it should be; what asks for nothing should be refused."""
    if item["refused"] or meaning["refused"]:
        return bool(item["refused"] and meaning["refused"])
    return bool(counts_of(game, item, meaning)[scoring(game).EXACT])


def reliability_of(game: str, items: list[dict[str, Any]], readings: list[Reading]) -> dict[str, Any]:
    """Whether the confidences of the texts that are read hold; of programs, so not in games with labels."""
    pairs = [(item, reading) for item, reading in zip(items, readings, strict=True) if not reading.refused]
    right = [is_right(game, item, of_reading(game, reading)) for item, reading in pairs]
    return reliability(np.array([reading.confidence for _, reading in pairs]), np.array(right))


def main_figure(game: str) -> str:
    """The name of the figure that stands for all."""
    return scoring(game).MAIN
