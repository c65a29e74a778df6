"""Arena's goal vectors as co-training needs them (brings.GoalSpace): asked of seats in states, measured while
a window goes on, compared, for many seats at once. Not for what texts mean (language/goal_texts.py), nor for
goals that are drawn without words (lessons.py).

Rows are pairs of a record, in `rows` of `states` (n, STATE_SIZE), and a seat. Vectors are int8 (k, COUNT):
the number of each sub-goal's value, -1 where none is wanted, or none can be measured.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import goals, lessons, subgoals
from engine.games.arena import state as s
from engine.games.arena import subgoal_table as table
from engine.games.arena.wanted import OF_POINT
from engine.simulation.jit import njit
from engine.simulation.rng import below, random32

SUBGOALS = tuple((one.name, one.values) for one in table.SUBGOALS)
COUNT = table.COUNT
GOING, ENDED, GONE = range(3)
TRACKED = (
    "Average velocity",
    "Horizontal direction of movement",
    "Whether seen enemy",
    "Whether hold a gun",
    "Whether prone position",
    "Length of distance moved",
    "Length of distance from agent to teammate",
    "Distance with nearest enemy",
    "Whether seen by enemy",
    "Damage to enemy",
    "Whether have bullets",
    "Horizontal direction of view",
    "Whether follow with the movement direction of teammate",
    "Whether crouch position",
    "Whether have a gun",
    "Whether have medical kits",
    "Whether to restore health",
    "Health level",
    "Whether knock down enemy",
    "Whether target the same enemy as teammate",
)
"""Those whose probabilities OpenContra follows through co-training (Table 14)."""


@njit
def _over(states, asked_for, out):
    for i in range(states.shape[0]):
        tick = int(states[i, s.TICK])
        for seat in range(asked_for.shape[1]):
            goal = asked_for[i, seat]
            up = int(states[i, s.player(seat) + s.LIFE]) == s.UP
            if tick < int(goal[goals.SINCE]) or not up:
                out[i, seat] = GONE
            elif tick >= int(goal[goals.UNTIL]):
                out[i, seat] = ENDED


def over(states: np.ndarray, asked_for: np.ndarray) -> np.ndarray:
    """How the windows of seats stand that are asked for this (n, seats, GOAL_SIZE): int8 (n, seats), GOING,
    ENDED, or GONE: the seat is down or out, or another match has begun.
    """
    out = np.zeros(asked_for.shape[:2], np.int8)
    _over(states, asked_for, out)
    return out


@njit
def _ask(states, world, rows, seats, wanted, key, asked_for):
    for k in range(rows.shape[0]):
        state = states[rows[k]]
        seat = int(seats[k])
        goal = asked_for[k]
        at = s.player(seat)
        word = random32(key, k * 32 + seat, int(state[s.TICK]))
        lasts = lessons.SHORTEST + below(random32(word, seat, 4), lessons.LONGEST - lessons.SHORTEST)
        count = 0
        for index in range(COUNT):
            count += 1 if int(wanted[k, index]) >= 0 else 0
        x = int(state[at + s.X])
        y = int(state[at + s.Y])
        cell = lessons._cell_near(state, world, seat, random32(word, seat, 5))
        if cell >= 0:
            x = (cell % s.SIDE) * s.UNIT + s.UNIT // 2
            y = (cell // s.SIDE) * s.UNIT + s.UNIT // 2
        kind = goals.FREE if count > 0 else goals.NONE
        goals.give(state, seat, kind, -1, x, y, int(state[s.TICK]) + lasts, 0, goal)
        for index in range(COUNT):
            goal[goals.VECTOR + index] = 1 + int(wanted[k, index])


def ask(
    states: np.ndarray, world: np.ndarray, rows: np.ndarray, seats: np.ndarray, wanted: np.ndarray, key: int
) -> np.ndarray:
    """Goals (k, GOAL_SIZE) for these vectors, from now on for 5 to 20 seconds; a point of theirs is one that
    can be walked to, drawn by a random `key`, as is what the speaker looks at.
    """
    asked_for = np.zeros((len(rows), goals.GOAL_SIZE), goals.GOAL_DTYPE)
    _ask(states, world, rows, seats, wanted, key, asked_for)
    return asked_for


@njit
def _measured(states, world, rows, seats, asked_for, out):
    for k in range(rows.shape[0]):
        goal = asked_for[k]
        named = False
        for index in range(COUNT):
            named = named or (OF_POINT[index] and int(goal[goals.VECTOR + index]) != 0)
        x = int(goal[goals.X]) if named else -1
        y = int(goal[goals.Y]) if named else -1
        start = goal[goals.START : goals.LEFT]
        subgoals.measure(start, states[rows[k]], world, int(seats[k]), x, y, out[k])


def measured(
    states: np.ndarray, world: np.ndarray, rows: np.ndarray, seats: np.ndarray, asked_for: np.ndarray
) -> np.ndarray:
    """What the sub-goals are now in the windows of these goals (k, GOAL_SIZE), about whose points they are:
    vectors (k, COUNT).
    """
    out = np.full((len(rows), COUNT), -1, np.int8)
    _measured(states, world, rows, seats, asked_for, out)
    return out


@njit
def _gaps(wanted, values, out):
    for k in range(wanted.shape[0]):
        for index in range(COUNT):
            if int(wanted[k, index]) >= 0:
                out[k, index] = subgoals.gap(index, int(wanted[k, index]), int(values[k, index]))


def gaps(wanted: np.ndarray, values: np.ndarray) -> np.ndarray:
    """How far each wanted value is from what was measured, 0 to 1; 0 where none is wanted: float32 (k,
    COUNT).
    """
    out = np.zeros(wanted.shape, np.float32)
    _gaps(wanted, values, out)
    return out


@njit
def _contradicts(wanted, out):
    for k in range(wanted.shape[0]):
        out[k] = subgoals.contradicts(wanted[k])


def contradicts(wanted: np.ndarray) -> np.ndarray:
    """Which vectors ask for what can't hold together: bool (k,)."""
    out = np.zeros(len(wanted), np.bool_)
    _contradicts(wanted, out)
    return out
