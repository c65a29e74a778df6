"""instructPPO: a convention by instruction, or one agent that keeps to whatever it is told.

PPO in self-play with an additional loss lambda E[-log p] of the policy's moves, where p is the prior over
moves of an instruction (Hu and Sadigh 2023, section 4.3), for moves that it asks for or forbids. The paper's
loss is KL(policy || p), which equals this minus lambda times the entropy; the entropy would blur moves about
which the instruction says nothing, so it is a setting of its own (`entropy_weight`). With one instruction and
a base without inputs for instructions, the instruction chooses which of many equally good policies is
learned, as in the paper. With many instructions, one drawn for each game, one policy learns to follow all of
them, which the paper leaves open (its appendix D). That policy has the instruction's answers for the moves of
now as inputs (a base without them gets them, engine.agents.surgery), and nothing is added to its logits in
play.

    python -m engine.learning.instruct_ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for games whose instructions become goals, which PPO teaches itself.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import numpy as np
from torch import Tensor

from engine.agents.network import PolicyValueNet, masked
from engine.learning.algorithms import ppo
from engine.learning.parts import made
from engine.learning.parts.rollouts import Rollout, View
from engine.learning.parts.sides import suiting
from engine.learning.parts.told import Drawn, Flipped, program
from engine.learning.run import shell
from engine.learning.run.reporting import BadConfig, run_program
from engine.learning.run.settings import Device, Norm, Range, Rate, Seed, Share, Threads, Weight

MAKES = "agent"
FITS = ("turns", "simultaneous")
FOREMOST = ("moves", "instruction", "instruction_weight", "lr")
SIZES = {"tiny": {"moves": 4096, "envs": 32, "steps": 32, "evaluation_games": 32}}


@dataclass(frozen=True)
class Settings:
    game: str
    """which game"""
    base: str
    """the agent to go on from (a network): ref or folder"""
    instruction: str = ""
    """what it is told, in words"""
    reading: Annotated[int, Range(0, 9)] = 0
    """which of its readings is meant: 0 the first one, 1 the first of the others"""
    instructions: list[str] = field(default_factory=list)
    """what else: with several, each game has one of them, and the agent reads which"""
    nobody: Share = 0.0
    """share of the games in which nobody is told anything"""
    alone: Share = 0.0
    """share of the others in which one seat is told, and its partners don't know"""
    firmness: Annotated[list[float], Range(0, 1, above=True)] = field(default_factory=lambda: [1.0])
    """how firmly it is told: weights of an instruction, one of these in each game"""
    options: dict[str, Any] = field(default_factory=dict)
    """the game's options, besides those that the base was trained for"""
    name: str = "candidate"
    """name of the agent that comes out"""
    title: str = ""
    """name for people; empty: the name"""
    description: str = ""
    """one line about its character for people; empty: where it comes from"""
    command: str = "python -m engine.learning.instruct_ppo --config FILE --out FOLDER"
    """the command that makes this agent, for its card"""
    moves: Annotated[int, Range(1, 1_000_000_000_000)] = 1_000_000
    """moves to play, in all; joint steps where all move at once"""
    envs: Annotated[int, Range(1, 16384)] = 256
    """games played at once"""
    steps: Annotated[int, Range(1, 4096)] = 64
    """moves of each game between updates"""
    epochs: Annotated[int, Range(1, 100)] = 2
    """passes over each rollout"""
    minibatches: Annotated[int, Range(1, 1024)] = 4
    """parts of a pass, one gradient step each"""
    lr: Rate = 5e-4
    """Adam's learning rate, falling to a tenth along a line"""
    gamma: Share = 0.99
    """discount per move"""
    clip: Annotated[float, Range(0, 1, above=True)] = 0.2
    """how far the probability ratio counts (the paper: .05)"""
    entropy_weight: Weight = 0.003
    """weight of the entropy bonus"""
    entropy_left: Share = 0.1
    """share of that weight that is left at the end"""
    instruction_weight: Weight = 0.05
    """lambda: weight of E[-log p] of the moves, p the instruction's prior, where it asks for something"""
    instruction_left: Share = 1.0
    """share of that weight that is left at the end (the paper: .2)"""
    flipped: Share = 0.0
    """share of the instruction's answers that are taken the other way round (the paper's figure 10)"""
    memory: Annotated[int, Range(0, 4096)] = 0
    """width of a memory (a GRU after the first hidden layer) that the base is given; 0: as it is"""
    value_weight: Weight = 0.25
    """weight of the squared error of the value"""
    max_grad_norm: Norm = 0.5
    """gradients are cut to this norm"""
    reward_scale: Annotated[float, Range(0, 1000)] = 0.0
    """points are multiplied by this, so that values stay near 1; 0: as for the base"""
    elsewhere: Annotated[int, Range(0, 1024)] = 0
    """in how many other places the games are played, where the game has some (kitchens); 0: as in the options
    """
    partners: Annotated[dict[str, float], Range(0, 1)] = field(default_factory=dict)
    """who else plays a seat, in which share of the games: refs, "past": its own"""
    never: str = ""
    """an instruction that says what it never tries, such as "Only play cards you are sure of"; empty: nothing
    """
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 16
    """updates between evaluations"""
    evaluation_games: Annotated[int, Range(1, 100_000)] = 256
    """games of each evaluation, always the same deals, in which nobody is told anything"""
    threads: Threads = 1
    """threads for torch and for the compiled encoders"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 0
    """seed of deals and sampling"""


@dataclass(frozen=True)
class Whole(ppo.Settings):
    """PPO's settings, of which these programs share most, and what PPO doesn't have."""

    reading: int = 0
    instructions: list[str] = field(default_factory=list)
    nobody: float = 0.0
    alone: float = 0.0
    firmness: list[float] = field(default_factory=lambda: [1.0])
    instruction_left: float = 1.0
    flipped: float = 0.0
    elsewhere: int = 0


class InstructPpo(ppo.Ppo):
    """The state of one training: PPO's, and what each game is told."""

    algorithm = "instruct_ppo"
    extras = (*ppo.Ppo.extras, "wished")

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        self.config: Any
        texts = [text for text in (config.instruction, *config.instructions) if text]
        if not texts:
            raise BadConfig("Without an 'instruction' there is nothing to be told; PPO trains without.")
        mine: dict[str, Any] = {"base_partner": 0.0, "kl_weight": 0.0, "keep_best": False}
        mine |= {"instruction": "", "instructions": texts}  # PPO's own is one for all games
        self.many = len(texts) > 1
        super().__init__(Whole(**(dataclasses.asdict(config) | mine)), check)
        self.collector.spread(config.elsewhere)
        numbers = [config.reading if config.instruction else 0, *[0] * (len(texts) - 1)]
        programs = [program(config.game, *one) for one in zip(texts, numbers, strict=True)]
        flipped = Flipped(config.game, config.flipped, config.seed) if config.flipped else None
        how = config.nobody, config.alone, config.firmness, self.rng, flipped
        self.drawn = Drawn(self.collector, programs, *how)

    def collect(self) -> Rollout:
        """The next moves of every game; those in progress after a stop are told anew."""
        if not self.watched:
            self.watch(np.arange(self.collector.batch.n))
            self.watched = True
            self.drawn.tell()
        return super().collect()

    def watch(self, rows: np.ndarray) -> None:
        """Games `rows` begin."""
        super().watch(rows)
        self.drawn.begin(self.collector.batch.states[rows], rows)

    def follow(self, reached: np.ndarray, ended: np.ndarray) -> dict[str, Tensor]:
        """After a step, what is asked of those who move next."""
        self.drawn.follow(reached)
        found = super().follow(reached, ended)
        self.drawn.tell()
        return found

    def act(self, view: View) -> dict[str, Tensor]:
        """A move for every row, and what was wished there."""
        wished = self.on_device(self.drawn.wished.copy())
        return {**super().act(view), "wished": wished}

    def besides(self, rows: dict[str, Tensor], logp: Tensor) -> Tensor:
        """Also lambda E[-log p] of the moves, less that of the best of them: 0 where nothing is asked for."""
        config, done = self.config, self.update / self.updates
        weight = config.instruction_weight * (1 - (1 - config.instruction_left) * done)
        liked = masked(rows["wished"], rows["masks"]).log_softmax(1)
        best = liked.amax(1, keepdim=True)
        apart = (logp.exp() * (best - liked)).masked_fill(rows["masks"] == 0, 0.0).sum(1)
        return super().besides(rows, logp) + weight * apart.mean()

    @staticmethod
    def asked(wished: Tensor, masks: Tensor) -> Tensor:
        """Where some legal move is preferred to another, float32 (n,)."""
        most = wished.masked_fill(masks == 0, -1e4).amax(1)
        return (most > wished.masked_fill(masks == 0, 1e4).amin(1)).float()

    def rows_of(self, rollout: Rollout) -> dict[str, Tensor]:
        """The learner's moves, after a look at how many of those that were asked for something did it."""
        rows = super().rows_of(rollout)
        asked = self.asked(rows["wished"], rows["masks"]) > 0
        best = rows["wished"].masked_fill(rows["masks"] == 0, -1e4).amax(1)
        did = rows["wished"].gather(1, rows["actions"][:, None]).squeeze(1) >= best
        self.obeyed = did[asked].float().mean().item() if asked.any() else 0.0
        return rows

    def advance(self) -> dict[str, float]:
        """As PPO's, and the share of what was asked for that was done."""
        return {**super().advance(), "obeyed": self.obeyed}

    def write(self, folder: Any, net: PolicyValueNet, name: str = "") -> dict[str, Any]:
        """As PPO's, with a word on how it hears."""
        if "told_version" in self.card:
            self.card["instructions"] = made.LISTENS
        return super().write(folder, net, name)


train = partial(shell.run, InstructPpo)

if __name__ == "__main__":
    sys.exit(run_program("instruct_ppo", Settings, train, suiting=partial(suiting, "instruct_ppo")))
