"""The goals of programs as numbers, which compiled code goes through (follow.py), and what it says of
them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Self

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.language import saying
from engine.games.overcooked.language.cook import ANYTHING, BOTTOM, LEFT, MIDDLE, NO_ITEM, RIGHT, TOP
from engine.games.overcooked.language.programs import Intent
from engine.games.overcooked.language.standing import Goal, bans, mine

KINDS = {
    "pot": rules.POT,
    "onion": rules.ONIONS,
    "dish": rules.DISHES,
    "tomato": rules.TOMATOES,
    "serve": rules.SERVE,
    "counter": rules.COUNTER,
}
ITEMS = {"onion": rules.ONION, "tomato": rules.TOMATO, "dish": rules.DISH, "soup": rules.SOUP}
SIDES = {"left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM, "middle": MIDDLE}
WHENS = (None, "ready", "full", "empty")  # as cook.READY and its like
FOREVER = -1  # a count

# Columns of a goal. PROGRAM: which of the programs. NAMED: whether a side is named. NAME: what is counted,
# ITEM: what is put on or taken from a counter. IS_OVER is filled in for each game.
(
    PROGRAM,
    INTENT,
    TARGET,
    SIDE,
    NAMED,
    NEAR_KIND,
    NEAR_SIDE,
    COUNT,
    SINCE,
    IS_MINE,
    BANS,
    BY_TELLER,
    NEGATED,
    TO_ME,
    WHEN,
    UNTIL,
    NAME,
    ITEM,
    IS_OVER,
    COLUMNS,
) = range(20)

# What a step is: a Text, what it speaks of, and how much it is worth (tasks.py); and who gave
# the instruction at hand.
TEXT, THING, OF, AT, WORTH, WAITING, EARLY, NEAREST, TELLER, NUMBERS = range(10)


class Text(IntEnum):
    """What a step says; a member's number is its place."""

    words: str

    def __new__(cls, words: str) -> Self:
        text = int.__new__(cls, len(cls.__members__))
        text._value_, text.words = len(cls.__members__), words
        return text

    SILENT = ""
    STANDING = "standing still"
    UNTIL_READY = "until the soup is done"
    UNTIL_FULL = "until the pot is full"
    UNTIL_EMPTY = "until it is empty"
    HANDS_FULL = "my hands are full and no counter is free"
    EMPTYING = "emptying my hands"
    NO_SOURCE = "I can't reach the {many}"
    FETCHING = "fetching {one}"
    NONE_FREE = "there is no free counter that we both reach"
    BRINGING = "bringing you {one}"
    PASSING = "passing {one} on: I can't reach {where}"
    NONE_SHARED = "there is no counter that we both reach"
    MANY_WAIT = "{many} are waiting for you on the counter"
    FETCHING_SOUP = "fetching soup for you"
    PUTTING_IN = "putting {one} in {where}"
    WAITING_FREE = "waiting until {where} is free"
    STARTING = "starting the pot"
    NO_WAY = "I can't reach {where}"
    COUNTERS_FULL = "the counters are full"
    NO_WAY_FULL = "I can't reach {where}, and the counters are full"
    FILLING = "filling the plate"
    WAITING_SOUP = "waiting for the soup"
    SERVING = "serving the soup"
    STARTS_ITSELF = "pots start by themselves at three ingredients here"
    NOT_STARTED = "{where} is empty or has been started"
    STARTING_IT = "starting {where}"
    IS_FULL = "{where} is full"
    PUTTING_ON = "putting {one} on {where}"
    HOLDS_NOTHING = "I hold nothing"
    MANY_LIE = "{many} are on the counter"
    NONE_LIES = "there is no {name} on {where} within my reach"
    TAKING = "taking {some}"
    COMING = "coming to you"
    WAITING_HERE = "waiting here"
    STANDING_BY = "standing by {where}"
    GOING = "going to {where}"
    KEEPING_AWAY = "keeping away from {where}"
    CLEARING = "getting out of your way"


def coded(told: list[list[Goal]], programs: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """The goals that stand of each program, int64 (goals, COLUMNS), and room for a step, with who gave each
    program behind it, -1 where that isn't noted: int64 (NUMBERS + programs,).
    """
    goals = [_row(index, goal) for index, some in enumerate(told) for goal in some]
    tellers = [program.get("from_seat") for program in programs]
    step = [0] * NUMBERS + [-1 if seat is None else seat for seat in tellers]
    return np.array(goals, np.int64).reshape(-1, COLUMNS), np.array(step, np.int64)


def _row(program: int, goal: Goal) -> list[int]:
    intent, target = goal["intent"], goal["target"] or {}
    near, item, count = goal.get("near") or {}, goal.get("item"), goal["count"]
    name = item or intent.removeprefix("fetch_").removesuffix("_in_pot").removeprefix("put_")
    return [
        program,
        Intent[intent.upper()],
        KINDS[target["kind"]] if target else 0,
        SIDES.get(target.get("which") or "", 0),
        bool(target.get("which")),
        KINDS[near["kind"]] if near else 0,
        SIDES.get(near.get("which") or "", 0),
        FOREVER if count is None else count,
        goal["since_tick"],
        mine(goal),
        bans(goal),
        goal["who"] == "me",
        goal["negated"],
        goal.get("to") == "me",
        WHENS.index(goal.get("when")),
        bool(goal.get("until")),
        ITEMS.get(name, NO_ITEM),
        ITEMS[item] if item else ANYTHING,
        False,
    ]


def text(step: np.ndarray, goals: list[Goal]) -> str:
    """What a step says; `goals` are those that were coded."""
    names = {number: name for name, number in ITEMS.items()}
    kinds = {number: name for name, number in KINDS.items()}
    name, kind = names.get(int(step[THING])), kinds.get(int(step[AT]), "")
    target = goals[step[OF]]["target"] if step[OF] >= 0 else None
    thing = saying.thing(name or "held", 1)
    return Text(step[TEXT]).words.format(
        one=thing,
        many=saying.thing(name or "held", None),
        some=thing if name else "what lies there",
        name=name or "thing",
        where=_called(target, kind) if kind else "",
    )


def _called(target: dict[str, Any] | None, kind: str) -> str:
    """ "the left pot", "the pot", "a counter"."""
    if target and target["which"]:
        return saying.place(saying.PLACES[target["kind"]], [target["which"]])
    return "a counter" if kind == "counter" else saying.PLACES[kind]
