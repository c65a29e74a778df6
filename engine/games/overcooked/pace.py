"""Records of kitchens of two cooks as they look by another clock than the game's, for proxies of people, who
are as fast as people whatever a tick's length (engine.agents.pace). Not for the rules.
"""

from __future__ import annotations

import numpy as np

from engine.games.overcooked.rules import ACTION, TICK

PLAYERS = 2


def done(states: np.ndarray) -> np.ndarray:
    """(n, PLAYERS): what each cook did in the tick before these records (n, state_size)."""
    return states[:, ACTION : ACTION + PLAYERS]


def retold(states: np.ndarray, ticks: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Copies of records, as if it was these ticks (n,) and the cooks had just done this (n, PLAYERS)."""
    states = states.copy()
    states[:, TICK] = ticks
    states[:, ACTION : ACTION + PLAYERS] = actions
    return states
