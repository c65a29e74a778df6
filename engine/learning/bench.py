"""How fast PPO learns end to end: steps a second, and what they are spent on.

Collecting (rules, features, acting) and learning (gradient steps) are timed apart; the first update, which
compiles, is left out. Medians over updates, so that what else the machine does counts less. Not for how well
it learns (the card of an agent says that).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import games
from engine.learning import self_play, squad_ppo


def bench_learn(
    game: str = "overcooked",
    options: dict[str, Any] | None = None,
    seconds: float = 20.0,
    threads: int = 1,
    bf16: bool = True,
) -> dict[str, Any]:
    """{"steps_per_second", "collect_share", "learn_share", …} for about `seconds`: the recorded settings of
    the game's learner, and in games in turns the canonical observation with two layers of 256.

    Raises OptionError and BadConfig with a sentence.
    """
    spec = games.spec(game)
    if spec.heads:
        squads = squad_ppo.Training(
            squad_ppo.Settings(options=options or {"pace": "short"}, threads=threads, bf16=bf16)
        )
        squads.update = squads.config.critic_updates  # the updates that count
        collect, learn = squads.collect, squads.learn
        steps = int((squads.mine.sum()) * squads.config.rollout)
        said = {"unit": "decisions, end to end", "inputs": squads.games.inputs.size, "envs": squads.games.n}
        return _timed(game, squads.games.options, collect, learn, steps, seconds) | said | _how(threads, bf16)
    more: dict[str, Any] = {}
    if spec.turn_based:
        more = {"reads": "observation", "hidden": [256, 256], "envs": 256, "rollout": 64, "epochs": 2}
        more["minibatches"] = 4
    config = self_play.Settings(game=game, options=options or {}, threads=threads, bf16=bf16, **more)
    training = self_play.Training(config)
    steps = config.envs * config.rollout
    said = {
        "unit": "moves, end to end" if spec.turn_based else "joint steps, end to end",
        "inputs": training.collectors[0].inputs.size,
        "envs": config.envs,
        "hidden": config.hidden,
    }
    found = _timed(game, training.options, training.collect, training.learn, steps, seconds)
    return found | said | _how(threads, bf16)


def _how(threads: int, bf16: bool) -> dict[str, Any]:
    return {"threads": threads, "bf16": bf16}


def _timed(
    game: str,
    options: dict[str, Any],
    collect: Callable[[], Any],
    learn: Callable[[Any], Any],
    steps: int,
    seconds: float,
) -> dict[str, Any]:
    """Updates of `steps` each for about `seconds`, and at least three."""
    learn(collect())
    spent: list[tuple[float, float]] = []
    started = time.perf_counter()
    while len(spent) < 3 or time.perf_counter() - started < seconds:
        began = time.perf_counter()
        rollouts = collect()
        collected = time.perf_counter()
        learn(rollouts)
        spent.append((collected - began, time.perf_counter() - collected))
    walls = np.sum(spent, axis=1)
    collecting = float(np.sum(spent, axis=0)[0] / walls.sum())
    return {
        "game": game,
        "options": options,
        "steps_per_second": steps / float(np.median(walls)),
        "best": steps / float(walls.min()),
        "updates": len(spent),
        "collect_share": collecting,
        "learn_share": 1.0 - collecting,
        "seconds": float(walls.sum()),
    }
