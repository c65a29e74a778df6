"""Pulls of a learner's policy towards others: the base, and teachers.
Not for the gradient steps (engine.learning.parts.proximal).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.learning.parts.proximal import Pull, Rows

BAND = 1.5  # the penalty leaves alone what lies so many times above or below the target
LATELY = 0.2  # how much of an update counts in what is said of the last ones


@dataclass
class Pulls:
    """`kl`: the weight of KL(policy || base), steered to `target`, 0 for none; `anchor`: that of KL(base ||
    policy), which isn't steered. Rows have the base's log-probabilities as "base" where there are such pulls.
    """

    kl: float
    target: float
    anchor: float
    reached: float | None = None
    """How far from the base the policy was in the last updates; None before it was steered."""
    cut: float = 0.0
    """Share of their passes that were left out because the policy had moved far enough."""

    @property
    def looks(self) -> bool:
        """Whether the base is looked at."""
        return self.kl > 0 or self.anchor > 0

    @property
    def furthest(self) -> float:
        """How far a policy may move in a pass over a rollout."""
        return self.target if self.kl > 0 else math.inf

    def on(self, rows: Rows) -> tuple[Pull, ...]:
        """The pulls on these rows, which get the columns for them: once a rollout, not in each pass."""
        losses = []
        if "base" in rows:
            rows["base_kl"] = rows["anchor_kl"] = rows.pop("base")
        if self.kl > 0:
            losses.append(Pull("base_kl", self.kl))
        if self.anchor > 0:
            losses.append(Pull("anchor_kl", self.anchor, from_other=True))
        return tuple(losses)

    def steer(self, values: dict[str, float]) -> float:
        """Weigh the base as the distance from it in an update asks for; returns the weight."""
        apart = values["base_kl"]
        self.reached = apart if self.reached is None else self.reached + LATELY * (apart - self.reached)
        self.cut += LATELY * (values["passes_cut"] - self.cut)
        self.kl = steered(self.kl, apart, self.target)
        return self.kl

    def summary(self) -> dict[str, float | bool] | None:
        """{"reached", "target", "held": whether it was the target that kept the policy near the base, "cut"};
        None where nothing was steered.
        """
        if self.reached is None:
            return None
        held = self.reached >= self.target / BAND or self.cut >= 0.25
        return {"reached": self.reached, "target": self.target, "held": held, "cut": self.cut}

    def notes(self) -> list[str]:
        """What a person should know of it before the result is taken at its word, in sentences."""
        strengths = self.summary()
        if strengths is None or not strengths["held"]:
            return []
        return [
            f"The policy was held at KL {strengths['reached']:.2g} a move from its base (target_kl is "
            f"{self.target:g}), so no weight could move it much further: raise target_kl to allow a larger "
            "effect."
        ]

    def tensors(self) -> dict[str, Tensor]:
        """What was steered, for a checkpoint."""
        known = {"kl": self.kl, "reached": self.reached, "cut": self.cut}
        return {
            name: torch.tensor(value, dtype=torch.float64)
            for name, value in known.items()
            if value is not None
        }

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        for name, value in tensors.items():
            setattr(self, name, value.item())


def steered(weight: float, base_kl: float, target: float) -> float:
    """The KL penalty's next weight: up when the policy is further from the base than wanted, down when
    closer."""
    if base_kl > BAND * target:
        weight *= BAND
    elif base_kl < target / BAND:
        weight /= BAND
    return float(np.clip(weight, 0.02, 200.0))
