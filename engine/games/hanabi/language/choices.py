"""What a language model is asked to read a convention: what to do after each thing that the partner may have
done, and which hints that is for. A few questions instead of the 3,852 of the prior (table.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.games.hanabi.language import labels as conventions

ABOUT = (
    "Two partners play Hanabi: they see each other's cards, not their own, and hint colours or ranks, play "
    "or discard. A partner typed the instruction to the agent: a convention that says what the agent shall "
    "do after what the partner (“I” in the instruction) did in the turn before. Position A is the agent's "
    "oldest card, E the newest."
)
NOT_ASKED = "it says nothing of that"
MOST = 5
"""As many as there can be: a convention may say something of everything that the partner did."""
_AFTER = {
    "null": "nobody has done anything yet: the agent's first move",
    "play": "the partner played a card",
    "discard": "the partner discarded a card",
    "hint_color": "the partner hinted a colour",
    "hint_rank": "the partner hinted a rank (a number)",
}
_HINTED = {
    "play the hinted cards": "play touched",
    "play the newest of the hinted cards": "play touched_newest",
    "play the oldest of the hinted cards": "play touched_oldest",
    "discard the hinted cards": "discard touched",
    "not play the hinted cards": "not play touched",
}
_ALWAYS = {
    "hint a colour": "hint_color",
    "hint a rank": "hint_rank",
    "hint either": "hint",
    "play any card": "play any",
    "play its newest card": "play newest",
    "play its oldest card": "play oldest",
    "play the card in position B": "play B",
    "play the card in position C": "play C",
    "play the card in position D": "play D",
    "discard any card": "discard any",
    "discard its newest card": "discard newest",
    "discard its oldest card": "discard oldest",
}
_VALUES = {"hint_color": ["red", "yellow", "green", "white", "blue"], "hint_rank": ["1", "2", "3", "4", "5"]}
_ANY = "all such hints"


@cache
def choices() -> tuple[dict[str, Any], ...]:
    """({"question", "choices", "key"}, …): `key` is what the partner did, or what limits its hints."""
    found = [
        {
            "question": f"What shall the agent do when {then}?",
            "choices": [NOT_ASKED, *(_HINTED if kind in _VALUES else ()), *_ALWAYS],
            "key": kind,
        }
        for kind, then in _AFTER.items()
    ]
    for kind, values in _VALUES.items():
        of = "colour" if kind == "hint_color" else "rank"
        question = f"Which hints of a {of} is its rule for?"
        found.append({"question": question, "choices": [_ANY, *values], "key": f"{kind} value"})
    question = "Is its rule only for hints that touch so many cards?"
    found.append({"question": question, "choices": [_ANY, "one card", "several cards"], "key": "touched"})
    return tuple(found)


def labels(said: dict[str, str]) -> list[str]:
    """Such as "after hint_color: play touched", for the kinds of which anything is said; hints with their
    limits, as in "after hint_color (red, one): …".
    """
    found = []
    for kind in _AFTER:
        choice = said.get(kind, NOT_ASKED)
        if choice == NOT_ASKED:
            continue
        value = said.get(f"{kind} value", _ANY)
        touched = said.get("touched", _ANY) if kind in _VALUES else _ANY
        limits = [value, {"one card": "one", "several cards": "many"}.get(touched, _ANY)]
        only = ", ".join(one for one in limits if one != _ANY)
        then = (_HINTED | _ALWAYS)[choice]
        found.append(f"after {kind}{f' ({only})' if only else ''}: {then}")
    return found


def convention(labels: list[str]) -> dict[str, Any]:
    """{"yes": [clause], "no": [clause]} as the banks write it; the same order after several kinds is one
    clause.
    """
    found: dict[str, list[dict[str, Any]]] = {"yes": [], "no": []}
    for label in labels:
        after, _, then = label.removeprefix("after ").partition(": ")
        kind, _, only = after.rstrip(")").partition(" (")
        move, _, cards = then.removeprefix("not ").partition(" ")
        clause: dict[str, Any] = {"after": [kind], "move": move}
        clause |= {"cards": cards} if cards else {}
        for limit in only.split(", ") if only else ():
            if limit in ("one", "many"):
                clause["touched"] = limit
            else:
                clause["value"] = int(limit) if limit.isdecimal() else limit
        same = found["no" if then.startswith("not ") else "yes"]
        twin = next((one for one in same if one | {"after": 0} == clause | {"after": 0}), None)
        if twin:
            twin["after"].append(kind)
        else:
            same.append(clause)
    for clause in found["yes"] + found["no"]:
        if len(clause["after"]) == len(_AFTER):
            clause["after"] = ["*"]
    return found


def option(chosen: list[str], text: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """{"sentence", "program"} of labels; `text` and what a grammar read of it add nothing."""
    return conventions.option(convention(chosen))


def said(row: dict[str, Any]) -> dict[str, str]:
    """The answers that say what a row of a bank does, as nearly as they can."""
    choice_of = {then: choice for choice, then in (_HINTED | _ALWAYS).items()}
    found: dict[str, str] = {}
    for sign, name in (("", "yes"), ("not ", "no")):
        for clause in row[name]:
            then = sign + f"{clause['move']} {clause.get('cards') or ''}".strip()
            kinds = [kind or "null" for kind in clause["after"]]
            for kind in _AFTER if kinds == ["*"] else kinds:
                if then in choice_of and (then in _ALWAYS.values() or kind in _VALUES):
                    found.setdefault(kind, choice_of[then])
            value, touched = clause.get("value"), clause.get("touched")
            if value is not None:
                found["hint_rank value" if isinstance(value, int) else "hint_color value"] = str(value)
            if touched:
                found["touched"] = {"one": "one card", "many": "several cards"}[touched]
    return found
