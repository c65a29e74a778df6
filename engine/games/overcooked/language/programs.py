"""What a program of version 1 is: the form in which instructions to a cook are carried out and logged,
{"game": "overcooked", "version": 1, "goals": [goal, …]}.

A goal: {"intent", "target": None | {"kind", "which": a side or None}, "count": how often, None for "until I
say otherwise", "who": "me" (the person who typed), "you" (the agent) or "both", "negated": bool}, and only
where it is needed: "item" (onion, dish, tomato, soup: what is put on or taken from a counter), "to": "me"
(handed over), "near" (a target: which counter), "when" (ready, full, empty: not before), "until": "ready",
"all" (of continue: roles and claims end as well), "if" and "after" (conditions.py).
"""

from __future__ import annotations

from typing import Any

Goal = dict[str, Any]

WORK = (
    "fetch_onion",
    "fetch_dish",
    "fetch_tomato",
    "put_onion_in_pot",
    "put_tomato_in_pot",
    "put_on_counter",
    "take_from_counter",
    "pick_up_soup",
    "serve_soup",
)
"""Intents that somebody may have as a role."""
INTENTS = (
    *WORK,
    "start_pot",
    "wait_at",
    "go_to",
    "stop",
    "continue",
    "divide_roles",
    "swap_roles",
    "clear_the_way",
)
KINDS = ("pot", "onion", "dish", "tomato", "serve", "counter")
SIDES = ("left", "right", "top", "bottom", "middle", "nearest")
