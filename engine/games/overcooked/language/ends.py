"""Whether a goal has come to its end: by the clock, by the pots, or by what a cook has done since. Compiled.

Not for what a later instruction replaces (`standing`).
"""

from __future__ import annotations

from engine.games.overcooked import rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import tasks
from engine.games.overcooked.language.cook import ANYTHING, SOUP, STATIONS
from engine.games.overcooked.language.programs import Intent
from engine.simulation.jit import inner

GO_TICKS = 40
"""How long somebody who was sent somewhere stays there, the way included."""
CLEAR_TICKS = 12
"""How long somebody keeps out of the way."""
TICK, SEAT, KIND, CELL, ITEM, PARTS = range(6)  # of an event
DOES = (
    *(rules.PICK, rules.PICK, rules.PICK, rules.PUT_POT, rules.PUT_POT, rules.PLACE_COUNTER),
    *(rules.PICK_COUNTER, rules.PICK_SOUP, rules.DELIVER, rules.START_POT),
)
"""By intent, as far as one is counted: what a cook does for it."""


@inner
def done(k, goal):
    """Whether a goal has come to its end."""
    order = k.goals[goal]
    intent, since, tick = int(order[c.INTENT]), int(order[c.SINCE]), int(k.state[rules.TICK])
    if intent == Intent.CONTINUE:
        return True
    if intent == Intent.CLEAR_THE_WAY:
        return tick >= since + CLEAR_TICKS
    if intent == Intent.GO_TO and order[c.NEGATED] == 0:
        return tick >= since + GO_TICKS
    if intent == Intent.WAIT_AT and order[c.UNTIL] != 0:
        return k_.any_pot(k, k_.READY)
    if order[c.COUNT] == c.FOREVER:
        return False
    who = k.step[c.TELLER] if order[c.BY_TELLER] != 0 else k.seat
    return times_done(k, goal, who) >= order[c.COUNT]


@inner
def times_done(k, goal, who):
    """How often what a cook has done since did what a goal asks for."""
    order, cells = k.goals[goal], k.sets[STATIONS]
    intent, somewhere = int(order[c.INTENT]), order[c.NAMED] != 0
    name = order[c.NAME] if intent <= Intent.PUT_TOMATO_IN_POT else order[c.ITEM]
    if order[c.TO_ME] != 0 and intent != Intent.PUT_ON_COUNTER:
        tasks.with_teller(k)
        wanted = SOUP if intent == Intent.PICK_UP_SOUP else order[c.NAME]
        return _count(k, goal, who, rules.PLACE_COUNTER, wanted, True, k.sets[k_.SHARED])
    if somewhere:
        tasks.meant(k, goal, int(order[c.TARGET]), cells)
    if intent > Intent.START_POT:
        return 0
    found = _count(k, goal, who, DOES[intent], name, somewhere, cells)
    if intent <= Intent.FETCH_TOMATO:
        found += _count(k, goal, who, rules.PICK_COUNTER, name, somewhere, cells)
        # One that was in the hand when the instruction came counts.
        found += order[c.TARGET] == 0 and _held_before(k, goal, who)
    return found


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
