"""BC + RL: V-trace on marks' utility or points, with cloning of recorded moves beside it, near the base.

The IBT paper trains its agents in this way (2022, section 5, appendix A.7): the base's network is trained
further by V-trace (Espeholt et al. 2018) on r_t = U(x_t+1) - U(x_t), with a value head and an additional loss
of imitating recorded episodes. With `rl_weight` 0 it is imitation alone, with as much computing.

    python -m engine.learning.bcrl --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Games, evaluation and what is kept are those of PPO
(engine.learning.algorithms.ppo).
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from engine import language
from engine.evaluation.told_games import audience
from engine.learning.algorithms import ppo
from engine.learning.parts import heads
from engine.learning.parts.demonstrations import moves
from engine.learning.parts.proximal import kl
from engine.learning.parts.rollouts import Rollout
from engine.learning.parts.sides import suiting
from engine.learning.parts.vtrace import vtrace
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import Base, CardText, Dataset, Range, Share, Weight
from engine.learning.run.shared import Descent, Evaluation, Game, Named, Passes, Rewards, Rollouts, Run
from engine.refusal import Refusal

MAKES = "agent"
FOREMOST = ("moves", "utility_weight", "score_weight", "bc_weight", "lr")
SIZES = {"tiny": {"moves": 4096, "envs": 32, "steps": 32, "evaluation_games": 32}}


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Evaluation, Rewards, Passes, Descent, Rollouts, Named, Game):
    base: Base
    """the agent to train further (a network without memory): ref or folder"""
    dataset: Dataset = ""
    """folder of a snapshot whose moves are imitated; empty: none"""
    instructions: list[str] = field(default_factory=list)
    """instructions that the player in seat 0 gives its side, one of them in each game, for networks that
    have them as inputs"""
    command: CardText = "python -m engine.learning.bcrl --config FILE --out FOLDER"
    envs: Annotated[int, Range(1, 16384)] = 96
    steps: Annotated[int, Range(1, 4096)] = 50
    epochs: Annotated[int, Range(1, 100)] = 1
    """passes over each rollout; V-trace corrects for what changed"""
    minibatches: Annotated[int, Range(1, 1024)] = 4
    """parts of a pass, of whole games, one gradient step each"""
    gamma: Share = 0.96
    rl_weight: Weight = 0.5
    """weight of the policy gradient"""
    bc_weight: Weight = 1.0
    """weight of imitation, if there are moves to imitate"""
    value_weight: Weight = 1.0
    entropy_weight: Weight = 0.0
    kl_weight: Weight = 0.001


@dataclass(frozen=True)
class Whole(ppo.Settings):
    """PPO's settings, of which these programs share most, and what PPO doesn't have."""

    dataset: str = ""
    rl_weight: float = 0.5
    bc_weight: float = 1.0


class BcRl(ppo.Ppo):
    """The state of one training: PPO's, with another way to learn from a rollout."""

    algorithm = "bcrl"

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        self.config: Any
        super().__init__(Whole(**dataclasses.asdict(config), base_partner=0.0), check)
        if self.net.memory_size:
            raise Refusal(f"{config.base} has a memory, with which BC + RL can't go on; PPO can.")
        self.wishes = self.asked()  # features of the instructions (N, F)
        self.hearers = audience(config.game, self.options)
        self.ask(np.arange(config.envs))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, betas=(0.0, 0.999), eps=1e-5)
        self.recorded: dict[str, Tensor] = {}
        if config.dataset and config.bc_weight:
            hears = self.collector.instructions.shape[2] > 0
            self.recorded = moves(Path(config.dataset), config.game, self.inputs, hears, check)

    def texts(self) -> list[str]:
        """None: it imitates those who had instructions, and is pulled by no prior."""
        return []

    def asked(self) -> np.ndarray:
        """The features (N, F) of the instructions; raises Refusal if the agent has no inputs for them."""
        config, size = self.config, self.collector.instructions.shape[2]
        if config.instructions and not size:
            raise Refusal(f"{config.base} doesn't read what it is told; widen it (agents widen).")
        try:
            features = [
                language.features(config.game, language.meant(config.game, text).program)
                for text in config.instructions
            ]
        except ValueError as problem:
            raise Refusal(str(problem)) from None
        return np.array(features, np.float32).reshape(len(features), size)

    def ask(self, rows: np.ndarray) -> None:
        """Games `rows` begin with an instruction, each with its own."""
        if len(self.wishes) and len(rows):
            drawn = self.wishes[self.rng.integers(len(self.wishes), size=len(rows))]
            self.collector.instructions[np.ix_(rows, np.array(self.hearers))] = drawn[:, None]

    def watch(self, rows: np.ndarray) -> None:
        """Games begin (those of the first view have been told already)."""
        if self.watched:
            self.ask(rows)
        if len(self.wishes) and self.earnings.utility is not None:
            self.earnings.utility.tell(rows, self.collector.instructions[rows])
        super().watch(rows)

    def advance(self) -> dict[str, float]:
        """A rollout, and passes over it in parts of whole games."""
        rollout, config = self.collect(), self.config
        rewards, count = self.rewards(rollout)[..., 0], rollout.actions.shape[1]
        bootstrap = self.outputs(rollout.last)[1][:, 0]
        measured = []
        for _ in range(config.epochs):
            order = self.on_device(self.rng.permutation(count))
            for columns in order.chunk(config.minibatches):
                self.check()
                measured.append(self.learn(rollout, rewards, bootstrap, columns))
        self.rows += int((rollout.playing > 0).sum())
        values = {name: float(np.mean([row[name] for row in measured])) for name in measured[0]}
        if self.earnings.utility is not None:
            values["gains"] = rollout.extras["gains"].mean().item()
        if rollout.scores:
            values["training_score"] = float(np.mean(rollout.scores))
        return values

    def learn(
        self, rollout: Rollout, rewards: Tensor, bootstrap: Tensor, columns: Tensor
    ) -> dict[str, float]:
        """One gradient step on some games of a rollout (T, B), with rewards (T, B), and as many recorded
        moves.
        """
        config, parts = self.config, self.spec.heads
        shape = (len(rewards), len(columns))
        names = ("inputs", "privileged", "memory", "masks", "actions")
        rows = {name: getattr(rollout, name)[:, columns].flatten(0, 1) for name in names}
        logits, values = self.forward(rows)
        logp = heads.log_probs(logits.float(), rows["masks"], parts)
        chosen, value = heads.chosen(logp, rows["actions"], parts).view(shape), values.float().view(shape)
        ratios = chosen.detach() - rollout.extras["logprobs"][:, columns]
        discounts = rollout.discounts(self.gammas)[:, columns, 0]
        seen = (ratios, rewards[:, columns], value.detach(), discounts, bootstrap[columns])
        target = vtrace(*seen)
        played = rollout.playing[:, columns].float()
        gains = target.advantages / (target.advantages.std() + 1e-8)
        total = played.sum().clamp(min=1)
        losses = {
            "policy_loss": -(chosen * gains * played).sum() / total,
            "value_loss": 0.5 * ((value - target.vs).square() * played).sum() / total,
            "entropy": -(logp.exp() * logp).sum(1).mean(),
        }
        loss = config.rl_weight * losses["policy_loss"] + config.value_weight * losses["value_loss"]
        loss = loss - config.entropy_weight * losses["entropy"]
        if "base" in rollout.extras:
            losses["base_kl"] = kl(logp, rollout.extras["base"][:, columns].flatten(0, 1))
            loss = loss + config.kl_weight * losses["base_kl"]
        if self.recorded:
            losses["bc_loss"] = self.imitation(len(rows["inputs"]))
            loss = loss + config.bc_weight * losses["bc_loss"]
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), config.max_grad_norm)
        self.optimizer.step()
        return {name: loss.item() for name, loss in losses.items()}

    def imitation(self, count: int) -> Tensor:
        """Mean negative log-likelihood of so many recorded moves."""
        chosen = torch.from_numpy(self.rng.integers(len(self.recorded["actions"]), size=count))
        rows = {name: column[chosen].to(self.device) for name, column in self.recorded.items()}
        rows["memory"] = torch.zeros(count, 0, device=self.device)
        logits, _ = self.forward(rows)
        logp = heads.log_probs(logits.float(), rows["masks"], self.spec.heads)
        return -heads.chosen(logp, rows["actions"], self.spec.heads).mean()


train = partial(shell.run, BcRl)

if __name__ == "__main__":
    sys.exit(run_program("bcrl", Settings, train, suiting=partial(suiting, "bcrl")))
