"""A style that no single moment shows: finish one soup before the next is begun.

A cook who begins a soup is liked if it has delivered one since it last began one, and disliked otherwise; who
delivers is liked if it has begun one since its last, and disliked otherwise. The same visible move is judged
by what the cook itself did before. Not what people think, nor how to win.
"""

from __future__ import annotations

import numpy as np

from engine.games.overcooked import rules


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "styled" (engine.evaluation.measures): 1 or -1. Remembers who has begun a soup and not yet
    delivered one.
    """
    seats, gained = memory.shape[1], np.zeros(memory.shape[:2])
    events = after[:, rules.EVENT : rules.EVENT + seats]
    cells = after[:, rules.EVENT_CELL : rules.EVENT_CELL + seats]
    for row, seat in np.argwhere((events == rules.PUT_POT) | (events == rules.DELIVER)):
        begun = memory[row, seat]
        if events[row, seat] == rules.DELIVER:
            gained[row, seat] = 1 if begun[0] else -1
            begun[0] = 0
        elif before[row, rules.ITEM + cells[row, seat]] == rules.NOTHING:
            gained[row, seat] = -1 if begun[0] else 1
            begun[0] = 1
    return gained
