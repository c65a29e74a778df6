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

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.agents.utility import AnnotationModel, RewardModel
from engine.learning.parts import fitting
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.shared import Marked, Run

MAKES = "reward_model"
FOREMOST = ("steps", "controls", "simple_model", "held_out")
SIZES = {
    "tiny": {"steps": 40, "batch": 16, "hidden": 32},
    "thorough": {"steps": 1500, "hidden": 128},
}


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Marked):
    """Those of every reward model."""


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
