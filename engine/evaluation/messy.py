"""How well texts are read that people blurt out in the middle of a game: the sets `evaluation/messy.tsv` of a
game's folder (docs/held-out-instructions.md), judged by what would be carried out.

A line of a set: the right program (several, with " || " between, where a text honestly has several), a tab,
the text, a tab, its kind: simple, several (clauses), limits (a negation, condition, end or somebody's part),
talk, cannot. Not for the sets of single labels (reading_scores.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import games as registry
from engine.evaluation.reliability import reliability
from engine.language.chance import contradict
from engine.language.declared import Clause, Declared, parse, same, values
from engine.refusal import Refusal

FILE = "messy.tsv"
KINDS = ("simple", "several", "limits", "talk", "cannot")
COMPOSED = ("several", "limits")
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


def f1(read: Iterable[tuple[Item, list[Clause]]]) -> float:
    """F1 of the parts of programs that were read, against the right program that is most like each."""
    hits = found = meant = 0
    for item, program in read:
        got = parts(program)
        right = max(map(parts, item.right), key=lambda one: len(got & one) / max(1, len(got) + len(one)))
        hits, found, meant = hits + len(got & right), found + len(got), meant + len(right)
    return 2 * hits / max(1, found + meant)


def parts(program: list[Clause]) -> set[str]:
    """What a program consists of: each act with its person and negation, and each of its slots."""
    found = set()
    for clause in program:
        act = f"{clause.get('by', '')} {'not' if clause.get('not') else ''} {clause['act']}"
        slots = [name for name in clause if name not in ("act", "by", "not", "then", "rather", "now")]
        found |= {act, *(f"{act} {name}={value}" for name in slots for value in values(clause, name))}
    return found


def harmful(item: Item, program: list[Clause]) -> bool:
    """Whether a wrong program does what the text forbids or asks of somebody else, keeps from what it asks,
    or obeys what asks for nothing.
    """
    return not item.asks or all(contradict(program, right) for right in item.right)


def lacks(item: Item, program: list[Clause]) -> bool:
    """Whether a wrong program has lost an act of the text."""
    acts = {clause["act"] for clause in program}
    return all({clause["act"] for clause in right} - acts for right in item.right)


def scored(declared: Declared, items: list[Item], read: Callable[[str], Answer]) -> dict[str, Any]:
    """Shares of all texts, by kind too, and whether the chances hold:

    {"texts", "right", "right_or_offered", of what is carried out at once: "wrong_at_once", "harmful" and
    "unsaid", "talk_obeyed", "cannot_obeyed" (at once, of the texts of that kind), "by_kind": {kind: {outcome:
    count}}, "composed": {"exact", "f1"} of first programs for texts of several clauses or limits (`f1`),
    "reliability"}.
    """
    by_kind = {kind: Counter[str]() for kind in KINDS}
    at_once = harm = unsaid = 0
    obeyed, chances, rights = Counter[str](), [], []
    composed: list[tuple[Item, list[Clause]]] = []
    for item in items:
        answer = read(item.text)
        came_to = outcome(declared, item, answer)
        by_kind[item.kind][came_to] += 1
        if item.kind in COMPOSED:
            composed.append((item, answer.program or []))
        if answer.program is not None and carries_out(answer.program):
            at_once += answer.at_once
            harm += came_to == "wrong" and harmful(item, answer.program)
            unsaid += came_to == "wrong" and not answer.left_out and lacks(item, answer.program)
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
        "harmful": share(harm, at_once),
        "unsaid": share(unsaid, at_once),
        "talk_obeyed": share(obeyed["talk"], sum(by_kind["talk"].values())),
        "cannot_obeyed": share(obeyed["cannot"], sum(by_kind["cannot"].values())),
        "by_kind": {kind: dict(counts) for kind, counts in by_kind.items()},
        "composed": {
            "exact": share(sum(is_right(declared, *pair) for pair in composed), len(composed)),
            "f1": round(f1(composed), 4),
        },
        "reliability": reliability(np.array(chances), np.array(rights)) if chances else None,
    }
