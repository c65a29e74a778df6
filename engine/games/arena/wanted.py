"""Goals as networks read them: sub-goals that are wanted (subgoals.py), how far they are, and the way there.

`wanted` is the one mapping of what a seat is asked (goals.py) to the goal vector of OpenContra: the values
that goal names itself, and those that its kind and flags come to in the state at hand. Not for what words
mean (engine.games.arena.language), nor for whether scripted players are done with a kind (goals.progress).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import goals as g
from engine.games.arena import hands, navigation, senses, subgoals
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, cosine, length, sine
from engine.games.arena.sight import FORGOTTEN, knows
from engine.games.arena.subgoal_table import CIRCLE, COUNT, INDEX, MATES, SCALES, SIZES, SUBGOALS
from engine.simulation.jit import inner, rule

WAYS = ("point", "mate", "enemy", "zone", "supply")
WAY = 6  # numbers on a way
PARTS = 3  # numbers on a sub-goal
VECTOR_INPUTS = PARTS * COUNT + WAY * len(WAYS) + 1
LONG = 400.0  # ticks from which on a goal's end counts as far off
NAMES = (
    *(f"wanted/{one.name}/{part}" for one in SUBGOALS for part in ("asked", "value", "gap")),
    *(
        f"way/{way}/{part}"
        for way in WAYS
        for part in ("known", "right", "forward", "far", "within 8 m", "straight")
    ),
    "wanted/time left",
)


def _value(name: str, value: str) -> tuple[int, int]:
    """Where a sub-goal is, and which of its values."""
    return INDEX[name], SUBGOALS[INDEX[name]].values.index(value)


def _table(kinds: dict[int, dict[str, str]]) -> np.ndarray:
    """By kind, or flag, and sub-goal 1 + the value that it asks for, 0 for none: int8."""
    table = np.zeros((max(kinds) + 1, COUNT), np.int8)
    for kind, values in kinds.items():
        for name, value in values.items():
            index, number = _value(name, value)
            table[kind, index] = 1 + number
    return table


POINT = "Distance with point"
MATE = "Distance with teammate {}"
ASKED: dict[int, dict[str, str]] = {
    g.HOLD: {POINT: "Touch"},
    g.GO: {POINT: "Touch"},
    g.ATTACK: {"Damage to enemy": "Little high", "Whether closer with nearest enemy": "True"},
    g.COVER: {"Whether target the same enemy as teammate": "True"},
    g.TAKE_COVER: {"Whether seen by enemy": "False", "Whether crouch position": "True"},
    g.LOOT: {"Number of supplies picked up": "One"},
    g.HEAL: {"Whether to restore health": "True"},
    g.RESCUE: {"Whether rescued teammate": "True"},
    g.PRONE: {"Whether prone position": "True"},
    g.HOLD_FIRE: {"Whether have shot": "False"},
    g.ROTATE: {"Whether inside white circle": "True"},
    g.REGROUP: {"Distance with middle of squad": "Nearby"},
    g.RETREAT: {"Whether seen by enemy": "False", "Whether closer with nearest enemy": "False"},
    g.CROUCH: {"Whether crouch position": "True"},
}
"""What a kind of goal comes to; FOLLOW and COVER also ask to be near a mate, GO and HOLD have their point."""
IN_WHICH_WAY: dict[int, dict[str, str]] = {
    g.QUIETLY: {"Whether have shot": "False"},
    g.LYING: {"Whether prone position": "True"},
    g.CROUCHED: {"Whether crouch position": "True"},
    g.HURRYING: {"Average velocity": "Fast"},
    g.SLOWLY: {"Average velocity": "Slow"},
}
KEPT_FROM: dict[int, dict[str, str]] = {
    g.NO_LOOT: {"Number of supplies picked up": "Zero"},
    g.NO_HEAL: {"Whether to restore health": "False"},
    g.NO_RESCUE: {"Whether rescued teammate": "False"},
    g.APART: {"Length of distance from agent to teammate": "Moderate"},
}
_KINDS, _FLAGS, _BARS = _table(ASKED), _table(IN_WHICH_WAY), _table(KEPT_FROM)
_VIEW = INDEX["Horizontal direction of view"]
_POINT, _TOUCH = _value(POINT, "Touch")
_NEARBY = _value(POINT, "Nearby")[1]
_MATES = np.array([INDEX[MATE.format(number + 1)] for number in range(MATES)], np.int32)


def _about(*words: str) -> np.ndarray:
    """Which sub-goals are about something."""
    return np.array([any(word in one.name for word in words) for one in SUBGOALS], np.bool_)


OF_POINT, _TO_ZONE = _about("point"), _about("circle")
assert OF_POINT[_POINT:].all() and not OF_POINT[:_POINT].any()
_TO_SUPPLY = _about("suppl", "Whether have a gun", "bullets", "medical kits")
_TO_ENEMY = _about("enem") & ~_about("Whether target the same", "Number of enemies")
_TO_MATE = _about("teammate", "middle of squad")


@inner
def mate_at(state, seat, place):
    """The other seat of a seat's squad in a place, from 0; -1 for none."""
    size = int(state[s.TEAM_SIZE])
    first = size * int(state[s.player(seat) + s.TEAM])
    mate = first + place if first + place < seat else first + place + 1
    return mate if mate < first + size else -1


