"""A heap of pebbles: whoever is to move takes one to three; an even heap left earns everybody a point."""

from __future__ import annotations

from engine.simulation.jit import rule
from engine.simulation.rng import MASK32, below, random32

RULES_VERSION = 1
KEY_A, KEY_B, EPISODE, PLAYERS, HEAP, TURN, SCORE, TAKEN = range(8)
STATE_SIZE = 8
MOST = 3


@rule
def new_game(state):
    """The next game of the record's stream: a heap of 8 to 15."""
    state[EPISODE] = (int(state[EPISODE]) + 1) & MASK32
    state[HEAP] = 8 + below(random32(int(state[KEY_A]), int(state[KEY_B]), int(state[EPISODE])), 8)
    state[TURN] = 0
    state[SCORE] = 0
    state[TAKEN] = 0


@rule
def over(state):
    return 1 if int(state[HEAP]) == 0 else 0


@rule
def current(state):
    return int(state[TURN])


@rule
def score(state):
    return int(state[SCORE])


@rule
def legal(state, seat, out):
    """Take 1, 2 or 3 (actions 0 to 2), or do nothing (3) where another is to move."""
    mine = 1 if seat == int(state[TURN]) and over(state) == 0 else 0
    for action in range(MOST):
        out[action] = 1 if mine == 1 and action < int(state[HEAP]) else 0
    out[MOST] = 1 - mine


@rule
def step(state, action):
    state[HEAP] = int(state[HEAP]) - action - 1
    state[TAKEN] = action + 1
    state[TURN] = (int(state[TURN]) + 1) % int(state[PLAYERS])
    point = 1 if int(state[HEAP]) % 2 == 0 else 0
    state[SCORE] = int(state[SCORE]) + point
    return point
