"""Where a cook is to be, or not to be: at a place, with the player, away from a place, out of the way.

Steps like those of `tasks`, with cells to stand on. Compiled.
"""

from __future__ import annotations

from engine.games.overcooked import rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import tasks
from engine.games.overcooked.language.cook import (
    CELLS,
    NEAR,
    NOBODY,
    STATIONS,
    TAKEN,
    clear,
    part,
    place,
    within,
)
from engine.simulation.jit import inner


@inner
def be_at(k, goal):
    """Stand at a place, next to the player, or where the cook is."""
    kind = int(k.goals[goal, c.TARGET])
    if k.goals[goal, c.TO_ME] != 0:
        tasks.begin(k, c.COMING, 2, 0, -1, 0)
        best, there = k_.FAR, place(k, k.step[c.TELLER])
        for index in range(k_.floors(k)):
            cell = k_.floor(k, index)
            if k_.mine(k, cell):
                best = min(best, k_.apart(k, cell, there))
        for index in range(k_.floors(k)):
            cell = k_.floor(k, index)
            k.sets[k_.STAND][cell] = k_.mine(k, cell) and k_.apart(k, cell, there) == best
        return 2
    if kind == 0:
        tasks.begin(k, c.WAITING_HERE, 2, 0, -1, 0)
        k.sets[k_.STAND][place(k, k.seat)] = 1
        return 2
    stations, cells = k.sets[STATIONS], k.sets[CELLS]
    tasks.meant(k, goal, kind, stations)
    if within(k, stations) == 0:
        return tasks.cant(k, c.NO_WAY, 0, goal, kind)
    k_.access(k, stations, cells)
    for index in range(k_.floors(k)):
        cell = k_.floor(k, index)
        if k_.part_of(rules.region(k.state, cell)) != part(k, k.seat):
            cells[cell] = 0
    tasks.begin(k, c.STANDING_BY if cells[place(k, k.seat)] != 0 else c.GOING, 2, 0, goal, kind)
    free = 0
    for index in range(k_.floors(k)):
        cell = k_.floor(k, index)
        free += cells[cell] != 0 and not k_.taken(k, cell)
    for index in range(k_.floors(k)):
        cell = k_.floor(k, index)
        k.sets[k_.STAND][cell] = cells[cell] != 0 and (free == 0 or not k_.taken(k, cell))
    return 2


@inner
def near_cells(k, goal, mask):
    """The cells from which the place that a goal names can be used."""
    tasks.meant(k, goal, int(k.goals[goal, c.TARGET]), k.sets[STATIONS])
    k_.access(k, k.sets[STATIONS], mask)


@inner
def keep_away(k, goal):
    """Leave the cells next to a place, if the cook stands on one; whether there is anywhere to go to."""
    near, free = k.sets[NEAR], 0
    near_cells(k, goal, near)
    if near[place(k, k.seat)] == 0:
        return False
    tasks.begin(k, c.KEEPING_AWAY, 2, 0, goal, int(k.goals[goal, c.TARGET]))
    for index in range(k_.floors(k)):
        cell = k_.floor(k, index)
        k.sets[k_.STAND][cell] = near[cell] == 0 and k_.mine(k, cell)
        free += k.sets[k_.STAND][cell]
    return free > 0


@inner
def clear_way(k):
    """As far from the player as a few steps lead, off the cells that stations need."""
    nobody, others, best = k.sets[NOBODY], k.sets[TAKEN], -k_.FAR
    clear(k, nobody)
    k_.block(k, False, others)
    k_.walk_from(k, place(k, k.step[c.TELLER]), nobody, k.fields[1])
    k_.walk_from(k, place(k, k.seat), others, k.fields[0])
    tasks.begin(k, c.CLEARING, 2, 0, -1, 0)
    for turn in range(2):
        for index in range(k_.floors(k)):
            cell = k_.floor(k, index)
            if k.fields[0][cell] <= 6:
                busy = k_.needed(k, cell)
                value = 2 * min(int(k.fields[1][cell]), 9) - (3 if busy else 0) - int(k.fields[0][cell])
                if turn == 0:
                    best = max(best, value)
                elif value == best:
                    k.sets[k_.STAND][cell] = 1
    return 2
