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
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from engine.agents.catalogue import load, write_agent
from engine.agents.network import PolicyValueNet, masked
from engine.agents.policy import choose
from engine.games.arena import state as s
from engine.games.arena.features import CHOICE_NAMES, INPUT_NAMES
from engine.learning import shell
from engine.learning.reporting import run_program
from engine.learning.settings import Device, Range, Rate, Seed, Share, Threads, Widths
from engine.learning.squad_games import GAME, Look, SquadGames

HEADS = s.HEADS


MAKES = "agent"
FITS = ("heads",)


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
    hidden: Widths = field(default_factory=lambda: [256, 256])
    """widths of the hidden layers"""
    updates: Annotated[int, Range(1, 1_000_000)] = 400
    """rollouts to learn from"""
    envs: Annotated[int, Range(1, 4096)] = 48
    """matches played at once"""
    rollout: Annotated[int, Range(1, 4096)] = 16
    """decisions of each match between updates"""
    memory: Annotated[int, Range(1, 10_000)] = 30
    """rollouts kept to learn from again"""
    passes: Annotated[int, Range(1, 1000)] = 2
    """times as many rows are learnt from as are collected, half of them older ones"""
    minibatch: Annotated[int, Range(1, 1_000_000)] = 2048
    """rows of a gradient step"""
    lr: Rate = 1e-3
    """Adam's learning rate, falling to a tenth along a line"""
    teacher_updates: Share = 0.3
    """share of the updates over which the teacher's part in playing falls from 1 to 0.1"""
    goal_share: Share = 0.5
    """share of the time for which a seat has a goal"""
    threads: Threads = 1
    """threads for torch"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 1
    """seed of everything"""


class Training(shell.Training):
    """The state of one training: network, optimiser, matches, what was collected. After a stop matches begin
    anew, and what was collected is collected again.
    """

    counters = ("rows",)

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        nothing = np.zeros(s.ROWS + 1), np.zeros(s.ROWS, np.int64)
        self.games = SquadGames(config.options, config.envs, config.seed, *nothing, config.goal_share)
        self.teacher = load(config.teacher, GAME, self.games.options)
        self.net = PolicyValueNet(self.games.inputs.size, config.hidden, sum(HEADS)).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr)
        self.memory: list[dict[str, Tensor]] = []
        self.updates = config.updates
        self.rows = 0

    def parts(self) -> dict[str, Any]:
        return {"net": self.net, "adam": self.optimizer}

    def teach(self, look: Look) -> np.ndarray:
        """The teacher's choices (rows, 6)."""
        logits = self.teacher.logits_many(look.states, look.seats, look.masks, self.games.world, look.goals)
        return np.array(choose(logits, heads=HEADS), np.int32)

    @torch.no_grad()
    def act(self, look: Look) -> np.ndarray:
        """The learner's choices (rows, 6), drawn from its policy."""
        logits = masked(self.net(self.on_device(look.inputs))[0], self.on_device(look.masks))
        return np.array(choose(logits.cpu().numpy(), greedy=False, rng=self.rng, heads=HEADS), np.int32)

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
        return {key: self.on_device(np.concatenate(parts)) for key, parts in found.items()}

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
        order = self.on_device(self.rng.permutation(len(data["labels"])))
        for part in order.split(config.minibatch):
            logits = self.net(data["inputs"][part].float())[0]
            # What the teacher chose counts as allowed: a choice may be kept where it does nothing.
            masks, labels = data["masks"][part].clone(), data["labels"][part].long()
            loss, right, offset = torch.zeros((), device=self.device), [], 0
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

    def advance(self) -> dict[str, float]:
        rows = self.collect()
        values = self.learn(rows)
        self.rows += len(rows["labels"])
        return values

    def rates(self) -> dict[str, float]:
        return {"decisions_per_second": self.rows / self.seconds}

    def finish(self, out: Path) -> dict[str, Any]:
        """The agent in `out`/agent."""
        card = self.write(out / "agent", {})
        return {"folder": str(out / "agent"), "sha256": card["sha256"], "decisions": self.rows}

    def write(self, folder: Path, evaluation: dict[str, Any]) -> dict[str, Any]:
        """Write the network as an agent; returns its card."""
        config = self.config
        card = squad_card(config, self.games, "DAgger clone", [self.teacher.name], evaluation)
        card["training"] = {
            "decisions": self.rows,
            "minutes": round(self.seconds / 60, 2),
            "threads": config.threads,
        }
        return write_agent(folder, shell.weights(self.net), card)


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


train = partial(shell.run, Training)

if __name__ == "__main__":
    sys.exit(run_program("squad_clone", Settings, train))
