"""What can be said in a game, declared once: its acts with typed slots, its events, and what may be said of
both.

A program is a list of clauses. In notation, which files, the model and people who write phrasings share:

    fill what=onion side=left when=empty ; by=me serve ; then wait at=pot until=ready

`;` joins clauses that hold together, `then` what follows when the clause before is done. A clause is an act
with its slots, in the order of the declaration: whose act it is (`by`; without it, whoever the instruction
goes to), `not`, `rather` (a preference), `now` (at once rather than always), the act, its slots, and its
conditions. Slots may stand several times ("what=gun what=bullets").

Not for how a text becomes a program (reader), nor for carrying it out (each game's `language/declared.py`).
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from engine.refusal import Refusal

Clause = dict[str, Any]
"""{"act": …} with "by", "not", "rather", "now", "then" and each slot where they are said; a slot's value is a
text, a whole number, or a list of these where it was said several times.
"""

VERSION = 2
MOST_CLAUSES = 8
MOST_NUMBER = 999
FLAGS = ("not", "rather", "now")
JOINS = (";", "then")


@dataclass(frozen=True)
class Slot:
    """`values`: the words that it may have, each with what it means; `number`: whether it may be a whole
    number.
    """

    about: str
    values: dict[str, str] = field(default_factory=dict)
    number: bool = False


@dataclass(frozen=True)
class Act:
    """`slots`: the names of the slots that it may have, in the order of the notation."""

    about: str
    slots: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declared:
    """The language of one game. `events`: what conditions may be about; they are the values of the slots
    `when`, `unless` and `until`, which every act may have, as it may have those in `limits`.
    """

    game: str
    about: str
    by: dict[str, str]
    acts: dict[str, Act]
    slots: dict[str, Slot]
    events: dict[str, str]
    limits: dict[str, Slot] = field(default_factory=dict)
    did: tuple[str, ...] = ()
    """Events of which exactly one is so at any time: one of most of them is none of the others."""
    sums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What several of `did` are called together."""
    labels: tuple[str, ...] = ()
    """What else a text may be labelled with, in their order: sub-goals of a published table."""

    def act(self, name: str) -> Act | None:
        return self.acts.get(name) or COMMON.get(name)

    def slots_of(self, act: str) -> list[str]:
        """The names of all slots that an act may have, in the order of the notation."""
        declared = self.act(act)
        if declared is None:
            return []
        return [
            *declared.slots,
            *([] if act in SPEECH else self.limits),
            *([] if act in SPEECH else CONDITIONS),
        ]

    def slot(self, name: str) -> Slot:
        """Raises KeyError for a name that is none."""
        if name == "by":
            return Slot("whose act it is", self.by, number=True)
        if name in CONDITIONS:
            return Slot(CONDITIONS[name], self.events)
        return self.slots.get(name) or self.limits.get(name) or COMMON_SLOTS[name]


@dataclass(frozen=True)
class Carried:
    """`program`: what carries the clauses of a declared program out, None if nothing does; `left`: a sentence
    for each of them that isn't carried out.
    """

    program: dict[str, Any] | None
    left: tuple[str, ...] = ()


class Left(Exception):
    """Why a clause can't be carried out; caught where the game's other clauses are."""


CONDITIONS = {
    "when": "only when, each time",
    "unless": "not while",
    "until": "ends as soon as",
}
COMMON: dict[str, Act] = {
    "talk": Act("nothing is asked: the text is talk", ("kind",)),
    "cannot": Act("something is asked that none of the acts can express; `cannot` stands for that part"),
    "cancel": Act("forget everything that was asked before, play as you see fit"),
    "undo": Act("take back the last instruction (“forget it”, “no wait, not that”)"),
    "again": Act("as it was before the last change (“as before”)"),
    "redirect": Act("not you: the last instruction was meant for the other one"),
}
COMMON_SLOTS = {
    "kind": Slot(
        "what kind of talk",
        {
            "question": "a question to the agent",
            "thanks": "thanks, praise, greetings",
            "sorry": "an apology of the speaker",
            "insult": "insults",
            "complaint": "a complaint that asks for nothing that an act can express",
            "report": "what the speaker does, sees or is about to do, which asks the agent for nothing",
            "chat": "small talk, jokes, reactions, anything about something else",
            "foreign": "another language than English",
        },
    )
}
SPEECH = ("talk", "cannot", "cancel", "undo", "again", "redirect")


def parse(declared: Declared, notation: str) -> list[Clause]:
    """The clauses of a notation. Raises Refusal with what is wrong and what is allowed."""
    clauses: list[Clause] = []
    current: Clause = {}
    for token in [*notation.split(), ";"]:
        if token in JOINS:
            if "act" not in current:
                raise Refusal(
                    f"“{notation}” has a clause without an act; the acts are {', '.join(acts(declared))}."
                )
            clauses.append(current)
            current = {"then": True} if token == "then" else {}
        elif "=" in token:
            _put(declared, current, *token.split("=", 1))
        elif token in FLAGS:
            current[token] = True
        elif declared.act(token) is None:
            raise Refusal(
                f"“{token}” is no act of {declared.game}; the acts are {', '.join(acts(declared))}."
            )
        elif "act" in current:
            raise Refusal(f"“{notation}” has two acts in one clause: “{current['act']}” and “{token}”.")
        else:
            current["act"] = token
    return checked(declared, clauses)


def acts(declared: Declared) -> list[str]:
    return [*declared.acts, *COMMON]


