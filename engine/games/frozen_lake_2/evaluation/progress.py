"""A scripted measure of progress on the lake, step by step: what simulated annotators go by. Not what people
think, and not the game's score.
"""

from __future__ import annotations

import numpy as np

from engine.evaluation.measures import Measure
from engine.games.frozen_lake_2 import rules
from engine.games.frozen_lake_2.bots import shared

NEARER = 0.2
"""A step nearer to the goal that is one's own when both are shared out as fast as can be; the same is lost
with a step away from it.
"""
REACHED = 1.0
"""A step onto a goal; the same is lost with a step off it."""
FELL = -2.0
OBEYED = 0.8


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "progress" (engine.evaluation.measures): each adds what its own step was worth."""
    gained = np.zeros(memory.shape[:2])
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        for seat in range(rules.SEATS):
            here, there = int(old[rules.AT + seat]), int(new[rules.AT + seat])
            if int(new[rules.DID + seat]) == rules.IN_HOLE:
                gained[row, seat] = FELL
                continue
            target = shared(old, seat)
            nearer = rules.far(old, target, here) - rules.far(old, target, there)
            reached = int(rules.on_target(new, there) >= 0) - int(rules.on_target(old, here) >= 0)
            gained[row, seat] = NEARER * nearer + REACHED * reached
    return gained


MEASURES = {"progress": Measure(gains)}
