"""How much an episode is worth being marked, by a reward model that has learned from others: what the
experiment `data` compares, and what annotators' queues go by.

Not for which model (webapp.rounds.judges), nor when and for which episodes (webapp.replays.worth).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.agents.utility import RewardModel
from engine.learning.parts.utility_curve import Curve, Misfit, utility_curve
from engine.simulation.log import EpisodeLog


def disagreement(u: Curve) -> float:
    """How far the members are apart, the ticks' mean. Raises Misfit where there is but one."""
    if u.spread is None:
        raise Misfit("This reward model has one member, which can't say how sure it is.")
    return float(np.mean(u.spread))


def least_sure(u: Curve) -> float:
    """The less U changes at all, the more."""
    return -float(np.mean(np.abs(np.diff(u.mean))))


CHOICES: dict[str, Callable[[Curve], float]] = {"disagreement": disagreement, "least sure": least_sure}
QUEUES = "disagreement"  # which of them queues go by


def worth(model: RewardModel, log: EpisodeLog, *choices: str) -> dict[str, float]:
    """By each of these CHOICES the seats' mean; only among episodes that one model has read it says anything.
    Raises Misfit and LogError.
    """
    curves = [utility_curve(model, log, seat) for seat in range(len(log.header["seats"]))]
    return {name: float(np.mean([CHOICES[name](u) for u in curves])) for name in choices}
