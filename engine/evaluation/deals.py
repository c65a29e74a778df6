"""Means and shares over games with intervals over deals: games of one deal are not independent.

A deal is what chance laid out before anybody chose: a deck, a start, a map with its supplies. The same deal
with seats or sides swapped is averaged first, and the spread is that between deals. Not for spreads between
trainings (`self_play.interval_over_seeds`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Z = 1.96


def over_deals(values: np.ndarray) -> dict[str, Any]:
    """{"mean", "stderr", "interval" (95 %), "episodes": games, "deals"} of games (deals,), or of as many
    games of each deal (games, deals). One deal says nothing of a spread: its standard error is None.
    """
    each = np.atleast_2d(np.asarray(values, float)).mean(0)
    mean, stderr = float(each.mean()), None
    interval = None
    if len(each) > 1:
        stderr = float(each.std(ddof=1) / math.sqrt(len(each)))
        interval = [mean - Z * stderr, mean + Z * stderr]
    games = int(np.size(values))
    return {"mean": mean, "stderr": stderr, "interval": interval, "episodes": games, "deals": len(each)}


def wilson(share: float, trials: float) -> list[float]:
    """The 95 % Wilson interval of a share of independent trials."""
    middle = share + Z * Z / (2 * trials)
    width = Z * math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials))
    return [(middle - width) / (1 + Z * Z / trials), (middle + width) / (1 + Z * Z / trials)]


def share_over_deals(successes: np.ndarray, trials: np.ndarray) -> dict[str, Any]:
    """{"share", "interval" (95 %)} of trials with two outcomes, (deals,) each: Wilson's interval at the
    number of independent trials that would vary as much as the deals do, at most as many as there were.
    """
    good, count = np.asarray(successes, float), np.asarray(trials, float)
    good, count = good[count > 0], count[count > 0]
    if not len(count):
        return {"share": None, "interval": None}
    share, deals = float(good.sum() / count.sum()), len(count)
    spread = share * (1 - share)
    worth = float(deals)  # where all went alike, nothing says that games of one deal are more than one
    if spread > 0 and deals > 1:
        # The variance of a ratio of sums over independent deals.
        variance = float(((good - share * count) ** 2).sum() / count.sum() ** 2 * deals / (deals - 1))
        worth = min(float(count.sum()), spread / variance) if variance > 0 else float(count.sum())
    return {"share": share, "interval": wilson(share, worth)}