def checked(declared: Declared, clauses: list[Clause]) -> list[Clause]:
    """The clauses in their one form (`ordered`). Raises Refusal for what isn't declared."""
    if not 1 <= len(clauses) <= MOST_CLAUSES:
        raise Refusal(f"A program has 1 to {MOST_CLAUSES} clauses, not {len(clauses)}.")
    for clause in clauses:
        allowed = ["by", *declared.slots_of(clause["act"])]
        for name in clause:
            if name in ("act", "then", *FLAGS):
                continue
            if name not in allowed:
                raise Refusal(f"“{clause['act']}” has no {name}; it may have {', '.join(allowed)}.")
            for value in values(clause, name):
                if not _allows(declared.slot(name), value):
                    slot = declared.slot(name)
                    names = ", ".join([*slot.values, *(["a whole number"] if slot.number else [])])
                    raise Refusal(f"{name}={value} is not allowed; {name} may be {names}.")
    return ordered(declared, clauses)


def _allows(slot: Slot, value: Any) -> bool:
    if isinstance(value, int):
        return slot.number and 0 <= value <= MOST_NUMBER
    return value in slot.values


def _put(declared: Declared, clause: Clause, name: str, text: str) -> None:
    value: str | int = int(text) if text.isdigit() else text
    before = values(clause, name)
    clause[name] = [*before, value] if before else value


def values(clause: Clause, name: str) -> list[Any]:
    """The values of a slot, none where it isn't said."""
    value = clause.get(name)
    return value if isinstance(value, list) else [] if value is None else [value]


def without(clause: Clause, name: str, wrong: Container[Any]) -> Clause | None:
    """The clause without some values of a slot, None if that leaves the slot none."""
    rest = [one for one in values(clause, name) if one not in wrong]
    return {**clause, name: rest if rest[1:] else rest[0]} if rest else None


def ordered(declared: Declared, clauses: list[Clause]) -> list[Clause]:
    """The same with keys, and values of slots that stand several times, in the order of the declaration."""
    return [_ordered(declared, _shortest(declared, clause), at == 0) for at, clause in enumerate(clauses)]


def _shortest(declared: Declared, clause: Clause) -> Clause:
    """A clause with the fewest events of `did`: "after a play, a discard, or nothing" is "unless hinted"."""
    given = [
        {own for one in values(clause, name) for own in declared.sums.get(one, (one,))}
        for name in ("when", "unless")
    ]
    every = given[0] | given[1]
    if not every or not every <= set(declared.did) or given[0] and given[1]:
        return clause
    rest = set(declared.did) - every
    if len(rest) < len(every) and rest:
        given = [rest if given[1] else set(), rest if given[0] else set()]
    short = dict(clause)
    for name, events in zip(("when", "unless"), given, strict=True):
        for whole, parts in declared.sums.items():
            if events >= set(parts):
                events = events - set(parts) | {whole}
        short[name] = list(events)
    return short


def _ordered(declared: Declared, clause: Clause, first: bool) -> Clause:
    out: Clause = {"act": clause["act"]}
    if clause.get("then") and not first:
        out["then"] = True
    for name in ("by", *FLAGS, *declared.slots_of(clause["act"])):
        if name in FLAGS:
            if clause.get(name):
                out[name] = True
            continue
        given = values(clause, name)
        if given:
            known = list(declared.slot(name).values)
            given = sorted(
                set(given),
                key=lambda value: (isinstance(value, int), known.index(value) if value in known else value),
            )
            out[name] = given[0] if len(given) == 1 else given
    return out


def tokens(declared: Declared, clauses: list[Clause]) -> Iterator[str]:
    """The notation of clauses, token by token."""
    for at, clause in enumerate(clauses):
        if at:
            yield "then" if clause.get("then") else ";"
        for value in values(clause, "by"):
            yield f"by={value}"
        yield from (flag for flag in FLAGS if clause.get(flag))
        yield clause["act"]
        for name in declared.slots_of(clause["act"]):
            yield from (f"{name}={value}" for value in values(clause, name))


def notation(declared: Declared, clauses: list[Clause]) -> str:
    return " ".join(tokens(declared, clauses))


def same(declared: Declared, one: list[Clause], other: list[Clause]) -> bool:
    """Whether two programs ask for the same: clauses that hold together may stand in any order."""
    return _key(declared, one) == _key(declared, other)


def _key(declared: Declared, clauses: list[Clause]) -> list[list[str]]:
    """What a program asks for, in one form: a slot with several values is as good as several clauses."""
    runs: list[list[str]] = []
    for clause in ordered(declared, clauses):
        if clause.get("then") or not runs:
            runs.append([])
        several = [name for name in clause if isinstance(clause[name], list) and name not in CONDITIONS]
        for own in product(*(clause[name] for name in several)):
            alone = {**clause, **dict(zip(several, own, strict=True))}
            runs[-1].append(json.dumps({key: alone[key] for key in alone if key != "then"}, sort_keys=True))
    return [sorted(set(run)) for run in runs]


def explained(declared: Declared) -> str:
    """The language in words, for people who write phrasings, and for the docs."""
    lines = [declared.about, "", "Acts, each with its slots:"]
    for name in acts(declared):
        act = declared.act(name)
        assert act is not None
        lines.append(f"- `{name}` {'(' + ', '.join(act.slots) + ')' if act.slots else ''}: {act.about}")
    lines += ["", "Slots:"]
    for name in ("by", *declared.slots, *declared.limits, "kind"):
        slot = declared.slot(name)
        own = [f"{value} ({about})" if about else value for value, about in slot.values.items()]
        lines.append(
            f"- `{name}`: {slot.about}: {'; '.join([*own, *(['a whole number'] if slot.number else [])])}"
        )
    lines += ["", "Any act may also have `when`, `unless` or `until` with one of these events:"]
    lines += [f"- {name}: {about}" for name, about in declared.events.items()]
    return "\n".join(lines)
