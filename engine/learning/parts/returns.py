"""Returns and advantages from rollouts: discounted sums, GAE and V-trace.

Pure functions over tensors of shape (T, B), time first. Not for collecting the rollouts
(engine.learning.parts.rollouts).

`discounts[t]` is gamma where the episode goes on after step t and 0 where it ended there; `bootstrap` (B,) is
the value of the state after the last step.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class VTrace(NamedTuple):
    """`vs`: value targets, `advantages`: policy-gradient advantages, both (T, B)."""

    vs: Tensor
    advantages: Tensor


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


@torch.no_grad()
def vtrace(
    log_ratios: Tensor,
    rewards: Tensor,
    values: Tensor,
    discounts: Tensor,
    bootstrap: Tensor,
    rho_clip: float = 1.0,
    c_clip: float = 1.0,
    lam: float = 1.0,
) -> VTrace:
    """V-trace targets and advantages (IMPALA, Espeholt et al. 2018, eq. 1).

    `log_ratios` (T, B) is log pi(a|x) - log mu(a|x) of the learner over the behaviour policy. On-policy with
    lam = 1 the targets are the n-step returns.
    """
    ratios = log_ratios.exp()
    rhos = ratios.clamp(max=rho_clip)
    cs = lam * ratios.clamp(max=c_clip)
    following_values = torch.cat([values[1:], bootstrap[None]])
    deltas = rhos * (rewards + discounts * following_values - values)
    corrections = discounted(deltas, discounts * cs, torch.zeros_like(bootstrap))
    vs = values + corrections
    following_vs = torch.cat([vs[1:], bootstrap[None]])
    advantages = rhos * (rewards + discounts * following_vs - values)
    return VTrace(vs, advantages)
