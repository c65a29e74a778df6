"""How well a utility U(t) tells progress from regression, on episodes it was not trained on.

Works on arrays, not on models: `utilities` (T+1,) of an episode against one annotator's marks, and against
true progress if that is known (simulated annotators mark by it). A mark at tick t is about the move that led
to state t, so the marks between states t1 < t2 are those at ticks t1+1 .. t2 (IBT paper, Algorithm 1). On
mostly progressing episodes the time-only control, U = t, orders pairs well. So accuracy is averaged over the
two signs, measured over pairs that are equally far apart, and given for regressions alone as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.evaluation import intervals


@dataclass(frozen=True)
class Judged:
    """One rater's marks on one episode's seat, with the utilities to judge.

    `positive`, `negative`: number of marks at each tick, (T+1,); `utilities`: U at each tick, (T+1,).
    `progress` (T+1,): true progress, and `obeyed`: how much of it was for doing what was asked, where they
    are known. `swapped` (T+1,): U under another instruction, where
    the seat was told something, at the ticks `asked`, bool (T+1,).
    """

    episode: str
    utilities: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    progress: np.ndarray | None = None
    obeyed: float | None = None
    swapped: np.ndarray | None = None
    asked: np.ndarray | None = None


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
    """`statistic` of all episodes with its 95 % interval, bootstrapped over episodes."""
    drawn = intervals.bootstrap(
        len(episodes), lambda picked: statistic([episodes[i] for i in picked]), rng, rounds
    )
    return Estimate(statistic(episodes), *(drawn or (float("nan"), float("nan"))))


def by_episode(judged: Sequence[Judged]) -> list[list[Judged]]:
    """The entries of each episode together."""
    grouped: dict[str, list[Judged]] = {}
    for game in judged:
        grouped.setdefault(game.episode, []).append(game)
    return list(grouped.values())


def report(judged: Sequence[Judged], rng: np.random.Generator, window: int = 2) -> dict[str, Estimate]:
    """Against marks, bootstrapped over episodes: `pair_accuracy` (balanced over signs), `regress_accuracy`
    and `delta_auc`; `matched_accuracy` (balanced over signs at equal gaps), `swap_auc` (gains under the right
    instruction against gains under another one, games against each other), `swap_accuracy` (each game against
    itself) and `calibration_error`.
    """
    groups = by_episode(judged)
    counts = [sum((pair_counts(game) for game in group), np.zeros(4)) for group in groups]
    gains = [_joined([event_gains(game, window) for game in group]) for group in groups]
    matched = [
        _total([matched_counts(game.utilities, signs_between(game)) for game in group]) for group in groups
    ]
    binned = [_total([calibration_counts(game) for game in group]) for group in groups]
    swaps = [_joined([swap_gains(game, done_by_marks(game)) for game in group]) for group in groups]
    return {
        "pair_accuracy": bootstrap(counts, _over(balanced_accuracy), rng),
        "regress_accuracy": bootstrap(counts, _over(regress_accuracy), rng),
        "delta_auc": bootstrap(gains, _auc_of, rng),
        "matched_accuracy": bootstrap(matched, _over(matched_accuracy), rng),
        "swap_auc": bootstrap(swaps, _auc_of, rng),
        "swap_accuracy": bootstrap(swaps, _more_of, rng),
        "calibration_error": bootstrap(binned, _over(calibration_error), rng),
    }


def report_on_truth(
    judged: Sequence[Judged], rng: np.random.Generator, window: int = 2
) -> dict[str, Estimate]:
    """Against true progress, bootstrapped over episodes: `matched_accuracy`, `regress_accuracy` (of the same
    pairs, those in which progress was lost), `delta_auc`, over all ticks, `swap_auc` and `swap_accuracy`. Of
    single ticks, which show whether a model remembers: `sign_auc` (gains against losses), `fall_auc` (no
    change against losses) and `gain_correlation` (U's gains with those of true progress).
    """
    groups = by_episode([game for game in judged if game.progress is not None])
    matched = [
        _total([matched_counts(game.utilities, truth_between(game)) for game in group]) for group in groups
    ]
    gains = [_joined([true_gains(game, window) for game in group]) for group in groups]
    swaps = [_joined([swap_gains(game, (game.obeyed or 0.0) > 0) for game in group]) for group in groups]
    ticks = [_joined([tick_gains(game) for game in group]) for group in groups]
    return {
        "gain_correlation": bootstrap(ticks, _over_ticks(gain_correlation), rng, rounds=100),
        "sign_auc": bootstrap(ticks, _over_ticks(sign_auc), rng, rounds=100),
        "fall_auc": bootstrap(ticks, _over_ticks(fall_auc), rng, rounds=100),
        "matched_accuracy": bootstrap(matched, _over(matched_accuracy), rng),
        "regress_accuracy": bootstrap(matched, _over(matched_regress_accuracy), rng),
        "delta_auc": bootstrap(gains, _auc_of, rng, rounds=100),
        "swap_auc": bootstrap(swaps, _auc_of, rng),
        "swap_accuracy": bootstrap(swaps, _more_of, rng),
    }


def auc_apart(
    judged: Sequence[Judged], others: Sequence[Judged], rng: np.random.Generator, window: int = 2
) -> Estimate:
    """By how much `delta_auc` of one utility is above that of another on the same games, bootstrapped over
    episodes in pairs."""

    def gains(some: Sequence[Judged]) -> list[tuple[np.ndarray, np.ndarray]]:
        return [_joined([event_gains(game, window) for game in group]) for group in by_episode(some)]

    def apart(some: Sequence[Any]) -> float:
        ours, theirs = zip(*some, strict=True)
        return _auc_of(ours) - _auc_of(theirs)

    return bootstrap(list(zip(gains(judged), gains(others), strict=True)), apart, rng)


def _total(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.asarray(np.sum(arrays, axis=0))


def _joined(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([first for first, _ in pairs]), np.concatenate([second for _, second in pairs])


def _auc_of(some: Sequence[Any]) -> float:
    return auc(*_joined(some)) if some else float("nan")


def _over_ticks(rate: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[Sequence[Any]], float]:
    return lambda some: rate(*_joined(some)) if some else float("nan")


def _more_of(some: Sequence[Any]) -> float:
    """The share of pairs whose first is more than their second; a tie counts half."""
    first, second = _joined(some) if some else (np.zeros(0), np.zeros(0))
    return float(((first > second) + 0.5 * (first == second)).mean()) if len(first) else float("nan")


def _over(rate: Callable[[np.ndarray], float]) -> Callable[[Sequence[Any]], float]:
    return lambda some: rate(_total(some)) if some else float("nan")


# --- Pairs that are equally far apart ----------------------------------------------------------------------

LEAST_CHANGE = 0.1
"""Of true progress, for two moments to be told apart."""
GAPS = np.unique(np.round(1.25 ** np.arange(40))).astype(int)
"""Ticks between the moments of a pair: about as many short ones as long ones."""


def signs_between(judged: Judged) -> Callable[[int], np.ndarray]:
    """By gap, (T+1-gap,): 1 where progress alone was marked between two moments, -1 where regression alone,
    else 0."""
    p, n = np.cumsum(judged.positive), np.cumsum(judged.negative)

    def signs(gap: int) -> np.ndarray:
        ups, downs = p[gap:] > p[:-gap], n[gap:] > n[:-gap]
        return (ups & ~downs).astype(int) - (downs & ~ups)

    return signs


def truth_between(judged: Judged) -> Callable[[int], np.ndarray]:
    """The same by what true progress changed, 0 where that is less than LEAST_CHANGE."""
    phi = judged.progress
    if phi is None:
        raise ValueError("True progress is not known.")

    def signs(gap: int) -> np.ndarray:
        change = phi[gap:] - phi[:-gap]
        return np.where(np.abs(change) > LEAST_CHANGE, np.sign(change), 0).astype(int)

    return signs


def matched_counts(utilities: np.ndarray, signs: Callable[[int], np.ndarray]) -> np.ndarray:
    """[right, all] of the pairs with progress between them, then of those with regression, for each of GAPS:
    float (len(GAPS), 4). A tie counts half.
    """
    out = np.zeros((len(GAPS), 4))
    for row, gap in zip(out, GAPS, strict=True):
        if gap >= len(utilities):
            break
        sign, gain = signs(int(gap)), utilities[gap:] - utilities[:-gap]
        for at, which in ((0, 1), (2, -1)):
            ordered = which * gain[sign == which]
            row[at : at + 2] = (ordered > 0).sum() + 0.5 * (ordered == 0).sum(), len(ordered)
    return out


def _matched(counts: np.ndarray, of: tuple[int, ...]) -> float:
    """Mean accuracy at each gap, weighted by how many pairs of both signs there are with it."""
    weights = np.minimum(counts[:, 1], counts[:, 3])
    parts = [counts[:, i] / np.maximum(counts[:, i + 1], 1) for i in of]
    return float((np.mean(parts, axis=0) * weights).sum() / weights.sum()) if weights.any() else float("nan")


def matched_accuracy(counts: np.ndarray) -> float:
    """Accuracy on pairs of both signs, as many of each at every gap, from summed `matched_counts`: U = t is
    right half of the time."""
    return _matched(counts, (0, 2))


def matched_regress_accuracy(counts: np.ndarray) -> float:
    """The same on those with regression between them alone: U = t is never right."""
    return _matched(counts, (2,))


def true_gains(judged: Judged, window: int) -> tuple[np.ndarray, np.ndarray]:
    """U's gain over 2 * window + 1 ticks wherever true progress gained there, and wherever it lost."""
    gap = min(2 * window + 1, len(judged.utilities) - 1)
    sign = truth_between(judged)(gap)
    gain = judged.utilities[gap:] - judged.utilities[:-gap]
    return gain[sign > 0], gain[sign < 0]


# --- Single ticks, which show whether a model remembers ----------------------------------------------------


def tick_gains(judged: Judged) -> tuple[np.ndarray, np.ndarray]:
    """U's gain and true progress' at every tick, (T,) each."""
    if judged.progress is None:
        raise ValueError("True progress is not known.")
    return np.diff(judged.utilities), np.diff(judged.progress)


def gain_correlation(gains: np.ndarray, truth: np.ndarray) -> float:
    """Pearson's, of gains of ticks (N,) with what they truly changed; NaN where one of them never changes."""
    known = len(gains) and gains.std() > 0 and truth.std() > 0
    return float(np.corrcoef(gains, truth)[0, 1]) if known else float("nan")


def sign_auc(gains: np.ndarray, truth: np.ndarray) -> float:
    """Gains of ticks (N,) at which progress was made against those at which it was lost."""
    return auc(gains[truth > LEAST_CHANGE], gains[truth < -LEAST_CHANGE])


def fall_auc(gains: np.ndarray, truth: np.ndarray) -> float:
    """Gains of ticks (N,) at which nothing changed against those at which progress was lost."""
    return auc(gains[np.abs(truth) <= LEAST_CHANGE], gains[truth < -LEAST_CHANGE])


# --- What was asked, and how sure it is --------------------------------------------------------------------


def under_instruction(judged: Judged) -> np.ndarray:
    """Ticks at which an instruction was in force, bool (T+1,): a mark at tick t is about the move before it,
    made under the instruction at tick t - 1.
    """
    asked = np.zeros(len(judged.utilities), bool) if judged.asked is None else judged.asked
    return np.append(False, asked[:-1])


def done_by_marks(judged: Judged) -> bool:
    """Whether the instruction was followed, according to marks: more of them of progress than of
    regression.
    """
    after = under_instruction(judged)
    return bool(judged.positive[after].sum() > judged.negative[after].sum())


def swap_gains(judged: Judged, done: bool) -> tuple[np.ndarray, np.ndarray]:
    """U's gain while an instruction was in force, under that and under another instruction, (1,) each; (0,)
    if there was none, or if it wasn't `done`.
    """
    if judged.swapped is None or not done:
        return np.zeros(0), np.zeros(0)
    after = under_instruction(judged)
    gained, other = (np.diff(u, prepend=u[0])[after].sum() for u in (judged.utilities, judged.swapped))
    return np.array([gained]), np.array([other])


BINS = 10


def calibration_counts(judged: Judged) -> np.ndarray:
    """For BINS equal steps of sigma(U(t2) - U(t1)), what the model says of marked pairs (IBT paper, eq. 1):
    [sum of it, number] of the pairs with progress between them, then of those with regression; (BINS, 4).
    """
    out, signs = np.zeros((BINS, 4)), signs_between(judged)
    for gap in GAPS[len(judged.utilities) > GAPS]:
        sign, gain = signs(int(gap)), judged.utilities[gap:] - judged.utilities[:-gap]
        says = 1 / (1 + np.exp(-np.clip(gain, -50, 50)))
        which = np.minimum((says * BINS).astype(int), BINS - 1)
        for at, wanted in ((0, 1), (2, -1)):
            chosen = sign == wanted
            out[:, at] += np.bincount(which[chosen], says[chosen], BINS)
            out[:, at + 1] += np.bincount(which[chosen], minlength=BINS)
    return out


def calibration(counts: np.ndarray) -> list[dict[str, float]]:
    """To draw, from summed `calibration_counts`: the bins that hold pairs, with what was "predicted" on
    average, the share of progress that was "observed", and the "share" of all pairs; both signs count alike,
    as they do in training.
    """
    scale = np.array([1 / max(counts[:, 1].sum(), 1), 1 / max(counts[:, 3].sum(), 1)]) / 2
    size = counts[:, 1] * scale[0] + counts[:, 3] * scale[1]
    total = counts[:, 0] * scale[0] + counts[:, 2] * scale[1]
    up = counts[:, 1] * scale[0]
    return [
        {"predicted": float(t / n), "observed": float(u / n), "share": float(n)}
        for t, u, n in zip(total, up, size, strict=True)
        if n > 0
    ]


def calibration_error(counts: np.ndarray) -> float:
    """Mean distance of predicted and observed shares, from summed `calibration_counts`."""
    if not (counts[:, 1].any() and counts[:, 3].any()):
        return float("nan")
    rows = calibration(counts)
    return sum(row["share"] * abs(row["predicted"] - row["observed"]) for row in rows)


def calibration_plot(judged: Sequence[Judged]) -> list[dict[str, float]]:
    """`calibration` of all of them, rounded."""
    counts = _total([calibration_counts(game) for game in judged]) if judged else np.zeros((BINS, 4))
    return [{name: round(value, 4) for name, value in row.items()} for row in calibration(counts)]
