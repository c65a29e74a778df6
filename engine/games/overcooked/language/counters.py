"""What a cook puts on counters and takes from them: steps like those of `tasks`. Compiled."""

from __future__ import annotations

from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import tasks
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
    item_at,
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
        free = 0
        for index in range(k_.stations(k)):
            cell = k_.station(k, index)
            cells[cell] = cells[cell] != 0 and counters[cell] != 0
            free += cells[cell]
        if free:
            copy(k, cells, counters)
        _near_to(k, counters, order[c.NEAR_KIND], order[c.NEAR_SIDE])
    if within(k, counters) == 0:
        return tasks.cant(k, c.NO_WAY, 0, goal, COUNTER)
    free = 0
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        free += counters[cell] != 0 and item_at(k, cell) == NOTHING
    if free == 0:
        tasks.cant(k, c.IS_FULL, 0, goal, COUNTER)
        copy(k, counters, k.sets[k_.KEEP])
        return 0
    if holds(k, name):
        for index in range(k_.stations(k)):
            cell = k_.station(k, index)
            if item_at(k, cell) != NOTHING:
                counters[cell] = 0
        return tasks.use(k, counters, c.PUTTING_ON, 4, name, goal, COUNTER)
    if name == ANYTHING:
        return tasks.cant(k, c.HOLDS_NOTHING, 0, -1, 0)
    anywhere = order[c.TARGET] == 0
    if anywhere and forever and lying(k, name, cells) >= tasks.SPARE:
        tasks.begin(k, c.MANY_LIE, 1, name, -1, 0)
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
    there, best = k.sets[NEAR], k_.FAR
    if resolve(k, kind, side, there) == 0:
        return
    for turn in range(2):
        for index in range(k_.stations(k)):
            cell = k_.station(k, index)
            if counters[cell] != 0:
                off = k_.FAR
                for at in range(k_.stations(k)):
                    other = k_.station(k, at)
                    if there[other] != 0:
                        off = min(off, k_.apart(k, cell, other))
                if turn == 0:
                    best = min(best, off)
                elif off != best:
                    counters[cell] = 0


@inner
def take(k, goal):
    """Something taken from a counter."""
    name, found, counters, cells = int(k.goals[goal, c.ITEM]), 0, k.sets[STATIONS], k.sets[SOURCES]
    tasks.meant(k, goal, COUNTER, counters)
    lying(k, name, cells)
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        cells[cell] = cells[cell] != 0 and counters[cell] != 0
        found += cells[cell]
    if found == 0:
        return tasks.cant(k, c.NONE_LIES, name, goal, COUNTER)
    if held(k) != NOTHING:
        tasks.avoid_nothing(k)
        return tasks.put_away(k)
    return tasks.use(k, cells, c.TAKING, 2, name, -1, 0)
