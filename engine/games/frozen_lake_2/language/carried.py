"""Declared programs as those that agents follow: {"game", "version", "clauses"}, the clauses as they were
said, without those that ask nothing. What `follow` doesn't do is left out whole and told. Not for what a
program says in plain English (say.py).
"""

from __future__ import annotations

from typing import Any

from engine.games.frozen_lake_2 import rules
from engine.games.frozen_lake_2.lakes import MAPS
from engine.games.frozen_lake_2.language import say
from engine.games.frozen_lake_2.language.declared import DECLARED
from engine.language.declared import SPEECH, Carried, Clause, Left, checked, values

VERSION = 1
PLACES = ("at", "side", "column", "row")


def carried(clauses: list[Clause], aim: Any = None) -> Carried:
    """The program that does what the clauses say. `aim`: for games where players look around."""
    kept: list[Clause] = []
    left: list[str] = []
    for clause in clauses:
        if clause["act"] == "cannot":
            left.append("There is one part I have no move for.")
        if clause["act"] in SPEECH:
            continue
        try:
            check(clause)
        except Left as error:
            left.append(f"{error}: {say.clause(clause)}.")
            continue
        if not kept:
            clause = {name: value for name, value in clause.items() if name != "then"}
        kept.append(clause)
    more = _after_endless(kept)
    left += [f"I can't tell when to go on to this: {say.clause(clause)}." for clause in kept[more:]]
    kept = kept[:more]
    return Carried(
        {"game": DECLARED.game, "version": VERSION, "clauses": kept} if kept else None, tuple(left)
    )


def check(clause: Clause) -> None:
    """Raise Left for what isn't carried out."""
    act, mine, negated = clause["act"], values(clause, "by") == ["me"], bool(clause.get("not"))
    named = {name: values(clause, name) for name in PLACES}
    if mine and (act in ("step", "wait", "follow") or negated):
        raise Left("That asks nothing of me")
    if negated and act in ("wait", "follow", "first"):
        raise Left("I can't keep from that")
    if act == "go" and not any(named.values()):
        raise Left("I can't tell where")
    if act == "step" and not values(clause, "way"):
        raise Left("I can't tell which way")
    if any(some[1:] for some in named.values()) or values(clause, "way")[1:] or values(clause, "times")[1:]:
        raise Left("I can't do that for several at once")
    if act == "go" and not negated and named["at"] == ["hole"]:
        raise Left("I keep out of the holes")
    if named["side"] in (["nearest"], ["other"]) and named["at"] not in ([], ["goal"]):
        raise Left("I can't tell which one that is")
    if any(number < 1 for name in ("column", "row") for number in named[name]):
        raise Left("Columns and rows count from 1")
    if values(clause, "times") == [0]:
        raise Left("I can't count that")


def never(clause: Clause, options: dict[str, Any]) -> tuple[str, Clause | None]:
    """Why nobody can ever do this on such a lake, "" if somebody can, and the nearest place there is."""
    size = len(MAPS.get(options["layout"], "")) or rules.SIDE
    beyond = [name for name in ("column", "row") if min(values(clause, name), default=0) > size]
    if not beyond:
        return "", None
    return f"This lake has {size} columns and rows", {**clause, **dict.fromkeys(beyond, size)}


def asks(clause: Clause) -> bool:
    """Whether the agent is to do something for it; the others say what it keeps from."""
    if clause["act"] == "first":
        return True
    return not clause.get("not") and values(clause, "by") != ["me"]


def ends(clause: Clause) -> bool:
    """Whether something can follow it."""
    if "until" in clause or clause["act"] in ("go", "step", "first") and asks(clause):
        return True
    return clause["act"] == "wait" and "times" in clause


def _after_endless(clauses: list[Clause]) -> int:
    """From where on clauses come after something that has no end."""
    endless = False
    for at, clause in enumerate(clauses):
        if clause.get("then") and endless:
            return at
        endless = endless or not ends(clause) and asks(clause)
    return len(clauses)


def of_version_1(program: dict[str, Any]) -> list[Clause]:
    """The clauses of a program."""
    return checked(DECLARED, [dict(clause) for clause in program["clauses"]])
