"""The 33 sub-goals of Table 7 of the OpenContra paper, measured for one seat.

`printed` compares a state with what was kept of an earlier one of the same match (OPENED numbers, written by
`subgoals.opened`), in whole numbers only. The paper gives no thresholds: those of the table are ours. Enemies
are those that the seat's team knows of, where it last saw them.

Not for names and sentences (subgoal_table.py), nor for the sub-goals that are ours (subgoals.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.aim import aim_target
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.sight import FORGOTTEN, RANGE, looks_at
from engine.games.arena.subgoal_table import (
    CLOSER,
    DAMAGE_BOUNDS,
    DIRECTIONS,
    DISTANCE_BOUNDS,
    EVER,
    HEALTH_BOUNDS,
    MATES,
    MOVE_TURN,
    MOVED_BOUNDS,
    PITCH_BOUNDS,
    PRINTED,
    SPEED_BOUNDS,
    VELOCITIES,
    VIEW_TURN,
)
from engine.simulation.jit import inner, rule

# The start of a window. A way is dx to the east and dy to the south, units, -32768 for none.
(
    OPENED_X,
    OPENED_Y,
    OPENED_TICK,
    OPENED_DEALT,
    OPENED_KNOCKS,
    OPENED_KILLS,
    OPENED_HEALS,
    OPENED_RESCUES,
    OPENED_LOOTS,
    OPENED_ENEMY_X,  # the way to the nearest enemy
    OPENED_ENEMY_Y,
    OPENED_MATES,  # the ways to the mates: two fields each
) = range(12)
OPENED = OPENED_MATES + 2 * MATES
NO_WAY = -32768

# Sub-goals, in the order of the table.
(
    DAMAGE,
    KNOCK,
    KILL,
    SEEN,
    SEEN_BY,
    EVER_SEEN,
    MOVED,
    SPEED,
    MOVED_WAY,
    VIEW,
    PITCH,
    HEALTH,
    RESTORE,
    HURT,
    RESCUE,
    DOWN,
    PRONE,
    GUN,
    BULLETS,
    KITS,
    ENEMY_FAR,
    ENEMY_CLOSER,
    CROUCH,
    HOLD_GUN,
    MATE_FAR,
    SEEN_BY_MATE,
    MATE_WAY,
    MATE_VIEW,
    SAME_TARGET,
    MATE_MOVE,
    ENEMY_MOVE,
    ENEMY_SPEED,
    ENEMY_WAY,
) = range(PRINTED)
# The table's bounds in the record's units.
_DAMAGES = np.array(DAMAGE_BOUNDS, np.int64)
_HEALTHS = np.array(HEALTH_BOUNDS, np.int64)
_PITCHES = np.array(PITCH_BOUNDS, np.int64) * 65536  # of pitches times 360
_MOVED = (np.array(MOVED_BOUNDS) * s.UNIT).astype(np.int64) ** 2  # of squares
_DISTANCES = (np.array(DISTANCE_BOUNDS) * s.UNIT).astype(np.int64)
_SPEEDS = np.round(np.array(SPEED_BOUNDS) * 10 * s.UNIT).astype(np.int64)
_CLOSER = round(CLOSER * s.UNIT)
_FALLING = VELOCITIES.index("Falling")
_NO_MOVE, _NO_SPEED = len(DIRECTIONS), len(VELOCITIES)  # "None" of the nearest enemy
_EXTREME = len(DISTANCE_BOUNDS)
_FARTHEST = 60 * s.UNIT  # beyond the last bound
_MOST = len(EVER) - 1


@inner
def truth(condition):
    """The number of "True" or "False"."""
    return 0 if condition else 1


@inner
def grade_of(value, bounds):
    """How many of the bounds a value reaches."""
    grade = 0
    for index in range(len(bounds)):
        if value >= int(bounds[index]):
            grade += 1
    return grade


@inner
def part_of(length, lower, upper):
    """How far a length has come from a grade's lower bound to its upper one, 0 to less than 1, which makes
    the whole number of the grade finer: then each step towards another grade counts (equation 3).
    """
    part = (length - lower) / max(1.0, upper - lower)
    return np.float32(min(max(part, 0.0), 0.99))


@inner
def far_of(dx, dy, radius):
    """The grade of the distance to the circle of `radius` units whose middle lies dx, dy away, and the part
    of the grade that has been passed.
    """
    square = dx * dx + dy * dy
    grade = 0
    lower = upper = 0
    for index in range(len(_DISTANCES)):
        upper = radius + int(_DISTANCES[index])
        if square < upper * upper:
            break
        grade += 1
        lower = upper
    if lower == upper:  # the last grade has no end
        upper = lower + _FARTHEST
    return np.float32(grade) + part_of(np.sqrt(square), float(lower), float(upper))


@inner
def moved_of(dx, dy):
    """The grade of a distance moved, and the part of the grade that has been passed."""
    length = np.sqrt(dx * dx + dy * dy)
    grade = grade_of(dx * dx + dy * dy, _MOVED)
    lower = np.sqrt(_MOVED[grade - 1]) if grade > 0 else 0.0
    upper = np.sqrt(_MOVED[grade]) if grade < len(_MOVED) else 2.0 * lower
    return np.float32(grade) + part_of(length, lower, upper)


@inner
def heading(yaw):
    """The number of the compass direction of a yaw; the table begins in the west."""
    return ((((yaw + 4096) & 0xFFFF) >> 13) + 2) & 7


@inner
def way_of(dx, dy):
    """The number of the compass direction in which a point lies; -1 for no distance."""
    return -1 if dx == 0 and dy == 0 else heading(bearing(dx, dy))


@inner
def closer(before_x, before_y, dx, dy):
    """Whether a way is shorter than another by more than CLOSER."""
    now = dx * dx + dy * dy
    # sqrt(before) > sqrt(now) + CLOSER, squared twice.
    rest = before_x * before_x + before_y * before_y - now - _CLOSER * _CLOSER
    return rest > 0 and rest * rest > 4 * _CLOSER * _CLOSER * now


@inner
def _pace(dx, dy, ticks):
    """The grade of the speed of a way that took so many ticks."""
    square = 40000 * (dx * dx + dy * dy)  # of 1/200 units: the bounds are tenths of a metre a second
    grade = 0
    for index in range(len(_SPEEDS)):
        bound = int(_SPEEDS[index]) * ticks
        if square >= bound * bound:
            grade += 1
    return grade


@inner
def _falls(state, at):
    return int(state[at + s.AIRBORNE]) != 0 and int(state[at + s.VZ]) < 0


@inner
def velocity(state, seat):
    """The number (VELOCITIES) of a player's speed in the last tick."""
    at = s.player(seat)
    return _FALLING if _falls(state, at) else _pace(int(state[at + s.VX]), int(state[at + s.VY]), 1)


