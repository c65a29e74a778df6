"""What a tick meant for a squad, in a sentence: who is still on their feet."""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s

LEAST = 0.2
"""What changes less is no moment: a scratch, a tick outside of the zone."""


def weighed(before: np.ndarray, after: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """What stands out of a match that changes a little in every tick."""
    return np.where(np.abs(gains) >= LEAST, gains, 0.0)


def effect(before: np.ndarray, after: np.ndarray, seat: int, change: float) -> str:
    """How the squad stood then; for whoever is alone, how many were left."""
    size = int(after[s.TEAM_SIZE])
    mates = range(int(after[s.SEATS])) if size == 1 else range(seat // size * size, (seat // size + 1) * size)
    up = sum(int(after[s.player(mate) + s.LIFE]) == s.UP for mate in mates)
    return f"{up} of {len(mates)} {'players' if size == 1 else 'of the squad'} left standing."
