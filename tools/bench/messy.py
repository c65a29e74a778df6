"""How well texts are read that people blurt out in the middle of a game (engine.evaluation.messy): today's
reader, and the model that writes programs (engine.language.model), beside each other. Nothing is trained.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, language
from engine.evaluation import messy
from engine.evaluation.messy import Answer
from engine.language import bank, chance
from engine.language import text as typed
from engine.language.declared import Clause
from engine.language.model import Model, shipped
from engine.language.sureness import ENOUGH
from engine.refusal import Refusal


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

    def read(text: str) -> Answer:
        reading = language.read(game, text)
        others = tuple(_clauses(game, other["program"]) for other in reading.alternatives)
        if reading.refused or reading.program is None:
            return Answer(None, others=others)
        at_once, program = reading.confidence >= ENOUGH, _clauses(game, reading.program)
        return Answer(program, at_once, others, reading.confidence, tuple(reading.unread))

    return read


def _clauses(game: str, program: dict[str, Any]) -> list[Clause]:
    """A program of version 1 as clauses; `cannot` for one that they can't express."""
    try:
        return brings.CarriedOut.of(game).of_version_1(program) or [{"act": "cannot"}]
    except Refusal:
        return [{"act": "cannot"}]


def written(game: str, model: Model | None = None) -> Callable[[str], Answer]:
    """The model that writes programs."""
    model = model or shipped()

    def read(text: str) -> Answer:
        programs = model.read(game, text)
        sure, first = chance.of(game, text, programs), programs[0].clauses
        others = tuple(other.clauses for other in programs[1:])
        whole = all(clause["act"] != "cannot" for clause in first)
        return Answer(first, whole and sure >= chance.ENOUGH, others, sure)

    return read


def lines(found: dict[str, Any]) -> Iterator[str]:
    """A result of `bench_messy` in words."""
    for name in ("today", "written") if found else ():
        row = found[name]
        at_once = f"{row['right']:.1%} right at once, {row['right_or_offered']:.1%} or among what is offered"
        wrong = f"{row['wrong_at_once']:.1%} wrong of what is carried out at once"
        obeyed = f"talk obeyed {row['talk_obeyed']:.1%}, what can't be done {row['cannot_obeyed']:.1%}"
        yield f"{row['texts']} messy texts, {name}: {at_once}; {wrong}; {obeyed}; ms {row['read_ms']}"
        for kind, counts in row["by_kind"].items():
            yield f"  {kind}: {counts}"
        if held := row["reliability"]:
            yield f"  calibration error {held['ece']['mean']}, Brier {held['brier']}"
