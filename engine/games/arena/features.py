"""The inputs of networks that play Arena: chosen numbers of the observation, and the goal.

The observation's columns are `observation_fields.COMPACT`, divided by 127; then the goal, one-hot by kind,
with where its point or player is, in the seat's own frame, which older networks read; then the goal vector
(wanted.py). Not for what a seat may know: that is the observation's.

`rated_many` is for reward models, which learn from few marks: what the seat did and what was done to it since
the last decision, how it is, what it has done so far, and how far what matters is, as who rates it sees that.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import DECISION_TICKS, wanted
from engine.games.arena import goals as g
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, cosine, length, sine
from engine.games.arena.navigation import SCRATCH_SIZE
from engine.games.arena.observation import SIZE, encode
from engine.games.arena.observation_fields import COMPACT, NAMES
from engine.games.arena.sight import looks_at
from engine.games.arena.subgoal_table import COUNT
from engine.games.arena.world import DOOR_CELL, DOOR_COUNT, DOOR_SPOTS, FLOOR, kind_at
from engine.games.arena.zone import inside
from engine.simulation.jit import inner, njit

FEATURES_VERSION = 1
COLUMNS = np.asarray(COMPACT, np.int32)
POINT = 7  # numbers on the place of a goal
FLAG_COUNT = 4
GOAL_INPUTS = g.KINDS + POINT + FLAG_COUNT
_POINT_NAMES = ("known", "right", "forward", "far", "within 8 m", "within 2 m", "faces as I do")
INPUT_NAMES = (
    *(NAMES[column] for column in COLUMNS),
    *(f"goal/{name}" for name in g.NAMES),
    *(f"goal/place/{name}" for name in _POINT_NAMES),
    *(f"goal/flag/{name}" for name in ("quietly", "lying", "crouched", "hurrying")),
    *wanted.NAMES,
)
SEEN = len(COLUMNS)
UNASKED = (1.0, *[0.0] * (GOAL_INPUTS - 1))
GOAL_SIZE = wanted.VECTOR_INPUTS
CHOICE_NAMES = tuple(
    f"{head}/{choice}"
    for head, size in zip(("move", "yaw", "pitch", "body", "basic", "switch"), s.HEADS, strict=True)
    for choice in range(size)
)


def input_size(state: np.ndarray) -> int:
    """Numbers that the network reads."""
    return len(INPUT_NAMES)


@inner
def encode_goal(state, seat, goal, out):
    """Write GOAL_INPUTS numbers on a goal; zeros but for the first one-hot where nothing was asked."""
    for index in range(GOAL_INPUTS):
        out[index] = 0.0
    kind = int(goal[g.KIND])
    kind = kind if kind < g.KINDS else g.NONE
    out[kind] = 1.0
    if kind == g.NONE:
        return
    at = s.player(seat)
    base = g.KINDS
    if wanted.point(state, seat, goal, out[base : base + 2]):
        dx = int(out[base]) - int(state[at + s.X])
        dy = int(out[base + 1]) - int(state[at + s.Y])
        turn = bearing(dx, dy) - int(state[at + s.YAW])
        far = length(dx, dy)
        out[base] = 1.0
        out[base + 1] = sine(turn) / 16384.0
        out[base + 2] = cosine(turn) / 16384.0
        out[base + 3] = far / 16384.0
        out[base + 4] = (far if far < 2048 else 2048) / 2048.0
        out[base + 5] = (far if far < 512 else 512) / 512.0
        who = int(goal[g.WHO])
        if kind in (g.FOLLOW, g.COVER) and who >= 0:
            facing = int(state[s.player(who) + s.YAW]) - int(state[at + s.YAW])
            out[base + 6] = cosine(facing) / 16384.0
    flags = int(goal[g.FLAGS])
    for flag in range(FLAG_COUNT):
        out[base + POINT + flag] = (flags >> flag) & 1


@inner
def _same(state, other):
    """Whether two records are the same."""
    field = 0
    while field < len(state) and state[field] == other[field]:
        field += 1
    return field == len(state)


@njit
def encode_many(states, world, seats, goals, out):
    """Fill out (n, input_size) float32 for the seats (n,) of records on one ground, with their goals. A row
    that differs from the one before in its goal alone costs only what is to be read of that.
    """
    row = np.zeros(SIZE, np.int8)
    scratch = np.zeros(SCRATCH_SIZE, np.int32)
    asked = np.zeros(COUNT, np.int8)
    values = np.zeros(COUNT, np.float32)
    there = np.zeros(2, np.int32)
    known = np.zeros(3, np.int32)
    for i in range(states.shape[0]):
        seat = int(seats[i])
        if i == 0 or seat != int(seats[i - 1]) or not _same(states[i], states[i - 1]):
            encode(states[i], world, seat, row)
            known[0] = -1
        for column in range(SEEN):
            out[i, column] = row[COLUMNS[column]] / 127.0
        encode_goal(states[i], seat, goals[i], out[i, SEEN : SEEN + GOAL_INPUTS])
        vector = out[i, SEEN + GOAL_INPUTS :]
        wanted.encode(states[i], world, seat, goals[i], scratch, asked, values, there, known, vector)


_DID = (s.HIT, s.KNOCK, s.KILL, s.PICKED, s.DROPPED, s.TREATED, s.RELOADED, s.SHOT, s.RESCUED_EVENT)
_BORE = (s.HIT, s.KNOCK, s.KILL, s.MONSTER_BITES, s.RESCUED_EVENT)
_DID_AT, _BORE_AT = (np.full(32, -1, np.int32) for _ in range(2))
_DID_AT[list(_DID)], _BORE_AT[list(_BORE)] = np.arange(len(_DID)), len(_DID) + np.arange(len(_BORE))
# What it has done so far, and from how much on more counts as much.
_SO_FAR = np.array(
    [(s.LOOTS, 2), (s.HEALS, 2), (s.RESCUES, 2), (s.KNOCKS, 2), (s.KILLS, 2), (s.DEALT, 100)], np.int32
)
_HIT_POINTS = 40.0
FAR = 40 * s.UNIT  # what lies further off counts as this far
RATED_NAMES = (
    *(f"did/{name}" for name in ("hit", "knock", "kill", "pick", "drop", "treat", "reload", "shoot", "help")),
    *(f"bore/{name}" for name in ("hit", "knock", "kill", "bite", "help")),
    *(f"life/{name}" for name in ("out", "downed", "up")),
    *(f"stance/{name}" for name in ("stand", "crouch", "prone", "slide", "down")),
    *("health", "armour", "kits", "gun", "magazine", "ammunition", "treating", "rescuing", "being helped"),
    *("speed", "outside blue", "outside white", "indoors"),
    *(f"so far/{name}" for name in ("picked", "treated", "helped", "knocked", "killed", "dealt")),
    *("mates up", "mates downed", "teams left", "enemies left", "enemies seen", "looked at"),
    *(f"near/{name}" for name in ("mate", "downed mate", "enemy seen", "supply", "door", "middle")),
)


def rated_size(state: np.ndarray) -> int:
    """How many numbers `rated_many` writes for a seat."""
    return len(RATED_NAMES)


@njit
def rated_many(states, world, seats, goals, out):
    """Fill out (n, rated_size) float32, in 0 .. 1, by RATED_NAMES, for the seats (n,) of records on one
    ground; goals aren't read. What was done and borne is since the last decision (hits by points, 1: 40 or
    more), what is near goes by its distance (1: FAR or more, or there is none); "middle" is the next
    circle's.
    """
    for i in range(states.shape[0]):
        _rated(states[i], world, int(seats[i]), out[i])


@inner
def _lately(state, seat, out):
    """What a seat did and suffered since the last decision, by the events."""
    count = int(state[s.EVENT_COUNT])
    for back in range(1, s.EVENTS + 1):
        at = s.EVENT + s.EVENT_SIZE * ((count - back) % s.EVENTS)
        kind = int(state[at + s.E_KIND])
        if kind == s.NO_EVENT or int(state[s.TICK]) - int(state[at + s.E_TICK]) > DECISION_TICKS:
            break
        much = int(state[at + s.E_VALUE]) / _HIT_POINTS if kind == s.HIT else 1.0
        if int(state[at + s.E_SEAT]) == seat and _DID_AT[kind] >= 0:
            out[_DID_AT[kind]] = min(1.0, out[_DID_AT[kind]] + much)
        if int(state[at + s.E_OTHER]) == seat and _BORE_AT[kind] >= 0:
            out[_BORE_AT[kind]] = min(1.0, out[_BORE_AT[kind]] + much)


@inner
def _apart(state, seat, x, y):
    """How far a point is from a seat, in parts of FAR."""
    at = s.player(seat)
    return min(1.0, length(x - int(state[at + s.X]), y - int(state[at + s.Y])) / FAR)


@inner
def _others(state, seat, out, near):
    """Shares of mates up and down, of teams and enemies left, enemies in sight, one that looks here; and the
    distances of the nearest mate who is up, one who is down, an enemy in sight, into `near`.
    """
    seats, size = int(state[s.SEATS]), int(state[s.TEAM_SIZE])
    me, team = s.player(seat), seat // size
    for other in range(seats):
        at = s.player(other)
        life = int(state[at + s.LIFE])
        if other == seat or life == s.OUT:
            continue
        far = _apart(state, seat, int(state[at + s.X]), int(state[at + s.Y]))
        if other // size == team:
            place = 0 if life == s.UP else 1
            out[place] += 1.0 / size
            near[place] = min(near[place], far)
            continue
        out[3] += 1.0 / (seats - size)
        if s.sees(state, seat, other):
            out[4] = min(1.0, out[4] + 0.25)
            near[2] = min(near[2], far)
        if s.sees(state, other, seat) and looks_at(state, other, int(state[me + s.X]), int(state[me + s.Y])):
            out[5] = 1.0
    out[2] = int(state[s.LEFT]) / max(1, int(state[s.TEAMS]))


@inner
def _rated(state, world, seat, out):
    me = s.player(seat)
    x, y = int(state[me + s.X]), int(state[me + s.Y])
    _lately(state, seat, out)
    at = len(_DID) + len(_BORE)
    out[at + int(state[me + s.LIFE])] = 1.0
    out[at + 3 + int(state[me + s.STANCE])] = 1.0
    at += 8
    slot = int(state[me + s.SLOT])
    out[at] = max(0, int(state[me + s.HP])) / 100.0
    out[at + 1] = int(state[me + s.ARMOUR]) / 100.0
    out[at + 2] = int(state[me + s.MEDKITS]) / 5.0
    out[at + 3] = 1.0 if int(state[me + s.WEAPON + slot]) > s.NO_WEAPON else 0.0
    out[at + 4] = min(1.0, int(state[me + s.MAGAZINE + slot]) / 30.0)
    out[at + 5] = min(1.0, int(state[me + s.AMMO]) / 120.0)
    out[at + 6] = 1.0 if int(state[me + s.TREAT]) > 0 else 0.0
    out[at + 7] = 1.0 if int(state[me + s.RESCUE]) > 0 else 0.0
    out[at + 8] = 1.0 if int(state[me + s.HELPED_BY]) > 0 else 0.0
    out[at + 9] = min(1.0, length(int(state[me + s.VX]), int(state[me + s.VY])) / 100.0)
    out[at + 10] = 0.0 if inside(state, s.BLUE_X, x, y) else 1.0
    out[at + 11] = 0.0 if inside(state, s.WHITE_X, x, y) else 1.0
    kind = kind_at(state, world, x, y)
    out[at + 12] = 1.0 if kind == FLOOR or kind >= DOOR_CELL else 0.0
    at += 13
    for index in range(len(_SO_FAR)):
        out[at + index] = min(1.0, int(state[me + _SO_FAR[index, 0]]) / _SO_FAR[index, 1])
    at += len(_SO_FAR)
    near = out[at + 6 :]
    near[:] = 1.0
    _others(state, seat, out[at : at + 6], near)
    for number in range(s.SUPPLIES):
        supply = s.SUPPLY + 4 * number
        if int(state[supply]) != 0:
            far = _apart(state, seat, int(state[supply + 2]), int(state[supply + 3]))
            near[3] = min(near[3], far)
    row = int(state[s.MAP])
    for number in range(int(world[row, DOOR_COUNT])):
        i, j = int(world[row, DOOR_SPOTS + 2 * number]), int(world[row, DOOR_SPOTS + 2 * number + 1])
        near[4] = min(near[4], _apart(state, seat, i * s.UNIT + s.UNIT // 2, j * s.UNIT + s.UNIT // 2))
    near[5] = _apart(state, seat, int(state[s.WHITE_X]), int(state[s.WHITE_Y]))
