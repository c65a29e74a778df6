"""What a program of version 1 is: the form in which instructions to a cook are carried out and logged,
{"game": "overcooked", "version": 1, "goals": [goal, …]}.

A goal: {"intent", "target": None | {"kind", "which": a side or None}, "count": how often, None for "until I
say otherwise", "who": "me" (the person who typed), "you" (the agent) or "both", "negated": bool}, and only
where it is needed: "item" (onion, dish, tomato, soup: what is put on or taken from a counter), "to": "me"
(handed over), "near" (a target: which counter), "when" (ready, full, empty: not before), "until": "ready",
"all" (of continue: roles and claims end as well), "if" and "after" (conditions.py).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

Goal = dict[str, Any]


class Intent(IntEnum):
    """What a goal asks for: small letters in programs, numbers in compiled code (coded.py)."""

    FETCH_ONION = 0
    FETCH_DISH = 1
    FETCH_TOMATO = 2
    PUT_ONION_IN_POT = 3
    PUT_TOMATO_IN_POT = 4
    PUT_ON_COUNTER = 5
    TAKE_FROM_COUNTER = 6
    PICK_UP_SOUP = 7
    SERVE_SOUP = 8
    START_POT = 9
    WAIT_AT = 10
    GO_TO = 11
    STOP = 12
    CONTINUE = 13
    DIVIDE_ROLES = 14
    SWAP_ROLES = 15
    CLEAR_THE_WAY = 16


INTENTS = tuple(name.lower() for name in Intent.__members__)
WORK = INTENTS[: Intent.START_POT]
"""Intents that somebody may have as a role."""
KINDS = ("pot", "onion", "dish", "tomato", "serve", "counter")
SIDES = ("left", "right", "top", "bottom", "middle", "nearest")
