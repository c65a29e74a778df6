"""How good a utility U(t) is at telling progress from regression, on episodes it was not trained on.

Works on arrays, not on models: `utilities` (T+1,) of an episode against one rater's marks. A mark at tick t
is about the move that led to state t, so the marks between states t1 < t2 are those at ticks t1+1 .. t2 (IBT
paper, Algorithm 1). Every number comes with the two controls in mind: on mostly progressing episodes the
clock, U = t, orders pairs well, so accuracy is averaged over the two signs and given for regressions alone
as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Judged:
    """One rater's marks on one episode's seat, with the utilities to judge.

    `positive`, `negative`: number of marks at each tick, (T+1,); `utilities`: U at each tick, (T+1,).
    """

    episode: str
    utilities: np.ndarray
    positive: np.ndarray
    negative: np.ndarray


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval, bootstrapped over episodes; NaN where there was nothing to judge."""

    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float | None]:
        """As plain numbers, NaN as None."""
        parts = {"value": self.value, "low": self.low, "high": self.high}
        return {k: None if np.isnan(v) else round(float(v), 4) for k, v in parts.items()}


def pair_counts(judged: Judged) -> np.ndarray:
    """[right, all] for pairs with progress alone between them, then for regression alone: float (4,).

    All pairs t1 < t2 whose marks in between have one sign; a tie counts half.
    """
    p, n = np.cumsum(judged.positive), np.cumsum(judged.negative)
    t1, t2 = np.triu_indices(len(judged.utilities), 1)
    between_p, between_n = p[t2] - p[t1], n[t2] - n[t1]
    gain = judged.utilities[t2] - judged.utilities[t1]
    up = (between_p > 0) & (between_n == 0)
    down = (between_n > 0) & (between_p == 0)
    right_up = (gain[up] > 0).sum() + 0.5 * (gain[up] == 0).sum()
    right_down = (gain[down] < 0).sum() + 0.5 * (gain[down] == 0).sum()
    return np.array([right_up, up.sum(), right_down, down.sum()], float)


def event_gains(judged: Judged, window: int) -> tuple[np.ndarray, np.ndarray]:
    """U's gain per tick around each marked tick, (marks of progress,) and (marks of regression,).

    From U(t - 1 - window) to U(t + window), cut at the episode's ends (per tick, so that the clock's is the
    same everywhere); ticks with marks of both signs are left out. Window 0 is the marked move alone.
    """
    last = len(judged.utilities) - 1

    def gains(ticks: np.ndarray) -> np.ndarray:
        after, before = np.minimum(ticks + window, last), np.maximum(ticks - 1 - window, 0)
        return (judged.utilities[after] - judged.utilities[before]) / (after - before)

    up = np.flatnonzero((judged.positive > 0) & (judged.negative == 0))
    down = np.flatnonzero((judged.negative > 0) & (judged.positive == 0))
    return gains(up), gains(down)


def auc(high: np.ndarray, low: np.ndarray) -> float:
    """P(a value of `high` is above one of `low`), ties half; NaN if either is empty."""
    if not len(high) or not len(low):
        return float("nan")
    low = np.sort(low)
    below = np.searchsorted(low, high, "left")
    not_above = np.searchsorted(low, high, "right")
    return float((below + not_above).sum() / 2 / (len(high) * len(low)))


def balanced_accuracy(counts: np.ndarray) -> float:
    """Mean of the accuracies on progress and on regression pairs, from summed `pair_counts`."""
    parts = [counts[i] / counts[i + 1] for i in (0, 2) if counts[i + 1]]
    return float(np.mean(parts)) if len(parts) == 2 else float("nan")


def regress_accuracy(counts: np.ndarray) -> float:
    """Accuracy on pairs with regression alone between them, from summed `pair_counts`."""
    return float(counts[2] / counts[3]) if counts[3] else float("nan")


def bootstrap(
    episodes: Sequence[object],
    statistic: Callable[[Sequence[object]], float],
    rng: np.random.Generator,
    rounds: int = 300,
) -> Estimate:
    """`statistic` of all episodes, and its 2.5 and 97.5 percentiles over resampled episodes."""
    value = statistic(episodes)
    draws = []
    for _ in range(rounds if len(episodes) > 1 else 0):
        pick = rng.integers(len(episodes), size=len(episodes))
        draws.append(statistic([episodes[i] for i in pick]))
    draws = [d for d in draws if not np.isnan(d)]
    if not draws:
        return Estimate(value, float("nan"), float("nan"))
    low, high = np.percentile(draws, [2.5, 97.5])
    return Estimate(value, float(low), float(high))


def report(judged: Sequence[Judged], rng: np.random.Generator, window: int = 2) -> dict[str, Estimate]:
    """`pair_accuracy` (balanced over signs), `regress_accuracy` and `delta_auc`, bootstrapped over
    episodes."""
    grouped: dict[str, list[Judged]] = {}
    for one in judged:
        grouped.setdefault(one.episode, []).append(one)
    counts = [sum((pair_counts(one) for one in group), np.zeros(4)) for group in grouped.values()]
    gains = []
    for group in grouped.values():
        parts = [event_gains(one, window) for one in group]
        gains.append(tuple(np.concatenate([part[sign] for part in parts]) for sign in (0, 1)))

    def gain_auc(some: Sequence[Any]) -> float:
        up, down = (np.concatenate([pair[sign] for pair in some]) for sign in (0, 1))
        return auc(up, down)

    def over(rate: Callable[[np.ndarray], float]) -> Callable[[Sequence[Any]], float]:
        return lambda some: rate(np.sum(some, axis=0))

    if not counts:
        nothing = Estimate(float("nan"), float("nan"), float("nan"))
        return {"pair_accuracy": nothing, "regress_accuracy": nothing, "delta_auc": nothing}
    return {
        "pair_accuracy": bootstrap(counts, over(balanced_accuracy), rng),
        "regress_accuracy": bootstrap(counts, over(regress_accuracy), rng),
        "delta_auc": bootstrap(gains, gain_auc, rng),
    }
