"""How fast PPO learns end to end: steps a second, and what they are spent on.

Collecting (rules, features, acting) and learning (gradient steps) are timed apart; the first update, which
compiles, is left out. Medians over updates, so that what else the machine does counts less. Not for how well
it learns (the card of an agent says that).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from engine import games
from engine.learning.ppo import Ppo, Settings
from engine.learning.reporting import config_from
from engine.learning.sides import suiting


def bench_learn(
    game: str,
    options: dict[str, Any] | None = None,
    seconds: float = 20.0,
    threads: int = 1,
    bf16: bool = True,
) -> dict[str, Any]:
    """{"steps_per_second", "collect_share", "learn_share", …} for about `seconds`: the settings that suit the
    game's first agents, and in games in turns the canonical observation with two layers of 256.

    Raises OptionError and BadConfig with a sentence.
    """
    spec = games.spec(game)
    given: dict[str, Any] = {"game": game, "options": options or {}, "threads": threads, "bf16": bf16}
    if spec.turn_based:
        given |= {"reads": "observation", "hidden": [256, 256], "envs": 256, "minibatches": 4}
    training = Ppo(config_from(Settings, suiting("ppo", given)))
    training.update = training.config.value_warmup  # the updates that count
    config = training.config
    what = "moves" if spec.turn_based else "decisions" if spec.heads else "joint steps"
    found = _timed(training, seconds)
    said = {"unit": f"{what}, end to end", "inputs": training.collector.inputs.size, "envs": config.envs}
    hidden = {} if spec.heads else {"hidden": config.hidden}
    how = {"threads": threads, "bf16": bf16}
    return {"game": game, "options": training.options, **found, **said, **hidden, **how}


def _timed(training: Ppo, seconds: float) -> dict[str, Any]:
    """Updates for about `seconds`, and at least three. What is counted is all moves, but where actions have
    heads, the learner's choices.
    """
    training.learn(training.collect())
    spent: list[tuple[float, float, float]] = []
    started = time.perf_counter()
    while len(spent) < 3 or time.perf_counter() - started < seconds:
        began = time.perf_counter()
        rollout = training.collect()
        collected = time.perf_counter()
        training.learn(rollout)
        choices = rollout.extras["mine"].sum().item()
        steps = choices if training.spec.heads else training.per_update
        spent.append((collected - began, time.perf_counter() - collected, steps))
    collecting, learning, steps = np.array(spent).T
    walls = collecting + learning
    share = float(collecting.sum() / walls.sum())
    return {
        "steps_per_second": float(np.median(steps / walls)),
        "best": float((steps / walls).max()),
        "updates": len(spent),
        "collect_share": share,
        "learn_share": 1.0 - share,
        "seconds": float(walls.sum()),
    }
