"""Every 95 % interval that is reported: of means, of shares, over deals, over trainings, and by bootstrap.

A deal is what chance laid out before anybody chose: a deck, a start, a map with its supplies. Games of one
deal are not independent: the same deal with seats or sides swapped is averaged first, and the spread is that
between deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Z = 1.96  # 97.5 % of a normal distribution
STUDENT_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # 97.5 %, from 1 degree on


def standard_error(values: np.ndarray) -> float | None:
    """Of the mean of independent values (n,); None for fewer than two, which say nothing of a spread."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else None


def around(mean: float, half: float | None) -> list[float] | None:
    """[low, high] of an interval whose half is known; None where it isn't."""
    return None if half is None else [mean - half, mean + half]


def interval_of_mean(values: np.ndarray) -> list[float] | None:
    """The 95 % interval of the mean of many independent values (n,), by the normal distribution."""
    error = standard_error(values)
    return around(float(values.mean()), None if error is None else Z * error)


def interval_over_seeds(means: list[float]) -> list[float]:
    """The 95 % interval of the mean of 2 to 10 numbers, by Student's t distribution."""
    if not 2 <= len(means) <= len(STUDENT_T) + 1:
        raise ValueError(f"An interval over seeds takes 2 to {len(STUDENT_T) + 1} seeds, not {len(means)}.")
    mean, spread = float(np.mean(means)), float(np.std(means, ddof=1) / np.sqrt(len(means)))
    return [mean - STUDENT_T[len(means) - 2] * spread, mean + STUDENT_T[len(means) - 2] * spread]


def bootstrap(
    count: int, statistic: Callable[[np.ndarray], float], rng: np.random.Generator, draws: int
) -> list[float] | None:
    """The 2.5 and 97.5 percentiles of `statistic(indices)` over draws of `count` indices with replacement;
    None for fewer than two, or where no draw has a number.
    """
    if count < 2:
        return None
    values = np.array([statistic(rng.integers(count, size=count)) for _ in range(draws)])
    values = values[~np.isnan(values)]
    if not len(values):
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return [float(low), float(high)]


def estimate(count: int, statistic: Callable[[np.ndarray], float]) -> dict[str, float]:
    """{"mean": `statistic` of all, "low", "high": its bootstrapped interval (seed 0)}, to four places; of one
    alone the ends are the mean.
    """
    mean = float(statistic(np.arange(count)))
    low, high = bootstrap(count, statistic, np.random.default_rng(0), 1000) or (mean, mean)
    return {"mean": round(mean, 4), "low": round(low, 4), "high": round(high, 4)}


def over_deals(values: np.ndarray) -> dict[str, Any]:
    """{"mean", "stderr", "interval" (95 %), "episodes": games, "deals"} of games (deals,), or of as many
    games of each deal (games, deals). One deal says nothing of a spread: its standard error is None.
    """
    each = np.atleast_2d(np.asarray(values, float)).mean(0)
    return {
        "mean": float(each.mean()),
        "stderr": standard_error(each),
        "interval": interval_of_mean(each),
        "episodes": int(np.size(values)),
        "deals": len(each),
    }


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
