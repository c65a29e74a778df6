"""How well texts are read that people blurt out in the middle of a game (engine.evaluation.messy): today's
reader, and the model that writes programs (engine.language.model), beside each other. Nothing is trained.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, language
from engine.evaluation import messy
from engine.evaluation.messy import Answer
from engine.language import bank, chance
from engine.language import text as typed
from engine.language.model import Model, shipped
from engine.language.sureness import ENOUGH


def games() -> list[str]:
    """The games that have a set."""
    return [game for game in language.games() if brings.Language.brought(game)]


def bench_messy(game: str, path: Path | None = None) -> dict[str, Any]:
    """{"today", "written"}: as engine.evaluation.messy.scored says, with "read_ms". `path`: another set."""
    declared = brings.Language.of(game).DECLARED
    known = {typed.clean(text) for text, *_ in bank.programs(game)}
    every = messy.load(declared, path)
    items = [item for item in every if typed.clean(item.text) not in known]
    found: dict[str, Any] = {"left_out": len(every) - len(items)}  # short ones that somebody else wrote too
    for name, read in (("today", today(game)), ("written", written(game))):
        times: list[float] = []

        def timed(text: str, read: Callable[[str], Answer] = read, times: list[float] = times) -> Answer:
            began = time.perf_counter()
            answer = read(text)
            times.append(1000 * (time.perf_counter() - began))
            return answer

        found[name] = messy.scored(declared, items, timed)
        found[name]["read_ms"] = {f"p{p}": round(float(np.percentile(times, p)), 2) for p in (50, 95, 99)}
    return found


def today(game: str) -> Callable[[str], Answer]:
    """The reader that is in use."""
    of_version_1 = importlib.import_module(f"engine.games.{game}.language.carried").of_version_1

    def read(text: str) -> Answer:
        reading = language.read(game, text)
        others = tuple(of_version_1(other["program"]) for other in reading.alternatives)
        if reading.refused or reading.program is None or not of_version_1(reading.program):
            return Answer(None, others=others)
        at_once = reading.confidence >= ENOUGH
        return Answer(
            of_version_1(reading.program), at_once, others, reading.confidence, tuple(reading.unread)
        )

    return read


def written(game: str, model: Model | None = None) -> Callable[[str], Answer]:
    """The model that writes programs."""
    model = model or shipped()

    def read(text: str) -> Answer:
        programs = model.read(game, text)
        sure = chance.of(game, text, programs)
        others = tuple(other.clauses for other in programs[1:])
        return Answer(programs[0].clauses, sure >= chance.ENOUGH, others, sure)

    return read
