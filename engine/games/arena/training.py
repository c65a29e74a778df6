"""What training and measuring in rounds asks of Arena: who plays on which side, what a tick earned each seat,
whom squads are measured against. Not for rules, nor for the big trainings (engine.learning.squad_ppo).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.arena.rewards import RewardSettings, reward_groups

YARDSTICK = "arena/middle"
"""The agent that all are measured against, in the other squads."""
OPTIONS = {"pace": "short"}
"""Of the matches of a round, besides those that an agent was trained for: many short ones tell more."""
WEIGHTS = RewardSettings(goal=0.0)


def sides(options: dict[str, Any]) -> list[int]:
    """The squad of each seat, with complete options."""
    return [seat // options["team_size"] for seat in range(options["teams"] * options["team_size"])]


def rewards(states: np.ndarray) -> np.ndarray:
    """What the last tick earned each seat by Table 5: float32 (n, seats)."""
    return reward_groups(states, WEIGHTS).sum(axis=2)
