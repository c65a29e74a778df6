"""Say-Select (instructRL, Hu and Sadigh 2023, section 5.1 and Figure 1): Alice sees which of five balls are
worth a point and says a number; Bob, who sees none, picks up a ball or quits.

A ball that was picked up is put back worth -1. The game runs until Bob quits; as in the authors' program it
ends after ten moves at the latest. One ball to as many as an option says, of the five, are worth +1 at the
start, each number as likely; in the authors' program at most three are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.simulation.jit import rule
from engine.simulation.rng import MASK32, below, random32

RULES_VERSION = 2
BALLS, MOVES = 5, 10
ALICE, BOB = 0, 1
QUIT, WAIT = BALLS, BALLS + 1  # actions after the numbers
KEY_A, KEY_B, EPISODE, MOVE, SCORE, ENDED = range(6)
# The last two numbers that Alice said and the last ball that Bob picked up, from 1 on; 0: none yet.
SAID, SAID_BEFORE, PICKED = 6, 7, 8
GAINED = 9  # what the last ball was worth
MOST = 10  # balls worth +1 at the start
VALUE = 11  # of each ball: 1 or -1
STATE_SIZE = VALUE + BALLS


def prepare(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    """Write what holds for all games of a record."""
    state[KEY_A], state[KEY_B], state[MOST] = key_a, key_b, options["good"]


@rule
def new_game(state):
    """The next game of the record's stream."""
    state[EPISODE] = (int(state[EPISODE]) + 1) & MASK32
    for field in range(MOVE, MOST):
        state[field] = 0
    first = int(state[EPISODE]) * (BALLS + 1)
    good = 1 + below(random32(int(state[KEY_A]), int(state[KEY_B]), first & MASK32), int(state[MOST]))
    # Ball by ball, so that every choice of so many is as likely.
    for ball in range(BALLS):
        word = random32(int(state[KEY_A]), int(state[KEY_B]), (first + 1 + ball) & MASK32)
        chosen = 1 if below(word, BALLS - ball) < good else 0
        state[VALUE + ball] = 2 * chosen - 1
        good -= chosen


@rule
def current(state):
    return int(state[MOVE]) % 2


@rule
def over(state):
    return int(state[ENDED])


@rule
def score(state):
    return int(state[SCORE])


@rule
def legal(state, seat, out):
    """Numbers are for whoever is to move, quitting for Bob; the other one waits."""
    mine = 1 if over(state) == 0 and seat == current(state) else 0
    for action in range(BALLS):
        out[action] = mine
    out[QUIT] = mine if seat == BOB else 0
    out[WAIT] = 1 - mine


@rule
def step(state, action):
    state[GAINED] = 0
    if current(state) == ALICE:
        state[SAID_BEFORE] = state[SAID]
        state[SAID] = action + 1
    elif action == QUIT:
        state[PICKED] = 0
        state[ENDED] = 1
    else:
        state[PICKED] = action + 1
        state[GAINED] = state[VALUE + action]
        state[SCORE] = int(state[SCORE]) + int(state[GAINED])
        state[VALUE + action] = -1
    state[MOVE] = int(state[MOVE]) + 1
    if int(state[MOVE]) == MOVES:
        state[ENDED] = 1
    return int(state[GAINED])
