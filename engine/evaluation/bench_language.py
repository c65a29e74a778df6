"""How well instructions are read: held-out sets (engine/evaluation/instructions.py), scored beside baselines.

By the labels of a reading: all of them right (exact), precision, recall and F1, with their values and without
(F1 choice; OpenContra paper, section 5.2), or as a game's own `readings.py` in this room says. Figures have
95 % intervals over instructions drawn again. Nothing is trained.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from engine import games, language
from engine.evaluation import instructions
from engine.evaluation import readings as by_labels
from engine.evaluation.reliability import reliability
from engine.language import meaning, second
from engine.language.bank import bank, development
from engine.language.decisions.settings import Settings
from engine.language.reading import Reading

RESAMPLES = 1000

Said = dict[str, Any]
"""What a reader made of a text: {"refused", and "meant": what is scored of it}."""
TextReader = Callable[[str], Said]


def scoring(game: str) -> ModuleType:
    """How readings of a game are scored."""
    return games.part(game, "readings", "evaluation") or by_labels


def bench_language(
    game: str,
    progress: Callable[[str], None] = lambda text: None,
    on: str = "held-out",
    asked: Settings | None = None,
) -> dict[str, Any]:
    """Scores of the embedded reader on the held-out set of a game (or, `on` "development", on the set on
    which settings are chosen), of baselines, and how long reading takes. `asked`: a language model to measure
    beside them, as the second opinion that it is in play (engine.language.second).

    Raises ValueError for a game without a set.
    """
    items = instructions.load(game) if on == "held-out" else development(game)
    known = {row["text"].strip().lower() for row in bank(game)}
    count = len(items)
    items = [item for item in items if item["text"].strip().lower() not in known]
    times: list[float] = []

    def timed(text: str) -> Reading:
        began = time.perf_counter()
        reading = language.read(game, text)
        times.append(1000 * (time.perf_counter() - began))
        return reading

    found: dict[str, Any] = {"game": game, "instructions": sum(not item["refused"] for item in items)}
    found["meaningless"] = len(items) - found["instructions"]
    found["left_out"] = count - len(items)  # short ones that somebody else thought of too
    progress(f"Reading {len(items)} texts …")
    readings = [timed(item["text"]) for item in items]
    said = [of_reading(game, reading) for reading in readings]
    found["embedded"] = score(game, items, said)
    found["reliability"] = reliability_of(game, items, readings)
    if asked:
        found["asked"] = by_model(game, items, asked, progress)
    found["by_voice"] = by_voice(game, items, said)
    found["read_ms"] = {f"p{p}": round(float(np.percentile(times, p)), 2) for p in (50, 95, 99)}
    progress("Baselines …")
    found["baselines"] = {name: score(game, items, [reader(i["text"]) for i in items])
                          for name, reader in baselines(game).items()}  # fmt: skip
    found["baselines"] |= getattr(games.part(game, "published", "evaluation"), "READERS", {})
    if hasattr(scoring(game), "beside"):
        found |= scoring(game).beside(lambda text: read(game, text))
    return found


def read(game: str, text: str, model: meaning.Model | None = None) -> Said:
    """What the embedded reader makes of a text, with another model than the one in use if one is given."""
    return of_reading(game, language.read(game, text, model=model))


def by_model(
    game: str, items: list[dict[str, Any]], asked: Settings, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Scores with a language model's opinion on every text; how often none answered, and what it took."""
    said, silent, usage, began = [], 0, Counter[str](), time.perf_counter()
    model = notice = ""
    for at, item in enumerate(items, 1):
        one = second.opinion(game, item["text"], asked)
        silent += one.labels is None
        model, notice = one.model or model, one.notice or notice
        usage.update(one.usage)
        said.append(of_reading(game, second.applied(game, item["text"], one)))
        if at % 20 == 0:
            progress(f"{at} of {len(items)} texts asked about …")
    seconds = round(time.perf_counter() - began, 1)
    about = {"model": model, "unanswered": silent, "notice": notice, "usage": dict(usage), "seconds": seconds}
    return about | score(game, items, said)


def of_reading(game: str, reading: Reading) -> Said:
    """A reading as it is scored."""
    return of_program(game, None if reading.refused else reading.program)


def of_program(game: str, program: dict[str, Any] | None) -> Said:
    """A reading as it is scored; None: refused."""
    if program is None:
        return {"refused": True}
    return {"refused": False, "meant": scoring(game).of_program(game, program)}


# --- Scores ----------------------------------------------------------------------------------------------