@inner
def health(state, seat):
    """The number (LEVELS) of a player's health."""
    at = s.player(seat)
    return grade_of(int(state[at + s.HP]), _HEALTHS) if int(state[at + s.LIFE]) == s.UP else 0


@inner
def nearest_known(state, seat, passed):
    """The nearest enemy that a seat's team knows of, by where it last saw them; -1 for none. `passed`: one
    who doesn't count, or -1.
    """
    at = s.player(seat)
    team = int(state[at + s.TEAM])
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    tick = int(state[s.TICK])
    enemy = -1
    best = 1 << 40
    for other in range(int(state[s.SEATS])):
        op = s.player(other)
        if other == passed or int(state[op + s.TEAM]) == team or int(state[op + s.LIFE]) == s.OUT:
            continue
        entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
        if tick - int(state[entry]) >= FORGOTTEN:
            continue
        dx = int(state[entry + 1]) - x
        dy = int(state[entry + 2]) - y
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            enemy = other
    return enemy


@inner
def last_seen(state, seat, enemy, axis):
    """How far to the east (axis 0) or south (1) of a seat its team last saw an enemy, units."""
    at = s.player(seat)
    entry = s.MEMORY + 3 * (s.MAX_SEATS * int(state[at + s.TEAM]) + enemy)
    return int(state[entry + 1 + axis]) - int(state[at + s.X + axis])


