"""Read one instruction: what was understood, how surely, what was left unread, what else it could mean.

`context` is what the page knows when somebody speaks: {"aim": {"x", "y", "seat"} (the point or player looked
at or clicked, in units; parts may be missing or None)}. Names are "player 3" here (engine.language.people).
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from engine.games.arena.language import say
from engine.games.arena.language.clauses import Clause, clause, parse
from engine.games.arena.language.subgoals import clauses_for, fulfilled
from engine.games.arena.language.wishes.reading import wishes
from engine.language import exceptions
from engine.language import text as typed
from engine.language.reading import Reading

VERSION = 1
"""Raised when programs change their meaning; it is stored with every program."""
LEAST_CONFIDENCE = 0.5
"""With fewer of its words understood than this, a text is refused: it is about something else."""
LEAST_ALONE = 0.65
"""The same where only one of the two ways to read it understands it."""


def read(text: str, context: dict[str, Any] | None = None) -> Reading:
    """The reading of `text`; refuses, with a sentence, what it can't read. Never raises for any text."""
    if not isinstance(text, str) or not typed.clean(text):
        return _refuse(str(text or ""), "Nothing was typed. I can read: " + say.CAN_READ + ".")
    if len(text) > typed.MAX_CHARACTERS:
        return _refuse(
            text[: typed.MAX_CHARACTERS],
            f"That is too long for me: I read up to {typed.MAX_CHARACTERS:,} characters at once.",
        )
    return _read(text, json.dumps(context or {}, sort_keys=True))


@lru_cache(maxsize=1024)
def _read(text: str, packed: str) -> Reading:
    context = json.loads(packed)
    kept = exceptions.cut(text)
    parsed = parse(kept)
    found = wishes(kept)
    parsed_surely = _share(parsed.used, parsed.unread, parsed.corrected)
    wished_surely = _share(found.used, found.unread, found.corrected) if found.goals else 0.0
    sure = wished_surely > LEAST_CONFIDENCE or wished_surely == LEAST_CONFIDENCE and found.used > 1
    goals = found.goals if sure else {}
    least = LEAST_CONFIDENCE if goals else LEAST_ALONE
    clauses = parsed.clauses if parsed_surely >= least else []
    if not goals and (found.tells or parsed.corrected):
        clauses = []
    if found.elsewhere and not goals:
        clauses = []
    if goals:
        clauses = [one for one in clauses if one["kind"] != "cancel"]
    if not clauses and not goals:
        most = "most of " if parsed.clauses or found.goals else ""
        return _refuse(
            text, f"I could not read {most}that. I can read: {say.CAN_READ}.", parsed.unread or found.unread
        )
    aim = context.get("aim") or {}
    if goals and clauses and not fulfilled(clauses) & goals.keys():
        # The two readings are about different things: what the surer one says is done, if it can be.
        others = [clauses]
        clauses, parsed.unread, parsed_surely = [], found.unread, 0.0
    else:
        others = [*parsed.others, *_others(clauses)]
    option = _option(clauses, aim, goals)
    return Reading(
        text,
        False,
        option["sentence"],
        parsed_surely if clauses else wished_surely,
        option["program"],
        parsed.unread if clauses else found.unread,
        [_option(other, aim, {}) for other in others][:3],
    )


def _share(used: int, unread: list[str], corrected: int) -> float:
    """How surely a text was read: the share of its words that were, less for typing errors."""
    return round(used / max(1, used + len(unread)) * 0.95**corrected, 3)


def _refuse(text: str, sentence: str, unread: list[str] | None = None) -> Reading:
    return Reading(text, True, sentence, 0.0, None, unread or [])


def _option(clauses: list[Clause], aim: dict[str, Any], goals: dict[str, str]) -> dict[str, Any]:
    """{"sentence", "program"} of some clauses, with what the page knew about where the speaker looked, and of
    sub-goals of Table 7.
    """
    program: dict[str, Any] = {
        "game": "arena",
        "version": VERSION,
        "clauses": [_aimed(c, aim) for c in clauses or clauses_for(goals)],
    }
    if goals:
        program["subgoals"] = goals
    program["reading"] = say.sentence(program)
    return {"sentence": program["reading"], "program": program}


def _aimed(one: Clause, aim: dict[str, Any]) -> Clause:
    if one["place"] == "there" and aim.get("x") is not None and aim.get("y") is not None:
        return {**one, "point": [aim["x"], aim["y"]]}
    if one["who"] == "aim" and aim.get("seat") is not None:
        return {**one, "who": aim["seat"]}
    return one


def _others(clauses: list[Clause]) -> list[list[Clause]]:
    """Other things that the same words often mean."""
    found: list[list[Clause]] = []
    for at, one in enumerate(clauses):
        if one["negated"]:
            continue
        before, after = clauses[:at], clauses[at + 1 :]
        kind = one["kind"]
        if kind == "go" and one["place"] in ("there", "house", "rock", "wall", "bush"):
            found.append([*before, {**one, "kind": "hold"}, *after])
        if kind == "go" and one["place"] == "me":
            found.append([*before, clause("follow", who="me", to=one["to"]), *after])
        if kind == "hold" and one["place"] is None and not one["flags"]:
            found.append([*before, {**one, "place": "there"}, *after])
        if kind == "help":
            found += [[*before, {**one, "kind": other}, *after] for other in ("rescue", "cover")]
        if kind == "follow" and one["who"] == "me":
            found.append([*before, {**one, "kind": "cover"}, *after])
        if kind == "prone":
            found.append([*before, {**one, "kind": "crouch"}, *after])
    return found
