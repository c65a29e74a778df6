"""How well held-out sets (engine/evaluation/instructions.py) are read, beside baselines. Nothing is trained.

How a reading is scored: engine.evaluation.reading_scores.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import brings, language
from engine.evaluation import instructions
from engine.evaluation.reading_scores import (
    Said,
    counts_of,
    has_labels,
    main_figure,
    of_reading,
    read,
    reliability_of,
    score,
    scoring,
)
from engine.language import second
from engine.language.bank import bank, development
from engine.language.decisions.settings import Settings
from engine.language.reading import Reading
from tools.bench.alike import most_alike

TextReader = Callable[[str], Said]


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

    result: dict[str, Any] = {"game": game, "instructions": sum(not item["refused"] for item in items)}
    result["meaningless"] = len(items) - result["instructions"]
    result["left_out"] = count - len(items)  # short ones that somebody else thought of too
    progress(f"Reading {len(items)} texts …")
    readings = [timed(item["text"]) for item in items]
    meanings = [of_reading(game, reading) for reading in readings]
    result["embedded"] = score(game, items, meanings)
    if not has_labels(game):  # neither the confidence nor a language model is about labels
        result["reliability"] = reliability_of(game, items, readings)
        if asked:
            result["asked"] = by_model(game, items, asked, progress)
    result["by_voice"] = by_voice(game, items, meanings)
    result["read_ms"] = {f"p{p}": round(float(np.percentile(times, p)), 2) for p in (50, 95, 99)}
    progress("Baselines …")
    result["baselines"] = {name: score(game, items, [reader(i["text"]) for i in items])
                          for name, reader in baselines(game).items()}  # fmt: skip
    result["baselines"] |= brings.Published.of(game).READERS
    if beside := scoring(game).beside:
        result |= beside(lambda text: read(game, text))
    return result


def by_model(
    game: str, items: list[dict[str, Any]], asked: Settings, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Scores with a language model's opinion on every text; how often none answered, and what it took."""
    opinions, silent, usage, began = [], 0, Counter[str](), time.perf_counter()
    model = notice = ""
    for at, item in enumerate(items, 1):
        opinion = second.opinion(game, item["text"], asked)
        silent += opinion.program is None
        model, notice = opinion.model or model, opinion.notice or notice
        usage.update(opinion.usage)
        opinions.append(of_reading(game, second.applied(game, item["text"], opinion)))
        if at % 20 == 0:
            progress(f"{at} of {len(items)} texts asked about …")
    seconds = round(time.perf_counter() - began, 1)
    about = {"model": model, "unanswered": silent, "notice": notice, "usage": dict(usage), "seconds": seconds}
    return about | score(game, items, opinions)


def by_voice(game: str, items: list[dict[str, Any]], meanings: list[Said]) -> dict[str, float]:
    """The main figure for each voice with instructions."""
    figure = scoring(game).FIGURES[main_figure(game)]
    good = [(item, meaning) for item, meaning in zip(items, meanings, strict=True) if not item["refused"]]
    shares = {}
    for voice in sorted({item["voice"] for item, _ in good}):
        pairs = [(item, meaning) for item, meaning in good if item["voice"] == voice]
        counts = np.array([counts_of(game, item, meaning) for item, meaning in pairs], float)
        shares[voice] = round(float(figure(counts)), 3)
    return shares


def baselines(game: str) -> dict[str, TextReader]:
    """Readers to be better than: the nearest phrasing of the bank, what a game brings."""
    readers: dict[str, TextReader] = {}
    for name, meant in scoring(game).baselines().items():
        readers[name] = lambda text, meant=meant: {"refused": False, "meant": meant}
    readers["nearest phrasing"] = nearest(game)
    return readers


def nearest(game: str) -> TextReader:
    """The reading of the phrasing that is most like the text."""
    phrasings = bank(game)
    place = most_alike([item["text"] for item in phrasings])

    def reader(text: str) -> Said:
        item = phrasings[place(text)]
        if item["refused"]:
            return {"refused": True}
        return {"refused": False, "meant": scoring(game).right(game, item)[0]}

    return reader
