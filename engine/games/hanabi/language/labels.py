"""A program of version 1 as a phrasing of the bank writes it, and that as labels: what the partner did, what
to do, and both together.
"""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.language.programs import POSITIONS


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


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it, without what the bank has no words for (cards to keep, rules with
    "if"); None: nothing was read.
    """
    yes, no = [], []
    for rule in program["rules"] if program else ():
        if "if" in rule or rule["then"]["action"] == "keep":
            continue
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
        (yes if rule["weight"] > 0 else no).append(one)
        if rule["weight"] > 0:
            no += [_left_out(one, known) for known in then.get("unless", ())]
    return {"yes": yes, "no": no}


def _left_out(clause: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """The part of a clause that an exception takes from it: after the hint that tells of such cards."""
    kind = "hint_rank" if "rank" in known else "hint_color"
    return {**clause, "after": [kind], "value": known.get("rank", known.get("color"))}
