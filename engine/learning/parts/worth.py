"""How useful it is to mark an episode, according to a reward model that learned from others: compared in the
experiment `data`, and used by annotators' queues.

Not for which model (webapp.rounds.judges), nor when and for which episodes (webapp.annotation.worth).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.agents.utility import RewardModel
from engine.learning.parts.utility_curve import Curve, utility_curve
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog


def disagreement(u: Curve) -> float:
    """The spread of the members of the ensemble, averaged over ticks. Raises Refusal if there is only one."""
    if u.spread is None:
        raise Refusal("This reward model has one member, which can't say how sure it is.")
    return float(np.mean(u.spread))


def least_sure(u: Curve) -> float:
    """Higher the less U changes."""
    return -float(np.mean(np.abs(np.diff(u.mean))))


CHOICES: dict[str, Callable[[Curve], float]] = {"disagreement": disagreement, "least sure": least_sure}
QUEUES = "disagreement"  # which of them queues go by


def worth(model: RewardModel, log: EpisodeLog, *choices: str) -> dict[str, float]:
    """By each of these CHOICES the mean over seats; only comparable among episodes read by the same model.
    Raises Refusal.
    """
    curves = [utility_curve(model, log, seat) for seat in range(len(log.header["seats"]))]
    return {name: float(np.mean([CHOICES[name](u) for u in curves])) for name in choices}
