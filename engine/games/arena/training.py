"""What training and evaluation need of Arena: rewards of a tick by seat, goals of seats, inputs of critics,
the opponents that squads are measured against, suitable settings, the meaning of scores. Not for rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.games.arena import lessons
from engine.games.arena import state as s
from engine.games.arena.features import CHOICE_NAMES, INPUT_NAMES
from engine.games.arena.observation_critic import SIZE as PRIVILEGED
from engine.games.arena.rewards import reward_groups, settings_from
from engine.simulation.rng import key_from_seed

YARDSTICK = "arena/middle"
"""The agent that all are measured against, on the other sides."""
YARDSTICK_WORDS = "the middle scripted squad"
OPTIONS = {"pace": "short"}
"""Of the matches of a round, besides those that an agent was trained for: many short ones tell more."""
EPISODES = 8
"""Simulated ones that are collected for a round."""
MEANING = (
    "Points are the share of matches that the own squad wins, from 0 to 100, in short matches of two squads "
    "of four."
)
SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "ibt": {
        "usual": {"level": True, "steps": 200, "batch": 16, "mark_window": 2},
        "tiny": {"steps": 20},
        "thorough": {"steps": 1500},
    },
    "ar": {
        "usual": {"steps": 300, "batch": 16, "mark_window": 2},
        "tiny": {"steps": 20},
        "thorough": {"steps": 1500},
    },
    "ppo": {
        "usual": {
            "moves": 61_440,
            "envs": 24,
            "steps": 64,
            "lr": 1e-4,
            "gamma": 0.995,
            "value_weight": 0.1,
            "entropy_weight": 0.002,
            "evaluation_games": 48,
            "evaluate_every": 10,
            "allowed_drop": 10.0,
        },
        "tiny": {"moves": 256, "envs": 4, "steps": 32, "minibatches": 2, "evaluation_games": 4},
        "thorough": {"moves": 1_000_000, "envs": 48, "evaluation_games": 200},
        "first": {
            "base": "arena/squad-clone",
            "moves": 460_800,
            "envs": 48,
            "steps": 32,
            "epochs": 3,
            "minibatches": 4,
            "lr": 1e-4,
            "critic": [256, 256],
            "value_weight": 1.0,
            "value_warmup": 10,
            "max_grad_norm": 1.0,
            "entropy_weight": 0.002,
            "kl_weight": 0.0,
            "anchor": 0.05,
            "base_partner": 0.0,
            "partners": {"past": 0.2, "arena/strong": 0.3, "arena/middle": 0.2},
            "rewards": {"goal": 0.06},
            "reward_scale": 0.3,
            "goal_share": 0.25,
            "evaluate_every": 100,
            "evaluation_games": 48,
            "keep_best": False,
        },
    },
    "cotrain": {
        "usual": {
            "moves": 122_880,
            "envs": 24,
            "steps": 64,
            "gamma": 0.995,
            "value_weight": 1.0,
            "entropy_weight": 0.002,
            "rewards": {"goal": 8.0},
            "reward_scale": 0.3,
        },
    },
    "clone": {
        "first": {
            "teacher": "arena/strong",
            "hidden": [256, 256],
            "steps": 307_200,
            "envs": 48,
            "rollout": 16,
            "epochs": 1,
            "replay": 30,
            "value_weight": 0.0,
            "teacher_share": 0.3,
            "teacher_least": 0.1,
            "explore": 1.0,
            "goal_share": 0.5,
            "evaluation_episodes": 0,
        },
    },
    "evaluate_round": {
        "usual": {"episodes": 200},
        "tiny": {"episodes": 4},
        "thorough": {"episodes": 1000},
    },
}
"""By program and size of a round, where its own defaults don't suit; the usual ones count in every size.
"first" is no size, but what makes first agents, without marks: goals are rewarded at every decision, so for
less than once at their end.
"""


def discounts(weights: Mapping[str, Any]) -> list[float]:
    """The discount of each group of rewards (rewards.GROUPS)."""
    return [float(discount) for discount in settings_from(weights).discounts]


def rewards(states: np.ndarray, weights: Mapping[str, Any], reached: np.ndarray | None = None) -> np.ndarray:
    """The reward of each seat for the last tick by Table 5, by group: float32 (n, seats, 3). `weights` are
    those that differ from the table's.
    """
    return reward_groups(states, settings_from(weights), reached)


def asking(
    shape: tuple[int, int], share: float, seed: int, kinds: Mapping[str, float], bare: bool
) -> lessons.Asking:
    """What the seats of games (n, seats) are asked to do for a `share` of the time, by kind (lessons.KINDS)
    and share; `bare` where only a whole goal is rewarded.
    """
    return lessons.Asking(shape, share, key_from_seed(seed ^ 0x60A1)[0], kinds or {"orders": 1.0}, bare)


def privileged(states: np.ndarray, world: np.ndarray) -> np.ndarray:
    """The inputs that only critics have: float32 (n, seats, PRIVILEGED)."""
    out = np.zeros((len(states), int(states[0, s.SEATS]), PRIVILEGED), np.float32)
    lessons.encode_critics(states, world, out)
    return out


def out(states: np.ndarray) -> np.ndarray:
    """Which seats are out: bool (n, seats)."""
    life = states[:, s.PLAYERS + s.LIFE :: s.PLAYER][:, : int(states[0, s.SEATS])]
    return life == s.OUT


def card(options: dict[str, Any], reads: str) -> dict[str, Any]:
    """The entries of every network's card in Arena: its inputs don't depend on the number of players."""
    return {
        "players": list(range(2, s.MAX_SEATS + 1)),
        "options": {},
        "inputs": list(INPUT_NAMES),
        "choices": list(CHOICE_NAMES),
        "instructions": "Does what it is told as far as its network learned it, from its next decision on.",
    }
