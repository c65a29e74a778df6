"""Cloning a teacher with DAgger (Ross, Gordon and Bagnell 2011), as one program.

The network plays. In every state that it reaches, the teacher says what it would have done, with the same
goal if there are goals, and the network learns to answer like the teacher. A scripted teacher rates every
move, so the target is the softmax of its ratings, for each head of an action. A value head learns the return,
for reinforcement learning later.

    python -m engine.learning.clone --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Settings that FILE leaves out are the game's (`SETTINGS` in its training.py),
then those below. Not for learning from people's games, where no teacher can be asked.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from engine import games
from engine.agents.acting import told_size
from engine.agents.catalogue import load, write_agent
from engine.agents.network import PolicyValueNet, masked
from engine.agents.policy import check_fits
from engine.evaluation.self_play import self_play
from engine.learning.parts import heads, made
from engine.learning.parts.hindsight import towards
from engine.learning.parts.instructions import Drawn, program
from engine.learning.parts.networks import begin
from engine.learning.parts.proximal import bf16
from engine.learning.parts.returns import gae
from engine.learning.parts.rollouts import Collector, Cut, Rollout, View
from engine.learning.parts.seating import Seating
from engine.learning.parts.sides import round_options, suiting
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import AgentName, CardText, Range, Rate, Seed, Share, Weight, Widths
from engine.learning.run.shared import (
    Based,
    Company,
    Descent,
    Fresh,
    Game,
    Goals,
    Instructions,
    Named,
    Run,
)
from engine.refusal import Refusal

MAKES = "agent"


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Company, Instructions, Goals, Descent, Fresh, Based, Named, Game):
    teacher: str
    """the teacher: an agent's ref or folder"""
    name: AgentName = "clone"
    command: CardText = "python -m engine.learning.clone --config FILE --out FOLDER"
    nobody: Share = 0.25
    alone: Share = 0.5
    sampled: bool = False
    """whether the agent draws its moves instead of taking the best one"""
    hidden: Widths = field(default_factory=lambda: [512, 512])
    steps: Annotated[int, Range(1, 1_000_000_000_000)] = 30_000_000
    """moves to learn from in total; joint steps in games in which all move at once"""
    envs: Annotated[int, Range(1, 16384)] = 1024
    """games played at once"""
    rollout: Annotated[int, Range(1, 4096)] = 32
    """moves of each game between two rounds of learning"""
    epochs: Annotated[int, Range(1, 100)] = 2
    """passes over each rollout"""
    replay: Annotated[int, Range(0, 10_000)] = 0
    """rollouts kept for replay: with each new rollout one of them is learned from again; 0: none"""
    minibatch: Annotated[int, Range(1, 1_000_000)] = 2048
    """moves a gradient step"""
    lr: Rate = 1e-3
    """Adam's learning rate at the start; falls to 0 along a cosine"""
    temperature: Annotated[float, Range(0, 1000, above=True)] = 0.1
    """difference in the teacher's ratings, in points, that corresponds to a factor e in probability"""
    teacher_share: Share = 0.05
    """share of the training in which the teacher plays some of the games, in decreasing number"""
    teacher_least: Share = 0.0
    """share of the games that the teacher plays to the end of training"""
    explore: Share = 0.1
    """probability that a move is drawn from the network's policy instead of its best"""
    hindsight: bool = False
    """whether what the teacher played is also learned under the goals that it came to, in games with goals"""
    value_weight: Weight = 0.004
    """weight of the squared error of the value, in points"""
    bf16: bool = True
    """compute in bfloat16 where that is faster (weights stay float32)"""
    encoder_threads: Annotated[int, Range(1, 2)] = 1
    """threads (1 or 2) for the compiled encoder"""
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 50
    """iterations between evaluations"""
    evaluation_episodes: Annotated[int, Range(0, 1_000_000)] = 1000
    """games of each evaluation; the last one plays ten times as many; 0: none"""
    seed: Seed = 1


