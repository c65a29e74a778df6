"""The safe zone: a blue circle that closes in on a white one and hurts whoever is outside."""

from __future__ import annotations

import numpy as np

from engine.games.arena.angles import cosine, sine
from engine.games.arena.combat import wound
from engine.games.arena.state import (
    BLUE_R,
    BLUE_X,
    BLUE_Y,
    FROM_R,
    FROM_X,
    FROM_Y,
    LIFE,
    OUT,
    OUTSIDE,
    PACE,
    PHASE_LEFT,
    PHASE_LENGTH,
    R_OUTSIDE,
    R_WHITE,
    SEATS,
    SHRINKING,
    STAGE,
    TICK,
    WHITE_R,
    WHITE_X,
    WHITE_Y,
    ZONE_HIT,
    ZONE_MOVES,
    X,
    Y,
    draw,
    player,
    reward_row,
    tell,
)
from engine.simulation.jit import inner, rule

CALM = 3  # the pace in which it waits first
# By pace (short, normal, long, calm): stages, ticks of waiting (at first, later) and of shrinking in each.
STAGES = np.array([6, 7, 7, 6], np.int32)
FIRST_WAITS = np.array([200, 480, 1000, 3000], np.int32)
WAITS = np.array([200, 480, 1000, 600], np.int32)
SHRINKS = np.array([160, 300, 700, 900], np.int32)
PAIN = np.array([2, 3, 4, 6, 9, 13, 18, 25], np.int32)  # points a second outside, by stage


NO_ZONE = -1  # in place of a pace: the last one's, once the rest is over
WHOLE = 94 * 256  # a circle around the whole map
REST = 15_000  # ticks without a zone; what follows ends well before a tick has no number


@rule
def open_up(state):
    """Let the circles lie around the whole map, and rest."""
    for circle in (BLUE_X, WHITE_X):
        state[circle] = 64 * 256
        state[circle + 1] = 64 * 256
        state[circle + 2] = WHOLE
    state[PHASE_LENGTH] = REST
    state[PHASE_LEFT] = REST


@inner
def first_radius(seats):
    """Units: the more players, the larger the ground they begin on."""
    metres = 44 + 2 * seats
    return (58 if metres > 58 else metres) * 256


@inner
def choose_white(state):
    """Draw the next white circle inside the blue one; the last one has no room."""
    stage = int(state[STAGE])
    blue = int(state[BLUE_R])
    last = stage >= int(STAGES[int(state[PACE])]) - 1
    radius = 0 if last else (blue * 5) >> 3
    turn = draw(state, 2, stage) & 0xFFFF
    away = (((draw(state, 3, stage) & 0xFFFF) * (blue - radius)) >> 16) >> (1 if last else 0)
    state[WHITE_X] = int(state[BLUE_X]) + ((sine(turn) * away) >> 14)
    state[WHITE_Y] = int(state[BLUE_Y]) - ((cosine(turn) * away) >> 14)
    state[WHITE_R] = radius


@rule
def wait(state):
    """Begin to wait for the next shrinking."""
    state[SHRINKING] = 0
    pace = int(state[PACE])
    state[PHASE_LENGTH] = FIRST_WAITS[pace] if int(state[STAGE]) == 0 else WAITS[pace]
    state[PHASE_LEFT] = state[PHASE_LENGTH]


@rule
def inside(state, circle, x, y):
    """Whether a point is in a circle (BLUE_X or WHITE_X: the field where its x, y and radius begin)."""
    dx = x - int(state[circle])
    dy = y - int(state[circle + 1])
    radius = int(state[circle + 2])
    return dx * dx + dy * dy <= radius * radius


@rule
def advance(state):
    """One tick of the circles."""
    left = int(state[PHASE_LEFT]) - 1
    state[PHASE_LEFT] = left
    if int(state[SHRINKING]) != 0:
        length = int(state[PHASE_LENGTH])
        done = length - left
        for field in range(3):
            begin = int(state[FROM_X + field])
            state[BLUE_X + field] = begin + ((int(state[WHITE_X + field]) - begin) * done) // length
        if left <= 0:
            stage = int(state[STAGE]) + 1
            state[STAGE] = stage
            if stage < int(STAGES[int(state[PACE])]):
                choose_white(state)
                wait(state)
            else:
                state[PHASE_LEFT] = 1  # closed for good
                state[SHRINKING] = 0
                state[PHASE_LENGTH] = 0
    elif left <= 0 and int(state[PHASE_LENGTH]) > 0:
        state[SHRINKING] = 1
        state[FROM_X] = state[BLUE_X]
        state[FROM_Y] = state[BLUE_Y]
        state[FROM_R] = state[BLUE_R]
        state[PHASE_LENGTH] = SHRINKS[int(state[PACE])]
        state[PHASE_LEFT] = state[PHASE_LENGTH]
        tell(state, ZONE_MOVES, -1, -1, int(state[WHITE_X]), int(state[WHITE_Y]), 0, int(state[STAGE]))
    elif left <= 0:
        state[PHASE_LEFT] = 1


@rule
def hurt(state):
    """Whoever is outside the blue circle loses health once a second."""
    tick = int(state[TICK])
    for seat in range(int(state[SEATS])):
        at = player(seat)
        if int(state[at + LIFE]) == OUT:
            continue
        x = int(state[at + X])
        y = int(state[at + Y])
        if not inside(state, WHITE_X, x, y):
            reward_row(state, seat, R_WHITE, 1)
        if not inside(state, BLUE_X, x, y):
            reward_row(state, seat, R_OUTSIDE, 1)
            state[at + OUTSIDE] += 1
            if tick % 20 == seat:
                wound(state, seat, int(PAIN[int(state[STAGE])]), ZONE_HIT, 0)
