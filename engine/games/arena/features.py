"""What networks that play Arena read: chosen numbers of the observation, and what they were asked to do.

The observation's columns are `observation_fields.COMPACT`, divided by 127; then the goal, one-hot by kind,
with where its point or player is, in the seat's own frame. Not for what a seat may know: that is the
observation's.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import goals as g
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, cosine, length, sine
from engine.games.arena.observation import SIZE, encode
from engine.games.arena.observation_fields import COMPACT, NAMES
from engine.games.arena.sight import FORGOTTEN, knows
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
)
CHOICE_NAMES = tuple(
    f"{head}/{choice}"
    for head, size in zip(("move", "yaw", "pitch", "body", "basic", "switch"), s.HEADS, strict=True)
    for choice in range(size)
)


def input_size(state: np.ndarray) -> int:
    """Numbers that the network reads."""
    return len(COLUMNS) + GOAL_INPUTS


@inner
def goal_point(state, seat, goal, out):
    """Write the x and y of what a goal is about, as far as the seat can know; returns 1 if there is one."""
    kind = int(goal[g.KIND])
    who = int(goal[g.WHO])
    at = s.player(seat)
    if kind in (g.HOLD, g.GO):
        out[0] = goal[g.X]
        out[1] = goal[g.Y]
        return 1
    if kind == g.ROTATE:
        out[0] = state[s.WHITE_X]
        out[1] = state[s.WHITE_Y]
        return 1
    if who < 0 or kind not in (g.FOLLOW, g.COVER, g.ATTACK, g.RESCUE):
        return 0
    team = int(state[at + s.TEAM])
    other = s.player(who)
    if int(state[other + s.TEAM]) == team:
        out[0] = state[other + s.X]
        out[1] = state[other + s.Y]
        return 1
    if knows(state, team, who) >= FORGOTTEN:
        return 0
    entry = s.MEMORY + 3 * (s.MAX_SEATS * team + who)
    out[0] = state[entry + 1]
    out[1] = state[entry + 2]
    return 1


@inner
def encode_goal(state, seat, goal, out):
    """Write GOAL_INPUTS numbers on a goal; zeros but for the first one-hot where nothing was asked."""
    for index in range(GOAL_INPUTS):
        out[index] = 0.0
    kind = int(goal[g.KIND])
    out[kind] = 1.0
    if kind == g.NONE:
        return
    at = s.player(seat)
    base = g.KINDS
    if goal_point(state, seat, goal, out[base : base + 2]) != 0:
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


@njit
def encode_many(states, world, seats, goals, out):
    """Fill out (n, input_size) float32 for the seats (n,) of records on one ground, with their goals."""
    row = np.zeros(SIZE, np.int8)
    columns = len(COLUMNS)
    for i in range(states.shape[0]):
        encode(states[i], world, int(seats[i]), row)
        for column in range(columns):
            out[i, column] = row[COLUMNS[column]] / 127.0
        encode_goal(states[i], int(seats[i]), goals[i], out[i, columns:])