class Cloning(shell.Training):
    """The state of one training: network, optimiser, games. A stop forgets older rollouts, and what the
    teacher remembered.
    """

    stops_within = in_teams = True

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        self.spec = games.spec(config.game)
        self.options = round_options(config.game, {"options": config.options})
        self.teacher = load(config.teacher, config.game, self.options)
        check_fits(self.teacher, config.game, self.options)
        envs = self.team.share(config.envs, "games at once")
        begun = begin(config, "cloning", hears=bool(config.instructions))
        self.card = begun.card
        if config.sampled:
            self.card |= {"acts": "sampled"}
        if config.instructions:
            self.card |= made.listening(config.game)
        self.collector = Collector(
            config.game,
            self.options,
            envs,
            self.seed,
            config.encoder_threads,
            self.device,
            begun.inputs,
            asked=config,
            heard=told_size(self.card),
        )
        if config.hindsight and self.collector.asking is None:
            raise Refusal("'hindsight' needs a game with goals, and a 'goal_share' above 0.")
        self.collector.spread(config.elsewhere)
        programs = [program(config.game, text) for text in config.instructions]
        how = config.nobody, config.alone, [1.0], self.rng
        self.drawn = Drawn(self.collector, programs, *how) if programs else None
        self.seating = Seating(self.collector, {}, config.partners, self.rng)
        self.watched = False  # whether the games in progress are told something
        if config.base or config.goal_code:
            self.net = begun.net.to(self.device)
        else:
            actions = self.spec.num_actions(self.options)
            self.net = PolicyValueNet(self.collector.input_size, config.hidden, actions).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.replay: list[dict[str, Tensor]] = []
        self.seen: list[np.ndarray] = []  # the states in which the steps of this rollout began
        self.guided = np.zeros(envs, bool)  # games that the teacher plays in this rollout
        self.remembered = np.zeros(
            (envs, self.collector.seats, self.teacher.memory), np.float32
        )  # by the teacher
        self.per_update = config.envs * config.rollout
        self.updates = max(1, math.ceil(config.steps / self.per_update))

    def parts(self) -> dict[str, Any]:
        games_ = {"games": self.collector, "seating": self.seating}
        return {"net": self.net, "adam": self.optimizer, **games_}

    def rate(self, done: float) -> float:
        """Down to 0 along a cosine."""
        return 0.5 * (1.0 + math.cos(math.pi * done))

    def outputs(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (n, A), not masked, and values (n,)."""
        with bf16(self.config.bf16, self.device):
            logits, values, _ = self.net(inputs)
        return logits.float(), values.float()

    @torch.no_grad()
    def values(self, moment: View | Cut) -> Tensor:
        return self.outputs(moment.inputs)[1][:, None]

    @torch.no_grad()
    def act(self, view: View) -> dict[str, Tensor]:
        """The move to play and the teacher's answer for every row; may raise Stopped."""
        self.check()
        if self.config.hindsight:
            self.seen.append(self.collector.batch.states.copy())
        parts, world = self.spec.heads, self.collector.world
        where = np.arange(len(view.seats)) // self.collector.rows, view.seats
        remembered = self.remembered[where]
        seen = view.states, view.seats, view.masks, world, view.goals
        liked = self.teacher.logits_many(*seen, memory=remembered)
        self.remembered[where] = remembered
        if self.drawn is not None:  # it does as it is told, for the rest as it likes
            liked = liked + self.drawn.priors
        # What it chooses counts as allowed: a choice may be kept where it does nothing.
        wishes = self.on_device(np.where(np.isfinite(liked), liked, -1e4).astype(np.float32))
        answers = heads.best(wishes, parts)
        masks = heads.allowing(self.on_device(view.masks), answers, parts)
        logits, values = self.outputs(view.inputs)
        logits = masked(logits, masks)
        drawn = self.on_device(self.rng.random(len(answers)) < self.config.explore)
        actions, guided = (
            heads.best(logits, parts),
            self.on_device(np.repeat(self.guided, self.collector.rows)),
        )
        actions[drawn] = heads.draw(logits, self.rng, parts)[drawn]
        actions[guided] = answers[guided]
        theirs, mine = self.seating.draw(view, logits, view.memory, masks)
        actions = torch.where(mine.reshape(-1, *[1] * (actions.ndim - 1)), actions, theirs)
        return {
            "actions": actions,
            "answers": answers,
            "targets": heads.log_probs(wishes / self.config.temperature, masks, parts).exp(),
            "allowed": masks,
            "values": values[:, None],
        }

    def collect(self) -> Rollout:
        """The next moves of every game, some of the games played by the teacher."""
        config = self.config
        if not self.watched:  # those in progress after a stop are told anew
            self.tell(np.arange(len(self.guided)))
            self.watched = True
        self.seen = []
        left = 1.0 - self.update / max(1.0, config.teacher_share * self.updates)
        self.guided = self.rng.random(len(self.guided)) < max(config.teacher_least, left)
        return self.collector.collect(config.rollout, self.act, self.follow)

    def follow(self, reached: np.ndarray, ended: np.ndarray) -> dict[str, Tensor]:
        """The teacher forgets games that ended; others play and are told something in those that begin."""
        self.remembered[ended] = 0
        self.seating.begin(np.flatnonzero(ended))
        if self.drawn is not None:
            self.drawn.follow(reached)
        self.tell(np.flatnonzero(ended))
        return {}

    def tell(self, began: np.ndarray) -> None:
        """Say what is asked of everybody now, in games that `began` something new."""
        if self.drawn is not None:
            self.drawn.begin(self.collector.batch.states[began], began)
            self.drawn.tell()

    def rows_of(self, rollout: Rollout) -> dict[str, Tensor]:
        """What is learned from a rollout (n, …): the moves of those who still played."""
        extras, gammas = rollout.extras, [self.config.gamma]
        rewards = rollout.with_cut(rollout.rewards.sum(-1, keepdim=True), gammas, self.values)
        bootstrap = self.values(rollout.last)
        advantages = gae(rewards, extras["values"], rollout.discounts(gammas), bootstrap, lam=0.95)
        columns = {
            "inputs": rollout.inputs,
            "returns": (advantages + extras["values"])[..., 0],
            **{name: extras[name] for name in ("answers", "targets", "allowed")},
        }
        used = rollout.playing.flatten()
        rows = {name: column.flatten(0, 1)[used] for name, column in columns.items()}
        if not self.config.hindsight:
            return rows
        more = towards(self.collector, np.stack(self.seen), rollout, self.guided, self.rng, columns)
        return {name: torch.cat([rows[name], more[name]]) for name in rows} if more else rows

    def remember(self, new: dict[str, Tensor]) -> dict[str, Tensor]:
        """New rows, with those of an older rollout where some are kept."""
        if not self.config.replay:
            return new
        self.replay.append({**new, "inputs": new["inputs"].half()})
        if len(self.replay) > self.config.replay:
            self.replay.pop(int(self.rng.integers(len(self.replay) - 1)))
        older = self.replay[int(self.rng.integers(len(self.replay)))]
        return {name: torch.cat([new[name], older[name].to(new[name].dtype)]) for name in new}

    def learn(self, rollout: Rollout) -> dict[str, float]:
        """`epochs` passes over a rollout; returns mean losses and the agreement with the teacher's choices.

        Raises Stopped when that was asked for.
        """
        config, parts = self.config, self.spec.heads
        rows = self.remember(self.rows_of(rollout))
        count = math.ceil(self.team.total(len(rows["returns"]))[0] / config.minibatch)
        measured = []
        for _ in range(config.epochs):
            order = self.on_device(self.rng.permutation(len(rows["returns"])))
            for chosen in self.team.batches(order, max(1, count)):
                self.check()
                part = {name: column[chosen] for name, column in rows.items()}
                logits, values = self.outputs(part["inputs"])
                logp = heads.log_probs(logits, part["allowed"], parts)
                policy_loss = -(part["targets"] * logp).sum(1).mean()
                value_loss = mse_loss(values, part["returns"])
                self.optimizer.zero_grad()
                (policy_loss + config.value_weight * value_loss).backward()
                self.team.average(self.net.parameters(), len(chosen))
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.optimizer.step()
                agreement = (heads.best(logp, parts) == part["answers"]).float().mean()
                measured.append([policy_loss.item(), value_loss.item(), agreement.item()])
        names = ("policy_loss", "value_loss", "agreement")
        return dict(zip(names, np.mean(measured, axis=0).tolist(), strict=True))

    def advance(self) -> dict[str, float]:
        """A rollout and learning from it."""
        rollout = self.collect()
        values = self.learn(rollout)
        if rollout.scores:
            values["score"] = float(np.mean(rollout.scores))
        return values

    def look(self, out: Path) -> dict[str, float]:
        """Self-play now and then."""
        if self.update % self.config.evaluate_every or not self.config.evaluation_episodes:
            return {}
        scored = self.evaluate(out / "agent", self.config.evaluation_episodes)
        return {"self_play": scored["mean"], "zeros": scored["zeros"]}

    def finish(self, out: Path) -> dict[str, Any]:
        """The agent in `out`/agent, and how well it plays."""
        episodes = 10 * self.config.evaluation_episodes
        results = {"self_play": self.evaluate(out / "agent", episodes)} if episodes else {}
        card = self.write(out / "agent", results)
        return {"folder": str(out / "agent"), "sha256": card["sha256"], **results}

    def write(self, folder: Path, evaluation: dict[str, Any]) -> dict[str, Any]:
        """Write the network as an agent; returns its card."""
        by = f"Learned to answer as {self.teacher.name} does."
        card = made.trained(self.card, self, "clone", [self.teacher.name], by)
        card["hyperparameters"]["teacher"] = self.teacher.name
        return write_agent(folder, shell.weights(self.net), {**card, "evaluation": evaluation})

    def evaluate(self, folder: Path, episodes: int) -> dict[str, Any]:
        """Self-play of the network as written to `folder`, as players meet it; may raise Stopped."""
        self.write(folder, {})
        policy = load(str(folder.resolve()), self.config.game)
        seed = self.config.seed + 1000
        return self_play(policy, self.config.game, self.options, episodes, seed, each_step=self.check)


train = partial(shell.run, Cloning)

if __name__ == "__main__":
    sys.exit(run_program("clone", Settings, train, suiting=partial(suiting, "clone")))
