"""How long an agent needs to decide one move of one live game, as the match host requests it. Not
throughput.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from engine.agents.acting import act
from engine.agents.policy import Policy
from engine.simulation.simulation import Simulation


def acting_latency(
    policy: Policy, options: dict[str, Any] | None = None, moves: int = 500, seed: int = 0
) -> dict[str, Any]:
    """Wall-clock milliseconds from a live game to a chosen action, one seat at a time, in self-play.

    Compilation and the first moves are left out.
    """
    if moves < 1:
        raise ValueError(f"The number of moves is at least 1, not {moves}.")
    taken: list[float] = []
    game, rng = seed, np.random.default_rng(seed)
    sim = Simulation(policy.game, options, seed=game)
    for move in range(moves + 10):
        if sim.over:
            game += 1
            sim = Simulation(policy.game, options, seed=game)
        seat = sim.current or 0
        started = time.perf_counter()
        action = act(policy, [sim], [seat], rng)[0]
        if move >= 10:
            taken.append(1000 * (time.perf_counter() - started))
        if sim.spec.turn_based:
            sim.act(seat, action)
        else:
            others = list(range(1, sim.seats))
            sim.step([action, *act(policy, [sim] * len(others), others, rng)])
    p50, p99 = np.percentile(taken, [50, 99])
    return {
        "agent": policy.name,
        "moves": moves,
        "act_ms": {"p50": float(p50), "p99": float(p99), "mean": float(np.mean(taken))},
    }
