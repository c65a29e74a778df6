"""What a step meant on the lake, in a sentence."""

from __future__ import annotations

import numpy as np

from engine.games.frozen_lake_2 import rules


def effect(before: np.ndarray, after: np.ndarray, seat: int, change: float) -> str:
    """What came of what a player did."""
    over, did = int(after[rules.OVER]), int(after[rules.DID + seat])
    if did == rules.IN_HOLE:
        return "That ended the game."
    if did == rules.ON_TARGET:
        return "Both goals were reached." if over == rules.SOLVED else "One goal was reached."
    return "A step away from the goals." if change < 0 else "A step closer to the goals."