def score(game: str, items: list[dict[str, Any]], said: list[Said]) -> dict[str, Any]:
    """Every figure with its interval: {"name": {"mean", "low", "high"}}."""
    good = [(item, one) for item, one in zip(items, said, strict=True) if not item["refused"]]
    bad = [one for item, one in zip(items, said, strict=True) if item["refused"]]
    counts = np.array([_counts(game, item, one) for item, one in good], float)
    found = {name: interval(counts, figure) for name, figure in scoring(game).FIGURES.items()}
    refused = np.array([[one["refused"]] for _, one in good], float)
    found["good_refused"] = interval(refused, lambda c: c.sum(0)[0] / len(c))
    if bad:
        refused = np.array([[one["refused"]] for one in bad], float)
        found["meaningless_refused"] = interval(refused, lambda c: c.sum(0)[0] / len(c))
    return found


def _counts(game: str, item: dict[str, Any], said: Said) -> list[float]:
    return scoring(game).counts(game, item, said.get("meant"))


def interval(counts: np.ndarray, figure: Callable[[np.ndarray], float]) -> dict[str, float]:
    """A figure and its 95 % interval over instructions drawn again (bootstrap, seed 0)."""
    rng = np.random.default_rng(0)
    again = [figure(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(RESAMPLES)]
    low, high = np.percentile(again, [2.5, 97.5])
    return {
        "mean": round(float(figure(counts)), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
    }


def is_right(game: str, item: dict[str, Any], said: Said) -> bool:
    """Whether all of it was read as it should be; what asks for nothing should be refused."""
    if item["refused"] or said["refused"]:
        return bool(item["refused"] and said["refused"])
    return bool(_counts(game, item, said)[scoring(game).EXACT])


def reliability_of(game: str, items: list[dict[str, Any]], readings: list[Reading]) -> dict[str, Any]:
    """Whether the confidences of the texts that are read hold."""
    pairs = [(item, one) for item, one in zip(items, readings, strict=True) if not one.refused]
    right = [is_right(game, item, of_reading(game, one)) for item, one in pairs]
    return reliability(np.array([one.confidence for _, one in pairs]), np.array(right))


def main_figure(game: str) -> str:
    """The name of the figure that stands for all."""
    return scoring(game).MAIN


def by_voice(game: str, items: list[dict[str, Any]], said: list[Said]) -> dict[str, float]:
    """The main figure for each voice with instructions."""
    figure = scoring(game).FIGURES[main_figure(game)]
    good = [(item, one) for item, one in zip(items, said, strict=True) if not item["refused"]]
    found = {}
    for voice in sorted({item["voice"] for item, _ in good}):
        own = [(item, one) for item, one in good if item["voice"] == voice]
        counts = np.array([_counts(game, item, one) for item, one in own], float)
        found[voice] = round(float(figure(counts)), 3)
    return found


# --- Baselines -------------------------------------------------------------------------------------------


def baselines(game: str) -> dict[str, TextReader]:
    """Readers to be better than: the nearest phrasing of the bank, the grammar alone, what a game brings."""
    found: dict[str, TextReader] = {}
    for name, meant in getattr(scoring(game), "baselines", dict)().items():
        found[name] = lambda text, meant=meant: {"refused": False, "meant": meant}
    found["nearest phrasing"] = nearest(game)
    found["grammar alone"] = lambda text: of_reading(game, language.by_grammar(game, text))
    return found


def nearest(game: str) -> TextReader:
    """The reading of the phrasing that shares most of its words and letter triples (TF-IDF, cosine)."""
    phrasings = bank(game)
    pieces = [_pieces(item["text"]) for item in phrasings]
    names = {piece: at for at, piece in enumerate(sorted({p for own in pieces for p in own}))}
    there = np.zeros((len(phrasings), len(names)), np.float32)
    for row, own in enumerate(pieces):
        for piece in own:
            there[row, names[piece]] = 1
    weight = np.log((1 + len(phrasings)) / (1 + there.sum(0))) + 1
    there *= weight
    there /= np.linalg.norm(there, axis=1, keepdims=True).clip(1e-9)

    def reader(text: str) -> Said:
        own = np.zeros(len(names), np.float32)
        for piece in _pieces(text):
            if piece in names:
                own[names[piece]] = weight[names[piece]]
        item = phrasings[int((there @ own).argmax())]
        if item["refused"]:
            return {"refused": True}
        return {"refused": False, "meant": scoring(game).right(game, item)[0]}

    return reader


def _pieces(text: str) -> set[str]:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return {
        *words,
        *(f"{word}|"[i : i + 3] for word in (f"|{w}" for w in words) for i in range(len(word) - 1)),
    }
