"""What training and measuring in rounds asks of Arena: what a tick earned each seat, whom squads are measured
against, which settings suit a thousand decisions a match, what scores mean. Not for rules, nor for the big
trainings (engine.learning.squad_ppo).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena.rewards import RewardSettings, reward_groups

YARDSTICK = "arena/middle"
"""The agent that all are measured against, on the other sides."""
YARDSTICK_WORDS = "the middle scripted squad"
OPTIONS = {"pace": "short"}
"""Of the matches of a round, besides those that an agent was trained for: many short ones tell more."""
WEIGHTS = RewardSettings(goal=0.0)
EPISODES = 8
"""Simulated ones that are collected for a round."""
MEANING = (
    "Points are the share of matches that the own squad wins, from 0 to 100, in short matches of two squads "
    "of four."
)
SETTINGS = {
    "ibt": {
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
    },
    "evaluate_round": {
        "usual": {"episodes": 200},
        "tiny": {"episodes": 4},
        "thorough": {"episodes": 1000},
    },
}
"""By program and size of a round, where its own defaults don't suit; the usual ones count in every size."""


def rewards(states: np.ndarray) -> np.ndarray:
    """What the last tick earned each seat by Table 5: float32 (n, seats)."""
    return reward_groups(states, WEIGHTS).sum(axis=2)
