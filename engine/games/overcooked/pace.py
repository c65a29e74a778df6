"""Records of kitchens of two cooks as they look by another clock than the game's, or to somebody who takes a
moment to see what happens, for human proxies, who are as fast as people whatever a tick's length
(engine.agents.pace). Not for the rules.
"""

from __future__ import annotations

import numpy as np

from engine.games.overcooked.rules import (
    ACTION,
    EVENT,
    FACING,
    HELD,
    IDLE,
    MAX_CELLS,
    MAX_POTS,
    POSITION,
    POTS,
    TICK,
    TIMER,
)

PLAYERS = 2
OTHERS = (POSITION, FACING, HELD, ACTION, EVENT)  # of the other cook
NEWS = len(OTHERS) + MAX_POTS


def done(states: np.ndarray) -> np.ndarray:
    """(n, PLAYERS): what each cook did in the tick before these records (n, state_size)."""
    return states[:, ACTION : ACTION + PLAYERS]


def retold(states: np.ndarray, ticks: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Copies of records, as if it was these ticks (n,) and the cooks had just done this (n, PLAYERS)."""
    states = states.copy()
    states[:, TICK] = ticks
    states[:, ACTION : ACTION + PLAYERS] = actions
    return states


def news(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """(n, NEWS): what a cook has to look up for: the other one, and how long each pot has cooked."""
    other = np.stack([states[np.arange(len(states)), field + 1 - seats] for field in OTHERS], 1)
    return np.concatenate([other, _timers(states)], 1)


def outdated(states: np.ndarray, seats: np.ndarray, then: np.ndarray) -> np.ndarray:
    """Copies of records to whose cooks the news are still what they were `then` (n, NEWS). That a pot was put
    on or emptied shows at once.
    """
    states, then = states.copy(), then.astype(states.dtype)
    for column, field in enumerate(OTHERS):
        states[np.arange(len(states)), field + 1 - seats] = then[:, column]
    timers, before = _timers(states), then[:, len(OTHERS) :]
    seen = np.where((timers == IDLE) | (before == IDLE), timers, before)
    np.put_along_axis(states[:, TIMER : TIMER + MAX_CELLS], _pots(states), seen, 1)
    return states


def _pots(states: np.ndarray) -> np.ndarray:
    """(n, MAX_POTS): their cells; where there are fewer, a cell without."""
    return states[:, POTS : POTS + MAX_POTS].astype(np.int64)


def _timers(states: np.ndarray) -> np.ndarray:
    return np.take_along_axis(states[:, TIMER : TIMER + MAX_CELLS], _pots(states), 1)
