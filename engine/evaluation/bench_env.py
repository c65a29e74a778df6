"""How many steps of random legal play a game makes in a second, on one thread, and how many its peers make.

Compilation is left out. Machines are shared and noisy, so the time is cut into windows: `steps_per_second` is
the best window, `median` stands next to it. Not for how fast agents act (see `bench_act`).
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

from engine import games
from engine.evaluation.peers import PEERS

WINDOW = 0.05  # seconds


def bench_env(
    game: str,
    batch: int = 1024,
    observations: str = "packed",
    seconds: float = 5.0,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Measure a batch and the game's peers for about `seconds` each; rates are game steps a second.

    The batch chooses, steps, restarts, writes masks and (unless "none") the observation of the seat to move.
    Raises `OptionError` for a game, batch or option that isn't one.
    """
    env = games.make_batch(game, batch, observations=observations, **(options or {}))
    spec = games.spec(game)
    env.play_random(20)
    rounds = 1
    while (taken := _time(lambda count=rounds: env.play_random(count))) < WINDOW / 2:
        rounds = max(rounds + 1, min(rounds * 8, int(rounds * WINDOW / max(taken, 1e-6))))
    started = time.perf_counter()
    rates = windows(lambda: env.play_random(rounds), batch * rounds, seconds)
    wall = len(rates) * batch * rounds / (time.perf_counter() - started)
    peers: dict[str, float | None] = {}
    notes: dict[str, str] = {}
    for name, measure in PEERS.get(game, {}).items():
        try:
            run, steps = measure(env.options, observations)
        except ImportError as error:
            peers[name], notes[name] = None, f"not measured: {error}"
        else:
            peers[name] = max(windows(run, steps, seconds / 2))
    return {
        "game": game,
        "steps_per_second": max(rates),
        "median": statistics.median(rates),
        "wall_clock": wall,
        "windows": len(rates),
        "unit": f"game steps, {observations if observations != 'none' else 'no'} observations",
        "batch": batch,
        "observations": observations,
        "threads": 1,
        "options": env.options,
        "rules_version": spec.rules_version,
        "peers": peers,
        "notes": notes,
        "machine": platform.processor() or platform.machine(),
    }


def windows(run: Callable[[], Any], steps: int, seconds: float) -> list[float]:
    """Steps a second of every call of `run`, which makes `steps` steps, for about `seconds`; at least
    three."""
    rates = []
    end = time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        rates.append(steps / _time(run))
    return rates


def _time(run: Callable[[], Any]) -> float:
    started = time.thread_time()
    run()
    return time.thread_time() - started
