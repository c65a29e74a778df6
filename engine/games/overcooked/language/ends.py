"""Whether a goal has come to its end: by the clock, by the pots, or by what a cook has done since. Compiled.

Not for what a later instruction replaces (`standing`).
"""

from __future__ import annotations

from engine.games.overcooked import rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import tasks
from engine.games.overcooked.language.cook import ANYTHING, SOUP, STATIONS
from engine.simulation.jit import inner

GO_TICKS = 40
"""How long somebody who was sent somewhere stays there, the way included."""
CLEAR_TICKS = 12
"""How long somebody keeps out of the way."""
TICK, SEAT, KIND, CELL, ITEM, PARTS = range(6)  # of an event


@inner
def done(k, goal):
    """Whether a goal has come to its end."""
    order = k.goals[goal]
    intent, since, tick = int(order[c.INTENT]), int(order[c.SINCE]), int(k.state[rules.TICK])
    if intent == c.CONTINUE:
        return True
    if intent == c.CLEAR_THE_WAY:
        return tick >= since + CLEAR_TICKS
    if intent == c.GO_TO and order[c.NEGATED] == 0:
        return tick >= since + GO_TICKS
    if intent == c.WAIT_AT and order[c.UNTIL] != 0:
        return k_.ready_somewhere(k)
    if order[c.COUNT] == c.FOREVER:
        return False
    who = k.step[c.TELLER] if order[c.BY_TELLER] != 0 else k.seat
    return times_done(k, goal, who) >= order[c.COUNT]


@inner
def times_done(k, goal, who):
    """How often what a cook has done since did what a goal asks for."""
    order, cells = k.goals[goal], k.sets[STATIONS]
    intent, name = int(order[c.INTENT]), int(order[c.NAME])
    somewhere = order[c.NAMED] != 0
    if order[c.TO_ME] != 0 and intent != c.PUT_ON_COUNTER:
        tasks.with_teller(k)
        wanted = SOUP if intent == c.PICK_UP_SOUP else name
        return _count(k, goal, who, rules.PLACE_COUNTER, wanted, True, k.sets[k_.SHARED])
    if somewhere:
        tasks.meant(k, goal, int(order[c.TARGET]), cells)
    if intent in (c.FETCH_ONION, c.FETCH_DISH, c.FETCH_TOMATO):
        found = _count(k, goal, who, rules.PICK, name, somewhere, cells)
        found += _count(k, goal, who, rules.PICK_COUNTER, name, somewhere, cells)
        # One that was in the hand when the instruction came counts.
        return found + (order[c.TARGET] == 0 and _held_before(k, goal, who))
    if intent in (c.PUT_ONION, c.PUT_TOMATO):
        return _count(k, goal, who, rules.PUT_POT, name, somewhere, cells)
    if intent == c.PUT_ON_COUNTER:
        return _count(k, goal, who, rules.PLACE_COUNTER, order[c.ITEM], somewhere, cells)
    if intent == c.TAKE_FROM_COUNTER:
        return _count(k, goal, who, rules.PICK_COUNTER, order[c.ITEM], somewhere, cells)
    if intent == c.PICK_UP_SOUP:
        return _count(k, goal, who, rules.PICK_SOUP, ANYTHING, somewhere, cells)
    if intent == c.SERVE_SOUP:
        return _count(k, goal, who, rules.DELIVER, ANYTHING, somewhere, cells)
    if intent == c.START_POT:
        return _count(k, goal, who, rules.START_POT, ANYTHING, somewhere, cells)
    return 0


@inner
def _count(k, goal, who, kind, name, somewhere, cells):
    """How many things of a kind a cook has done since, with such a thing, at one of some cells if it matters
    where.
    """
    found = 0
    for index in range(len(k.events)):
        event = k.events[index]
        if event[TICK] > k.goals[goal, c.SINCE] and event[SEAT] == who and event[KIND] == kind:
            right = name == ANYTHING or k_.is_item(int(event[ITEM]), name)
            found += right and (not somewhere or cells[event[CELL]] != 0)
    return found


@inner
def _held_before(k, goal, who):
    """Whether a cook had such a thing in the hand before it did anything else with one."""
    name = int(k.goals[goal, c.NAME])
    for index in range(len(k.events)):
        event = k.events[index]
        if event[TICK] > k.goals[goal, c.SINCE] and event[SEAT] == who and k_.is_item(int(event[ITEM]), name):
            return event[KIND] == rules.PUT_POT or event[KIND] == rules.PLACE_COUNTER
    return k_.holds(k, name)
