"""How late raters mark: estimated from when the game itself changes, for each rater, and corrected.

People press a key .3 to 1.5 s after what they saw, and a mark that lies some ticks late teaches less than a
mark that is missing. What changed from one tick to the next foretells marks best at the tick at which
something happened. So marks are regressed (ridge) on the changes of what is observed, and a rater's marks are
correlated with that forecast at every lag; the profile is that of a normal distribution of lags, blurred by
the forecast's own autocorrelation, which is fitted by least squares. Pure functions over tracks. Not for
marks that were placed with care: their lag is found to be 0.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.learning.marked import Track

ROWS = 12_000  # ticks of all raters to estimate from
LEAST = 20  # marks of a rater, below which all raters' lag is taken
FEW = 500  # numbers that are observed
SPREADS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
STEPS = 4  # of a fitted mean, from one lag to the next


@dataclass(frozen=True)
class Lateness:
    """By how many entries of a track a rater's marks come late: `mean`, with the standard deviation `spread`;
    estimated from `marks` of the rater's own, or, where those are too few, from all raters'.
    """

    mean: float
    spread: float
    marks: int

    @property
    def lag(self) -> int:
        """Whole entries."""
        return round(self.mean)


def estimated(tracks: list[Track], most: int, rng: np.random.Generator) -> dict[str, Lateness]:
    """Each rater's lateness, from 0 to `most` entries."""
    every = [track for track in tracks if track.marks and len(track.positive) > most + 2]
    raters = sorted({track.annotator for track in tracks})
    own = {rater: sum(t.marks for t in every if t.annotator == rater) for rater in raters}
    few = [track for i in rng.permutation(len(every)) if own[(track := every[i]).annotator]]
    chosen, rows = [], dict.fromkeys(raters, 0)
    for track in few:
        if rows[track.annotator] < ROWS / len(raters):
            chosen.append(track)
            rows[track.annotator] += len(track.positive)
    if len({track.episode for track in chosen}) < 2 or not most:
        return {rater: Lateness(0.0, 0.0, own[rater]) for rater in raters}
    changes = _changes(chosen)
    half = np.array([index % 2 for index in range(len(chosen))])
    solved = [_inverse([x for x, h in zip(changes, half, strict=True) if h == part]) for part in (0, 1)]

    def forecasts(lags: Mapping[str, int]) -> list[np.ndarray]:
        """Of each track's marks, at the ticks at which something happened, by the other half of tracks."""
        weights = []
        for part in (0, 1):
            used = [i for i in range(len(chosen)) if half[i] == part]
            weights.append(solved[part] @ sum(changes[i].T @ _marks(chosen[i], lags) for i in used))
        return [x @ weights[1 - h] for x, h in zip(changes, half, strict=True)]

    def together(lag: int) -> float:
        lags = dict.fromkeys(raters, lag)
        found = forecasts(lags)
        return _correlation(found, [_marks(track, lags) for track in chosen])

    common = max(range(most + 1), key=together)
    lags, out = dict.fromkeys(raters, common), {}
    for _ in range(3):
        found = forecasts(lags)
        all_of_them = _fitted(found, chosen, most)
        for rater in raters:
            mine = [i for i, track in enumerate(chosen) if track.annotator == rater]
            mean, spread = all_of_them
            if own[rater] >= LEAST:
                mean, spread = _fitted([found[i] for i in mine], [chosen[i] for i in mine], most)
            out[rater] = Lateness(mean, spread, own[rater])
        if lags == (new := {rater: one.lag for rater, one in out.items()}):
            break
        lags = new
    return out


def corrected(tracks: list[Track], late: Mapping[str, Lateness]) -> list[Track]:
    """The tracks with marks moved back to where what they are about happened."""
    out = []
    for track in tracks:
        lag = late[track.annotator].lag if track.annotator in late else 0
        moved = [_moved(marks, lag) if lag else marks for marks in (track.positive, track.negative)]
        out.append(dataclasses.replace(track, positive=moved[0], negative=moved[1]))
    return out


def _moved(marks: np.ndarray, lag: int) -> np.ndarray:
    """Marks `lag` entries earlier, but not before entry 1."""
    out = np.zeros_like(marks)
    np.add.at(out, np.maximum(1, np.arange(len(marks)) - lag)[1:], marks[1:])
    return out


def _inverse(changes: list[np.ndarray]) -> np.ndarray:
    """Of the ridge regression on these: (D, D)."""
    gram = sum(x.T @ x for x in changes)
    size = len(gram)
    return np.linalg.inv(gram + (0.01 * np.trace(gram) / size + 1e-3) * np.eye(size, dtype=np.float32))


def _marks(track: Track, lags: Mapping[str, int]) -> np.ndarray:
    """(T, 2): signed marks and marks, as many entries earlier as the rater is late; 0 from beyond the end."""
    lag = lags[track.annotator]
    found = np.stack([track.positive - track.negative, track.positive + track.negative], 1)[1:]
    return np.concatenate([found[lag:], np.zeros((lag, 2))]).astype(np.float32)


def _correlation(found: list[np.ndarray], wanted: list[np.ndarray]) -> float:
    """The mean over columns of the correlation of all rows."""
    a, b = np.concatenate(found), np.concatenate(wanted)
    a, b = a - a.mean(0), b - b.mean(0)
    return float(((a * b).sum(0) / np.sqrt((a * a).sum(0) * (b * b).sum(0) + 1e-12)).mean())


def _changes(tracks: list[Track]) -> list[np.ndarray]:
    """What changed from each tick to the next, (T, numbers): where few numbers are observed, what rose and
    what fell apart, for things that happen are no sum of states."""
    found = [np.diff(track.observations.astype(np.float32), axis=0) for track in tracks]
    if found[0].shape[1] > FEW:
        return found
    return [np.concatenate([np.maximum(x, 0), np.maximum(-x, 0)], 1) for x in found]


def _fitted(found: list[np.ndarray], tracks: list[Track], most: int) -> tuple[float, float]:
    """(mean, spread) of the lags by which these tracks' marks follow their forecasts."""
    if not tracks:
        return 0.0, 0.0
    profile = np.array([
        _correlation(found, [_marks(track, {track.annotator: lag}) for track in tracks])
        for lag in range(most + 1)
    ])  # fmt: skip
    reach = np.arange(most + 1)
    own = np.array(
        [_correlation([x[: len(x) - lag] for x in found], [x[lag:] for x in found]) for lag in reach]
    )
    blur = own[np.abs(reach[:, None] - reach[None, :])]  # of a mark at one lag onto each other one
    best, least = (0.0, 0.0), math.inf
    for mean in np.arange(most * STEPS + 1) / STEPS:
        for spread in SPREADS:
            shape = blur @ _share(float(mean), spread, most)
            scale = max(0.0, float(shape @ profile) / float(shape @ shape))
            if (missed := float(((profile - scale * shape) ** 2).sum())) < least - 1e-9:
                best, least = (float(mean), spread), missed
    return best


def _share(mean: float, spread: float, most: int) -> np.ndarray:
    """How often a mark comes 0 .. most entries late: a normal distribution, rounded, never early."""
    edges = (np.arange(most + 2) - 0.5 - mean) / max(spread, 1e-3)
    below = np.array([0.5 * (1 + math.erf(edge / math.sqrt(2))) for edge in edges])
    below[0], below[-1] = 0.0, 1.0
    return np.diff(below)