@inner
def aimed_at(state, seat):
    """The enemy at whom a seat aims, -1 for none: a monster isn't meant."""
    at = s.player(seat)
    if int(state[at + s.SEES]) == 0 and int(state[at + s.SEES_2]) == 0:
        return -1
    target = aim_target(state, seat)
    return target if target < s.MAX_SEATS else -1


@inner
def _itself(before, state, seat, out):
    """What is about the seat itself."""
    at = s.player(seat)
    tick = int(before[OPENED_TICK])
    out[DAMAGE] = grade_of(int(state[at + s.DEALT]) - int(before[OPENED_DEALT]), _DAMAGES)
    out[KNOCK] = truth(int(state[at + s.KNOCKS]) > int(before[OPENED_KNOCKS]))
    out[KILL] = truth(int(state[at + s.KILLS]) > int(before[OPENED_KILLS]))
    out[SEEN] = truth(int(state[at + s.SEES]) != 0 or int(state[at + s.SEES_2]) != 0)
    ever = 0
    for bit in range(10):
        ever += ((int(state[at + s.EVER]) >> bit) & 1) + ((int(state[at + s.EVER_2]) >> bit) & 1)
    out[EVER_SEEN] = ever if ever < _MOST else _MOST
    dx = int(state[at + s.X]) - int(before[OPENED_X])
    dy = int(state[at + s.Y]) - int(before[OPENED_Y])
    ticks = int(state[s.TICK]) - tick
    moved = moved_of(dx, dy)
    out[MOVED] = moved
    out[SPEED] = _FALLING if _falls(state, at) else _pace(dx, dy, ticks if ticks > 1 else 1)
    out[MOVED_WAY] = way_of(dx, dy) if moved >= 1.0 else -1
    out[VIEW] = heading(int(state[at + s.YAW]))
    out[PITCH] = grade_of(360 * int(state[at + s.PITCH]), _PITCHES)
    out[HEALTH] = health(state, seat)
    out[RESTORE] = truth(int(state[at + s.HEALS]) > int(before[OPENED_HEALS]) or int(state[at + s.TREAT]) > 0)
    out[HURT] = truth(int(state[at + s.HIT_TICK]) >= tick)
    out[RESCUE] = truth(int(state[at + s.RESCUES]) > int(before[OPENED_RESCUES]))
    out[DOWN] = truth(int(state[at + s.LIFE]) != s.UP)
    out[PRONE] = truth(int(state[at + s.STANCE]) == s.PRONE)
    out[CROUCH] = truth(int(state[at + s.STANCE]) == s.CROUCH)
    guns = int(state[at + s.WEAPON]) != s.NO_WEAPON or int(state[at + s.WEAPON_2]) != s.NO_WEAPON
    out[GUN] = truth(guns)
    out[HOLD_GUN] = truth(int(state[at + s.WEAPON + int(state[at + s.SLOT])]) != s.NO_WEAPON)
    rounds = int(state[at + s.AMMO]) != 0 or int(state[at + s.MAGAZINE]) != 0
    out[BULLETS] = truth(rounds or int(state[at + s.MAGAZINE_2]) != 0)
    out[KITS] = truth(int(state[at + s.MEDKITS]) != 0)


