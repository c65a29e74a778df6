"""A scripted measure of progress in Arena, tick by tick: what simulated annotators go by.

A seat's progress is what happened to it and what it did in a tick, as the rules count it for rewards, and
what it picked up. It rewards fighting well, staying alive and helping; walking about is worth nothing. Not
what people think, nor who wins: it stands in for judgement where a test needs a known truth.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s

OBEYED = 0.0
"""Instructions are goals here, and following one isn't measured."""
# A count of a row, in parts of a mark.
WORTH = {
    s.R_DAMAGE: 0.01,  # a point dealt to an enemy
    s.R_KNOCK: 0.6,
    s.R_KILL: 0.6,
    s.R_HEALTH: 0.008,  # a point gained; lost where negative
    s.R_KNOCKED: -0.6,
    s.R_DEAD: -1.0,
    s.R_HELPED_UP: 1.5,
    s.R_NOT_SAVED: -0.5,
    s.R_INTERRUPT: -0.3,
    s.R_OUTSIDE: -0.01,  # a tick outside of the circle
}
LOOTED = 0.25
"""Something picked up."""


def gain(before: np.ndarray, after: np.ndarray, seat: int) -> float:
    """What the tick between two records was worth for a seat."""
    at = s.ROW + s.ROWS * seat
    total = sum(worth * int(after[at + row]) for row, worth in WORTH.items())
    loots = s.player(seat) + s.LOOTS
    return total + LOOTED * max(0, int(after[loots]) - int(before[loots]))
