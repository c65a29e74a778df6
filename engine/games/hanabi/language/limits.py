"""What an order says of the card itself: "unless it's a five", "if they aren't red", "only if it's a one".

Such words are about what the agent knows of its card, not about what the partner did: `conditions.py` is for
that. They become `unless` of what a rule does (parse.py), and for hints a hint that is not given.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.hanabi.language.parts import Part, actor
from engine.games.hanabi.language.phrases import Rule, make_rule

_ABOUT_CARDS = ("THOSE", "CARD", "BE", "NOT", "ONLY", "SOMETHING", "RANK_VALUE", "COLOR_VALUE", "OR", "COMMA")
_VALUES = ("RANK_VALUE", "COLOR_VALUE")


@dataclass(frozen=True)
class Limit:
    """Cards that an order is not for, or (`only`) the only ones that it is for: colours and ranks from 1."""

    values: tuple[int | str, ...]
    only: bool = False

    @property
    def kinds(self) -> set[str]:
        """The hints that tell of such cards."""
        return {"hint_rank" if isinstance(value, int) else "hint_color" for value in self.values}


def limit(group: list[Part], agent_is_me: bool, before: Part | None) -> Limit | None:
    """What the parts of `group` say of the card, or None if they are about something else. `before`: the part
    before them, which may end in "only"."""
    first, rest = group[0], group[1:]
    if first.lead not in ("IF", "UNLESS") or not all(lists(part) for part in rest):
        return None
    tokens = first.tokens
    if first.verb:
        # "Unless I told you that it's a five."
        told = first.verb == "HINT" and actor(first, agent_is_me) == "player" and first.lead == "UNLESS"
        tokens = first.after
        if not told or not any(t.concept == "THOSE" for t in tokens):
            return None
        tokens = [t for t in tokens if t.concept not in ("YOU", "ME")]
    values = [t.value for part in (tokens, *(p.tokens for p in rest)) for t in part if t.concept in _VALUES]
    if not values or any(t.concept not in _ABOUT_CARDS for t in tokens):
        return None
    negated = any(t.concept == "NOT" for t in tokens)
    only = any(t.concept == "ONLY" for t in tokens) or _ends_in_only(before)
    found = tuple(dict.fromkeys(value for value in values if value is not None))
    if first.lead == "UNLESS":
        return Limit(found, only=negated)
    return Limit(found) if negated else Limit(found, only=True) if only else None


def lists(part: Part) -> bool:
    """Whether a part only goes on with colours or ranks: "… or a two"."""
    only_values = part.has(*_VALUES) and all(t.concept in _ABOUT_CARDS for t in part.tokens)
    return part.link in ("OR", "AND", "COMMA") and only_values and not part.lead and not part.verb


def _ends_in_only(before: Part | None) -> bool:
    return before is not None and bool(before.tokens) and before.tokens[-1].concept == "ONLY"


def applied(rules: list[Rule], found: Limit) -> list[Rule]:
    """The rules of an order with what it says of the card."""
    out: list[Rule] = []
    for rule in rules:
        then = rule["then"]
        if then["action"].startswith("hint"):
            out.append(rule)
            kinds = found.kinds if then["action"] == "hint" else found.kinds & {then["action"]}
            out += [
                make_rule(rule.get("when"), {"action": kind, "value": value}, -1.0)
                for value in found.values
                for kind in kinds
                if not found.only and rule["weight"] > 0 and kind == _told_by(value)
            ]
            continue
        known = [{"rank": one} if isinstance(one, int) else {"color": one} for one in found.values]
        limited = {**rule, "then": {**then, "unless": known}}
        if found.only:  # "play your newest only if it's a one" forbids it otherwise
            limited = {key: value for key, value in limited.items() if key != "habit"}
            limited["weight"] = -abs(rule["weight"])
        out.append(limited)
    return out


def _told_by(value: int | str) -> str:
    return "hint_rank" if isinstance(value, int) else "hint_color"
