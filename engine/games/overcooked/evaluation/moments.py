"""What a step meant for a kitchen, in a sentence: points, and what waiting was."""

from __future__ import annotations

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.evaluation import progress


def effect(before: np.ndarray, after: np.ndarray, seat: int, change: float) -> str:
    """What came of what a cook did."""
    event, points = int(after[rules.EVENT + seat]), int(after[rules.SCORE])
    gained = points - int(before[rules.SCORE])
    if event == rules.DELIVER and not gained:
        return "Nobody had ordered that."
    if event == rules.DELIVER:
        return f"{points} points now."
    if event == rules.NO_EVENT and change < 0:
        return f"Player {seat + 1} had brought no soup closer for {progress.PATIENCE} steps."
    if event == rules.PUT_POT and change < 0:
        return "Nobody has ordered such a soup."
    return "A step back on the way to a soup." if change < 0 else "A step closer to a soup."
