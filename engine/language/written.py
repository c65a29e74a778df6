"""Readings of texts, from the programs that the model writes (model.py): what is carried out, what isn't and
why, how sure that is, and what else the text may mean.

Not in use yet: `engine.language.read` still asks the grammars. Not for names of players (people.py), nor for
how a program is followed (each game's `language/carried.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from engine import brings
from engine.language import chance, talk
from engine.language import text as typed
from engine.language.declared import CONDITIONS, FLAGS, SPEECH, Clause, notation
from engine.language.model import Written, shipped
from engine.language.reading import Reading

OFFERED = 3
"""How many other readings are offered at most."""
LEFT = 0.45
"""How sure a reading is at most of which a part isn't carried out: it is asked about."""
FEWEST_LETTERS = 2
CANNOT = "That is something I have no move for."
TALK = {
    "question": "That is a question. I can't answer in words; what you told me before stays as it is.",
    "foreign": "I only understand English so far.",
}
SPOKEN = {
    "undo": "To take an instruction back, withdraw it in the list of instructions.",
    "again": "To go back to an earlier instruction, give it again from the list of instructions.",
    "redirect": "To tell somebody else, choose who is to hear it, and say it again.",
}
Option = dict[str, Any]
"""{"sentence", "program", "left"}: what would be carried out, None for nothing, and what would not."""


def read(game: str, text: str, aim: dict[str, Any] | None = None) -> Reading:
    """The reading of a text without names; `aim`: where the speaker looks. No text makes it raise."""
    cleaned = typed.clean(text)
    if len(re.findall(r"[^\W\d_]", cleaned)) < FEWEST_LETTERS:
        return _refused(text, f"I could not read that. I can read {brings.Say.of(game).CAN_READ}.", [])
    programs = _programs(game, cleaned)
    first = programs[0].clauses
    acts = {clause["act"] for clause in first}
    if acts == {"talk"}:
        return Reading(text, True, TALK.get(str(first[0].get("kind")), talk.SENTENCE), talk=True)
    options = [_option(game, written.clauses, aim) for written in programs]
    own = options[0]
    others = _distinct([*options[1:], *(_option(game, nearer, aim) for nearer in _nearer(game, first, own))])
    if len(acts) == 1 and (act := next(iter(acts))) in SPOKEN:
        return _refused(text, SPOKEN[act], [])
    if own["program"] is None:
        return _refused(text, own["left"][0] if own["left"] else CANNOT, others)
    sure = chance.of(game, cleaned, list(programs))
    return Reading(
        text,
        False,
        own["sentence"],
        min(sure, LEFT) if own["left"] else sure,
        own["program"],
        own["left"],
        [other for other in others if other["sentence"] != own["sentence"]][:OFFERED],
    )


def _refused(text: str, sentence: str, others: list[dict[str, Any]]) -> Reading:
    return Reading(text, True, sentence, alternatives=others[:OFFERED])


def _option(game: str, clauses: list[Clause], aim: dict[str, Any] | None) -> Option:
    carried = brings.CarriedOut.of(game).carried(clauses, aim)
    if carried.program is None:
        return {"sentence": "", "program": None, "left": list(carried.left)}
    program = {**carried.program, "means": notation(brings.Language.of(game).DECLARED, clauses)}
    return {
        "sentence": brings.Say.of(game).sentence(program),
        "program": program,
        "left": list(carried.left),
    }


def _nearer(game: str, clauses: list[Clause], own: Option) -> Iterator[list[Clause]]:
    """Programs near one of which something isn't carried out: without a slot that says how or what exactly.
    Never without a negation, a condition, or whose act it is.
    """
    if not own["left"] or any(clause["act"] in SPEECH for clause in clauses):
        return
    for at, clause in enumerate(clauses):
        for name in clause:
            if name not in ("act", "then", "by", *FLAGS, *CONDITIONS):
                less = {key: value for key, value in clause.items() if key != name}
                yield [*clauses[:at], less, *clauses[at + 1 :]]


def _distinct(options: list[Option]) -> list[dict[str, Any]]:
    """{"sentence", "program"} of those that carry anything out, each once."""
    found = {
        option["sentence"]: {"sentence": option["sentence"], "program": option["program"]}
        for option in reversed(options)
        if option["program"]
    }
    return list(reversed(found.values()))


@lru_cache(maxsize=512)
def _programs(game: str, cleaned: str) -> tuple[Written, ...]:
    return tuple(shipped().read(game, cleaned))
