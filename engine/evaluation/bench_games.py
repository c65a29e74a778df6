"""How many whole games a minute a scripted teacher or a network plays with itself, on one core.

Counts everything that self-play costs: stepping, masks, the agent's choices, scoring. Compilation is left
out. Not for: the rules alone (bench_env), one move of a live game (bench_act).
"""

from __future__ import annotations

import time
from typing import Any

from engine.agents.policy import Policy
from engine.evaluation.self_play import play

WINDOW = 2000  # games in one measured window


def games_a_minute(
    policy: Policy, players: int = 2, seconds: float = 10.0, game: str = "hanabi"
) -> dict[str, Any]:
    """Games a minute of one thread's processor time; best and median of windows of 2,000 games.

    Time on the processor is taken, so that other programs on the machine count less; raises ValueError with a
    sentence when the agent doesn't play with so many players.
    """
    options = {"players": players}
    play([policy], game, options, episodes=64)  # compiles
    rates: list[float] = []
    until = time.monotonic() + seconds
    while not rates or time.monotonic() < until:
        started = time.thread_time()
        play([policy], game, options, episodes=WINDOW, seed=len(rates))
        rates.append(WINDOW * 60 / (time.thread_time() - started))
    return {
        "agent": policy.name,
        "players": players,
        "games_per_minute": max(rates),
        "median": sorted(rates)[len(rates) // 2],
        "windows": len(rates),
    }
