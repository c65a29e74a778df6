"""The way to what a cook does next: the actions that begin a shortest one, with other cooks in the way.
Compiled.
"""

from __future__ import annotations

from engine.games.overcooked import planner, rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language.cook import FAR, TAKEN, block, clear, place, some, walk
from engine.games.overcooked.rules import FLOOR, INTERACT, STAY
from engine.simulation.jit import inner

PATIENCE = 3  # steps that a cook rather goes round another one than waits for it to move on


@inner
def write_ways(k, strength, logits):
    """Give the actions that begin a shortest way to a step, at least one, this strength."""
    here, faced = place(k, k.seat), rules.faced(k.state, k.seat)
    if k.step[c.NEAREST] != 0:
        _choose_nearest(k, here, faced)
    if k.sets[k_.USE][faced] != 0:
        logits[STAY if k.step[c.EARLY] != 0 else INTERACT] = strength
        return
    if k.sets[k_.STAND][here] != 0:
        logits[STAY] = strength
        return
    _costs(k, here)
    found = False
    for action in range(STAY):
        to = next_cell(k, here, action)
        if k.sets[k_.USE][rules.neighbour(k.state, to, action)] != 0:
            left = 0
        else:
            left = int(k.fields[k_.WAY][to]) if to != here else FAR
        if k.fields[k_.WAY][to] != FAR and left == int(k.fields[k_.WAY][here]) - 1:
            found = True
            logits[action] = strength
    if found and not _gives_way(k):
        return
    logits[STAY] = strength
    for action in range(STAY):
        to = next_cell(k, here, action)
        free = to != here and not k_.taken(k, to) and not _wanted(k, to)
        if found:
            logits[action] = strength if free else 0.0


@inner
def next_cell(k, cell, action):
    """The floor cell that a move leads to, the cell itself where it leads nowhere."""
    to = rules.neighbour(k.state, cell, action)
    return to if rules.terrain(k.state, to) == FLOOR else cell


@inner
def _wanted(k, cell):
    """Whether another cook looks at a cell."""
    for who in range(int(k.state[rules.PLAYERS])):
        if who != k.seat and rules.faced(k.state, who) == cell:
            return True
    return False


@inner
def _gives_way(k):
    """Whether two want one cell, or each other's, and this one gives way: now and then, at a different tick
    for each.
    """
    if not 0 <= int(k.state[rules.ACTION + k.seat]) < STAY:
        return False
    if (4 * int(k.state[rules.TICK]) + k.seat) * 0x9E3779B1 & 0x10000 == 0:
        return False
    mine, here = rules.faced(k.state, k.seat), place(k, k.seat)
    for who in range(int(k.state[rules.PLAYERS])):
        if who == k.seat or not 0 <= int(k.state[rules.ACTION + who]) < STAY:
            continue
        theirs = rules.faced(k.state, who)
        if theirs == mine and rules.terrain(k.state, mine) == FLOOR:
            return True
        if mine == place(k, who) and theirs == here:
            return True
    return False


@inner
def _costs(k, here):
    """Fill the field WAY with the actions that are left from each floor cell: with the other cooks taken as
    walls where a way round them is hardly longer; else with those alone who stand still, if there is a way
    round them; else as if nobody was there.
    """
    blocked = k.sets[TAKEN]
    clear(k, blocked)
    _fill(k, blocked)
    free = int(k.fields[k_.WAY][here])
    block(k, False, blocked)
    _fill(k, blocked)
    if k.fields[k_.WAY][here] <= free + PATIENCE:
        return
    block(k, True, blocked)
    _fill(k, blocked)
    if k.fields[k_.WAY][here] == FAR:
        clear(k, blocked)
        _fill(k, blocked)


@inner
def _fill(k, blocked):
    if some(k, k.sets[k_.USE]):
        planner.way(k.state, k.sets[k_.USE], blocked, k.fields[k_.WAY], k.fields[k_.QUEUE])
    else:
        walk(k, k.sets[k_.STAND], blocked, k.fields[k_.WAY])


@inner
def _choose_nearest(k, here, faced):
    """Leave of what is to be used what is nearest by the sum of both ways, the cook's and the player's: the
    nearest to the player alone would change as the player moves.
    """
    nobody, one, way = k.sets[k_.NOBODY], k.sets[k_.CELLS], k.fields[k_.WAY]
    clear(k, nobody)
    clear(k, one)
    k_.walk_from(k, place(k, k.step[c.TELLER]), nobody, k.fields[k_.BACK])
    for cell in k.stations:
        if k.sets[k_.USE][cell] != 0:
            far = _far_from(k, cell)
            if cell != faced:
                one[cell] = 1
                planner.way(k.state, one, nobody, way, k.fields[k_.QUEUE])
                far += k_.steps_to(way, here)
                one[cell] = 0
            k.fields[k_.RANK][cell] = far
    k_.least(k, k.stations, k.sets[k_.USE])


@inner
def _far_from(k, station):
    """Steps, by the field BACK, to the nearest cell from which a station can be used."""
    far = k_.FAR
    for direction in range(4):
        cell = planner.beside(k.state, station, direction)
        if cell >= 0 and rules.terrain(k.state, cell) == FLOOR:
            far = min(far, k_.steps_to(k.fields[k_.BACK], cell))
    return far
