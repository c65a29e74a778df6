"""A scripted measure of progress in Arena, tick by tick: what simulated annotators go by.

A seat's progress is what happened to it and what it did in a tick, as the rules count it for rewards, and
what it picked up. It rewards fighting well, staying alive and helping; walking about is worth nothing. Not
what people think, nor who wins: it stands in for judgement where a test needs a known truth.
"""

from __future__ import annotations

import numpy as np

from engine.evaluation.measures import Measure
from engine.evaluation.probes import ASKED, asked
from engine.games.arena import state as s
from engine.games.arena.evaluation import styled
from engine.games.arena.evaluation.probes import PROBES

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


STAKE = 40
"""Points of damage by which one has to be ahead, or behind, since it was last said that one is."""
_ROWS = s.ROW + np.array(list(WORTH))
_WORTHS = np.array(list(WORTH.values()))


def _at(first: np.ndarray | int, stride: int, seats: int) -> np.ndarray:
    """Where a field, or fields, of every seat are in a record: (seats, …)."""
    return np.add.outer(stride * np.arange(seats), first)


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "progress" (engine.evaluation.measures)."""
    seats = memory.shape[1]
    loots = _at(s.PLAYERS + s.LOOTS, s.PLAYER, seats)
    looted = np.maximum(0, after[:, loots].astype(int) - before[:, loots])
    return after[:, _at(_ROWS, s.ROWS, seats)] @ _WORTHS + LOOTED * looted


def fighting(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "fighting": three values, 1 when one has dealt STAKE points more than one took since the last
    time, -1 when one took as many more, else 0; knocking somebody out, or being, counts as that, too.
    """
    seats = memory.shape[1]
    at = {row: after[:, _at(s.ROW + row, s.ROWS, seats)] for row in (s.R_DAMAGE, s.R_KNOCK, s.R_KNOCKED)}
    hp = _at(s.PLAYERS + s.HP, s.PLAYER, seats)
    taken = np.maximum(0, before[:, hp].astype(int) - after[:, hp])
    memory[..., 0] += at[s.R_DAMAGE] - taken + STAKE * (1.0 * at[s.R_KNOCK] - at[s.R_KNOCKED])
    gained = np.clip(np.trunc(memory[..., 0] / STAKE), -1, 1)
    memory[..., 0] -= STAKE * gained
    return gained


ENOUGH = 2
"""Things to pick up before a fight."""


def loot_first(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "loot-first": a preference that no score expresses, 1 for something picked up or a treatment,
    -1 for hitting somebody before one has picked up ENOUGH things.
    """
    seats, old, new = memory.shape[1], before.astype(int), after.astype(int)
    loots, heals, dealt = (_at(s.PLAYERS + row, s.PLAYER, seats) for row in (s.LOOTS, s.HEALS, s.DEALT))
    gained = np.maximum(0, new[:, loots] - old[:, loots]) + np.maximum(0, new[:, heals] - old[:, heals])
    early = (new[:, dealt] > old[:, dealt]) & (new[:, loots] < ENOUGH)
    return gained - 1.0 * early


def sparse(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "sparse": what somebody would write who has no rater, 1 for knocking somebody out, -1 for being
    knocked out."""
    seats = memory.shape[1]
    knocks = after[:, _at(s.ROW + s.R_KNOCK, s.ROWS, seats)]
    return 1.0 * knocks - after[:, _at(s.ROW + s.R_KNOCKED, s.ROWS, seats)]


MEASURES = {
    "loot-first": Measure(loot_first),
    "styled": Measure(styled.gains, memory=2),
    "sparse": Measure(sparse),
    "progress": Measure(gains),
    "fighting": Measure(fighting, memory=1),
    ASKED: asked("arena", PROBES),
}
