"""The rewards of a learner: the game's own, its shaping while that lasts, and the gains of a reward model's
U. Not for returns (engine.learning.parts.returns).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.agents import utility
from engine.agents.utility import OnlineUtility, RewardModel
from engine.evaluation import measures
from engine.evaluation.measures import Measure, MeasuredGames
from engine.evaluation.reward_return import read_in
from engine.learning.parts.rollouts import Collector, Rollout
from engine.learning.run.team import Team

SLOWLY = 0.9  # how much the spreads by which U is scaled keep of themselves at each rollout


def value_unit(card: dict[str, Any]) -> float:
    """The unit of an agent's value, in points: trainings from scratch may have scaled rewards."""
    return float(card.get("reward_scale") or card.get("hyperparameters", {}).get("reward_scale") or 1.0)


def reward_model_of(game: str, named: str) -> RewardModel | Measure | None:
    """The reward model that a setting names: from a folder; for "measure:progress" a scripted measure; for ""
    none. Raises ValueError.
    """
    if name := measures.named(named):
        return measures.measure(game, name)
    return utility.load(Path(named)) if named else None


def watched(
    model: RewardModel | Measure | None, games: Collector, heard: np.ndarray
) -> OnlineUtility | MeasuredGames | None:
    """A reward model's U in the games while they are played, with an instruction for all seats if `heard`
    (F,), its features, is given. Raises ValueError for a model of other games.
    """
    if model is None:
        return None
    if isinstance(model, RewardModel):
        model = model.to(games.device)
    states, options = games.batch.states, games.batch.options
    read = read_in(model, games.game, options, states, games.seats, heard, games.world)
    games.each_tick = read.tick
    return read


@dataclass
class Earnings:
    """`unit`: the unit of the value, in points; weights of the game's rewards and of U; `grouped`: whether
    there is a value for each group of the game's rewards; `utility`: U in the games while they are played.
    """

    unit: float
    score_weight: float
    utility_weight: float
    grouped: bool
    team: Team
    utility: OnlineUtility | MeasuredGames | None = None
    spreads: dict[str, float] = field(default_factory=dict)
    """Running variances of the score's and U's gains, and what "lift" every move's U gains besides."""

    def gains(self, reached: np.ndarray, given: np.ndarray, in_turns: bool) -> np.ndarray:
        """What a step to states (n, state_size) added to U, by row, float32: of the row's seat if all move at
        once; otherwise the mean over the learner's seats, whichever moved, so that a game's gains sum to U(T)
        - U(0). The seats that are `given` to others, bool (n, seats), earn nothing.
        """
        gains = np.zeros(given.shape)
        if self.utility is not None:
            gains = self.utility.add(reached, np.arange(len(reached))) * ~given
        if in_turns:
            gains = gains.sum(1) / np.maximum(1, (~given).sum(1))
        return gains.astype(np.float32).reshape(-1)

    def of(self, rollout: Rollout, shaping: float) -> Tensor:
        """(T, B, values): the game's rewards, with a share of its shaping and U's gains added to the first
        group, in the value's unit.
        """
        gains = rollout.extras["gains"]
        score = rollout.rewards if self.grouped else rollout.rewards.sum(-1, keepdim=True)
        points = self.score_weight * score
        if self.utility is not None:
            for name, values in (("score", score.sum(-1)), ("utility", gains)):
                mean, spread = self.team.moments(values)
                now = spread**2 + (mean**2 if name == "utility" else 0.0)
                self.spreads[name] = SLOWLY * self.spreads.get(name, now) + (1 - SLOWLY) * now
            # If a game's total utility is negative, ending it early would pay, although no mark says so:
            # marks compare moments within games. So a constant is added to each move, such that the first
            # rollout earns 0 or more.
            self.spreads.setdefault("lift", max(0.0, -self.team.moments(gains)[0]))
            points[..., 0] += self.weight * (gains + self.spreads["lift"])
        if shaping:
            points[..., 0] += shaping * rollout.shaped
        return self.unit * points

    @property
    def weight(self) -> float:
        """The points that one unit of U is worth. In a game with a score this is multiplied by the model's
        skill: the gains of a model that learned nothing would otherwise be scaled up to the size of the score
        like any other's.
        """
        return self.utility_weight * self.scale * self.counted

    @property
    def counted(self) -> float:
        """The factor of U's weight: the model's skill, or 1 as long as nothing is scored."""
        something = self.score_weight * self.spreads.get("score", 0.0) > 0
        return self.utility.skill if self.utility is not None and something else 1.0

    @property
    def scale(self) -> float:
        """Points per unit of U: chosen so that U's gains have the spread of the score's, or, as long as
        nothing is scored, a spread of one in the value's unit.
        """
        score, utility = self.spreads.get("score", 0.0), self.spreads.get("utility", 0.0)
        points = math.sqrt(score) if score > 0 else 1 / self.unit
        return points / math.sqrt(utility) if utility > 0 else 0.0

    def of_a_game(self, seen: dict[str, float]) -> float:
        """The reward of a whole game with this score and utility; policies are ranked by it."""
        return self.score_weight * seen["score"] + self.weight * seen["utility"]

    def tensors(self) -> dict[str, Tensor]:
        """The spreads, for a checkpoint."""
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in self.spreads.items()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.spreads = {name: value.item() for name, value in tensors.items()}
