"""A judge who can't be guessed from what a move looks like: how a move changes the expected final score.

From a state, strong play (the convention bot) goes on to the end CONTINUATIONS times, the cards that nobody
has drawn yet in another order each time, and the points are averaged. Neighbouring states are judged by the
same orders (common random numbers), so that their difference holds little but what the move changed. Hands
are as they are: the judge watches the open table. Not for games of agents whose conventions that bot doesn't
know.
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.bots import CONVENTION_WEIGHTS
from engine.games.hanabi.lookahead import allocating, weigh
from engine.simulation.rng import MASK32, hash32

CONTINUATIONS = 64


@allocating
def expected_many(states, continuations, out):
    """Write the mean final score of so many continuations of states (n, STATE_SIZE) into `out` (n,)."""
    for index in range(len(states)):
        total = 0.0
        for number in range(continuations):
            total += continued(states[index], number)
        out[index] = total / continuations


@allocating
def continued(state, number):
    """The final score of one continuation; `number` says in which order the cards are drawn."""
    state = state.copy()
    values = np.empty(rules.num_actions(state), np.float64)
    first, last = int(state[rules.DEALT]), int(state[rules.DECK_SIZE])
    rank = np.empty(rules.MAX_DECK, np.int64)
    for key in range(first, last):
        rank[key] = hash32((number * rules.MAX_DECK + key) & MASK32)
    for key in range(first, last):  # by insertion: cards keep their rank from state to state
        card, its = int(state[rules.DECK + key]), rank[key]
        place = key
        while place > first and rank[place - 1] > its:
            rank[place] = rank[place - 1]
            state[rules.DECK + place] = state[rules.DECK + place - 1]
            place -= 1
        rank[place] = its
        state[rules.DECK + place] = card
    while int(state[rules.OVER]) == rules.RUNNING:
        rules.step(state, weigh(state, 0, CONVENTION_WEIGHTS, values))
    return int(state[rules.SCORE])


def expected(states: np.ndarray, continuations: int = CONTINUATIONS) -> np.ndarray:
    """The expected final score (n,) of states (n, STATE_SIZE)."""
    out = np.zeros(len(states))
    expected_many(states, continuations, out)
    return out


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "judge" (engine.evaluation.measures): what a move changed is its seat's. Remembers what was
    expected, plus 1.
    """
    gained, known = np.zeros(memory.shape[:2]), memory[:, 0, 0] - 1
    new = np.flatnonzero(known < 0)
    known[new] = expected(before[new])
    now = expected(after)
    gained[np.arange(len(after)), after[:, rules.LAST_SEAT]] = now - known
    memory[..., 0] = now[:, None] + 1
    return gained
