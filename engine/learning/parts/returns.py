"""Returns and advantages from rollouts: discounted sums and GAE.

Pure functions over tensors of shape (T, B), time first. Not for collecting the rollouts
(engine.learning.parts.rollouts).

`discounts[t]` is gamma where the episode goes on after step t and 0 where it ended there; `bootstrap` (B,) is
the value of the state after the last step.
"""

from __future__ import annotations

import torch
from torch import Tensor


def discounted(rewards: Tensor, discounts: Tensor, bootstrap: Tensor) -> Tensor:
    """Returns G_t = r_t + discount_t G_{t+1}, with G_T = bootstrap. (T, B) -> (T, B)."""
    out = torch.empty_like(rewards)
    following = bootstrap
    for t in reversed(range(len(rewards))):
        following = rewards[t] + discounts[t] * following
        out[t] = following
    return out


def gae(rewards: Tensor, values: Tensor, discounts: Tensor, bootstrap: Tensor, lam: float) -> Tensor:
    """Generalised advantages (Schulman et al. 2016, eq. 16), (T, B); value targets are these + values."""
    following_values = torch.cat([values[1:], bootstrap[None]])
    deltas = rewards + discounts * following_values - values
    return discounted(deltas, discounts * lam, torch.zeros_like(bootstrap))
