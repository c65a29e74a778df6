"""The prior of an instruction as yes/no questions, one for each (what the partner did, what to do).

The instructRL paper's table (section 5.2, appendix C.1): 321 things that a partner may have done times 12
moves. Positions are A (oldest) to E (newest). Colour and rank values are part of what was done, not of what
to do. This is the prior as a table; `follow.py` applies a program to a live game, where more is known.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from engine.games.hanabi.language.programs import EVENTS, KINDS, POSITIONS
from engine.games.hanabi.options import COLOR_NAMES


@cache
def observations() -> tuple[tuple[str, str], ...]:
    """(key, text) of the 321 things that the partner may have done before one's move."""
    found = [("null", "My partner has not done anything yet.")]
    found += [(f"play:{p}", f"My partner played their card at position {p}.") for p in POSITIONS]
    found += [(f"discard:{p}", f"My partner discarded their card at position {p}.") for p in POSITIONS]
    values = [("color", c) for c in COLOR_NAMES] + [("rank", str(r)) for r in range(1, 6)]
    for kind, value in values:
        for size in range(1, 6):
            for touched in combinations(POSITIONS, size):
                cards, verb = ("card", "is") if size == 1 else ("cards", "are" if kind == "color" else "is")
                where = touched[0] if size == 1 else ", ".join(touched[:-1]) + " and " + touched[-1]
                found.append(
                    (
                        f"hint_{kind}:{value}:{','.join(touched)}",
                        f"My partner told me that the {kind} of my {cards} at position {where} {verb} "
                        f"{value}.",
                    )
                )
    return tuple(found)


@cache
def actions() -> tuple[tuple[str, str], ...]:
    """(key, text) of the 12 moves."""
    plays = [(f"play:{p}", f"play my card at position {p}") for p in POSITIONS]
    discards = [(f"discard:{p}", f"discard my card at position {p}") for p in POSITIONS]
    hints = [("hint_color", "hint color to my partner"), ("hint_rank", "hint rank to my partner")]
    return (*plays, *discards, *hints)


def answer(program: dict[str, Any], observation_key: str, action_key: str) -> bool:
    """Whether `program` says yes to a move after what the partner did, for sure: rules under conditions that
    this doesn't show say nothing. Raises ValueError for an unknown key.
    """
    did, value, touched = _parse_observation(observation_key)
    weight = sum(
        rule["weight"]
        for rule in program["rules"]
        if _asked(rule, did) and _fits(rule, did, value, touched, action_key)
    )
    return weight > 0


def _parse_observation(key: str) -> tuple[str, str | None, str]:
    if key == "null":
        return "nothing", None, ""
    parts = key.split(":")
    if parts[0] in ("play", "discard") and len(parts) == 2:
        return parts[0], None, parts[1]
    if parts[0] in ("hint_color", "hint_rank") and len(parts) == 3:
        return parts[0], parts[1], parts[2]
    raise ValueError(f"{key!r} is no observation key, such as null, play:A or hint_color:red:A,C.")


def _asked(rule: dict[str, Any], did: str) -> bool:
    when = rule.get("when")
    return (when is None or did in when["partner_did"]) and _in_force(rule.get("if", {}), did)


def _in_force(conditions: dict[str, Any], did: str) -> bool:
    """Whether what the partner did last shows that a rule's "if" holds."""
    when, unless = conditions.get("when"), conditions.get("unless", ())
    met = when is None or any(did in EVENTS.get(event, ()) for event in when)
    return met and "until" not in conditions and all(did not in EVENTS.get(event, KINDS) for event in unless)


def _fits(rule: dict[str, Any], did: str, value: str | None, touched: str, action_key: str) -> bool:
    """Whether the move is one that the rule is about."""
    wanted = rule.get("when", {}).get("value")
    if wanted is not None and str(wanted) != value:
        return False
    if "touched" in rule.get("when", {}) and _how_many(touched) != rule["when"]["touched"]:
        return False
    then = rule["then"]
    kind, _, position = action_key.partition(":")
    if kind.startswith("hint"):
        if rule["weight"] < 0 and "value" in then:
            return False  # "no fives" leaves other hints of that kind
        # What the partner holds is not in the question: a hint "for" something counts if it was asked for in
        # so many words, and not if it only fits what the partner will do.
        return then["action"] in (kind, "hint") and ("for" not in then or bool(rule.get("asked")))
    if kind not in ("play", "discard") or then["action"] != kind:
        return False
    hinted = touched.split(",") if did.startswith("hint") else []
    cards = then["cards"]
    if isinstance(cards, dict):
        return "slot" in cards and POSITIONS[cards["slot"]] == position
    untouched = [p for p in POSITIONS if p not in hinted]
    chosen = {
        "touched": hinted,
        "touched_newest": hinted[-1:],
        "touched_oldest": hinted[:1],
        "untouched": untouched,
        "untouched_newest": untouched[-1:],
        "untouched_oldest": untouched[:1],
        "unsure": untouched,
        "newest": ["E"],
        "oldest": ["A"],
        "any": list(POSITIONS),
    }[cards]
    known = {"rank": value, "color": value} if position in hinted else {}
    told = did.removeprefix("hint_")
    left_out = any(str(one.get(told)) == known.get(told) for one in then.get("unless", ()) if told in one)
    return position in chosen and not left_out


def _how_many(touched: str) -> str | None:
    return ("many" if "," in touched else "one") if touched else None
