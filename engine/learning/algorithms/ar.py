"""Autoregressive (AR) reward model: what an annotator would mark at every tick, given the marks before it.

Source: "Improving Multimodal Interactive Agents with Reinforcement Learning from Human Feedback" (2022),
appendix A.5: the comparison to IBT (their Figure A.2), which does worse there. A classifier with three
classes (progress, regression, nothing) reads the memory and, through a GRU (theirs is an LSTM), the marks so
far. In training it reads the annotator's own marks before each tick; in games it reads its own output, and
the mark that it draws, 1, -1 or 0, is the reward of the tick. Data, memory, auxiliary losses, controls and
reporting are those of IBT (engine.learning.parts.fitting).

`python -m engine.learning.ar --config FILE --out FOLDER`; settings that FILE leaves out are the game's
(`SETTINGS` in its training.py), then those below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.agents.utility import AnnotationModel, RewardModel
from engine.learning.parts import fitting
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import Device, Range, Rate, Seed, Share, Threads, Weight

MAKES = "reward_model"
FOREMOST = ("steps", "controls", "held_out")
SIZES = {
    "tiny": {"steps": 40, "batch": 16, "hidden": 32},
    "thorough": {"steps": 1500, "hidden": 128},
}


@dataclass(frozen=True)
class Settings:
    dataset: str
    """Folder of the snapshot."""
    game: str
    """The game that the snapshot is of."""
    steps: Annotated[int, Range(1, 1_000_000)] = 800
    """Gradient steps."""
    batch: Annotated[int, Range(1, 1024)] = 32
    """Windows in a batch (the paper: 96, on accelerators)."""
    window: Annotated[int, Range(2, 4000)] = 500
    """Ticks in a window, whole episodes where they are no longer (the paper: 50)."""
    history: Annotated[int, Range(0, 4000)] = 1000
    """Ticks before the window that the memory reads first, without learning from them."""
    lag: Annotated[int, Range(-1, 200)] = -1
    """By how many ticks (of a decision, where agents keep to one) marks come late; -1: estimated for each
    rater from when the game changes. They are moved back by it."""
    clone_steps: Annotated[int, Range(0, 1_000_000)] = 0
    """Gradient steps of behavioural cloning of what seats did, to begin from."""
    clone_weight: Weight = 0.0
    """Weight of behavioural cloning beside annotations (the paper: 1)."""
    match_weight: Weight = 0.0
    """Weight of telling whether what is seen goes with the instruction (contrastive; the paper: 1)."""
    lr: Rate = 4e-3
    """Adam's learning rate at the start; falls to a tenth."""
    weight_decay: Share = 1e-4
    """Adam's decoupled weight decay; marks are few."""
    hidden: Annotated[int, Range(1, 1024)] = 64
    """Width of the network and of its memory."""
    swap: Annotated[float, Range(0, 1, below=True)] = 0.33
    """Probability of a negative example: another one's instruction, under which progress is none."""
    held_out: Annotated[float, Range(0, 1, above=True, below=True)] = 0.2
    """Share of episodes (by id) that are kept for evaluation."""
    mark_window: Annotated[int, Range(0, 200)] = 1
    """Ticks on both sides of a mark over which U's gain is compared (dAUC)."""
    controls: bool = True
    """Whether to train the control with shuffled signs too, which doubles the time."""
    threads: Threads = 1
    """threads for torch"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 0
    """Seed of initial weights, batches and intervals."""


def ar_loss(logits: Tensor, positive: Tensor, negative: Tensor, valid: Tensor) -> Tensor:
    """Mean negative log-probability of each tick's annotation (A.5): `logits` (B, T, 3) of nothing, progress,
    regression; marks (B, T), of which the more frequent sign counts; `valid` (B, T) bool.
    """
    lost = cross_entropy(logits.transpose(1, 2), classes(positive, negative), reduction="none")
    return (lost * valid).sum() / valid.sum().clamp(min=1)


def classes(positive: Tensor, negative: Tensor) -> Tensor:
    """int64 (B, T): 1 where progress was marked, 2 where regression was, 0 where neither was, or both."""
    return (positive > negative).long() + 2 * (negative > positive).long()


class Fitting(fitting.Fitting):
    """AR's part of the training."""

    algorithm = "ar"
    config: Settings

    def network(self, observation_size: int, instruction_size: int) -> RewardModel:
        """With a classifier for its head."""
        return AnnotationModel(observation_size, instruction_size, self.config.hidden)

    def losses(self, phase: str, read: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """AR's."""
        marks = (batch["positive"], batch["negative"])
        before = torch.roll(classes(*marks), 1, 1)
        before[:, 0] = 0
        logits = self.models[phase].classify(read, before)
        return {"loss": ar_loss(logits, *marks, batch["valid"])}


train = partial(shell.run, Fitting)

if __name__ == "__main__":
    raise SystemExit(run_program("ar", Settings, train, suiting=partial(fitting.suiting, "ar")))
