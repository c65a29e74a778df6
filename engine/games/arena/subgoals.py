"""What came of a window of a match, measured for one seat: 68 sub-goals as numbers (subgoal_table.py).

`opened` keeps what is needed of the state at the start, `measure` compares a later state with it: pure
functions, whole numbers only, so a window (5 to 20 seconds of one match) costs its start OPENED numbers and
no copy of the record. `gap` and `distance` are what equation 3 of the OpenContra paper subtracts.

Here are the 35 sub-goals that are ours; the paper's 33 are measured in subgoals_printed.py. Not for names and
sentences (subgoal_table.py), nor for the goals that policies read today (goals.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.subgoal_table import (
    CIRCLE,
    COUNT,
    COUNT_BOUNDS,
    DIRECTIONS,
    ENEMIES,
    GRADE,
    MATES,
    NAMES,
    PAIRS,
    PRINTED,
    SCALES,
    SIZES,
    VIEW_TURN,
)
from engine.games.arena.subgoals_printed import (
    NO_WAY,
    OPENED,
    OPENED_DEALT,
    OPENED_ENEMY_X,
    OPENED_ENEMY_Y,
    OPENED_HEALS,
    OPENED_KILLS,
    OPENED_KNOCKS,
    OPENED_LOOTS,
    OPENED_MATES,
    OPENED_RESCUES,
    OPENED_TICK,
    OPENED_X,
    OPENED_Y,
    aimed_at,
    closer,
    far_of,
    grade_of,
    heading,
    last_seen,
    measure_printed,
    nearest_known,
    truth,
    way_of,
)
from engine.games.arena.world import DOOR_CELL, DOOR_COUNT, DOOR_SPOTS, FLOOR, kind_at
from engine.games.arena.zone import inside
from engine.simulation.jit import inner, rule

# Sub-goals of ours, in the order of the table.
EACH_MATE = PRINTED  # four each
EACH_ENEMY = EACH_MATE + 4 * MATES  # three each
(
    SHOT,
    MIDDLE_FAR,
    WHITE_FAR,
    WHITE_WAY,
    IN_WHITE,
    IN_BLUE,
    WHITE_CLOSER,
    PICKED,
    SUPPLY_FAR,
    SUPPLY_CLOSER,
    DOOR_OPEN,
    DOOR_FAR,
    INDOORS,
    POINT_FAR,
    POINT_WAY,
    POINT_CLOSER,
    POINT_FACED,
) = range(EACH_ENEMY + 3 * ENEMIES, COUNT)

_COUNTS = np.array(COUNT_BOUNDS, np.int64)
_AT_ONE = len(DIRECTIONS) // 2  # steps around the compass that are as far as can be


@rule
def opened(state, seat, out):
    """Write what a window that starts in this state needs to know of its start: out is int16 (OPENED,), units
    and ticks as in the record, in which all of them fit the type.
    """
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    out[OPENED_X] = x
    out[OPENED_Y] = y
    out[OPENED_TICK] = state[s.TICK]
    out[OPENED_DEALT] = state[at + s.DEALT]
    out[OPENED_KNOCKS] = state[at + s.KNOCKS]
    out[OPENED_KILLS] = state[at + s.KILLS]
    out[OPENED_HEALS] = state[at + s.HEALS]
    out[OPENED_RESCUES] = state[at + s.RESCUES]
    out[OPENED_LOOTS] = state[at + s.LOOTS]
    enemy = nearest_known(state, seat, -1)
    out[OPENED_ENEMY_X] = NO_WAY
    out[OPENED_ENEMY_Y] = NO_WAY
    if enemy >= 0:
        out[OPENED_ENEMY_X] = last_seen(state, seat, enemy, 0)
        out[OPENED_ENEMY_Y] = last_seen(state, seat, enemy, 1)
    for number in range(2 * MATES):
        out[OPENED_MATES + number] = NO_WAY
    size = int(state[s.TEAM_SIZE])
    first = int(state[at + s.TEAM]) * size
    way = OPENED_MATES
    for mate in range(first, first + size):
        if mate != seat and way < OPENED:
            mp = s.player(mate)
            out[way] = int(state[mp + s.X]) - x
            out[way + 1] = int(state[mp + s.Y]) - y
            way += 2


@inner
def _mates(before, state, seat, out):
    """What is about each of the first mates, and the distance to the middle of all who are in."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    size = int(state[s.TEAM_SIZE])
    first = int(state[at + s.TEAM]) * size
    number = 0
    count = 0
    sum_x = 0
    sum_y = 0
    for mate in range(first, first + size):
        if mate == seat:
            continue
        mp = s.player(mate)
        life = int(state[mp + s.LIFE])
        dx = int(state[mp + s.X]) - x
        dy = int(state[mp + s.Y]) - y
        if life != s.OUT:
            count += 1
            sum_x += dx
            sum_y += dy
        if number < MATES:
            index = EACH_MATE + 4 * number
            way = OPENED_MATES + 2 * number
            if life != s.OUT:
                out[index] = far_of(dx, dy, 0)
                out[index + 1] = way_of(dx, dy)
                out[index + 2] = truth(closer(int(before[way]), int(before[way + 1]), dx, dy))
            out[index + 3] = truth(life == s.UP)
            number += 1
    if count > 0:
        out[MIDDLE_FAR] = far_of(sum_x // count, sum_y // count, 0)


@inner
def _enemy(state, seat, number, enemy, target, out):
    """What is about one of the nearest enemies (-1 for none)."""
    if enemy < 0:
        return
    dx = last_seen(state, seat, enemy, 0)
    dy = last_seen(state, seat, enemy, 1)
    index = EACH_ENEMY + 3 * number
    out[index] = far_of(dx, dy, 0)
    out[index + 1] = way_of(dx, dy)
    out[index + 2] = truth(target == enemy)


@inner
def _closer_to(before, at_x, at_y, x, y):
    """Whether a seat that is at at_x, at_y now has come closer to a point since the start."""
    return closer(x - int(before[OPENED_X]), y - int(before[OPENED_Y]), x - at_x, y - at_y)


@inner
def _circles(before, state, x, y, out):
    """Where the circles lie from x, y: closer is to the white one's middle as it is now."""
    white_x = int(state[s.WHITE_X])
    white_y = int(state[s.WHITE_Y])
    out[WHITE_FAR] = far_of(white_x - x, white_y - y, int(state[s.WHITE_R]))
    out[WHITE_WAY] = way_of(white_x - x, white_y - y)
    out[IN_WHITE] = truth(inside(state, s.WHITE_X, x, y))
    out[IN_BLUE] = truth(inside(state, s.BLUE_X, x, y))
    out[WHITE_CLOSER] = truth(_closer_to(before, x, y, white_x, white_y))


@inner
def _supplies(before, state, x, y, out):
    """The nearest of what lies there now."""
    nearest = -1
    best = 1 << 40
    for number in range(s.SUPPLIES):
        sp = s.SUPPLY + 4 * number
        if int(state[sp]) == 0:
            continue
        dx = int(state[sp + 2]) - x
        dy = int(state[sp + 3]) - y
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            nearest = sp
    if nearest < 0:
        return
    to_x = int(state[nearest + 2])
    to_y = int(state[nearest + 3])
    out[SUPPLY_FAR] = far_of(to_x - x, to_y - y, 0)
    out[SUPPLY_CLOSER] = truth(_closer_to(before, x, y, to_x, to_y))


@inner
def _doors(state, world, x, y, out):
    """The nearest door, and whether there are walls around. Who moved a door isn't measured: the record keeps
    64 events, and the steps of twenty players alone are as many in a second.
    """
    row = int(state[s.MAP])
    nearest = -1
    best = 1 << 40
    far = 0
    for door in range(int(world[row, DOOR_COUNT])):
        dx = int(world[row, DOOR_SPOTS + 2 * door]) * s.UNIT + s.UNIT // 2 - x
        dy = int(world[row, DOOR_SPOTS + 2 * door + 1]) * s.UNIT + s.UNIT // 2 - y
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            nearest = door
            far = far_of(dx, dy, 0)
    kind = kind_at(state, world, x, y)
    out[INDOORS] = truth(kind == FLOOR or kind >= DOOR_CELL)
    if nearest >= 0:
        out[DOOR_OPEN] = truth(int(state[s.DOOR + nearest]) != 0)
        out[DOOR_FAR] = far


@inner
def _point(before, state, at, x, y, out):
    """Where the point x, y lies from a player."""
    at_x = int(state[at + s.X])
    at_y = int(state[at + s.Y])
    out[POINT_FAR] = far_of(x - at_x, y - at_y, 0)
    out[POINT_CLOSER] = truth(_closer_to(before, at_x, at_y, x, y))
    if x != at_x or y != at_y:
        yaw = bearing(x - at_x, y - at_y)
        turn = wrap(yaw - int(state[at + s.YAW]))
        out[POINT_WAY] = heading(yaw)
        out[POINT_FACED] = truth(-VIEW_TURN <= turn <= VIEW_TURN)


@rule
def measure(before, state, world, seat, x, y, out):
    """Write the numbers of the values of all sub-goals of a seat into out, (COUNT,); -1 where one says
    nothing. In float32 distances have a fraction, the part of the grade that has been passed; int8 drops it.
    `before` is what `opened` wrote of a state of the same match and the same seat; `x`, `y` are the point
    (units) that a goal is about, x < 0 for none.
    """
    for index in range(PRINTED, COUNT):
        out[index] = -1
    at = s.player(seat)
    here_x = int(state[at + s.X])
    here_y = int(state[at + s.Y])
    target = aimed_at(state, seat)
    enemy = nearest_known(state, seat, -1)
    measure_printed(before, state, seat, enemy, target, out)
    _mates(before, state, seat, out)
    _enemy(state, seat, 0, enemy, target, out)
    _enemy(state, seat, 1, nearest_known(state, seat, enemy) if enemy >= 0 else -1, target, out)
    out[SHOT] = truth(int(state[at + s.SHOT_TICK]) >= int(before[OPENED_TICK]))
    out[PICKED] = grade_of(int(state[at + s.LOOTS]) - int(before[OPENED_LOOTS]), _COUNTS)
    _circles(before, state, here_x, here_y, out)
    _supplies(before, state, here_x, here_y, out)
    _doors(state, world, here_x, here_y, out)
    if x >= 0:
        _point(before, state, at, x, y, out)


# --- Goals -----------------------------------------------------------------------------------------------


@rule
def gap(index, wanted, value):
    """How far a value of a sub-goal is from the one wanted, 0 to 1: grades by their distance on the scale
    with their fractions, directions by the steps around the compass, everything else 1, as a value that can't
    be measured (-1) and the table's own "None".
    """
    if wanted == int(value):
        return 0.0
    scale = int(SCALES[index])
    last = int(SIZES[index]) - 1
    if scale == NAMES:
        if wanted == last or value == last:
            return 1.0
        scale = CIRCLE if last == 2 * _AT_ONE else GRADE
        last -= 1
    if wanted < 0 or value < 0:
        return 1.0
    steps = wanted - value if wanted > value else value - wanted
    if scale == CIRCLE:
        return (steps if steps < _AT_ONE else 2 * _AT_ONE - steps) / _AT_ONE
    return steps / last


@rule
def distance(wanted, value):
    """How far what was measured, (COUNT,), is from a goal, int8 (COUNT,): the mean gap over the sub-goals
    that the goal selects (0 and more), 0 for an empty goal; float32. The norm of equation 3 with p = 1, by
    the number of the selected, so that goals of few and of many dimensions earn alike; its reward is the
    distance before less the distance after.
    """
    count = 0
    total = 0.0
    for index in range(COUNT):
        if int(wanted[index]) >= 0:
            count += 1
            total += gap(index, int(wanted[index]), value[index])
    return np.float32(total / count) if count > 0 else np.float32(0.0)


@rule
def contradicts(wanted):
    """Whether a goal, int8 (COUNT,), asks for what can't hold together (CONTRADICTIONS)."""
    for pair in range(len(PAIRS)):
        one = int(wanted[PAIRS[pair, 0]])
        other = int(wanted[PAIRS[pair, 2]])
        if one >= 0 and other >= 0:
            if (int(PAIRS[pair, 1]) >> one) & 1 != 0 and (int(PAIRS[pair, 3]) >> other) & 1 != 0:
                return True
    return False
