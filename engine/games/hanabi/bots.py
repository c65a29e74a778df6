"""Scripted Hanabi players for 2 to 5 seats, by name: first partners of people, and teachers of networks.

A bot is a compiled function `bot(states, values, actions)` for the seats to move: of each state it writes how
much it likes every action into a row of `values` (num_actions floats; ILLEGAL, far below all others, where
illegal) and the best into `actions`. Bots keep nothing between calls and are deterministic. What a person
should know about a bot is in its card (agents/). Not here: how moves are weighed
(engine.games.hanabi.lookahead).
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi.lookahead import ILLEGAL, allocating, weigh
from engine.games.hanabi.rules import CURRENT, DECK, DECK_SIZE, TURN, legal, num_actions
from engine.simulation.rng import MASK32, hash32

# In the order of the W_ names in engine.games.hanabi.lookahead; from a random search over self-play scores.
# fmt: off
CONVENTION_WEIGHTS = np.array([
    1.0, 1.2, 10.0, 0.18, 0.3, 1.137, 0.016, 0.3, 0.519, 1.0,
    0.25, 2.15, 1.5, 2.54, -0.017, 0.0, 1.016, 0.85, 0.3,
])
GROUNDED_WEIGHTS = np.array([
    1.0, 1.0, 4.0, 0.0, 0.0, 0.0, 0.2, 0.3, 0.6, 1.0,
    0.25, 1.0, 1.5, 2.5, 0.0, 0.1, 0.3, 0.999, 0.3,
])
# fmt: on


@allocating
def at_random(state, values):
    """Any legal action, and how much each is liked; which one depends on deck and turn alone, so games can be
    repeated.
    """
    total = num_actions(state)
    mask = np.zeros(total, np.int8)
    legal(state, int(state[CURRENT]), mask)
    word = hash32(int(state[TURN]))
    for key in range(int(state[DECK_SIZE])):
        word = hash32((word + int(state[DECK + key])) & MASK32)
    best = total - 1
    for action in range(total):
        values[action] = ILLEGAL
        if mask[action]:
            word = hash32((word + action) & MASK32)
            values[action] = word / MASK32
            if values[action] > values[best]:
                best = action
    return best


@allocating
def convention_bot_many(states, values, actions):
    """Plays by play clues and save clues (engine.games.hanabi.conventions), in states (n, STATE_SIZE)."""
    for index in range(len(states)):
        actions[index] = weigh(states[index], 0, CONVENTION_WEIGHTS, values[index])


@allocating
def grounded_bot_many(states, values, actions):
    """Takes every hint for what it says and no more, and plays only what it knows."""
    for index in range(len(states)):
        actions[index] = weigh(states[index], 1, GROUNDED_WEIGHTS, values[index])


@allocating
def random_bot_many(states, values, actions):
    """Any legal action, as `at_random`."""
    for index in range(len(states)):
        actions[index] = at_random(states[index], values[index])


BOTS_MANY = {
    "random": random_bot_many,
    "grounded-bot": grounded_bot_many,
    "convention-bot": convention_bot_many,
}
