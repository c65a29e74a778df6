"""Scripted players of both seats. `same-number` keeps to the convention that the paper's instruction asks
for: Alice says a number worth +1, or her last one again where none is left; Bob picks up what she says and
quits at a number that he heard just before. `random` doesn't care.
"""

from __future__ import annotations

from engine.simulation.jit import njit
from engine.simulation.rng import MASK32, below, random32

from . import rules

BALLS, QUIT, VALUE, SAID, SAID_BEFORE = rules.BALLS, rules.QUIT, rules.VALUE, rules.SAID, rules.SAID_BEFORE
KEY_A, KEY_B, EPISODE, MOVE, ALICE = rules.KEY_A, rules.KEY_B, rules.EPISODE, rules.MOVE, rules.ALICE
LIKED = 10.0  # how much likelier, in log odds, than each of the others


@njit
def same_number_many(states, values, actions):
    for row in range(states.shape[0]):
        state, number = states[row], int(states[row, SAID])
        best = max(0, number - 1)
        if rules.current(state) == ALICE:
            for ball in range(BALLS - 1, -1, -1):
                if int(state[VALUE + ball]) == 1:
                    best = ball
        elif number == int(state[SAID_BEFORE]):
            best = QUIT
        values[row, best] = LIKED
        actions[row] = best


@njit
def random_many(states, values, actions):
    for row in range(states.shape[0]):
        state = states[row]
        word = random32(
            int(state[KEY_A]), int(state[KEY_B]) ^ 1, (int(state[EPISODE]) * 16 + int(state[MOVE])) & MASK32
        )
        best = below(word, BALLS if rules.current(state) == ALICE else QUIT + 1)
        values[row, best] = LIKED
        actions[row] = best


BOTS_MANY = {"same-number": same_number_many, "random": random_many}
