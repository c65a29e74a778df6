"""The goals of programs as numbers, which compiled code goes through (follow.py), and what it says of
them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.language import saying
from engine.games.overcooked.language.cook import ANYTHING, BOTTOM, LEFT, MIDDLE, NO_ITEM, RIGHT, TOP
from engine.games.overcooked.language.programs import INTENTS
from engine.games.overcooked.language.standing import Goal, bans, mine

(
    FETCH_ONION,
    FETCH_DISH,
    FETCH_TOMATO,
    PUT_ONION,
    PUT_TOMATO,
    PUT_ON_COUNTER,
    TAKE_FROM_COUNTER,
    PICK_UP_SOUP,
    SERVE_SOUP,
    START_POT,
    WAIT_AT,
    GO_TO,
    STOP,
    CONTINUE,
    DIVIDE_ROLES,
    SWAP_ROLES,
    CLEAR_THE_WAY,
) = range(len(INTENTS))
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
WHENS = (None, "ready", "full", "empty")
_, READY, FULL, EMPTY = range(len(WHENS))
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

# What a step is: a text of those below, what it speaks of, and how much it is worth (tasks.py); and who gave
# the instruction at hand.
TEXT, THING, OF, AT, WORTH, WAITING, EARLY, NEAREST, TELLER, NUMBERS = range(10)
PLURAL = {"onion": "onions", "dish": "plates", "tomato": "tomatoes", "soup": "soup"}
TEXTS = (
    "",
    "standing still",
    "until the soup is done",
    "until the pot is full",
    "until it is empty",
    "my hands are full and no counter is free",
    "emptying my hands",
    "I can't reach the {many}",
    "fetching {one}",
    "there is no free counter that we both reach",
    "bringing you {one}",
    "passing {one} on: I can't reach {where}",
    "there is no counter that we both reach",
    "{many} are waiting for you on the counter",
    "fetching soup for you",
    "putting {one} in {where}",
    "waiting until {where} is free",
    "starting the pot",
    "I can't reach {where}",
    "the counters are full",
    "I can't reach {where}, and the counters are full",
    "filling the plate",
    "waiting for the soup",
    "serving the soup",
    "pots start by themselves at three ingredients here",
    "{where} is empty or has been started",
    "starting {where}",
    "{where} is full",
    "putting {one} on {where}",
    "I hold nothing",
    "{many} are on the counter",
    "there is no {name} on {where} within my reach",
    "taking {some}",
    "coming to you",
    "waiting here",
    "standing by {where}",
    "going to {where}",
    "keeping away from {where}",
    "getting out of your way",
)
(
    SILENT,
    STANDING,
    UNTIL_READY,
    UNTIL_FULL,
    UNTIL_EMPTY,
    HANDS_FULL,
    EMPTYING,
    NO_SOURCE,
    FETCHING,
    NONE_FREE,
    BRINGING,
    PASSING,
    NONE_SHARED,
    MANY_WAIT,
    FETCHING_SOUP,
    PUTTING_IN,
    WAITING_FREE,
    STARTING,
    NO_WAY,
    COUNTERS_FULL,
    NO_WAY_FULL,
    FILLING,
    WAITING_SOUP,
    SERVING,
    STARTS_ITSELF,
    NOT_STARTED,
    STARTING_IT,
    IS_FULL,
    PUTTING_ON,
    HOLDS_NOTHING,
    MANY_LIE,
    NONE_LIES,
    TAKING,
    COMING,
    WAITING_HERE,
    STANDING_BY,
    GOING,
    KEEPING_AWAY,
    CLEARING,
) = range(len(TEXTS))


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
        INTENTS.index(intent),
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
    return TEXTS[step[TEXT]].format(
        one=thing,
        many=PLURAL.get(name or ""),
        some=thing if name else "what lies there",
        name=name or "thing",
        where=_called(target, kind) if kind else "",
    )


def _called(target: dict[str, Any] | None, kind: str) -> str:
    """ "the left pot", "the pot", "a counter"."""
    if target and target["which"]:
        return saying.place(saying.PLACES[target["kind"]], [target["which"]])
    return "a counter" if kind == "counter" else saying.PLACES[kind]