@inner
def place_of(state, seat, mate):
    """The place of a mate among the other seats of the squad, from 0."""
    first = int(state[s.TEAM_SIZE]) * int(state[s.player(seat) + s.TEAM])
    return mate - first if mate < seat else mate - first - 1


@rule
def point(state, seat, goal, out):
    """Write the x and y that a goal's point is at now, as far as the seat can know; returns whether there is
    one. It is a place on the ground, or whom a goal is about.
    """
    kind = int(goal[g.KIND])
    who = int(goal[g.WHO])
    named = kind in (g.HOLD, g.GO)
    for index in range(_POINT, COUNT):  # the last sub-goals are about a point
        named = named or int(goal[g.VECTOR + index]) != 0
    if named:
        out[0] = goal[g.X]
        out[1] = goal[g.Y]
        return True
    if kind == g.ROTATE:
        out[0] = state[s.WHITE_X]
        out[1] = state[s.WHITE_Y]
        return True
    if who < 0 or kind not in (g.FOLLOW, g.COVER, g.ATTACK, g.RESCUE):
        return False
    team = int(state[s.player(seat) + s.TEAM])
    other = s.player(who)
    if int(state[other + s.TEAM]) == team:
        out[0] = state[other + s.X]
        out[1] = state[other + s.Y]
        return True
    if knows(state, team, who) >= FORGOTTEN:
        return False
    entry = s.MEMORY + 3 * (s.MAX_SEATS * team + who)
    out[0] = state[entry + 1]
    out[1] = state[entry + 2]
    return True


@rule
def wanted(state, seat, goal, out):
    """Fill out (COUNT,) with the value that each sub-goal is to have in the end, -1 where none is asked for;
    returns how many are.
    """
    kind = int(goal[g.KIND])
    flags = int(goal[g.FLAGS])
    bars = int(goal[g.BARS])
    who = int(goal[g.WHO])
    count = 0
    for index in range(COUNT):
        value = int(goal[g.VECTOR + index])
        if value == 0 and kind < len(_KINDS):
            value = int(_KINDS[kind, index])
        for flag in (1, 2, 4, 8, 16):
            if value == 0 and flags & flag != 0:
                value = int(_FLAGS[flag, index])
            if value == 0 and bars & flag != 0 and flag < len(_BARS):
                value = int(_BARS[flag, index])
        out[index] = value - 1
        count += 1 if value > 0 else 0
    if int(goal[g.LOOK]) > 0 and out[_VIEW] < 0:
        out[_VIEW] = ((4 * (int(goal[g.LOOK]) - 1) + 4096 >> 13) + 2) & 7  # from West on; yaw 0 is North
        count += 1
    if who >= 0 and kind in (g.FOLLOW, g.COVER):
        place = place_of(state, seat, who)
        index = int(_MATES[place]) if place < len(_MATES) else _POINT
        count += 1 if out[index] < 0 else 0
        close = 0 < int(goal[g.WITHIN]) <= 2 * s.UNIT
        out[index] = _TOUCH if close else _NEARBY
    return count


@inner
def _has(asked, about):
    found = False
    for index in range(COUNT):
        found = found or (about[index] and asked[index] >= 0)
    return found


@inner
def _whereabouts(state, seat, goal, asked, way, out):
    """Write the x and y to which a way of WAYS leads; returns whether there is one that is asked for."""
    at = s.player(seat)
    if way == 0:
        return point(state, seat, goal, out) and (_has(asked, OF_POINT) or int(goal[g.WHO]) >= 0)
    if way == 1:
        mate = -1
        for place in range(len(_MATES)):
            if asked[_MATES[place]] >= 0 and mate < 0:
                mate = mate_at(state, seat, place)
        if mate < 0 and int(goal[g.KIND]) == g.RESCUE:
            mate = senses.downed_to_help(state, seat, 1 << 20)
        if mate < 0 and _has(asked, _TO_MATE):
            x = g.squad_middle(state, seat, s.X)
            out[0] = x
            out[1] = g.squad_middle(state, seat, s.Y)
            return x >= 0
        if mate < 0:
            return False
        out[0] = state[s.player(mate) + s.X]
        out[1] = state[s.player(mate) + s.Y]
        return True
    if way == 2:
        enemy = g.known_enemy(state, seat, FORGOTTEN) if _has(asked, _TO_ENEMY) else -1
        if enemy < 0:
            return False
        entry = s.MEMORY + 3 * (s.MAX_SEATS * int(state[at + s.TEAM]) + enemy)
        out[0] = state[entry + 1]
        out[1] = state[entry + 2]
        return True
    if way == 3:
        out[0] = state[s.WHITE_X]
        out[1] = state[s.WHITE_Y]
        return _has(asked, _TO_ZONE)
    supply = hands.nearest_supply(state, seat, senses.LOOT_RANGE) if _has(asked, _TO_SUPPLY) else -1
    if supply < 0:
        return False
    out[0] = state[s.SUPPLY + 4 * supply + 2]
    out[1] = state[s.SUPPLY + 4 * supply + 3]
    return True


