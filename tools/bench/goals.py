"""How long it takes to measure all sub-goals of Arena for a seat: `manage.py bench goals`.

In the states of matches of five squads of four who do anything, with windows of other states. One thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from engine import games
from engine.games.arena import state as s
from engine.games.arena import subgoals
from engine.simulation.batch import Batch
from engine.simulation.jit import njit

MATCHES, TICKS = 64, 400
TEAMS, SIZE = 5, 4


@njit
def opens(states, starts):
    for row in range(states.shape[0]):
        for seat in range(starts.shape[1]):
            subgoals.opened(states[row], seat, starts[row, seat])


@njit
def measures(starts, states, world, found):
    for row in range(states.shape[0]):
        for seat in range(found.shape[1]):
            x = int(states[row, s.WHITE_X])
            y = int(states[row, s.WHITE_Y])
            subgoals.measure(starts[row, seat], states[row], world, seat, x, y, found[row, seat])


def bench_goals(seconds: float) -> dict[str, Any]:
    """{"sub_goals", "opened_us", "measured_us": {"best", "median"} of a seat, "rounds"}."""
    options = {"teams": TEAMS, "team_size": SIZE, "pace": "short"}
    batch = Batch(games.spec("arena"), options, MATCHES, observations="none", seed=1)
    rng, seats = np.random.default_rng(1), TEAMS * SIZE
    for _ in range(TICKS):
        batch.step(np.stack([rng.integers(0, size, (MATCHES, seats)) for size in s.HEADS], -1))
    starts = np.zeros((MATCHES, seats, subgoals.OPENED), np.int16)
    found = np.zeros((MATCHES, seats, subgoals.COUNT), np.int8)
    took: list[tuple[float, float]] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(took) < 2:
        begun = time.perf_counter()
        opens(batch.states, starts)
        between = time.perf_counter()
        measures(np.roll(starts, 1, 0), batch.states, batch.world, found)
        took.append((between - begun, time.perf_counter() - between))
    each = np.array(took[1:]) / (MATCHES * seats) * 1e6  # the first one compiled
    best, median = each.min(0), np.median(each, 0)
    rows = {
        name: {"best": round(float(best[at]), 3), "median": round(float(median[at]), 3)}
        for at, name in enumerate(("opened_us", "measured_us"))
    }
    return {"sub_goals": subgoals.COUNT, **rows, "rounds": len(each)}
