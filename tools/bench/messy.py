"""How well texts are read that people blurt out in the middle of a game (engine.evaluation.messy): by the
reader that is in use, judged by what it would carry out. Nothing is trained.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, language
from engine import games as registry
from engine.evaluation import messy
from engine.evaluation.messy import Answer
from engine.language import bank, chance
from engine.language.chance import ENOUGH
from engine.language.declared import Declared, parse
from engine.language.lost import lost
from engine.language.model import shipped
from tools.bench.alike import most_alike

Reads = Callable[[Declared, str], Answer]


def games() -> list[str]:
    """The games that have a set."""
    return [game for game in language.games() if brings.Language.brought(game)]


def fresh(game: str) -> Path:
    """A second set of another hand, of texts from which nothing was chosen."""
    return registry.folder(game) / "evaluation" / "messy_fresh.tsv"


def bench_messy(game: str, path: Path | None = None) -> dict[str, Any]:
    """{"written": the model's programs, "carried_out": what the product would do with them, "nearest": the
    program of the phrasing that is most like the text}: each as engine.evaluation.messy.scored says, with
    "read_ms". `path`: another set.
    """
    declared = brings.Language.of(game).DECLARED
    known = {bank.plain(text) for text, *_ in bank.programs(game)}
    every = messy.load(declared, path)
    items = [item for item in every if bank.plain(item.text) not in known]
    # Short ones that somebody else wrote too are left out.
    found: dict[str, Any] = {"left_out": len(every) - len(items)}
    for name, read in (("carried_out", carried_out), ("written", written), ("nearest", nearest(declared))):
        times: list[float] = []

        def timed(text: str, read: Reads = read, times: list[float] = times) -> Answer:
            began = time.perf_counter()
            answer = read(declared, text)
            times.append(1000 * (time.perf_counter() - began))
            return answer

        found[name] = messy.scored(declared, items, timed)
        found[name]["read_ms"] = {f"p{p}": round(float(np.percentile(times, p)), 2) for p in (50, 95, 99)}
    return found


def carried_out(declared: Declared, text: str) -> Answer:
    """What the product makes of a text: what can't be carried out is refused, or asked about."""
    reading = language.read(declared.game, text)
    does = [{"act": reading.does}] if reading.does else []
    means = [one["program"].get("means") for one in reading.alternatives]
    others = tuple(parse(declared, one) for one in means if one)
    own = (reading.program or {}).get("means")  # a reading by labels alone has none: it has no act
    if own is None:
        return Answer(does or None, others=others)
    program = [*does, *parse(declared, own)]
    return Answer(program, reading.confidence >= ENOUGH, others, reading.confidence, tuple(reading.unread))


def written(declared: Declared, text: str) -> Answer:
    """The programs that the model writes, whether or not agents can carry them out."""
    programs = shipped().read(declared.game, text)
    first, others = programs[0].clauses, tuple(other.clauses for other in programs[1:])
    without = lost(shipped(), declared.game, text, first)
    sure = chance.of(declared.game, text, programs, without)
    whole = all(clause["act"] != "cannot" for clause in first)
    return Answer(first, whole and sure >= ENOUGH, others, sure, tuple(without))


def nearest(declared: Declared) -> Reads:
    """Always sure."""
    rows = bank.programs(declared.game)
    place = most_alike([text for text, *_ in rows])
    return lambda declared, text: Answer(parse(declared, rows[place(text)][1].split(" || ")[0]))


def lines(found: dict[str, Any]) -> Iterator[str]:
    """A result of `bench_messy` in words."""
    for name in ("carried_out", "written", "nearest") if found else ():
        row = found[name]
        at_once = f"{row['right']:.1%} right at once, {row['right_or_offered']:.1%} or among what is offered"
        wrong = (
            f"{row['wrong_at_once']:.1%} wrong of what is carried out at once, {row['harmful']:.1%} harmful, "
            f"{row['unsaid']:.1%} with an act lost and not said"
        )
        obeyed = f"talk obeyed {row['talk_obeyed']:.1%}, what can't be done {row['cannot_obeyed']:.1%}"
        told = name.replace("_", " ")
        yield f"{row['texts']} messy texts, {told}: {at_once}; {wrong}; {obeyed}; ms {row['read_ms']}"
        yield "  several clauses or limits: {exact:.1%} exact, F1 {f1:.3f}".format(**row["composed"])
        for kind, counts in row["by_kind"].items():
            yield f"  {kind}: {counts}"
        if held := row["reliability"]:
            yield f"  calibration error {held['ece']['mean']}, Brier {held['brier']}"
