"""Cloning a scripted squad on the states that the learner visits (DAgger), with goals as inputs.

DAgger (Ross et al. 2011) with one network for all seats: matches of two squads are played by a mixture of
teacher and learner that moves towards the learner; the teacher says at every decision what it would do, under
the same goal; the six heads of Table 6 (OpenContra) are learnt as six independent choices.

    python -m engine.learning.squad_clone --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Going on from there: engine.learning.squad_ppo.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.agents.catalogue import load, write_agent
from engine.agents.network import PolicyValueNet, masked
from engine.agents.policy import choose
from engine.games.arena import state as s
from engine.games.arena.features import CHOICE_NAMES, INPUT_NAMES
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
from engine.learning.squad_games import GAME, Look, SquadGames

HEADS = s.HEADS
CHECKPOINT_EVERY = 20  # updates


@dataclass(frozen=True)
class Settings:
    name: str = "squad-clone"
    """name of the agent on its card"""
    title: str = "Cloned squad"
    """name for people"""
    description: str = "Does what the strong scripted squad would do, as far as a network can tell."
    """one line about its character for people"""
    command: str = "python -m engine.learning.squad_clone --config FILE --out FOLDER"
    """the command that makes this agent, for its card"""
    teacher: str = "arena/strong"
    """whom to clone: a ref"""
    options: dict[str, Any] = field(default_factory=lambda: {"pace": "short"})
    """the game's options; matches of two squads of four unless they say otherwise"""
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    """widths of the hidden layers"""
    updates: int = 400
    """rollouts to learn from"""
    envs: int = 48
    """matches played at once"""
    rollout: int = 16
    """decisions of each match between updates"""
    memory: int = 30
    """rollouts kept to learn from again"""
    passes: int = 2
    """times as many rows are learnt from as are collected, half of them older ones"""
    minibatch: int = 2048
    """rows of a gradient step"""
    lr: float = 1e-3
    """Adam's learning rate, falling to a tenth along a line"""
    teacher_updates: float = 0.3
    """share of the updates over which the teacher's part in playing falls from 1 to 0.1"""
    goal_share: float = 0.5
    """share of the time for which a seat has a goal"""
    threads: int = 1
    """threads for torch"""
    seed: int = 1
    """seed of everything"""

    def __post_init__(self) -> None:
        for name in ("updates", "envs", "rollout", "memory", "passes", "minibatch"):
            if getattr(self, name) < 1:
                raise BadConfig(f"The setting {name!r} must be at least 1, but is {getattr(self, name)}.")
        if not 0 <= self.goal_share <= 1:
            raise BadConfig(f"The setting 'goal_share' is from 0 to 1, but is {self.goal_share}.")


