"""V-trace: value targets and advantages of a policy from the moves of another one (IMPALA, Espeholt et al.
2018). Shapes and discounts are as in engine.learning.parts.returns.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from engine.learning.parts.returns import discounted


class VTrace(NamedTuple):
    """`vs`: value targets, `advantages`: policy-gradient advantages, both (T, B)."""

    vs: Tensor
    advantages: Tensor


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
