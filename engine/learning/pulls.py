"""What pulls a learner's policy towards others: the network that it began with, and an instruction's prior.
Not for the gradient steps (engine.learning.proximal).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.agents.network import masked
from engine.learning.proximal import Pull, Rows


@dataclass
class Pulls:
    """`kl`: the weight of KL(policy || base), steered to `target`, 0 for none; `anchor`: that of KL(base ||
    policy), which isn't steered; `prior`: that of KL(policy || prior) (lambda of instructPPO). Rows have the
    base's log-probabilities as "base" and the prior's logits as "priors", where there are such pulls.
    """

    kl: float
    target: float
    anchor: float
    prior: float

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
        found = []
        if "base" in rows:
            rows["base_kl"] = rows["anchor_kl"] = rows.pop("base")
        if self.kl > 0:
            found.append(Pull("base_kl", self.kl))
        if self.anchor > 0:
            found.append(Pull("anchor_kl", self.anchor, from_other=True))
        if "priors" in rows:
            rows["prior_kl"] = masked(rows["priors"], rows["masks"]).log_softmax(1)
            found.append(Pull("prior_kl", self.prior))
        return tuple(found)

    def steer(self, base_kl: float) -> float:
        """Weigh the base as the distance from it asks for; returns the weight."""
        self.kl = steered(self.kl, base_kl, self.target)
        return self.kl

    def tensors(self) -> dict[str, Tensor]:
        """The weight as it is, for a checkpoint."""
        return {"kl": torch.tensor(self.kl, dtype=torch.float64)}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.kl = tensors["kl"].item()


def steered(weight: float, base_kl: float, target: float) -> float:
    """The KL penalty's next weight: up when the policy is further from the base than wanted, down when
    closer."""
    if base_kl > 1.5 * target:
        weight *= 1.5
    elif base_kl < target / 1.5:
        weight /= 1.5
    return float(np.clip(weight, 0.02, 200.0))
