"""How fast self-play PPO learns end to end: joint steps a second, and what they are spent on.

Collecting (rules, features, acting) and learning (gradient steps) are timed apart; the first update, which
compiles, is left out. Not for how well it learns (the card of an agent says that).
"""

from __future__ import annotations

import time
from typing import Any

from engine.learning.self_play import Settings, Training


def bench_learn(
    game: str = "overcooked", options: dict[str, Any] | None = None, seconds: float = 20.0, threads: int = 1
) -> dict[str, Any]:
    """{"steps_per_second", "collect_share", "learn_share", …} of the default settings for about `seconds`.

    Raises OptionError and BadConfig with a sentence.
    """
    training = Training(Settings(game=game, options=options or {}, threads=threads))
    training.step()
    spent = {"collect": 0.0, "learn": 0.0}
    steps, started = 0, time.perf_counter()
    while (now := time.perf_counter()) - started < seconds:
        rollouts = training.collect()
        collected = time.perf_counter()
        training.learn(rollouts)
        training.update += 1
        spent["collect"] += collected - now
        spent["learn"] += time.perf_counter() - collected
        steps += training.config.envs * training.config.rollout
    wall = sum(spent.values())
    return {
        "game": game,
        "options": training.options,
        "unit": "joint steps, end to end",
        "steps_per_second": steps / wall,
        "collect_share": spent["collect"] / wall,
        "learn_share": spent["learn"] / wall,
        "threads": threads,
        "envs": training.config.envs,
        "hidden": training.config.hidden,
        "inputs": training.collectors[0].inputs.size,
        "seconds": wall,
    }