@inner
def _write_way(state, world, seat, x, y, scratch, known, out):
    """Write the WAY numbers of the way to a point: the next waypoint's direction, how far the point is."""
    at = s.player(seat)
    dx = x - int(state[at + s.X])
    dy = y - int(state[at + s.Y])
    far = length(dx, dy)
    # Who stays near a mate is asked for the way to them twice, and a search costs more than all else here.
    if x != int(known[0]) or y != int(known[1]):
        known[2] = navigation.next_cell(state, world, scratch, seat, x, y)
        known[0] = x
        known[1] = y
    cell = int(known[2])
    if cell >= 0:
        dx = (cell % s.SIDE) * s.UNIT + s.UNIT // 2 - int(state[at + s.X])
        dy = (cell // s.SIDE) * s.UNIT + s.UNIT // 2 - int(state[at + s.Y])
    turn = bearing(dx, dy) - int(state[at + s.YAW])
    out[0] = 1.0
    out[1] = sine(turn) / 16384.0
    out[2] = cosine(turn) / 16384.0
    out[3] = (far if far < 16384 else 16384) / 16384.0
    out[4] = (far if far < 2048 else 2048) / 2048.0
    out[5] = 1.0 if cell == -1 else 0.0


@inner
def _measure(state, world, seat, goal, there, values):
    """Fill values (COUNT,) with what the sub-goals are now."""
    known = point(state, seat, goal, there)
    x = int(there[0]) if known else -1
    y = int(there[1]) if known else -1
    subgoals.measure(goal[g.START : g.LEFT], state, world, seat, x, y, values)


@inner
def encode(state, world, seat, goal, scratch, asked, values, there, known, out):
    """Fill out (VECTOR_INPUTS,) with what networks read of a goal, by NAMES; zeros where nothing is asked.
    `asked`, `values` (COUNT,), `there` (2,) and `scratch` (navigation.new_scratch) are room to work in.
    `known` (3,) is the last way that was searched for this seat in this state: x and y of the point, and the
    cell to walk to (navigation.next_cell); x is -1 before the first.
    """
    for index in range(VECTOR_INPUTS):
        out[index] = 0.0
    if wanted(state, seat, goal, asked) == 0:
        return
    _measure(state, world, seat, goal, there, values)
    yaw = int(state[s.player(seat) + s.YAW])
    for index in range(COUNT):
        value = int(asked[index])
        if value < 0:
            continue
        part = out[PARTS * index : PARTS * index + PARTS]
        part[0] = 1.0
        if SCALES[index] == CIRCLE or (SIZES[index] == 9 and value < 8):  # a direction, or "None"
            turn = ((value + 6) % 8) * 8192 - yaw  # the first direction is West, yaw 0 is North
            part[1] = sine(turn) / 16384.0
            part[2] = cosine(turn) / 16384.0
            continue
        most = int(SIZES[index]) - 1
        part[1] = 2.0 * value / most - 1.0
        part[2] = (value - int(values[index])) / most if values[index] >= 0 else 1.0
    for way in range(len(WAYS)):
        base = PARTS * COUNT + WAY * way
        if _whereabouts(state, seat, goal, asked, way, there):
            x = int(there[0])
            y = int(there[1])
            _write_way(state, world, seat, x, y, scratch, known, out[base : base + WAY])
    left = int(goal[g.UNTIL]) - int(state[s.TICK])
    out[VECTOR_INPUTS - 1] = 1.0 if left >= LONG or int(goal[g.UNTIL]) == 0 else max(0, left) / LONG


@inner
def unmet(state, world, seat, goal, asked, values, there):
    """How much of a goal isn't met now, from 0 to 1 (equation 3's norm, p = 1); 0 where nothing is asked.
    Leaves in `asked` and `values` (COUNT,) what is wanted and what is; `there` (2,) is room to work in.
    """
    if wanted(state, seat, goal, asked) == 0:
        return np.float32(0.0)
    _measure(state, world, seat, goal, there, values)
    return subgoals.distance(asked, values)