@inner
def _nearest_mate(state, seat, target, out):
    """What is about the nearest mate, and about any; `target` is the enemy at whom the seat aims."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    size = int(state[s.TEAM_SIZE])
    first = int(state[at + s.TEAM]) * size
    nearest = -1
    best = 1 << 40
    seen = False
    same = False
    for mate in range(first, first + size):
        mp = s.player(mate)
        if mate == seat or int(state[mp + s.LIFE]) == s.OUT:
            continue
        dx = int(state[mp + s.X]) - x
        dy = int(state[mp + s.Y]) - y
        square = dx * dx + dy * dy
        if square < best:
            best = square
            nearest = mate
        # Whether a wall is between mates isn't in the record.
        if not seen and square <= RANGE * RANGE:
            seen = looks_at(state, mate, x, y)
        if not same and target >= 0 and s.sees(state, mate, target) != 0:
            same = aim_target(state, mate) == target
    out[SEEN_BY_MATE] = truth(seen)
    for index in (MATE_FAR, MATE_WAY, MATE_VIEW, SAME_TARGET, MATE_MOVE):
        out[index] = -1
    if nearest < 0:
        return
    mp = s.player(nearest)
    dx = int(state[mp + s.X]) - x
    dy = int(state[mp + s.Y]) - y
    out[MATE_FAR] = far_of(dx, dy, 0)
    out[MATE_WAY] = way_of(dx, dy)
    turn = wrap(int(state[at + s.YAW]) - int(state[mp + s.YAW]))
    out[MATE_VIEW] = truth(-VIEW_TURN <= turn <= VIEW_TURN)
    out[SAME_TARGET] = truth(same)
    mine_x = int(state[at + s.VX])
    mine_y = int(state[at + s.VY])
    their_x = int(state[mp + s.VX])
    their_y = int(state[mp + s.VY])
    together = (mine_x != 0 or mine_y != 0) and (their_x != 0 or their_y != 0)
    if together:
        turn = wrap(bearing(mine_x, mine_y) - bearing(their_x, their_y))
        together = -MOVE_TURN <= turn <= MOVE_TURN
    out[MATE_MOVE] = truth(together)


@inner
def _nearest_enemy(before, state, seat, enemy, out):
    """What is about the nearest known enemy (-1 for none), and whether any sees the seat."""
    seen = False
    for other in range(int(state[s.SEATS])):
        if s.sees(state, other, seat) != 0:
            seen = True
    out[SEEN_BY] = truth(seen)
    out[ENEMY_FAR] = _EXTREME
    out[ENEMY_CLOSER] = truth(False)
    out[ENEMY_MOVE] = _NO_MOVE
    out[ENEMY_SPEED] = _NO_SPEED
    out[ENEMY_WAY] = _NO_MOVE
    if enemy < 0:
        return
    dx = last_seen(state, seat, enemy, 0)
    dy = last_seen(state, seat, enemy, 1)
    before_x = int(before[OPENED_ENEMY_X])
    out[ENEMY_FAR] = far_of(dx, dy, 0)
    new = before_x == NO_WAY
    out[ENEMY_CLOSER] = truth(new or closer(before_x, int(before[OPENED_ENEMY_Y]), dx, dy))
    way = way_of(dx, dy)
    out[ENEMY_WAY] = way if way >= 0 else _NO_MOVE
    if s.sees(state, seat, enemy) != 0:
        op = s.player(enemy)
        way = way_of(int(state[op + s.VX]), int(state[op + s.VY]))
        out[ENEMY_MOVE] = way if way >= 0 else _NO_MOVE
        out[ENEMY_SPEED] = velocity(state, enemy)


@inner
def measure_printed(before, state, seat, enemy, target, out):
    _itself(before, state, seat, out)
    _nearest_mate(state, seat, target, out)
    _nearest_enemy(before, state, seat, enemy, out)


@rule
def printed(before, state, seat, out):
    """Write the 33 sub-goals of Table 7 of the OpenContra paper into out, as `measure`: those that need no
    map.
    """
    measure_printed(before, state, seat, nearest_known(state, seat, -1), aimed_at(state, seat), out)
