"""How late annotators mark: estimated for each annotator from the changes of the game, and corrected.

People press a key .3 to 1.5 s after what they saw, and a mark that lies some ticks late teaches less than a
missing one. The change of the observation from one tick to the next predicts marks best at the tick of the
event itself. So marks are regressed (ridge) on these changes. The lags chosen are those with which the
regression fitted on one half of the tracks explains most of the marks on the other half (maximum likelihood,
with normal errors). Sums over ticks are computed once for every lag, so trying lags is cheap. Pure functions
over tracks. For marks that were placed with care the lag comes out as 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.learning.parts.marked import Track

WORK = 4e10  # multiplications that sums over ticks may cost
LEAST = 20  # marks of a rater, below which all raters' lag is taken
FEW = 500  # numbers that are observed
SWEEPS = 5  # over the raters


@dataclass(frozen=True)
class Lateness:
    """By how many entries of a track a rater's marks come late, estimated from `marks` of the rater's own,
    or, where those are too few, from all raters'.
    """

    lag: int
    marks: int


def estimated(tracks: list[Track], most: int, rng: np.random.Generator) -> dict[str, Lateness]:
    """Each rater's lateness, from 0 to `most` entries."""
    raters = sorted({track.annotator for track in tracks})
    marks_of = {rater: sum(t.marks for t in tracks if t.annotator == rater) for rater in raters}
    chosen = _enough([track for track in tracks if track.marks and len(track.positive) > most + 2], rng)
    if len({track.episode for track in chosen}) < 2:
        return {rater: Lateness(0, marks_of[rater]) for rater in raters}
    sums = [_sums(chosen[half::2], raters, most) for half in (0, 1)]
    known = [i for i, rater in enumerate(raters) if marks_of[rater] >= LEAST]

    def explained(lags: list[int]) -> float:
        """How much of the marks, by the other half's regression: R squared, signed and unsigned together."""
        return sum(a.explained(lags, b.weights(lags)) for a, b in (sums, sums[::-1]))

    common = max(range(most + 1), key=lambda lag: explained([lag] * len(raters)))
    tried: list[tuple[float, list[int]]] = []
    for start in {0, common, most // 2}:
        lags = [start] * len(raters)
        for _ in range(SWEEPS):
            before = list(lags)
            for i in known:
                shares = [explained([*lags[:i], lag, *lags[i + 1 :]]) for lag in range(most + 1)]
                lags[i] = int(np.argmax(shares))
            if lags == before:
                break
        tried.append((explained(lags), lags))
    lags = [lag if i in known else common for i, lag in enumerate(max(tried)[1])]
    return {rater: Lateness(lag, marks_of[rater]) for rater, lag in zip(raters, lags, strict=True)}


def corrected(tracks: list[Track], late: Mapping[str, Lateness]) -> list[Track]:
    """The tracks with marks moved back to where what they are about happened."""
    out = []
    for track in tracks:
        lag = late[track.annotator].lag if track.annotator in late else 0
        moved = [_moved(marks, lag) if lag else marks for marks in (track.positive, track.negative)]
        out.append(dataclasses.replace(track, positive=moved[0], negative=moved[1]))
    return out


@dataclass(frozen=True)
class _Sums:
    """Over the ticks of some tracks, of their changes x (less their mean) and the marks y, signed and
    unsigned: x x' (D, D); x y' by rater and lag (R, L, D, 2); y y by column (2,).
    """

    gram: np.ndarray
    cross: np.ndarray
    marks: np.ndarray

    def of(self, lags: list[int]) -> np.ndarray:
        """x y' (D, 2) with these lags of the raters."""
        return self.cross[np.arange(len(lags)), lags].sum(0)

    def weights(self, lags: list[int]) -> np.ndarray:
        """Of the ridge regression, (D, 2)."""
        return self.solved @ self.of(lags)

    def explained(self, lags: list[int], weights: np.ndarray) -> float:
        """R squared of the forecast by these weights, added up over both columns."""
        right = 2 * (weights * self.of(lags)).sum(0) - (weights * (self.gram @ weights)).sum(0)
        return float((right / np.maximum(self.marks, 1e-9)).sum())

    @cached_property
    def solved(self) -> np.ndarray:
        """The inverse of x x' with the ridge."""
        size = len(self.gram)
        ridge = 0.01 * np.trace(self.gram) / size + 1e-3
        return np.linalg.inv(self.gram + ridge * np.eye(size))


def _sums(tracks: list[Track], raters: list[str], most: int) -> _Sums:
    changes = _changes(tracks)
    mean = sum(x.sum(0) for x in changes) / sum(len(x) for x in changes)
    size = len(mean)
    gram, cross, marks = np.zeros((size, size)), np.zeros((len(raters), most + 1, size, 2)), np.zeros(2)
    for track, x in zip(tracks, changes, strict=True):
        x = x - mean
        gram += x.T @ x
        sums = np.stack([track.positive - track.negative, track.positive + track.negative], 1)[1:]
        marks += (sums.astype(float) ** 2).sum(0)
        into = cross[raters.index(track.annotator)]
        for lag in range(most + 1):
            into[lag] += x[: len(x) - lag].T @ sums[lag:].astype(np.float32)
    return _Sums(gram, cross, marks)


def _enough(tracks: list[Track], rng: np.random.Generator) -> list[Track]:
    """As many of them as there is time for, in any order."""
    if not tracks:
        return []
    left = WORK / tracks[0].observations.shape[1] ** 2  # ticks
    chosen: list[Track] = []
    for i in rng.permutation(len(tracks)):
        if left > 0:
            chosen.append(tracks[i])
            left -= len(tracks[i].positive)
    return chosen


def _moved(marks: np.ndarray, lag: int) -> np.ndarray:
    """Marks `lag` entries earlier, but not before entry 1."""
    out = np.zeros_like(marks)
    np.add.at(out, np.maximum(1, np.arange(len(marks)) - lag)[1:], marks[1:])
    return out


def _changes(tracks: list[Track]) -> list[np.ndarray]:
    """What changed from each tick to the next, (T, numbers): where few numbers are observed, what rose and
    what fell apart, for things that happen are no sum of states."""
    changes = [np.diff(track.observations.astype(np.float32), axis=0) for track in tracks]
    if changes[0].shape[1] > FEW:
        return changes
    return [np.concatenate([np.maximum(x, 0), np.maximum(-x, 0)], 1) for x in changes]
