"""Cloning a scripted teacher with DAgger (Ross, Gordon and Bagnell 2011), as one program.

The network plays, the teacher says what it would have done in every state that the network got into, and the
network learns to answer alike. The teacher weighs every move, so the target is not only its choice but the
softmax of its weights. A value head learns the return on the side, for reinforcement learning later.

    python -m engine.learning.clone --config FILE|defaults --out FOLDER

leaves an agent in FOLDER/agent. Not for learning from people's games, where no teacher can be asked.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss

from engine import games
from engine.agents.catalogue import load, write_agent
from engine.agents.features import in_threads, inputs_for
from engine.agents.network import PolicyValueNet, masked
from engine.evaluation.self_play import self_play
from engine.learning.reporting import BadConfig, run_program
from engine.learning.returns import gae
from engine.learning.rollouts import Collector, Rollout, View
from engine.learning.settings import Device, Range, Rate, Seed, Share, Threads, Weight, Widths
from engine.learning.shell import Training, never, run, weights

MAKES = "agent"
FITS = ("turns", "simultaneous")


@dataclass(frozen=True)
class Settings:
    name: str = "clone"
    """name of the agent on its card"""
    title: str = ""
    """name for people; empty: the name"""
    description: str = ""
    """one line about its character for people; empty: made from the teacher's name"""
    recorded_as: str = "FILE"
    """where these settings are kept in the repository, for the command on the card"""
    game: str = "hanabi"
    """which game"""
    options: dict[str, Any] = field(default_factory=dict)
    """the game's options, e.g. {"players": 2}"""
    teacher: str = "convention-bot"
    """which scripted bot of the game answers"""
    hidden: Widths = field(default_factory=lambda: [512, 512])
    """widths of the hidden layers"""
    steps: Annotated[int, Range(1, 1_000_000_000_000)] = 30_000_000
    """moves to learn from, in all"""
    envs: Annotated[int, Range(1, 16384)] = 1024
    """games played at once"""
    rollout: Annotated[int, Range(1, 4096)] = 32
    """moves of each game between two rounds of learning"""
    epochs: Annotated[int, Range(1, 100)] = 2
    """passes over each rollout"""
    minibatch: Annotated[int, Range(1, 1_000_000)] = 2048
    """moves a gradient step"""
    lr: Rate = 1e-3
    """Adam's learning rate at the start; falls to 0 along a cosine"""
    temperature: Annotated[float, Range(0, 1000, above=True)] = 0.1
    """points of the teacher's weights that make a factor e of probability"""
    teacher_share: Share = 0.05
    """share of the steps in which the teacher's own moves are played, less and less, before the network's"""
    explore: Share = 0.1
    """probability that a move is drawn from the network's policy instead of its best"""
    value_weight: Weight = 0.1
    """weight of the value loss"""
    gamma: Share = 0.99
    """discount of the value"""
    bf16: bool = True
    """compute in bfloat16 (weights stay float32)"""
    threads: Threads = 1
    """threads for torch"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    encoder_threads: Annotated[int, Range(1, 2)] = 1
    """threads (1 or 2) for the compiled encoder and teacher"""
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 50
    """iterations between evaluations"""
    evaluation_episodes: Annotated[int, Range(1, 1_000_000)] = 1000
    """games of each evaluation; the last one plays ten times as many"""
    seed: Seed = 1
    """seed of everything"""


class Cloning(Training):
    """The state of one training: network, optimiser, games."""

    stops_within = in_teams = True

    def __init__(self, config: Settings, check: Callable[[], None] = never) -> None:
        bots = importlib.import_module(f"engine.games.{config.game}.bots").BOTS_MANY
        if config.teacher not in bots:
            raise BadConfig(f"The teacher {config.teacher!r} is not one of {', '.join(bots)}.")
        super().__init__(config, check)
        spec = games.spec(config.game)
        self.teacher = bots[config.teacher]
        self.options = spec.validate(config.options)
        self.num_actions = spec.num_actions(self.options)
        size = inputs_for(config.game, self.options).size
        self.net = PolicyValueNet(size, config.hidden, self.num_actions).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.collector = Collector(
            config.game,
            self.options,
            self.team.share(config.envs, "games at once"),
            self.seed,
            config.encoder_threads,
            self.device,
        )
        self.per_update = config.envs * config.rollout
        self.updates = max(1, math.ceil(config.steps / self.per_update))

    def parts(self) -> dict[str, Any]:
        return {"net": self.net, "adam": self.optimizer, "games": self.collector}

    def precision(self) -> AbstractContextManager:
        """Where the network computes, in bfloat16 if that is wanted."""
        return torch.autocast(self.device.type, torch.bfloat16) if self.config.bf16 else nullcontext()

    def rate(self, done: float) -> float:
        """Down to 0 along a cosine."""
        return 0.5 * (1.0 + math.cos(math.pi * done))

    @torch.no_grad()
    def act(self, view: View) -> dict[str, Tensor]:
        """The move to play and the teacher's answer for every game; may raise Stopped."""
        self.check()
        config, n = self.config, len(view.states)
        values = np.zeros((n, self.num_actions))
        answers = np.zeros(n, np.int32)
        # Where all move at once, a bot has to be told whose move it is asked for.
        asked = (view.states,) if self.collector.spec.turn_based else (view.states, view.seats)
        in_threads(self.teacher, self.collector.pool, *asked, values, answers)
        with self.precision():
            logits, baseline = self.net(view.inputs)
        logits = masked(logits.float().cpu(), torch.from_numpy(view.masks))
        best = logits.argmax(dim=1).numpy()
        drawn = (logits.numpy() + self.rng.gumbel(size=logits.shape)).argmax(axis=1)
        own = np.where(self.rng.random(n) < config.explore, drawn, best)
        beta = 1.0 - self.update / max(1.0, config.teacher_share * self.updates)
        actions = np.where(self.rng.random(n) < beta, answers, own)
        targets = torch.softmax(self.on_device(values).float() / config.temperature, dim=1)
        return {
            "actions": self.on_device(actions),
            "answers": self.on_device(answers.astype(np.int64)),
            "targets": targets,
            "values": baseline.float(),
        }

    def learn(self, rollout: Rollout) -> dict[str, float]:
        """`epochs` passes over a rollout; returns mean losses and the agreement with the teacher's choice.

        Raises Stopped when that was asked for.
        """
        config = self.config
        with torch.no_grad():
            bootstrap = self.net(rollout.last.inputs)[1]
        values = rollout.extras["values"]
        rewards = rollout.with_cut(rollout.rewards, config.gamma, lambda inputs: self.net(inputs)[1])
        advantages = gae(rewards, values, rollout.discounts(config.gamma), bootstrap, lam=0.95)
        inputs, masks = rollout.inputs.flatten(0, 1), rollout.masks.flatten(0, 1)
        answers, targets = rollout.extras["answers"].flatten(), rollout.extras["targets"].flatten(0, 1)
        returns = (advantages + values).flatten()
        sums = np.zeros(3)
        count = 0
        for _ in range(config.epochs):
            order = self.on_device(self.rng.permutation(len(inputs)))
            for chosen in self.team.split(order, config.minibatch):
                self.check()
                with self.precision():
                    logits, value = self.net(inputs[chosen])
                logits = masked(logits.float(), masks[chosen])
                policy_loss = cross_entropy(logits, targets[chosen])
                value_loss = mse_loss(value.float(), returns[chosen])
                loss = policy_loss + config.value_weight * value_loss / 25.0
                self.optimizer.zero_grad()
                loss.backward()
                self.team.average(self.net.parameters(), len(chosen))
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.optimizer.step()
                agreement = (logits.argmax(dim=1) == answers[chosen]).float().mean()
                sums += [policy_loss.item(), value_loss.item(), agreement.item()]
                count += 1
        policy_loss, value_loss, agreement = sums / max(count, 1)
        return {"policy_loss": policy_loss, "value_loss": value_loss, "agreement": agreement}

    def advance(self) -> dict[str, float]:
        """A rollout and learning from it."""
        rollout = self.collector.collect(self.config.rollout, self.act)
        values = self.learn(rollout)
        if rollout.scores:
            values["score"] = float(np.mean(rollout.scores))
        return values

    def look(self, out: Path) -> dict[str, float]:
        """Self-play now and then."""
        if self.update % self.config.evaluate_every:
            return {}
        scored = self.evaluate(out / "agent", self.config.evaluation_episodes)
        return {"self_play": scored["mean"], "zeros": scored["zeros"]}

    def finish(self, out: Path) -> dict[str, Any]:
        """The agent in `out`/agent, and how well it plays."""
        scored = self.evaluate(out / "agent", 10 * self.config.evaluation_episodes)
        card = self.write(out / "agent", {"self_play": scored})
        return {"folder": str(out / "agent"), "sha256": card["sha256"], "self_play": scored}

    def write(self, folder: Path, evaluation: dict[str, Any]) -> dict[str, Any]:
        """Write the network as an agent; returns its card."""
        config = self.config
        spec = games.spec(config.game)
        card = {
            "name": config.name,
            "title": config.title or config.name,
            "kind": "network",
            "game": config.game,
            "algorithm": "clone",
            "description": config.description or f"Learned to answer as {config.teacher} does.",
            "parents": [f"{config.game}/{config.teacher}"],
            "players": [spec.seats(self.options)],
            "options": config.options,
            "rules_version": spec.rules_version,
            "features_version": self.collector.inputs.version,
            "hyperparameters": dataclasses.asdict(config),
            "command": f"python -m engine.learning.clone --config {config.recorded_as} --out FOLDER",
            "instructions": "Adds the prior of a confirmed instruction to its logits, from its next move on.",
            "evaluation": evaluation,
        }
        return write_agent(folder, weights(self.net), card)

    def evaluate(self, folder: Path, episodes: int) -> dict[str, Any]:
        """Greedy self-play of the network as written to `folder`, as players meet it; may raise Stopped."""
        self.write(folder, {})
        policy = load(str(folder.resolve()), self.config.game)
        seed = self.config.seed + 1000
        return self_play(policy, self.config.game, self.options, episodes, seed, each_step=self.check)


train = partial(run, Cloning)

if __name__ == "__main__":
    sys.exit(run_program("clone", Settings, train))
