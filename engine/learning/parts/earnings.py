"""What moves earn a learner: the game's rewards, its shaping as long as that lasts, and what a reward model's
U gained. Not for returns (engine.learning.parts.returns).
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
    """What an agent's value counts a point as: trainings from scratch may have scaled rewards."""
    return float(card.get("reward_scale") or card.get("hyperparameters", {}).get("reward_scale") or 1.0)


def reward_model_of(game: str, named: str) -> RewardModel | Measure | None:
    """What a setting names: a folder's reward model, "measure:progress" a scripted measure, "" nothing.
    Raises ValueError.
    """
    if name := measures.named(named):
        return measures.measure(game, name)
    return utility.load(Path(named)) if named else None


def watched(
    model: RewardModel | Measure | None, games: Collector, heard: np.ndarray
) -> OnlineUtility | MeasuredGames | None:
    """A reward model's U in the games as they are played, in which all seats `heard` an instruction (F,): its
    features. Raises ValueError for a model of other games.
    """
    if model is None:
        return None
    if isinstance(model, RewardModel):
        model = model.to(games.device)
    states, options = games.batch.states, games.batch.options
    found = read_in(model, games.game, options, states, games.seats, heard, games.world)
    games.each_tick = found.tick
    return found


@dataclass
class Earnings:
    """`unit`: what a value counts a point as; the weights of the game's rewards and of U; `grouped`: whether
    there is a value for each group of the game's rewards; `utility`: U in the games as they are played.
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
        """What a step to states (n, state_size) added to U by row, float32: of the row's seat where all move
        at once, else the mean over the learner's seats, whoever moved, so that a game's gains are U(T) -
        U(0). The seats that are `given` to others, bool (n, seats), earn none.
        """
        found = np.zeros(given.shape)
        if self.utility is not None:
            found = self.utility.add(reached, np.arange(len(reached))) * ~given
        if in_turns:
            found = found.sum(1) / np.maximum(1, (~given).sum(1))
        return found.astype(np.float32).reshape(-1)

    def of(self, rollout: Rollout, shaping: float) -> Tensor:
        """(T, B, values): the game's rewards, a share of its shaping and what U gained beside the first
        group, in the value's unit.
        """
        gains = rollout.extras["gains"]
        score = rollout.rewards if self.grouped else rollout.rewards.sum(-1, keepdim=True)
        points = self.score_weight * score
        if self.utility is not None:
            for name, found in (("score", score.sum(-1)), ("utility", gains)):
                mean, spread = self.team.moments(found)
                now = spread**2 + (mean**2 if name == "utility" else 0.0)
                self.spreads[name] = SLOWLY * self.spreads.get(name, now) + (1 - SLOWLY) * now
            # Where a game adds up to less than nothing, ending it early would be best, but no mark says so:
            # marks compare moments of games that go on. So the first rollout's agent earns 0 or more.
            self.spreads.setdefault("lift", max(0.0, -self.team.moments(gains)[0]))
            points[..., 0] += self.weight * (gains + self.spreads["lift"])
        if shaping:
            points[..., 0] += shaping * rollout.shaped
        return self.unit * points

    @property
    def weight(self) -> float:
        """Points that a unit of U counts: beside a score less, the less its model knows, whose gains would be
        scaled up like any other's."""
        return self.utility_weight * self.scale * self.counted

    @property
    def counted(self) -> float:
        """The part of its weight that U has now: all of it where no score was made."""
        something = self.score_weight * self.spreads.get("score", 0.0) > 0
        return self.utility.skill if self.utility is not None and something else 1.0

    @property
    def scale(self) -> float:
        """Points that one unit of U is worth: so many that its gains spread as the score's do, or, as long as
        nothing is scored, by one in the value's unit.
        """
        score, utility = self.spreads.get("score", 0.0), self.spreads.get("utility", 0.0)
        points = math.sqrt(score) if score > 0 else 1 / self.unit
        return points / math.sqrt(utility) if utility > 0 else 0.0

    def of_a_game(self, seen: dict[str, float]) -> float:
        """The reward of a whole game with this score and utility: what policies are ranked by."""
        return self.score_weight * seen["score"] + self.weight * seen["utility"]

    def tensors(self) -> dict[str, Tensor]:
        """The spreads, for a checkpoint."""
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in self.spreads.items()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.spreads = {name: value.item() for name, value in tensors.items()}
