"""What a cook puts on counters and takes from them: steps like those of `tasks`. Compiled."""

from __future__ import annotations

from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import tasks
from engine.games.overcooked.language.coded import Text
from engine.games.overcooked.language.cook import (
    ANYTHING,
    AVOIDED,
    CELLS,
    NEAR,
    SOURCES,
    STATIONS,
    copy,
    held,
    holds,
    lying,
    resolve,
    within,
)
from engine.games.overcooked.rules import COUNTER, NOTHING, SOUP
from engine.simulation.jit import inner


@inner
def on_counter(k, goal):
    """Something put on a counter; what is held where nothing is named."""
    order = k.goals[goal]
    name, forever = int(order[c.ITEM]), order[c.COUNT] == c.FOREVER
    if order[c.TO_ME] != 0 and name != ANYTHING:
        return tasks.bring(k, name, -1, order[c.COUNT])
    counters, cells = k.sets[STATIONS], k.sets[CELLS]
    tasks.meant(k, goal, COUNTER, counters)
    if order[c.NEAR_KIND] != 0:
        lying(k, NOTHING, cells)
        if k_.only(k, cells, k_.IN, STATIONS):
            copy(k, cells, counters)
        _near_to(k, counters, order[c.NEAR_KIND], order[c.NEAR_SIDE])
    if within(k, counters) == 0:
        return tasks.cant(k, Text.NO_WAY, 0, goal, COUNTER)
    copy(k, counters, cells)
    if k_.only(k, cells, k_.LADEN, NOTHING) == 0:
        tasks.cant(k, Text.IS_FULL, 0, goal, COUNTER)
        copy(k, counters, k.sets[k_.KEEP])
        return 0
    if holds(k, name):
        return tasks.use(k, cells, Text.PUTTING_ON, 4, name, goal, COUNTER)
    if name == ANYTHING:
        return tasks.cant(k, Text.HOLDS_NOTHING, 0, -1, 0)
    anywhere = order[c.TARGET] == 0
    if anywhere and forever and lying(k, name, cells) >= tasks.SPARE:
        tasks.begin(k, Text.MANY_LIE, 1, name, -1, 0)
        k.step[c.WAITING] = 1
        copy(k, counters, k.sets[k_.KEEP])
        return 1
    if name == SOUP:
        return tasks.plate(k, -1, True)
    avoided = k.sets[AVOIDED]
    if not anywhere or forever:
        copy(k, counters, avoided)
    else:
        lying(k, name, avoided)
    tasks.look_for(k, name)
    return tasks.get(k, name)


@inner
def _near_to(k, counters, kind, side):
    """Leave those of some counters that are closest to a place."""
    there = k.sets[NEAR]
    if resolve(k, kind, side, there) == 0:
        return
    for cell in k.stations:
        k.fields[k_.RANK][cell] = k_.FAR
        for other in k.stations:
            if there[other] != 0:
                k.fields[k_.RANK][cell] = min(k.fields[k_.RANK][cell], k_.apart(k, cell, other))
    k_.least(k, k.stations, counters)


@inner
def take(k, goal):
    """Something taken from a counter."""
    name, counters, cells = int(k.goals[goal, c.ITEM]), k.sets[STATIONS], k.sets[SOURCES]
    tasks.meant(k, goal, COUNTER, counters)
    lying(k, name, cells)
    if k_.only(k, cells, k_.IN, STATIONS) == 0:
        return tasks.cant(k, Text.NONE_LIES, name, goal, COUNTER)
    if held(k) != NOTHING:
        tasks.avoid_nothing(k)
        return tasks.put_away(k)
    return tasks.use(k, cells, Text.TAKING, 2, name, -1, 0)