class Training:
    """The state of one training: network, optimiser, matches, what was collected, counters."""

    def __init__(self, config: Settings) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        nothing = np.zeros(s.ROWS + 1), np.zeros(s.ROWS, np.int64)
        self.games = SquadGames(config.options, config.envs, config.seed, *nothing, config.goal_share)
        self.teacher = load(config.teacher, GAME, self.games.options)
        self.net = PolicyValueNet(self.games.inputs.size, config.hidden, sum(HEADS))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr)
        self.rng = np.random.default_rng(config.seed)
        self.memory: list[dict[str, Tensor]] = []
        self.update = 0
        self.rows = 0
        self.seconds = 0.0

    def teach(self, look: Look) -> np.ndarray:
        """The teacher's choices (rows, 6)."""
        logits = self.teacher.logits_many(look.states, look.seats, look.masks, self.games.world, look.goals)
        return np.array(choose(logits, heads=HEADS), np.int32)

    @torch.no_grad()
    def act(self, look: Look) -> np.ndarray:
        """The learner's choices (rows, 6), drawn from its policy."""
        logits = masked(self.net(torch.from_numpy(look.inputs))[0], torch.from_numpy(look.masks)).numpy()
        return np.array(choose(logits, greedy=False, rng=self.rng, heads=HEADS), np.int32)

    def collect(self) -> dict[str, Tensor]:
        """A rollout: what was seen, what was allowed, and what the teacher would have done."""
        config = self.config
        part = self.update / max(1.0, config.teacher_updates * config.updates)
        share = max(0.1, 1.0 - part)
        found: dict[str, list[np.ndarray]] = {"inputs": [], "masks": [], "labels": []}
        guided = np.repeat(self.rng.random(config.envs) < share, self.games.seats)
        for _ in range(config.rollout):
            look = self.games.look()
            labels = self.teach(look)
            heads = np.where(guided[:, None], labels, self.act(look))
            rows = look.alive
            found["inputs"].append(look.inputs[rows].astype(np.float16))
            found["masks"].append(look.masks[rows])
            found["labels"].append(labels[rows])
            self.games.play(heads)
        return {key: torch.from_numpy(np.concatenate(parts)) for key, parts in found.items()}

    def learn(self, new: dict[str, Tensor]) -> dict[str, float]:
        """Cross-entropy of the six heads on the new rows and as many older ones."""
        config = self.config
        self.memory.append(new)
        if len(self.memory) > config.memory:
            self.memory.pop(int(self.rng.integers(len(self.memory) - 1)))
        chosen = [new] + [
            self.memory[int(self.rng.integers(len(self.memory)))] for _ in range(config.passes - 1)
        ]
        data = {key: torch.cat([one[key] for one in chosen]) for key in new}
        sums: list[list[float]] = []
        for part in torch.from_numpy(self.rng.permutation(len(data["labels"]))).split(config.minibatch):
            logits = self.net(data["inputs"][part].float())[0]
            # What the teacher chose counts as allowed: a choice may be kept where it does nothing.
            masks, labels = data["masks"][part].clone(), data["labels"][part].long()
            loss, right, offset = torch.zeros(()), [], 0
            for head, size in enumerate(HEADS):
                wanted = labels[:, head]
                allowed = masks[:, offset : offset + size]
                allowed.scatter_(1, wanted[:, None], 1)
                guess = masked(logits[:, offset : offset + size], allowed)
                loss = loss + torch.nn.functional.cross_entropy(guess, wanted)
                right.append((guess.argmax(1) == wanted).float().mean().item())
                offset += size
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimizer.step()
            sums.append([loss.item(), *right])
        means = np.mean(sums, axis=0).tolist()
        names = ("loss", "move", "yaw", "pitch", "body", "basic", "switch")
        return dict(zip(names, means, strict=True))

    def step(self) -> dict[str, float]:
        """One update."""
        started = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.lr * (1.0 - 0.9 * self.update / self.config.updates)
        rows = self.collect()
        values = self.learn(rows)
        self.update += 1
        self.rows += len(rows["labels"])
        self.seconds += time.perf_counter() - started
        values["decisions_per_second"] = self.rows / self.seconds
        return values

    def save(self, out: Path) -> None:
        """The checkpoint; matches begin anew and what was collected is collected again after a stop."""
        tensors = module_tensors("net", self.net) | optimizer_tensors("adam", self.optimizer)
        meta = {
            "config": dataclasses.asdict(self.config),
            "update": self.update,
            "rows": self.rows,
            "seconds": self.seconds,
            "random": random_state(self.rng),
        }
        save_checkpoint(out, tensors, meta)

    def resume(self, out: Path) -> bool:
        """Go on from the checkpoint in `out`, if any; raises BadConfig when it has other settings."""
        checkpoint = load_checkpoint(out)
        if checkpoint is None:
            return False
        if checkpoint.meta["config"] != dataclasses.asdict(self.config):
            raise BadConfig(f"The folder {out} holds a training with other settings; choose another folder.")
        load_module("net", self.net, checkpoint.tensors)
        load_optimizer("adam", self.optimizer, checkpoint.tensors)
        load_random_state(self.rng, checkpoint.meta["random"])
        self.update, self.rows = checkpoint.meta["update"], checkpoint.meta["rows"]
        self.seconds = checkpoint.meta["seconds"]
        return True

    def write(self, folder: Path, evaluation: dict[str, Any]) -> dict[str, Any]:
        """Write the network as an agent; returns its card."""
        config = self.config
        card = squad_card(config, self.games, "DAgger clone", [self.teacher.name], evaluation)
        card["training"] = {
            "decisions": self.rows,
            "minutes": round(self.seconds / 60, 2),
            "threads": config.threads,
        }
        return write_agent(folder, {key: v.numpy() for key, v in self.net.state_dict().items()}, card)


def squad_card(
    config: Any, matches: SquadGames, algorithm: str, parents: list[str], evaluation: dict[str, Any]
) -> dict[str, Any]:
    """What the card of an agent of Arena says, but for how its training went."""
    orders = getattr(config, "orders", "")
    says = "Reads its goal, which an instruction becomes, as part of its input."
    if orders:
        says = f"The {orders} scripted squad plays for a seat that was asked for something, until it is done."
    return {
        "name": config.name,
        "title": config.title,
        "kind": "network",
        "game": GAME,
        "algorithm": algorithm,
        "description": config.description,
        "parents": parents,
        "players": list(range(2, s.MAX_SEATS + 1)),
        "options": {},
        "rules_version": matches.spec.rules_version,
        "features_version": matches.inputs.version,
        "hyperparameters": dataclasses.asdict(config),
        "command": config.command,
        "inputs": list(INPUT_NAMES),
        "choices": list(CHOICE_NAMES),
        "instructions": says,
        **({"orders": orders} if orders else {}),
        "evaluation": evaluation,
    }


def train(config: Settings, out: Path, reporter: Reporter) -> None:
    """Run the whole training, or the rest of it, in `out`."""
    training = Training(config)
    if training.resume(out):
        reporter.log(f"Going on after update {training.update} of {config.updates}.")
    while training.update < config.updates:
        if reporter.stopping:
            training.save(out)
            raise Stopped
        values = training.step()
        if training.update % CHECKPOINT_EVERY == 0 or training.update == config.updates:
            training.save(out)
        reporter.metrics(training.update, **values)
        reporter.progress(training.update, config.updates)
    card = training.write(out / "agent", {})
    reporter.result(agent=str(out / "agent"), sha256=card["sha256"], decisions=training.rows)


if __name__ == "__main__":
    sys.exit(run_program("squad_clone", Settings, train))
