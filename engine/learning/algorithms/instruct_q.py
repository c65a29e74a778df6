"""instructQ with a network that remembers: Q-learning whose moves lean to what an instruction asks for.

Seats take the best move by Q + lambda times the instruction's logits, and learn towards the value of that
move (Hu and Sadigh 2023, section 4, algorithm 1). Lambda falls, so that in the end Q alone decides, and
nothing is added in play. Without an instruction this is plain Q-learning. It learns from replayed sequences
that begin with the stored memory (R2D2, Kapturowski et al. 2019), by double Q-learning with a target network;
the games of a batch explore at different rates (Ape-X, Horgan et al. 2018).

In games played in turns, the moves of all seats are one trajectory, and the remaining return is estimated by
the seat that moves next, from what it sees. If all move at once, each seat has its own trajectory. The
network's logits are advantages relative to the best move: Q(a) = V + l(a) - max l (a dueling network, Wang et
al. 2016). So an agent trained by another algorithm can be the base, and the result acts by its best logit
like any agent.

    python -m engine.learning.instruct_q --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for games whose instructions become goals, which PPO teaches itself; nor
for tables (engine.learning.algorithms.tabular_q).
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from engine import games
from engine.agents.acting import answers, told_size
from engine.agents.catalogue import write_agent
from engine.agents.features import READS
from engine.agents.network import PolicyValueNet, masked
from engine.agents.policy import NetworkPolicy
from engine.evaluation.self_play import self_play
from engine.learning.parts import made, sequences
from engine.learning.parts.earnings import value_unit
from engine.learning.parts.instructions import InForce
from engine.learning.parts.networks import begin
from engine.learning.parts.rollouts import Collector, Rollout, View
from engine.learning.parts.sides import suiting
from engine.learning.run import shell
from engine.learning.run.reporting import Reporter, run_program
from engine.learning.run.settings import CardText, Norm, Range, Share, Weight
from engine.learning.run.shared import (
    Descent,
    Evaluation,
    Fresh,
    Game,
    Instruction,
    Named,
    Network,
    Rollouts,
    Run,
)
from engine.refusal import Refusal

MAKES = "agent"
FITS = ("turns", "simultaneous")
FOREMOST = ("moves", "instruction", "instruction_weight", "lr")
SIZES = {"tiny": {"moves": 4096, "envs": 32, "steps": 32, "replay": 8192, "evaluation_games": 32}}

SPREAD = 1.0  # the last game explores at epsilon to the power of 1 + this


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Evaluation, Instruction, Descent, Rollouts, Fresh, Network, Named, Game):
    command: CardText = "python -m engine.learning.instruct_q --config FILE --out FOLDER"
    moves: Annotated[int, Range(1, 1_000_000_000_000)] = 1_000_000
    steps: Annotated[int, Range(2, 4096)] = 64
    """moves of each game between two updates, and length of a replayed sequence"""
    replay: Annotated[int, Range(1, 1_000_000_000)] = 131_072
    """size of the replay: the latest moves (the paper: 50,000 games)"""
    batch: Annotated[int, Range(1, 16384)] = 16
    """sequences of a gradient step (the paper: 128 games)"""
    reuse: Annotated[float, Range(0, 100, above=True)] = 4.0
    """replayed moves for each played move (the paper: 2)"""
    sync: Annotated[int, Range(1, 1_000_000)] = 200
    """gradient steps between updates of the target network (the paper: 2,500)"""
    epsilon: Share = 0.1
    """share of random moves in the game that explores most"""
    logit_points: Annotated[float, Range(0, 1000, above=True)] = 0.5
    """points that one unit of an agent's logits stands for"""
    instruction_weight: Weight = 0.15
    """lambda: points that are added to the value of moves that the instruction asks for"""
    instruction_left: Share = 0.06
    """share of that weight that remains at the end; it falls by equal factors (the paper: four halvings)"""
    max_grad_norm: Norm = 5.0
    """gradients are clipped to this norm"""
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 16

    def __post_init__(self) -> None:
        if self.reads not in READS:
            raise Refusal(f"The setting 'reads' is {self.reads!r}; it must be {' or '.join(READS)}.")
        if self.memory and not self.hidden:
            raise Refusal("A network with a 'memory' needs at least one number in 'hidden'.")
        if self.replay < self.envs * self.steps:
            raise Refusal(
                f"The replay ({self.replay}) must hold the moves of an update, envs times steps "
                f"({self.envs * self.steps})."
            )


