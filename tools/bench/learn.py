"""How fast programs learn end to end: steps a second, and what they are spent on.

Whole updates are timed (rules, features, acting, gradient steps); the first one, which compiles, is left out.
Medians over updates, so that what else the machine does counts less. Not for how well they learn (the card of
an agent says that).
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine import games
from engine.agents.catalogue import load, shipped
from engine.evaluation.simulated_episodes import annotators_of, play_logs, write_snapshot
from engine.learning.algorithms import clone, ibt, ppo
from engine.learning.parts.sides import suiting
from engine.learning.run import shell
from engine.learning.run.reporting import config_from
from engine.learning.run.settings import of_class
from engine.refusal import Refusal

SHOWN = ("options", "envs", "hidden", "memory", "bf16", "threads")
MEMORIES: dict[str, dict[str, Any]] = {"": {}, "gru": {"hidden": [256], "memory": 128}}
EPISODES = 8  # simulated ones that a reward model is measured on


def bench_learn(
    game: str,
    options: dict[str, Any] | None = None,
    seconds: float = 20.0,
    algorithm: str = "ppo",
    processes: int = 1,
    settings: Mapping[str, Any] | None = None,
    memory: str = "",
) -> dict[str, Any]:
    """{"steps_per_second", "unit", …} of a program for about `seconds`, with the settings that suit the
    game's first agents and `settings` besides (texts are read as such settings are).

    PPO plays games in turns from the canonical observation, with two layers of 256; with a `memory` ("gru"),
    with one of 256 and a GRU of 128. With `processes`, so many trainings with seeds of their own run at once,
    and "each" says what each did. Raises Refusal with a sentence.
    """
    if algorithm not in PROGRAMS:
        raise Refusal(f"There is nothing to measure in {algorithm!r}; there is in {', '.join(PROGRAMS)}.")
    if memory and algorithm != "ppo":
        raise Refusal(f"Networks that remember are measured in ppo, not in {algorithm}.")
    chosen = {**MEMORIES[memory], **(settings or {})}
    once = partial(_bench, game, options or {}, seconds, algorithm, chosen)
    if processes == 1:
        return once(0)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(once, range(processes)))
    each = [run["steps_per_second"] for run in runs]
    return {**runs[0], "processes": processes, "each": each, "steps_per_second": sum(each)}


def _bench(
    game: str, options: dict[str, Any], seconds: float, algorithm: str, settings: dict[str, Any], seed: int
) -> dict[str, Any]:
    make, cls, prepare = PROGRAMS[algorithm]
    kinds = {setting.name: setting for setting in of_class(cls)}
    given = {name: kinds[name].value(value) if name in kinds else value for name, value in settings.items()}
    with tempfile.TemporaryDirectory() as folder:
        usual = {"game": game, "threads": 1, "seed": seed, **prepare(game, options, Path(folder))}
        training = make(config_from(cls, suiting(algorithm, {**usual, **given})))
    unit = "windows"
    if algorithm != "ibt":
        spec = games.spec(game)
        unit = "moves" if spec.turn_based else "decisions" if spec.heads else "joint steps"
    training.update = getattr(training.config, "value_warmup", 0)  # the updates that count
    shown = {name: value for name, value in vars(training.config).items() if name in (*SHOWN, *given)}
    rates = _timed(training, seconds)
    return {"game": game, "algorithm": algorithm, **rates, "unit": f"{unit}, end to end", **shown}


def _timed(training: shell.Training, seconds: float) -> dict[str, Any]:
    """Updates for about `seconds`, and at least three. What is counted is what an update learns from: moves;
    where actions have heads, the learner's choices; windows of marked episodes.
    """
    training.advance()
    collected: list[tuple[float, Any]] = []
    collect: Callable[[], Any] | None = getattr(training, "collect", None)
    if collect is not None:

        def timed() -> Any:
            began = time.perf_counter()
            rollout = collect()
            collected.append((time.perf_counter() - began, rollout))
            return rollout

        training.collect = timed  # type: ignore[attr-defined]
    spent: list[tuple[float, float, float]] = []
    started = time.perf_counter()
    while len(spent) < 3 or time.perf_counter() - started < seconds:
        began = time.perf_counter()
        training.advance()
        wall = time.perf_counter() - began
        collecting, rollout = collected.pop() if collected else (0.0, None)
        spent.append((wall, collecting, _count(training, rollout)))
    walls, collecting, steps = np.array(spent).T
    shares = {}
    if collect is not None:
        share = float(collecting.sum() / walls.sum())
        shares = {"collect_share": share, "learn_share": 1.0 - share}
    rates = steps / walls
    rates_of = {
        "steps_per_second": float(np.median(rates)),
        "best": float(rates.max()),
        "updates": len(spent),
    }
    return {**rates_of, **shares, "seconds": float(walls.sum())}


def _count(training: shell.Training, rollout: Any) -> float:
    if rollout is None:
        return training.config.batch
    if games.spec(training.config.game).heads:
        return float(rollout.extras.get("mine", rollout.playing).sum())
    return training.per_update


# --- What each program is measured on ----------------------------------------------------------------------


def _ppo(game: str, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    if not games.spec(game).turn_based:
        return {"options": options}
    return {"options": options, "reads": "observation", "hidden": [256, 256], "envs": 256, "minibatches": 4}


def _clone(game: str, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    teacher = suiting("clone", {"game": game}).get("teacher") or _scripted(game)
    return {"options": options, "teacher": teacher}


def _ibt(game: str, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    logs = list(play_logs(load(_scripted(game), game), EPISODES, options, seed=1))
    write_snapshot(folder, logs, annotators_of(game))
    return {"dataset": str(folder), "controls": False}


def _scripted(game: str) -> str:
    """The first scripted agent that the game ships."""
    scripts = [ref for ref, card in shipped(game).items() if card.get("kind") == "scripted"]
    if not scripts:
        raise Refusal(f"{games.spec(game).title} ships no scripted agent to learn from.")
    return scripts[0]


PROGRAMS: dict[str, tuple[Callable[[Any], shell.Training], type, Callable[..., dict[str, Any]]]] = {
    "ppo": (ppo.Ppo, ppo.Settings, _ppo),
    "clone": (clone.Cloning, clone.Settings, _clone),
    "ibt": (ibt.Fitting, ibt.Settings, _ibt),
}
