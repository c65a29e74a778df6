"""Loops of cooks: see engine.experiments.hacking."""

from collections.abc import Iterator
from itertools import cycle, repeat
from typing import Any

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.experiments import lost_score
from engine.simulation.simulation import Simulation

TICKS = 40
PARTS = [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0]


def stand_still(sim: Simulation, seat: int) -> Iterator[int]:
    """Stay."""
    return repeat(rules.STAY)


def circle(sim: Simulation, seat: int) -> Iterator[int]:
    """Round and round, as far as the floor lets one."""
    return cycle([rules.NORTH, rules.EAST, rules.SOUTH, rules.WEST])


def pick_and_drop(sim: Simulation, seat: int) -> Iterator[int] | None:
    """Put down what one holds and take it up again, where one stands before a counter that allows it."""
    state = sim.state
    cell = int(rules.neighbour(state, int(state[rules.POSITION + seat]), int(state[rules.FACING + seat])))
    holds, lies = (int(state[at]) != rules.NOTHING for at in (rules.HELD + seat, rules.ITEM + cell))
    fits = rules.terrain(state, cell) == rules.COUNTER and holds != lies
    return repeat(rules.INTERACT) if fits else None


LOOPS = {"stand still": stand_still, "circle": circle, "pick and drop": pick_and_drop}


def event(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Who delivered a soup in a tick, bool (seats,)."""
    seats = int(after[rules.PLAYERS])
    return np.asarray(after[rules.EVENT : rules.EVENT + seats] == rules.DELIVER)


def kitchen(whole: dict[str, Any], loops: int, parts: list[float]) -> dict[str, Any]:
    """A kitchen of the lost score."""
    return {**whole, "instructions": [], "loops": loops, "parts": parts}


SETTINGS = [kitchen(lost_score.SETTINGS[0], 1000, PARTS)]
QUICK = [kitchen(lost_score.QUICK[0], 12, [0.5, 1.0])]
