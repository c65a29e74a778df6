"""Where a cook is to be, or not to be: at a place, with the player, away from a place, out of the way.

Steps like those of `tasks`, with cells to stand on. Compiled.
"""

from __future__ import annotations

from engine.games.overcooked import rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import tasks
from engine.games.overcooked.language.coded import Text
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
    kind, stand = int(k.goals[goal, c.TARGET]), k.sets[k_.STAND]
    if k.goals[goal, c.TO_ME] != 0:
        tasks.begin(k, Text.COMING, 2, 0, -1, 0)
        for cell in k.floors:
            stand[cell] = k_.mine(k, cell)
            k.fields[k_.RANK][cell] = k_.apart(k, cell, place(k, k.step[c.TELLER]))
        k_.least(k, k.floors, stand)
        return 2
    if kind == 0:
        tasks.begin(k, Text.WAITING_HERE, 2, 0, -1, 0)
        stand[place(k, k.seat)] = 1
        return 2
    stations, cells = k.sets[STATIONS], k.sets[CELLS]
    tasks.meant(k, goal, kind, stations)
    if within(k, stations) == 0:
        return tasks.cant(k, Text.NO_WAY, 0, goal, kind)
    k_.access(k, stations, cells)
    for cell in k.floors:
        cells[cell] = cells[cell] != 0 and k_.part_of(rules.region(k.state, cell)) == part(k, k.seat)
    tasks.begin(k, Text.STANDING_BY if cells[place(k, k.seat)] != 0 else Text.GOING, 2, 0, goal, kind)
    free = 0
    for cell in k.floors:
        free += cells[cell] != 0 and not k_.taken(k, cell)
    for cell in k.floors:
        stand[cell] = cells[cell] != 0 and (free == 0 or not k_.taken(k, cell))
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
    tasks.begin(k, Text.KEEPING_AWAY, 2, 0, goal, int(k.goals[goal, c.TARGET]))
    for cell in k.floors:
        k.sets[k_.STAND][cell] = near[cell] == 0 and k_.mine(k, cell)
        free += k.sets[k_.STAND][cell]
    return free > 0


@inner
def clear_way(k):
    """As far from the player as a few steps lead, off the cells that stations need."""
    nobody, others, stand = k.sets[NOBODY], k.sets[TAKEN], k.sets[k_.STAND]
    way, back = k.fields[k_.WAY], k.fields[k_.BACK]
    clear(k, nobody)
    k_.block(k, False, others)
    k_.walk_from(k, place(k, k.step[c.TELLER]), nobody, back)
    k_.walk_from(k, place(k, k.seat), others, way)
    tasks.begin(k, Text.CLEARING, 2, 0, -1, 0)
    for cell in k.floors:
        stand[cell] = way[cell] <= 6
        k.fields[k_.RANK][cell] = way[cell] + (3 if k_.needed(k, cell) else 0) - 2 * min(back[cell], 9)
    k_.least(k, k.floors, stand)
    return 2
