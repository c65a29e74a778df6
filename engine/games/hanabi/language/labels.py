"""A reading as labels that a model can be sure of, and back: what the partner did, what to do, and both
together.

Labels alone don't make a convention: of those that the bank has, the one is chosen whose labels are
likeliest.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from engine.games.hanabi.language import say
from engine.games.hanabi.language.conditions import KINDS
from engine.games.hanabi.language.reader import VERSION
from engine.games.hanabi.language.table import POSITIONS

SURELY_NOT = -3.0
"""Log odds of a label that the model doesn't know."""
READ_ASKS = 5.0
"""What the grammar reads to the last word is hardly ever about something else (1 of 198 texts of the
development set), however short: "keep fives".
"""


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    found = [] if row.get("yes") else ["nothing"]
    for one in row.get("yes", ()):
        move = _move(one)
        kinds = [kind or "null" for kind in one["after"]]
        found += [move, *(f"after {kind}" for kind in kinds), *(f"after {kind}: {move}" for kind in kinds)]
        found += [f"{name} {one[name]}" for name in ("value", "touched") if one.get(name) is not None]
    found += [f"not {_move(one)}" for one in row.get("no", ())]
    return list(dict.fromkeys(found))


def _move(clause: dict[str, Any]) -> str:
    return f"{clause['move']} {clause.get('cards') or ''}".strip()


def is_limit(label: str) -> bool:
    """Whether a label says of which hints alone a convention speaks."""
    return label.startswith(("value ", "touched "))


def conventions(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The different readings of phrasings that ask for anything: {"yes", "no"}."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.get("yes"):
            one = {"yes": row["yes"], "no": row.get("no", [])}
            found.setdefault(json.dumps(one, sort_keys=True), one)
    return list(found.values())


def likeliest(odds: dict[str, float], known: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Of the conventions `known`, those that fit the log odds of labels best."""
    fits = np.array([fit(odds, one) for one in known])
    return [known[at] for at in np.argsort(-fits, kind="stable")[:count]]


def fit(odds: dict[str, float], row: dict[str, Any]) -> float:
    """How much likelier a convention is than none (log odds)."""
    return sum(odds.get(label, SURELY_NOT) for label in labels(row))


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it, without what the bank has no words for (cards to keep); None: nothing
    was read.
    """
    yes, no = [], []
    for rule in program["rules"] if program else ():
        when, then = rule.get("when"), rule["then"]
        kinds = (
            ["*"] if when is None else [None if kind == "nothing" else kind for kind in when["partner_did"]]
        )
        one: dict[str, Any] = {"after": kinds, "move": then["action"]}
        cards = then.get("cards")
        if cards is not None:
            slot = cards.get("slot") if isinstance(cards, dict) else None
            one["cards"] = POSITIONS[slot] if slot is not None else str(cards)
        one |= {name: when[name] for name in ("value", "touched") if when and name in when}
        if then["action"] != "keep":
            (yes if rule["weight"] > 0 else no).append(one)
        if rule["weight"] > 0 and then["action"] != "keep":
            no += [_left_out(one, known) for known in then.get("unless", ())]
    return {"yes": yes, "no": no}


def _left_out(clause: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """The part of a clause that an exception takes from it: after the hint that tells of such cards."""
    kind = "hint_rank" if "rank" in known else "hint_color"
    return {**clause, "after": [kind], "value": known.get("rank", known.get("color"))}


def carries(program: dict[str, Any], exception: str) -> bool:
    """Whether any rule is limited: the grammar reads exceptions as rules."""
    every = len(KINDS)
    return any(
        rule["weight"] < 0
        or "unless" in rule["then"]
        or "when" in rule
        and len(rule["when"]["partner_did"]) < every
        for rule in program["rules"]
    )


def option(convention: dict[str, Any]) -> dict[str, Any]:
    """{"sentence", "program"} of a convention with at least one clause."""
    asked = convention["yes"]
    against = -float(max(1, len(asked)))
    rules = [_rule(one, 1.0) for one in asked] + [_rule(one, against) for one in convention["no"]]
    program = {"game": "hanabi", "version": VERSION, "rules": rules}
    return {"sentence": say.sentence(program), "program": program}


def _rule(clause: dict[str, Any], weight: float) -> dict[str, Any]:
    then: dict[str, Any] = {"action": clause["move"]}
    cards = clause.get("cards")
    if cards:
        then["cards"] = {"slot": POSITIONS.index(cards)} if cards in POSITIONS else cards
    rule: dict[str, Any] = {"then": then, "weight": weight}
    if clause["after"] == ["*"]:
        return {**rule, "habit": True} if weight > 0 else rule
    did = ["nothing" if kind in (None, "null") else kind for kind in clause["after"]]
    when: dict[str, Any] = {"partner_did": did}
    when |= {name: clause[name] for name in ("value", "touched") if clause.get(name) is not None}
    return {"when": when, **rule}
