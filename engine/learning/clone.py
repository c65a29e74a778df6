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
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss

from engine import games
from engine.agents.catalogue import load, write_agent
from engine.agents.features import in_threads, inputs_for
from engine.agents.network import PolicyValueNet, masked
from engine.evaluation.self_play import self_play
from engine.learning.checkpoints import (
    load_checkpoint,
    load_module,
    load_optimizer,
    load_random_state,
    module_tensors,
    optimizer_tensors,
    random_state,
    save_checkpoint,
)
from engine.learning.reporting import BadConfig, Reporter, Stopped, run_program
from engine.learning.returns import gae
from engine.learning.rollouts import Collector, Rollout, View

CHECKPOINT_EVERY = 20  # iterations


@dataclass(frozen=True)
class CloneConfig:
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
    hidden: list[int] = field(default_factory=lambda: [512, 512])
    """widths of the hidden layers"""
    steps: int = 30_000_000
    """moves to learn from, in all"""
    envs: int = 1024
    """games played at once"""
    rollout: int = 32
    """moves of each game between two rounds of learning"""
    epochs: int = 2
    """passes over each rollout"""
    minibatch: int = 2048
    """moves a gradient step"""
    lr: float = 1e-3
    """Adam's learning rate at the start; falls to 0 along a cosine"""
    temperature: float = 0.1
    """points of the teacher's weights that make a factor e of probability"""
    teacher_share: float = 0.05
    """share of the steps in which the teacher's own moves are played, less and less, before the network's"""
    explore: float = 0.1
    """probability that a move is drawn from the network's policy instead of its best"""
    value_weight: float = 0.1
    """weight of the value loss"""
    gamma: float = 0.99
    """discount of the value"""
    bf16: bool = True
    """compute in bfloat16 (weights stay float32)"""
    threads: int = 1
    """threads for torch"""
    encoder_threads: int = 1
    """threads (1 or 2) for the compiled encoder and teacher"""
    evaluate_every: int = 50
    """iterations between evaluations"""
    evaluation_episodes: int = 1000
    """games of each evaluation; the last one plays ten times as many"""
    seed: int = 1
    """seed of everything"""


