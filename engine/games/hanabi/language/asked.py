"""Which yes/no question a move is an answer to, in many games at once: what the partner did, and what to do.

As in the instructRL paper's table (`table.py`), so that a share of its answers can be taken the other way
round (its figure 10). Not for what is answered (`follow.py`).
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.language.follow import last_turn
from engine.simulation.jit import njit

PLACES = 2 * rules.MAX_SLOTS + 2
"""What can be done: a card of each slot played or discarded, a colour hinted, a rank hinted."""
NUM_QUESTIONS = (1 + 64 * 64) * PLACES
"""How many numbers `asked_about` may have, of which most never come up."""


def asked_about(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """The number of the question that each move of the seats (n,) of games (n, state_size) answers, int32
    (n, num_actions); -1 for what is no move.
    """
    moves = rules.num_actions(states[0]) if len(states) else 0
    found = np.full((len(states), moves), -1, np.int32)
    _write(states, seats, found)
    return found


@njit
def _write(states, seats, out):
    for row in range(len(states)):
        state = states[row]
        turn, before = last_turn(state, int(seats[row])), 0
        if turn >= 0:
            action, touched, _, _ = rules.history_at(state, turn)
            before = 1 + 64 * action + touched
        for action in range(out.shape[1]):
            kind = rules.action_kind(state, action)
            if kind in (rules.PLAY, rules.DISCARD):
                place = action
            elif kind == rules.HINT_COLOR:
                place = PLACES - 2
            elif kind == rules.HINT_RANK:
                place = PLACES - 1
            else:
                continue
            out[row, action] = before * PLACES + place
