"""A program as numbers, which compiled code goes through (follow.py): its rules, what they hang on, and the
cards that they leave out, each a row of a table.

What a hint tells has one number: 0 to 4 a colour, 5 to 9 a rank from 0; what is known of a card may also be
both, 10 and the card's number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.options import COLOR_NAMES

KINDS = {
    "play": rules.PLAY,
    "discard": rules.DISCARD,
    "hint_color": rules.HINT_COLOR,
    "hint_rank": rules.HINT_RANK,
    "nothing": 4,  # what the partner did
    "hint": 4,  # what to do: a hint of either kind
    "keep": 5,
}
NOTHING, HINT, KEEP = KINDS["nothing"], KINDS["hint"], KINDS["keep"]
ANY, NEVER = -1, 99  # what a hint tells
BOTH = 10
PURPOSES = (None, "playable", "useless", "critical", "any")
_, PLAYABLE, USELESS, CRITICAL, WHATEVER = range(5)
PLACES = (None, "oldest", "newest")  # of the card that a hint is to touch
_, ON_OLDEST, ON_NEWEST = range(3)


class Cards(IntEnum):
    """Which cards are meant, as programs say it in small letters; or by a slot, or what is known of them."""

    SLOT = 0
    KNOWN = 1
    TOUCHED = 2
    TOUCHED_NEWEST = 3
    TOUCHED_OLDEST = 4
    NEWEST = 5
    OLDEST = 6
    ANY = 7
    UNTOUCHED = 8
    UNTOUCHED_NEWEST = 9
    UNTOUCHED_OLDEST = 10
    UNSURE = 11
    USELESS = 12
    SURE = 13


TOUCHING = (None, "one", "many")

# Columns of a rule. Its conditions are rows FIRST to LAST - 1 of `whens`, the last one its own; none: always.
# What it leaves out is rows UNLESS to UNLESS_END - 1 of `unless`.
FIRST, LAST, THEN, SELECTS, OF, UNLESS, UNLESS_END, TOLD, PURPOSE, ON, IS_HABIT = range(11)
# Columns of a condition: bits of what the partner did, what a hint tells, how many cards it touches (0: that
# doesn't matter), and of which condition it is an exception.
DID, VALUE, TOUCHES, EXCEPTS = range(4)


@dataclass(frozen=True)
class Coded:
    """`rules` (R, 11), `whens` (W, 4) and `unless` (U,) int64, `weights` (R,) float64."""

    rules: np.ndarray
    whens: np.ndarray
    unless: np.ndarray
    weights: np.ndarray


def coded(program: dict[str, Any]) -> Coded:
    """A program as numbers."""
    found: list[list[int]] = []
    whens: list[list[int]] = []
    unless: list[int] = []
    for rule in program["rules"]:
        then, first, left_out = rule["then"], len(whens), len(unless)
        if rule.get("when") is not None:
            _add(rule["when"], whens)
        unless += [_known(card) for card in then.get("unless", ())]
        selects, of = _cards(then.get("cards", "any"))
        cards = [KINDS[then["action"]], selects, of, left_out, len(unless)]
        purpose = then.get("for", "any" if "on" in then else None)
        hints = [_told(then.get("value")), PURPOSES.index(purpose), PLACES.index(then.get("on"))]
        found.append([first, len(whens), *cards, *hints, bool(rule.get("habit"))])
    return Coded(
        np.array(found, np.int64).reshape(-1, IS_HABIT + 1),
        np.array(whens, np.int64).reshape(-1, EXCEPTS + 1),
        np.array(unless, np.int64),
        np.array([rule["weight"] for rule in program["rules"]], np.float64),
    )


def _add(when: dict[str, Any], whens: list[list[int]]) -> None:
    """Put a condition behind its exceptions."""
    exceptions = []
    for other in when.get("but_not", ()):
        _add(other, whens)
        exceptions.append(len(whens) - 1)
    for index in exceptions:
        whens[index][EXCEPTS] = len(whens)
    did = sum(1 << KINDS[kind] for kind in when["partner_did"])
    whens.append([did, _told(when.get("value")), TOUCHING.index(when.get("touched")), ANY])


def _told(value: Any) -> int:
    """The number of what a hint tells; no hint tells what isn't one."""
    if value is None:
        return ANY
    if isinstance(value, int):
        return 4 + value if 1 <= value <= rules.MAX_RANKS else NEVER
    return COLOR_NAMES.index(value) if value in COLOR_NAMES else NEVER


def _known(card: dict[str, Any]) -> int:
    if len(card) == 1:
        return _told(*card.values())
    return BOTH + COLOR_NAMES.index(card["color"]) * rules.MAX_RANKS + card["rank"] - 1


def _cards(cards: Any) -> tuple[int, int]:
    """Which cards are meant: one of the ways, and the slot or what is known of them."""
    if not isinstance(cards, dict):
        return Cards[cards.upper()], 0
    return (Cards.SLOT, cards["slot"]) if "slot" in cards else (Cards.KNOWN, _known(cards))
