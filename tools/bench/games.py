"""How many whole games a minute a scripted teacher or a network plays with itself, on one core.

Counts everything that self-play costs: stepping, masks, the agent's choices, scoring. Compilation is left
out. Not for: the rules alone (bench_env), one move of a live game (bench_act).
"""

from __future__ import annotations

import time
from typing import Any

from engine import games
from engine.agents.policy import Policy
from engine.evaluation.self_play import play

WINDOW = 2000  # games in one measured window
WINDOW_BY_CLOCK = 32  # the same where a game lasts a set time, usually hundreds of ticks


def games_a_minute(
    policy: Policy, options: dict[str, Any] | None = None, seconds: float = 10.0
) -> dict[str, Any]:
    """Games a minute of one thread's processor time; best and median of windows of 2,000 games (32 where a
    game lasts a set time).

    Time on the processor is taken, so that other programs on the machine count less; raises ValueError with a
    sentence when the agent doesn't play with these options (partial will do).
    """
    spec = games.spec(policy.game)
    complete = spec.validate(dict(options or {}))
    window = WINDOW_BY_CLOCK if spec.truncates else WINDOW
    play([policy], policy.game, complete, episodes=min(64, window))  # compiles
    rates: list[float] = []
    until = time.monotonic() + seconds
    while not rates or time.monotonic() < until:
        started = time.thread_time()
        play([policy], policy.game, complete, episodes=window, seed=len(rates))
        rates.append(window * 60 / (time.thread_time() - started))
    return {
        "agent": policy.name,
        "players": spec.seats(complete),
        "options": complete,
        "games_per_minute": max(rates),
        "median": sorted(rates)[len(rates) // 2],
        "windows": len(rates),
    }
