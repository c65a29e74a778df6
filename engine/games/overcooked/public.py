"""What a cook of two sees in any kitchen: what each direction leads to, as human proxies read it, without
what they remember (`people_features`). For networks that cook everywhere (`"reads": "public"`).
"""

from __future__ import annotations

import numpy as np

from engine.games.overcooked import people_features as people

FEATURES_VERSION = people.FEATURES_VERSION
_PAST = people.OWN + people.OTHER + people.MOVES
_RATES = people.CONTEXT - 4  # where the numbers on memories end, and those on here and now go on
_FIRST = _RATES - 2 * _PAST - 2 * people.AGES - 7
_SIDE = [*range(people.SIDED - 4 - _PAST), people.SIDED - 2, people.SIDED - 1]
SEEN = np.array(
    [
        *range(_FIRST),
        *range(_RATES, people.CONTEXT),
        *(people.CONTEXT + people.SIDED * side + index for side in range(4) for index in _SIDE),
    ]
)


def input_size(state: np.ndarray) -> int:
    """How many numbers `encode_many` writes for a seat, whatever the kitchen."""
    return len(SEEN)


def encode_many(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Fill out (n, len(SEEN)) float32 from records (n, state_size), of one kitchen or several."""
    whole = np.zeros((len(states), people.SIZE), np.float32)
    people.see_many(states, seats, np.zeros((len(states), people.MEMORY), np.float32), whole)
    out[:] = whole[:, SEEN]