class Replay:
    """The latest rollouts, of `most` at the most, by column (T, most * B, …); the next one takes the place
    of the oldest.
    """

    def __init__(self, most: int) -> None:
        self.most, self.begun = most, 0
        self.columns: dict[str, Tensor] = {}

    def add(self, rollout: dict[str, Tensor]) -> None:
        """A rollout's columns (T, B, …)."""
        width = next(iter(rollout.values())).shape[1]
        if not self.columns:
            for name, column in rollout.items():
                self.columns[name] = column.repeat(1, self.most, *[1] * (column.dim() - 2))
        at = self.begun % self.most * width
        for name, column in rollout.items():
            self.columns[name][:, at : at + width] = column
        self.begun += 1

    def drawn(self, count: int, rng: np.random.Generator) -> dict[str, Tensor]:
        """Sequences (T, count, …) of those that are there."""
        width = next(iter(self.columns.values())).shape[1] // self.most
        chosen = torch.from_numpy(rng.integers(min(self.begun, self.most) * width, size=count))
        return {
            name: column.index_select(1, chosen.to(column.device)) for name, column in self.columns.items()
        }

    def tensors(self) -> dict[str, Tensor]:
        """For a checkpoint."""
        return {**self.columns, "begun": torch.tensor(self.begun)}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.begun = int(tensors["begun"])
        self.columns = {name: column.clone() for name, column in tensors.items() if name != "begun"}


