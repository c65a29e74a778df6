"""How well texts are read that people blurt out in the middle of a game (engine.evaluation.messy): by the
reader that is in use, judged by what it would carry out. Nothing is trained.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, language
from engine.evaluation import messy
from engine.evaluation.messy import Answer
from engine.language import bank
from engine.language.chance import ENOUGH
from engine.language.declared import Declared, parse


def games() -> list[str]:
    """The games that have a set."""
    return [game for game in language.games() if brings.Language.brought(game)]


def bench_messy(game: str, path: Path | None = None) -> dict[str, Any]:
    """{"written"}: as engine.evaluation.messy.scored says, with "read_ms". `path`: another set."""
    declared, times = brings.Language.of(game).DECLARED, []
    known = {bank.plain(text) for text, *_ in bank.programs(game)}
    every = messy.load(declared, path)
    items = [item for item in every if bank.plain(item.text) not in known]

    def timed(text: str) -> Answer:
        began = time.perf_counter()
        found = answer(declared, text)
        times.append(1000 * (time.perf_counter() - began))
        return found

    row = messy.scored(declared, items, timed)
    row["read_ms"] = {f"p{p}": round(float(np.percentile(times, p)), 2) for p in (50, 95, 99)}
    # Short ones that somebody else wrote too are left out.
    return {"left_out": len(every) - len(items), "written": row}


def answer(declared: Declared, text: str) -> Answer:
    """What the reader in use makes of a text."""
    reading = language.read(declared.game, text)
    others = tuple(parse(declared, other["program"]["means"]) for other in reading.alternatives)
    if reading.refused or reading.program is None:
        return Answer(None, others=others)
    return Answer(
        parse(declared, reading.program["means"]),
        reading.confidence >= ENOUGH,
        others,
        reading.confidence,
        tuple(reading.unread),
    )


def lines(found: dict[str, Any]) -> Iterator[str]:
    """A result of `bench_messy` in words."""
    if not found:
        return
    row = found["written"]
    at_once = f"{row['right']:.1%} right at once, {row['right_or_offered']:.1%} or among what is offered"
    wrong = f"{row['wrong_at_once']:.1%} wrong of what is carried out at once"
    obeyed = f"talk obeyed {row['talk_obeyed']:.1%}, what can't be done {row['cannot_obeyed']:.1%}"
    yield f"{row['texts']} messy texts: {at_once}; {wrong}; {obeyed}; ms {row['read_ms']}"
    for kind, counts in row["by_kind"].items():
        yield f"  {kind}: {counts}"
    if held := row["reliability"]:
        yield f"  calibration error {held['ece']['mean']}, Brier {held['brier']}"