class Cloning:
    """The state of one training: network, optimiser, games, random numbers, iteration."""

    def __init__(self, config: CloneConfig) -> None:
        bots = importlib.import_module(f"engine.games.{config.game}.bots").BOTS_MANY
        if config.teacher not in bots:
            raise BadConfig(f"The teacher {config.teacher!r} is not one of {', '.join(bots)}.")
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        spec = games.spec(config.game)
        self.config = config
        self.teacher = bots[config.teacher]
        self.options = spec.validate(config.options)
        self.num_actions = spec.num_actions(self.options)
        size = inputs_for(config.game, self.options).size
        self.net = PolicyValueNet(size, config.hidden, self.num_actions)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.collector = Collector(
            config.game, self.options, config.envs, config.seed, config.encoder_threads
        )
        self.rng = np.random.default_rng(config.seed)
        self.iteration = 0
        self.iterations = max(1, math.ceil(config.steps / (config.envs * config.rollout)))

    @torch.no_grad()
    def act(self, view: View, reporter: Reporter) -> dict[str, Tensor]:
        """The move to play and the teacher's answer for every game; may raise Stopped."""
        stop_if_asked(reporter)
        config, n = self.config, len(view.states)
        values = np.zeros((n, self.num_actions))
        answers = np.zeros(n, np.int32)
        # Where all move at once, a bot has to be told whose move it is asked for.
        asked = (view.states,) if self.collector.spec.turn_based else (view.states, view.seats)
        in_threads(self.teacher, self.collector.pool, *asked, values, answers)
        with torch.autocast("cpu", torch.bfloat16, enabled=config.bf16):
            logits, baseline = self.net(view.inputs)
        logits = masked(logits.float(), torch.from_numpy(view.masks))
        best = logits.argmax(dim=1).numpy()
        drawn = (logits.numpy() + self.rng.gumbel(size=logits.shape)).argmax(axis=1)
        own = np.where(self.rng.random(n) < config.explore, drawn, best)
        beta = 1.0 - self.iteration / max(1.0, config.teacher_share * self.iterations)
        actions = np.where(self.rng.random(n) < beta, answers, own)
        targets = torch.softmax(torch.from_numpy(values).float() / config.temperature, dim=1)
        return {
            "actions": torch.from_numpy(actions),
            "answers": torch.from_numpy(answers.astype(np.int64)),
            "targets": targets,
            "values": baseline.float(),
        }

    def learn(self, rollout: Rollout, reporter: Reporter) -> dict[str, float]:
        """`epochs` passes over a rollout; returns mean losses and the agreement with the teacher's choice.

        Raises Stopped when that was asked for.
        """
        config = self.config
        with torch.no_grad():
            bootstrap = self.net(rollout.last.inputs)[1]
        values = rollout.extras["values"]
        advantages = gae(rollout.rewards, values, rollout.discounts(config.gamma), bootstrap, lam=0.95)
        inputs, masks = rollout.inputs.flatten(0, 1), rollout.masks.flatten(0, 1)
        answers, targets = rollout.extras["answers"].flatten(), rollout.extras["targets"].flatten(0, 1)
        returns = (advantages + values).flatten()
        sums = np.zeros(3)
        count = 0
        for _ in range(config.epochs):
            order = torch.from_numpy(self.rng.permutation(len(inputs)))
            for chosen in order.split(config.minibatch):
                stop_if_asked(reporter)
                with torch.autocast("cpu", torch.bfloat16, enabled=config.bf16):
                    logits, value = self.net(inputs[chosen])
                logits = masked(logits.float(), masks[chosen])
                policy_loss = cross_entropy(logits, targets[chosen])
                value_loss = mse_loss(value.float(), returns[chosen])
                loss = policy_loss + config.value_weight * value_loss / 25.0
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.optimizer.step()
                agreement = (logits.argmax(dim=1) == answers[chosen]).float().mean()
                sums += [policy_loss.item(), value_loss.item(), agreement.item()]
                count += 1
        policy_loss, value_loss, agreement = sums / max(count, 1)
        return {"policy_loss": policy_loss, "value_loss": value_loss, "agreement": agreement}

    def step(self, reporter: Reporter) -> dict[str, float]:
        """One iteration: a rollout and learning from it."""
        done = self.iteration / self.iterations
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.lr * 0.5 * (1.0 + math.cos(math.pi * done))
        rollout = self.collector.collect(self.config.rollout, lambda view: self.act(view, reporter))
        values = self.learn(rollout, reporter)
        self.iteration += 1
        if rollout.scores:
            values["score"] = float(np.mean(rollout.scores))
        return values

    def save(self, out: Path) -> None:
        tensors = module_tensors("net", self.net) | optimizer_tensors("adam", self.optimizer)
        meta = {
            "config": dataclasses.asdict(self.config),
            "iteration": self.iteration,
            "random": random_state(self.rng),
        }
        save_checkpoint(out, tensors | self.collector.tensors(), meta)

    def resume(self, out: Path) -> bool:
        """Go on from the checkpoint in `out`, if any; raises BadConfig when it has other settings."""
        checkpoint = load_checkpoint(out)
        if checkpoint is None:
            return False
        if checkpoint.meta["config"] != dataclasses.asdict(self.config):
            raise BadConfig(f"The folder {out} holds a training with other settings; choose another folder.")
        load_module("net", self.net, checkpoint.tensors)
        load_optimizer("adam", self.optimizer, checkpoint.tensors)
        self.collector.restore(checkpoint.tensors)
        load_random_state(self.rng, checkpoint.meta["random"])
        self.iteration = checkpoint.meta["iteration"]
        return True

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
        tensors = {key: value.numpy() for key, value in self.net.state_dict().items()}
        return write_agent(folder, tensors, card)

    def evaluate(self, folder: Path, episodes: int, reporter: Reporter) -> dict[str, Any]:
        """Greedy self-play of the network as written to `folder`, as players meet it; may raise Stopped."""
        self.write(folder, {})
        policy = load(str(folder.resolve()), self.config.game)
        seed = self.config.seed + 1000
        check = partial(stop_if_asked, reporter)
        return self_play(policy, self.config.game, self.options, episodes, seed, each_step=check)


def stop_if_asked(reporter: Reporter) -> None:
    """Raise Stopped once somebody asked the program to stop."""
    if reporter.stopping:
        raise Stopped


def train(config: CloneConfig, out: Path, reporter: Reporter) -> None:
    """Run the whole training, or the rest of it, in `out`."""
    cloning = Cloning(config)
    if cloning.resume(out):
        reporter.log(f"Going on after iteration {cloning.iteration} of {cloning.iterations}.")
    try:
        result = run(cloning, out, reporter)
    except Stopped:
        cloning.save(out)
        raise
    reporter.result(**result)


def run(cloning: Cloning, out: Path, reporter: Reporter) -> dict[str, Any]:
    """The iterations that are left and the last evaluation; returns the program's result."""
    config = cloning.config
    while cloning.iteration < cloning.iterations:
        values = cloning.step(reporter)
        iteration = cloning.iteration
        if iteration % CHECKPOINT_EVERY == 0 or iteration == cloning.iterations:
            cloning.save(out)
        if iteration % config.evaluate_every == 0:
            scored = cloning.evaluate(out / "agent", config.evaluation_episodes, reporter)
            values |= {"self_play": scored["mean"], "zeros": scored["zeros"]}
        moves = config.envs * config.rollout
        reporter.metrics(iteration * moves, **values)
        reporter.progress(iteration * moves, cloning.iterations * moves)
    scored = cloning.evaluate(out / "agent", 10 * config.evaluation_episodes, reporter)
    card = cloning.write(out / "agent", {"self_play": scored})
    return {"agent": str(out / "agent"), "sha256": card["sha256"], "self_play": scored}


if __name__ == "__main__":
    sys.exit(run_program("clone", CloneConfig, train))
