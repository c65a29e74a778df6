"""What pulls a learner's policy towards others: the network that it began with, and an instruction's prior.
Not for the gradient steps (engine.learning.proximal).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.agents.network import masked
from engine.learning import heads
from engine.learning.proximal import Pull, Rows


@dataclass
class Pulls:
    """`base(inputs)`: logits (n, A), not masked, of the network that it began with; `parts`: the heads of
    actions.

    `kl`: the weight of KL(policy || base), steered to `target`, 0 for none; `anchor`: that of KL(base ||
    policy), which isn't steered; `prior`: that of KL(policy || prior) (lambda of instructPPO), where rows
    have "priors".
    """

    base: Callable[[Tensor], Tensor]
    parts: tuple[int, ...]
    kl: float
    target: float
    anchor: float
    prior: float

    @property
    def furthest(self) -> float:
        """How far a policy may move in a pass over a rollout."""
        return self.target if self.kl > 0 else math.inf

    def on(self, rows: Rows) -> tuple[Pull, ...]:
        """The pulls on these rows, which get the columns for them: once a rollout, not in each pass."""
        found = []
        if self.kl > 0 or self.anchor > 0:
            rows["base_kl"] = rows["anchor_kl"] = self._log_probs(rows)
        if self.kl > 0:
            found.append(Pull("base_kl", self.kl))
        if self.anchor > 0:
            found.append(Pull("anchor_kl", self.anchor, from_other=True))
        if "priors" in rows:
            rows["prior_kl"] = masked(rows["priors"], rows["masks"]).log_softmax(1)
            found.append(Pull("prior_kl", self.prior))
        return tuple(found)

    def _log_probs(self, rows: Rows) -> Tensor:
        parts = zip(rows["inputs"].split(4096), rows["masks"].split(4096), strict=True)
        return torch.cat([heads.log_probs(self.base(x), m, self.parts) for x, m in parts])

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
