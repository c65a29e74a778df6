"""Pairs of moments (t1 < t2) of marked episodes, drawn at a cost that is linear in an episode's length.

Algorithm 1 of the IBT paper (appendix A.3) goes through all pairs, T^2 of them. For a given t2, the t1 with
no mark in between are the ticks from the last mark on; those with marks of one sign only in between are the
ticks from the last mark of the other sign on. So the number of pairs of each kind is known without going
through them. Drawing a few for every t2 and weighting each by the number that it stands for gives sums whose
expectation is exactly that over all pairs (stratified sampling). Pure functions over arrays.
"""

from __future__ import annotations

import numpy as np


def drawn(
    positive: np.ndarray,
    negative: np.ndarray,
    usable: np.ndarray,
    each: int,
    near: bool,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """`each` pairs of a kind for every t2: "first" and "second" int64 (B, N), the ticks t1 and t2; "sign" (B,
    N): 1 where progress alone is between them, -1 where regression alone is, 0 where nothing is; "weight" (B,
    N): what a pair stands for, so that weighted sums are unbiased; float32, N = 2 T `each`.

    `positive`, `negative` (B, T): marks at each tick; those between t1 and t2 are at t1+1 .. t2. Pairs with
    both between them are no pairs. Only `usable` ticks, bool (B, T), are in pairs. A pair counts 1, or with
    `near` 1 / (how many usable ticks t2 is after t1), for which gaps are drawn log-uniformly.
    """
    rows, size = positive.shape
    order = np.argsort(~usable, axis=1, kind="stable")  # the usable ticks, then the others
    last_up, last_down = (_last(marks, order) for marks in (positive, negative))
    ticks = np.arange(size)
    since_last, since_other = (
        ticks - np.maximum(last_up, last_down),
        ticks - np.minimum(last_up, last_down),
    )
    # Gaps t2 - t1 of unmarked pairs: 1 .. since_last; of pairs with one sign: since_last + 1 .. since_other.
    above = np.stack([np.zeros_like(since_last), since_last], 2)
    most = np.stack([since_last, since_other], 2)
    share = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, size)) if near else np.arange(1.0, size)])
    counted = (ticks < usable.sum(1)[:, None])[:, :, None]
    total = np.where(counted, share[most] - share[above], 0.0)  # (B, T, 2)
    at = (np.arange(each) + rng.random((rows, size, 2, each))) / each
    gaps = np.searchsorted(share, share[above][..., None] + at * (share[most] - share[above])[..., None])
    gaps = np.clip(gaps, np.minimum(above + 1, most)[..., None], most[..., None])
    second = np.broadcast_to(ticks[:, None, None], gaps.shape)
    sign = np.stack([np.zeros_like(last_up), np.sign(last_up - last_down)], 2)

    def flat(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, gaps.shape).reshape(rows, -1)

    return {
        "first": np.take_along_axis(order, flat(second - gaps), 1),
        "second": np.take_along_axis(order, flat(second), 1),
        "sign": flat(sign[..., None]).astype(np.float32),
        "weight": flat(total[..., None] / each).astype(np.float32),
    }


def neighbours(positive: np.ndarray, negative: np.ndarray, usable: np.ndarray) -> dict[str, np.ndarray]:
    """As `drawn`, but only each tick with the one before it, (B, T - 1): the marks of single ticks."""
    ups, downs = positive[:, 1:] > 0, negative[:, 1:] > 0
    second = np.broadcast_to(np.arange(1, positive.shape[1]), ups.shape)
    counted = usable[:, 1:] & usable[:, :-1] & ~(ups & downs)
    return {
        "first": second - 1,
        "second": second.copy(),
        "sign": (ups * 1.0 - downs).astype(np.float32),
        "weight": counted.astype(np.float32),
    }


def _last(marks: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(B, T): the last of the ticks in `order` up to each of them at which something was marked since the one
    before it; 0 where nothing was.
    """
    made = np.take_along_axis(marks.cumsum(1), order, 1)
    new = np.diff(made, axis=1, prepend=made[:, :1]) > 0
    return np.maximum.accumulate(np.where(new, np.arange(marks.shape[1]), 0), axis=1)