class InstructQ(shell.Training):
    """The state of one training: an update is a rollout, and gradient steps from what is replayed. Games in
    progress go on after a stop, told anew.
    """

    checkpoint_every = 50
    counters = ("taken", "found")

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        self.spec = games.spec(config.game)
        if self.spec.heads:
            raise Refusal(f"In {self.spec.title} a move is several choices at once; PPO is for that.")
        begun = begin(config, "instructQ")
        self.options, self.inputs, net, card = begun.options, begun.inputs, begun.net, begun.before
        self.card = begun.card | {"acts": "best"}
        self.parents = [begun.policy.name] if begun.policy else []
        self.net, self.target = (copy.deepcopy(net).to(self.device) for _ in range(2))
        self.unit = config.reward_scale or value_unit(card)
        self.scale = config.logit_points * self.unit
        with torch.no_grad():
            for network in (self.net, self.target):
                for weights in network.policy.parameters():
                    weights.mul_(self.scale)
                for weights in network.value.parameters():
                    weights.mul_(self.unit / value_unit(card))
        where = (config.game, self.options, config.envs, self.seed, config.threads, self.device)
        self.collector = Collector(*where, self.inputs, heard=told_size(self.card), memory=net.memory_size)
        self.in_force: InForce | None = None
        if config.instruction:
            # The network isn't told: untold, too, it is to keep to what it learns.
            self.in_force = InForce(self.collector, config.instruction, config.reading)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.per_update = config.envs * config.steps
        self.replay = Replay(config.replay // self.per_update)
        self.updates = math.ceil(config.moves / self.per_update)
        spread = SPREAD * np.arange(config.envs) / max(1, config.envs - 1)
        self.explores = np.repeat(config.epsilon ** (1 + spread), self.collector.rows)
        self.taken = 0  # gradient steps
        self.found: dict[str, float] = {}
        self.watched = False  # whether the instruction has seen the games in progress

    def parts(self) -> Mapping[str, Any]:
        return {
            "net": self.net,
            "target": self.target,
            "optimizer": self.optimizer,
            "replay": self.replay,
            "games": self.collector,
        }

    # --- Playing --------------------------------------------------------------------------------------

    def weight(self) -> float:
        """Lambda as it is now, in the value's unit."""
        left = max(self.config.instruction_left, 1e-6)
        return self.config.instruction_weight * self.unit * left ** (self.update / self.updates)

    def liked(self, view: View) -> Tensor:
        """What the instruction says of every row's moves, (B, A), about 1 for what it asks for: in the unit
        that networks hear in (engine.agents.acting.answers).
        """
        if self.in_force is None:
            return torch.zeros(view.masks.shape, device=self.device)
        return self.on_device(answers(self.in_force.priors(view)))

    def q(self, net: PolicyValueNet, rows: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Q (n, A), at a low where a move isn't legal, and what is remembered then (n, M)."""
        logits, value, remembered = net(rows["inputs"], rows["memory"], rows.get("sizes"))
        logits = masked(logits, rows["masks"])
        return value[:, None] + logits - logits.amax(1, keepdim=True), remembered

    @torch.no_grad()
    def act(self, view: View) -> dict[str, Tensor]:
        """A move for every row, and what it leaned to."""
        masks = self.on_device(view.masks)
        rows = {"inputs": view.inputs, "memory": view.memory, "masks": masks}
        values, remembered = self.q(self.net, rows)
        liked = self.liked(view)
        best = masked(values + self.weight() * liked, masks).argmax(1)
        anything = self.on_device(self.rng.random(view.masks.shape)).masked_fill(masks == 0, -1.0).argmax(1)
        explores = self.on_device(self.rng.random(len(best)) < self.explores)
        return {
            "actions": torch.where(explores, anything, best),
            "liked": liked,
            "remembered": remembered,
        }

    def follow(self, reached: np.ndarray, ended: np.ndarray) -> dict[str, Tensor]:
        """After a step, for the instruction, which looks at whole games."""
        if self.in_force is not None:
            self.in_force.follow(reached)
            began = np.flatnonzero(ended)
            self.in_force.begin(self.collector.batch.states[began], began)
        return {}

    def collect(self) -> Rollout:
        """The next moves of every game."""
        if self.in_force is not None and not self.watched:
            self.in_force.begin(self.collector.batch.states, np.arange(self.collector.batch.n))
        self.watched = True
        return self.collector.collect(self.config.steps, self.act, self.follow)

    # --- Learning -------------------------------------------------------------------------------------

    def columns(self, rollout: Rollout) -> dict[str, Tensor]:
        """What is kept of a rollout. "counts": moves of which it is known what came next, or that nothing
        did; not the last one, nor where time ran out, where much may have been to come.
        """
        counts = rollout.playing.float()
        counts[-1] *= rollout.dones[-1]
        counts[rollout.cut.steps, rollout.cut.rows] = 0.0
        return {
            "inputs": rollout.inputs.half(),
            "memory": rollout.memory,
            "masks": rollout.masks,
            "seats": rollout.seats,
            "actions": rollout.actions,
            "earned": rollout.rewards.sum(-1) * self.unit,
            "dones": rollout.dones,
            "liked": rollout.extras["liked"].half(),
            "counts": counts,
        }

    def learn(self, played: dict[str, Tensor]) -> dict[str, float]:
        """A gradient step from sequences (T, K, …)."""
        steps, count = played["actions"].shape
        flat = {key: value.flatten(0, 1) for key, value in played.items()}
        flat["inputs"] = flat["inputs"].float()
        flat["sequences"] = sequences.numbered(played["seats"], played["dones"]).flatten()
        place = torch.arange(steps * count, device=self.device)
        if self.net.memory_size:
            names = ("inputs", "memory", "masks", "sequences")
            rows = {name: flat[name] for name in names} | {"place": place}
            (rows,) = sequences.minibatches(rows, place, 1, self.team)
        else:
            rows = flat | {"place": place}
        values = self.in_place(self.q(self.net, rows)[0], rows["place"]).view(steps, count, -1)
        with torch.no_grad():
            later = self.in_place(self.q(self.target, rows)[0], rows["place"]).view(steps, count, -1)
            leaned = values + self.weight() * played["liked"].float()
            best = leaned.masked_fill(played["masks"] == 0, -torch.inf).argmax(-1, keepdim=True)
            worth = later.gather(-1, best).squeeze(-1)
            follows = torch.cat([worth[1:], torch.zeros_like(worth[:1])])
            # Algorithm 1: r + gamma Q'(o', argmax of Q + lambda log p).
            targets = played["earned"] + self.config.gamma * (1 - played["dones"]) * follows
        chosen = values.gather(-1, played["actions"][..., None]).squeeze(-1)
        errors = (chosen - targets) * played["counts"]
        loss = errors.square().sum() / played["counts"].sum().clamp(min=1)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        if self.taken % self.config.sync == 0:
            self.target.load_state_dict(self.net.state_dict())
        self.taken += 1
        return {"loss": loss.item(), "q": chosen.mean().item()}

    @staticmethod
    def in_place(values: Tensor, place: Tensor) -> Tensor:
        """Rows (n, A) that are in another order, as they were: row i is that of `place` i."""
        return torch.empty_like(values).index_copy(0, place, values)

    def advance(self) -> dict[str, float]:
        """A rollout, and gradient steps from what is replayed."""
        config, rollout = self.config, self.collect()
        self.replay.add(self.columns(rollout))
        due = config.reuse * config.envs * (self.update + 1) / config.batch
        each = []
        while self.taken < due:
            each.append(self.learn(self.replay.drawn(config.batch, self.rng)))
        values = {key: float(np.mean([row[key] for row in each])) for key in each[0]} if each else {}
        if rollout.scores:
            values["training_score"] = float(np.mean(rollout.scores))
        return values | {"instruction_weight": self.weight() / self.unit}

    def rates(self) -> dict[str, float]:
        return {"steps_per_second": self.at() / self.seconds}

    # --- Measuring and keeping ------------------------------------------------------------------------

    def weights(self) -> dict[str, np.ndarray]:
        """The network's weights as agents keep them, with logits of the size that they began with."""
        weights = shell.weights(self.net)
        return weights | {name: weights[name] / self.scale for name in ("policy.weight", "policy.bias")}

    def policy(self) -> NetworkPolicy:
        """The network as it will play: nothing is added to what it makes of the moves."""
        return NetworkPolicy(self.config.name, self.config.game, self.weights(), self.inputs, self.card)

    def evaluate(self) -> dict[str, float]:
        """Its score with itself, untold."""
        count, seed = self.config.evaluation_games, self.config.seed + 10_000
        where = self.policy(), self.config.game, self.options
        return {"score": float(self_play(*where, count, seed, each_step=self.check)["mean"])}

    def start(self, out: Path, reporter: Reporter) -> None:
        if not self.found:
            self.found = self.evaluate()
            reporter.metrics(0, **self.found)

    def look(self, out: Path) -> dict[str, float]:
        if self.update % self.config.evaluate_every and self.update < self.updates:
            return {}
        self.found = self.evaluate()
        return self.found

    def finish(self, out: Path) -> dict[str, Any]:
        config, instruction = self.config, self.config.instruction
        by = f"Learned by Q-learning, told “{instruction}”." if instruction else "Learned by Q-learning."
        card = made.trained(self.card, self, "instructQ" if instruction else "Q-learning", self.parents, by)
        card |= {"reward_scale": self.unit, "evaluation": {"episodes": config.evaluation_games, **self.found}}
        card["hyperparameters"] |= {"base": self.parents[0] if self.parents else ""}
        card = write_agent(out / "agent", self.weights(), card)
        return {"folder": str(out / "agent"), "sha256": card["sha256"], "evaluation": card["evaluation"]}


train = partial(shell.run, InstructQ)

if __name__ == "__main__":
    sys.exit(run_program("instruct_q", Settings, train, suiting=partial(suiting, "instruct_q")))
