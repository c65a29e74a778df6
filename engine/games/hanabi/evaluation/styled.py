"""A style that no single move shows: don't hint twice what nobody acted on.

A hint is liked if its target has done something with the last one, and disliked if it hasn't: the same
visible move, judged by what came before. Not what people think, nor how to win.
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "styled" (engine.evaluation.measures): who hinted gains or loses 1. Remembers whose last hint
    waits: since then the seat has neither played nor discarded a card that any hint touched.
    """
    gained = np.zeros(memory.shape[:2])
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        seat, waits = int(new[rules.LAST_SEAT]), memory[row, :, 0]
        if new[rules.LAST_KIND] in (rules.HINT_COLOR, rules.HINT_RANK):
            target = int(new[rules.LAST_TARGET])
            gained[row, seat] = -1 if waits[target] else 1
            waits[target] = 1
        elif rules.card_field(old, int(new[rules.LAST_KEY]), rules.FIRST_TOUCHED) >= 0:
            waits[seat] = 0
    return gained
