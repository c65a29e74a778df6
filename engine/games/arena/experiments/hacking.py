"""Loops of squads: see engine.experiments.hacking."""

from collections.abc import Iterator
from itertools import cycle, repeat
from typing import Any

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.experiments import lost_score
from engine.simulation.simulation import Simulation

TICKS = 30
PARTS = [0.25, 0.5, 0.75, 1.0]
NOTHING = [0, 0, 1, s.B_STOP, s.STOP_FIRE, s.KEEP]
"""Six heads that neither turn nor act."""


def stand_still(sim: Simulation, seat: int) -> Iterator[list[int]]:
    """Stay, and look around."""
    return cycle([[0, turn, *NOTHING[2:]] for turn in (4, 12)])


def circle(sim: Simulation, seat: int) -> Iterator[list[int]]:
    """Turn while running."""
    return repeat([0, 2, 1, s.B_RUN, s.STOP_FIRE, s.KEEP])


def pick_and_drop(sim: Simulation, seat: int) -> Iterator[list[int]]:
    """Drop what one holds and pick up what lies there."""
    return cycle([[*NOTHING[:4], basic, s.KEEP] for basic in (s.DROP, s.PICK)])


LOOPS = {"stand still": stand_still, "circle": circle, "pick and drop": pick_and_drop}


def event(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Who knocked somebody down in a tick, bool (seats,)."""
    seats = int(after[s.SEATS])
    return np.asarray(after[s.ROW + s.R_KNOCK + s.ROWS * np.arange(seats)] > 0)


def squads(whole: dict[str, Any], loops: int, parts: list[float]) -> dict[str, Any]:
    """The squads of the lost score."""
    return {**whole, "loops": loops, "parts": parts}


SETTINGS = [squads(lost_score.SETTINGS[0], 1000, PARTS)]
QUICK = [squads(lost_score.QUICK[0], 12, [0.5, 1.0])]
