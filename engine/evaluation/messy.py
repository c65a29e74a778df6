"""How well texts are read that people blurt out in the middle of a game: the sets `evaluation/messy.tsv` of a
game's folder (docs/held-out-instructions.md), judged by what would be carried out.

A line of a set: the right program (several, with " || " between, where a text honestly has several), a tab,
the text, a tab, its kind: simple, several (clauses), limits (a negation, condition, end or somebody's part),
talk, cannot. Not for the sets of single labels (reading_scores.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import games as registry
from engine.evaluation.reliability import reliability
from engine.language.declared import Clause, Declared, parse, same
from engine.refusal import Refusal

FILE = "messy.tsv"
KINDS = ("simple", "several", "limits", "talk", "cannot")
SAID = ("talk", "cannot")
"""Acts of which nothing is carried out."""


@dataclass(frozen=True)
class Item:
    text: str
    right: list[list[Clause]]
    kind: str

    @property
    def asks(self) -> bool:
        """Whether there is anything to carry out."""
        return any(carries_out(program) for program in self.right)


@dataclass(frozen=True)
class Answer:
    """What a reader makes of a text: `program`, None where it is refused; whether that is carried out
    `at_once` or asked about first; which other programs it offers then; the chance that it is right; the
    words that it leaves out.
    """

    program: list[Clause] | None
    at_once: bool = True
    others: tuple[list[Clause], ...] = ()
    chance: float = 1.0
    left_out: tuple[str, ...] = ()


def carries_out(program: list[Clause]) -> bool:
    return any(clause["act"] not in SAID for clause in program)


def load(declared: Declared, path: Path | None = None) -> list[Item]:
    """The texts of a set; by default the held-out one. Raises Refusal with the line that is wrong."""
    path = path or registry.folder(declared.game) / "evaluation" / FILE
    items = []
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        programs, _, rest = line.partition("\t")
        text, _, kind = rest.partition("\t")
        try:
            right = [parse(declared, program) for program in programs.split(" || ")]
        except Refusal as refusal:
            raise Refusal(f"{path.name}, line {at}: {refusal}") from None
        if kind not in KINDS:
            raise Refusal(f"{path.name}, line {at}: the kind is {', '.join(KINDS)}, not {kind!r}.")
        items.append(Item(text, right, kind))
    return items


def is_right(declared: Declared, item: Item, program: list[Clause] | None) -> bool:
    """Whether a program is what the text means: all of its clauses and no others. Where nothing is asked that
    an act expresses, any refusal is right.
    """
    if program is None or not carries_out(program):
        return any(not carries_out(right) for right in item.right)
    return any(same(declared, program, right) for right in item.right)


def outcome(declared: Declared, item: Item, answer: Answer) -> str:
    """ "right" at once, "offered" (asked about, a right one among what is offered), "asked" (none is),
    "wrong" at once, "refused" (wrongly).
    """
    if answer.program is None or not carries_out(answer.program):
        return "right" if is_right(declared, item, answer.program) else "refused"
    right = is_right(declared, item, answer.program)
    if answer.at_once:
        return "right" if right else "wrong"
    if not item.asks:
        return "asked"
    offered = right or any(is_right(declared, item, other) for other in answer.others)
    return "offered" if offered else "asked"


def scored(declared: Declared, items: list[Item], read: Callable[[str], Answer]) -> dict[str, Any]:
    """Shares of all texts, by kind too, and whether the chances hold:

    {"texts", "right", "right_or_offered", "wrong_at_once" (of what is carried out at once), "talk_obeyed",
    "cannot_obeyed" (at once, of the texts of that kind), "by_kind": {kind: {outcome: count}}, "reliability"}.
    """
    by_kind = {kind: Counter[str]() for kind in KINDS}
    at_once, obeyed, chances, rights = 0, Counter[str](), [], []
    for item in items:
        answer = read(item.text)
        by_kind[item.kind][outcome(declared, item, answer)] += 1
        if answer.program is not None and carries_out(answer.program):
            at_once += answer.at_once
            obeyed[item.kind] += answer.at_once and not item.asks
            chances.append(answer.chance)
            rights.append(is_right(declared, item, answer.program))
    every = sum(by_kind.values(), Counter[str]())

    def share(count: int, of: int) -> float:
        return round(count / of, 4) if of else 0.0

    return {
        "texts": len(items),
        "right": share(every["right"], len(items)),
        "right_or_offered": share(every["right"] + every["offered"], len(items)),
        "wrong_at_once": share(every["wrong"], at_once),
        "talk_obeyed": share(obeyed["talk"], sum(by_kind["talk"].values())),
        "cannot_obeyed": share(obeyed["cannot"], sum(by_kind["cannot"].values())),
        "by_kind": {kind: dict(counts) for kind, counts in by_kind.items()},
        "reliability": reliability(np.array(chances), np.array(rights)) if chances else None,
    }
