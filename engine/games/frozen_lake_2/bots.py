"""Scripted players. `walker` takes the nearer way: of both ways to share the targets out it keeps to the one
on which the last one arrives first, and walks its own part round holes and round the other player. Who stands
on a target stays there unless the other one can't get past. `random` goes anywhere, `stay` nowhere.
"""

from __future__ import annotations

import numpy as np

from engine.simulation.jit import inner, njit
from engine.simulation.rng import MASK32, below, random32

from . import rules

CELLS, NOWHERE, SEATS, STAY = rules.CELLS, rules.NOWHERE, rules.SEATS, rules.STAY
AT, TARGET, GRID, HOLE, SIZE = rules.AT, rules.TARGET, rules.GRID, rules.HOLE, rules.SIZE
KEY_A, KEY_B, EPISODE, TICK = rules.KEY_A, rules.KEY_B, rules.EPISODE, rules.TICK
LIKED = 10.0  # how much likelier, in log odds, than each of the others


@njit
def reach(state, goal, blocked, field):
    """Fill `field` with the steps over ice from each cell to a goal past a blocked cell; NOWHERE: no way."""
    for cell in range(CELLS):
        field[cell] = NOWHERE
    field[goal] = 0
    changed = True
    while changed:
        changed = False
        for cell in range(CELLS):
            outside = cell % rules.SIDE >= int(state[SIZE]) or cell // rules.SIDE >= int(state[SIZE])
            if outside or cell == blocked or int(state[GRID + cell]) == HOLE:
                continue
            for action in range(STAY):
                beside = field[rules.neighbour(state, cell, action)] + 1
                if beside < field[cell]:
                    field[cell] = beside
                    changed = True


@inner
def shared(state, seat):
    """The target that is a seat's own when both are shared out."""
    here, there = int(state[AT]), int(state[AT + 1])
    straight = rules.far(state, 0, here), rules.far(state, 1, there)
    crossed = rules.far(state, 1, here), rules.far(state, 0, there)
    later, sooner = max(straight[0], straight[1]), max(crossed[0], crossed[1])
    swaps = sooner < later or sooner == later and crossed[0] + crossed[1] < straight[0] + straight[1]
    return 1 - seat if swaps else seat


@inner
def walk(state, seat, field):
    """The walker's action."""
    here, there = int(state[AT + seat]), int(state[AT + 1 - seat])
    own = rules.on_target(state, here)
    if own >= 0:
        reach(state, int(state[TARGET + 1 - own]), here, field)
        if field[there] < NOWHERE:
            return STAY
    goal = int(state[TARGET + shared(state, seat)])
    reach(state, goal, there, field)
    round_the_other = field[here] < NOWHERE
    if not round_the_other:
        reach(state, goal, -1, field)
    best, fewest = STAY, field[here]
    for action in range(STAY):
        beside = rules.neighbour(state, here, action)
        if field[beside] < fewest and beside != there:
            best, fewest = action, field[beside]
    return best


@njit
def walker_many(states, seats, values, actions):
    field = np.zeros(CELLS, np.int64)
    for row in range(states.shape[0]):
        best = walk(states[row], int(seats[row]), field)
        values[row, best] = LIKED
        actions[row] = best


@njit
def random_many(states, seats, values, actions):
    for row in range(states.shape[0]):
        state = states[row]
        number = (int(state[EPISODE]) * 256 + int(state[TICK])) * SEATS + int(seats[row])
        best = below(random32(int(state[KEY_A]), int(state[KEY_B]) ^ 1, number & MASK32), STAY + 1)
        values[row, best] = LIKED
        actions[row] = best


@njit
def stay_many(states, seats, values, actions):
    for row in range(states.shape[0]):
        values[row, STAY] = LIKED
        actions[row] = STAY


BOTS_MANY = {"walker": walker_many, "random": random_many, "stay": stay_many}
