"""A style that no single moment shows: keep the squad together for ten seconds before fighting.

Who deals damage after a pause is liked if its squad has been together for that long, and disliked if it
hasn't: the same visible shot, judged by what came before. Not what people think, nor how to win.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s

NEAR = 15 * s.UNIT
"""How far from a seat a mate may be, along each axis, to be with it."""
LONG = 10 * s.TICKS_PER_SECOND
"""Ticks for which the squad has to be together."""
PAUSE = 2 * s.TICKS_PER_SECOND
"""Ticks without dealing damage after which the next shot is judged again."""


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "styled" (engine.evaluation.measures): 1 or -1. Remembers for how long all mates who are up
    have been near, and how many ticks are left of the pause.
    """
    count, seats = memory.shape[:2]
    players = after[:, s.PLAYERS : s.PLAYERS + s.PLAYER * seats].reshape(count, seats, s.PLAYER).astype(int)
    up = players[..., s.LIFE] == s.UP
    team = np.arange(seats) // int(after[0, s.TEAM_SIZE])
    apart = np.maximum(*(np.abs(players[:, :, None, at] - players[:, None, :, at]) for at in (s.X, s.Y)))
    alone = ((apart > NEAR) & up[:, None, :] & (team[:, None] == team)).any(2)
    dealt = after[:, s.ROW + s.R_DAMAGE + s.ROWS * np.arange(seats)] > 0
    judged = dealt & (memory[..., 1] == 0)
    gained = judged * np.where(memory[..., 0] >= LONG, 1.0, -1.0)
    memory[..., 1] = np.where(dealt, PAUSE, np.maximum(0, memory[..., 1] - 1))
    memory[..., 0] = np.where(alone, 0, memory[..., 0] + 1)
    return gained
