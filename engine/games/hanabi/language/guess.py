"""A guess where the clauses of a text don't fit together: the one thing that its words can be about.

"Whenever yours truly colours a card: on the pile" has a colour and a play, whatever the rest says. Only for
texts of one colour or rank and one action; the player is shown the guess and confirms it.
"""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.language.conditions import HINTS, named_kinds
from engine.games.hanabi.language.lexicon import Token
from engine.games.hanabi.language.phrases import Rule, has, make_rule

CONFIDENCE = 0.5
"""How sure a guess is at most."""
_LEAST = 0.6
"""The share of the words that has to be known for a guess."""
_BLOCKED = ("WHY", "UNLESS", "ELSE", "OTHERHINT", "SO", "STATE")


def guess(tokens: list[Token]) -> list[Rule]:
    """The rules that the words of a text are most likely about, or none."""
    words = [t for t in tokens if t.concept not in ("COMMA", "STOP")]
    unknown = sum(t.concept == "?" for t in words)
    if not words or unknown > (1 - _LEAST) * len(words) or has(words, *_BLOCKED):
        return []
    told = any(t.concept in ("PLAY", "DISCARD", "KEEP") and t.word.endswith("ed") for t in words)
    if told and not has(words, "BE", "SHOULD", "IF"):
        return []  # "you discarded a five"
    actions = {t.concept for t in words if t.concept in ("PLAY", "DISCARD", "KEEP")}
    kinds, values = named_kinds(words)
    cards = _cards(words)
    weight = -1.0 if has(words, "NOT") else 1.0
    hinted = has(words, "HINT", "HINTED")
    if len(actions) == 1 and len(values) <= 1 and (hinted or kinds and has(words, "IF", "CARD")):
        when: dict[str, Any] = {"partner_did": kinds or list(HINTS)}
        if values:
            when["value"] = values[0]
        action = actions.pop().lower()
        if isinstance(cards, dict):
            return [make_rule(when, {"action": action, "cards": cards}, weight)]
        own = any(t.word in ("your", "my") for t in words)
        touched = "touched" if cards is None else cards if own else f"touched_{cards}"
        return [make_rule(when, {"action": action, "cards": touched}, weight)]
    if len(actions) == 1 and cards is not None and not kinds and not hinted and not unknown:
        habit = weight > 0 and isinstance(cards, str)
        return [make_rule(None, {"action": actions.pop().lower(), "cards": cards}, weight, habit)]
    if not actions and hinted and len(kinds) == 1 and not values and not has(words, "IF", "CARD"):
        return [make_rule(None, {"action": kinds[0]}, weight, weight > 0)]
    return []


def _cards(words: list[Token]) -> Any:
    slot = next((t.value for t in words if t.concept == "SLOT"), None)
    if isinstance(slot, int):
        return {"slot": slot}
    ends = {t.concept.lower() for t in words if t.concept in ("NEWEST", "OLDEST")}
    if len(ends) != 1 or has(words, "UNTOUCHED", "OTHERS"):
        return None
    return ends.pop()
