"""Ridge regression on the inputs of one tick, or of the last few: what can be told of marks without memory,
pairs or utility (Hoerl & Kennard 1970; as TAMER and COACH learn from feedback, but linear). In closed form,
so that hundreds of models of shuffled signs cost no more than one. It reads no instructions. As a reward
model (`reward_model`) it is what every trained one is compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from engine.agents.utility import TickModel
from engine.learning.parts.marked import Track

STRENGTHS = (1.0, 10.0, 100.0, 1000.0)
"""Of the penalty; the one is taken with which either half of the tracks tells the other half best."""
MEMBERS = 4
"""Of a reward model's ensemble."""


@dataclass(frozen=True)
class Ridge:
    """Weights (ticks * D + 1, M) for M targets at once."""

    weights: np.ndarray
    ticks: int

    def gains(self, track: Track) -> np.ndarray:
        """What each tick adds, (T, M)."""
        return np.asarray(stacked(track, self.ticks) @ self.weights)

    def utilities(self, tracks: Sequence[Track]) -> list[np.ndarray]:
        """U (T+1,) of each track by the first target."""
        return [np.append(0, np.cumsum(self.gains(track)[:, 0])) for track in tracks]


def signs(track: Track) -> np.ndarray:
    """What was marked at each tick but the first: more progress 1, more regression -1, (T,)."""
    return np.sign(track.positive - track.negative)[1:].astype(np.float32)


def reward_model(tracks: Sequence[Track], rng: np.random.Generator) -> TickModel:
    """The regression of marks on single ticks, as an ensemble: each member learned from a bootstrap of what
    raters said of episodes."""
    by_review: dict[tuple[str, str], list[Track]] = {}
    for track in tracks:
        by_review.setdefault((track.episode, track.annotator), []).append(track)
    reviews, weights = list(by_review.values()), []
    for _ in range(MEMBERS):
        drawn = np.sort(rng.integers(len(reviews), size=len(reviews)))
        some = [track for number in drawn for track in reviews[number]]
        weights.append(fitted(some, [signs(track)[:, None] for track in some]).weights[:, 0])
    model = TickModel(tracks[0].observations.shape[1], tracks[0].instructions.shape[1], MEMBERS)
    found = torch.from_numpy(np.stack(weights)).float()
    model.load_state_dict({"embed.weight": found[:, :-1], "embed.bias": found[:, -1]})
    return model


def stacked(track: Track, ticks: int) -> np.ndarray:
    """The inputs of each tick but the first, then those of the ticks before it, then 1: float32 (T,
    ticks * D + 1), zeros before the beginning.
    """
    seen = track.observations.astype(np.float32)
    last = len(seen) - 1
    before = np.concatenate([np.zeros((ticks, seen.shape[1]), np.float32), seen])
    parts = [before[ticks + 1 - back : ticks + 1 - back + last] for back in range(ticks)]
    return np.concatenate([*parts, np.ones((last, 1), np.float32)], 1)


def fitted(tracks: Sequence[Track], targets: Sequence[np.ndarray], ticks: int = 1) -> Ridge:
    """The regression of targets, (T, M) for each track; tracks of one episode should stand together."""
    half = len(tracks) // 2
    halves = [_sums(tracks[part], targets[part], ticks) for part in (slice(half), slice(half, None))]

    def lost(strength: float) -> float:
        """Squared errors of each half by the other's weights, but for a constant, by the first target."""
        total = 0.0
        for (gram, both), (own, its) in (halves, halves[::-1]):
            weights = _solved(own, its[:, :1], strength)[:, 0]
            total += float(weights @ gram @ weights - 2 * weights @ both[:, 0])
        return total

    strength = min(STRENGTHS, key=lost) if half else STRENGTHS[-1]  # one track has no halves
    return Ridge(_solved(halves[0][0] + halves[1][0], halves[0][1] + halves[1][1], strength), ticks)


def _sums(
    tracks: Sequence[Track], targets: Sequence[np.ndarray], ticks: int
) -> tuple[np.ndarray, np.ndarray]:
    """X'X and X'Y over the ticks of some tracks."""
    gram: np.ndarray | float = 0.0
    both: np.ndarray | float = 0.0
    for track, target in zip(tracks, targets, strict=True):
        x = stacked(track, ticks)
        gram, both = gram + x.T @ x, both + x.T @ target.astype(np.float32)
    return np.asarray(gram, float), np.asarray(both, float)


def _solved(gram: np.ndarray, both: np.ndarray, strength: float) -> np.ndarray:
    return np.asarray(np.linalg.solve(gram + strength * np.eye(len(gram)), both))
