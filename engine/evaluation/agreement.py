"""How far two annotators of the same episodes agree, corrected for chance. Pure functions over marks.

A mark is (seat, tick, sign). Two marks match when seat and sign are the same and their ticks differ by at
most `window`; each mark matches at most one other. For each seat and sign, matching is one-to-one and as
large as it can be. Over all episodes that both marked,

    observed = 2 · matched / (marks of a + marks of b)            (the F1 score of either against the other)
    expected = the same, were both to put as many marks at random (each seat and sign at distinct random
    ticks) agreement = (observed − expected) / (1 − expected)            (Cohen's correction; 1 perfect, 0
    chance, < 0 worse)

`expected` is the mean over `permutations` random placements, from a seed that follows from the numbers of
marks and ticks and the window: a number can be reproduced, whatever else is looked at. Where neither
annotator marked anything, or chance alone would match everything, agreement is not defined (None).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Marks = Iterable[tuple[int, int, int]]


@dataclass(frozen=True)
class Agreement:
    """Counts over all episodes given, and the two shares made of them; None where a share is not defined."""

    episodes: int
    marks_a: int
    marks_b: int
    matched: int
    expected_matched: float

    @property
    def observed(self) -> float | None:
        total = self.marks_a + self.marks_b
        return 2 * self.matched / total if total else None

    @property
    def expected(self) -> float | None:
        total = self.marks_a + self.marks_b
        return 2 * self.expected_matched / total if total else None

    @property
    def corrected(self) -> float | None:
        observed, expected = self.observed, self.expected
        if observed is None or expected is None or expected > 1 - 1e-9:
            return None
        return (observed - expected) / (1 - expected)


def matching(a: Iterable[int], b: Iterable[int], window: int) -> list[tuple[int, int]]:
    """The largest one-to-one matching of ticks that differ by at most `window` ticks, as pairs.

    Taking the earliest two that fit is optimal, because all ticks have the same window.
    """
    left, right = sorted(a), sorted(b)
    i = j = 0
    pairs = []
    while i < len(left) and j < len(right):
        if abs(left[i] - right[j]) <= window:
            pairs.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    return pairs


def match_ticks(a: Iterable[int], b: Iterable[int], window: int) -> int:
    """Size of that matching."""
    return len(matching(a, b, window))


def unmatched(a: Marks, b: Marks, window: int) -> tuple[list, list]:
    """The marks of a, and those of b, that the other has no match for, by tick."""
    tracks_a, tracks_b = by_track(a), by_track(b)
    alone: tuple[list, list] = ([], [])
    for seat, sign in tracks_a.keys() | tracks_b.keys():
        mine, theirs = tracks_a.get((seat, sign), []), tracks_b.get((seat, sign), [])
        pairs = matching(mine, theirs, window)
        for side, ticks in enumerate((mine, theirs)):
            matched = [pair[side] for pair in pairs]
            alone[side].extend((seat, tick, sign) for tick in ticks if tick not in matched)
    return tuple(sorted(marks, key=lambda mark: (mark[1], mark[0])) for marks in alone)  # type: ignore[return-value]


def by_track(marks: Marks) -> dict[tuple[int, int], list[int]]:
    """Ticks by (seat, sign)."""
    tracks: dict[tuple[int, int], list[int]] = defaultdict(list)
    for seat, tick, sign in marks:
        tracks[seat, sign].append(tick)
    return tracks


@lru_cache(maxsize=1 << 17)
def expected_matches(few: int, many: int, ticks: int, window: int, permutations: int) -> float:
    """Mean size of the matching when both put their marks on distinct random ticks of 1 .. `ticks`; `few` is
    not more than `many`. All placements are matched side by side, and each kind is placed once.
    """
    few, many = min(few, ticks), min(many, ticks)
    if not few:
        return 0.0
    rng = np.random.default_rng((few, many, ticks, window))
    left, right = (
        np.sort(np.argsort(rng.random((permutations, ticks)), axis=1)[:, :count], axis=1)
        for count in (few, many)
    )
    row, i, j = np.arange(permutations), np.zeros(permutations, int), np.zeros(permutations, int)
    matched = 0
    for _ in range(few + many):
        going = (i < few) & (j < many)
        ahead = left[row, np.minimum(i, few - 1)] - right[row, np.minimum(j, many - 1)]
        hit = going & (np.abs(ahead) <= window)
        matched += int(hit.sum())
        i += going & (ahead <= window)
        j += going & (ahead >= -window)
    return matched / permutations


def agree(episodes: Iterable[tuple[int, Marks, Marks]], window: int, permutations: int = 200) -> Agreement:
    """Agreement of annotators a and b over episodes, each (ticks, marks of a, marks of b).

    Raises ValueError for a negative window.
    """
    if window < 0:
        raise ValueError(f"The window is {window} ticks; it must be 0 or more.")
    seen = marks_a = marks_b = matched = 0
    expected = 0.0
    for ticks, a, b in episodes:
        seen += 1
        tracks_a, tracks_b = by_track(a), by_track(b)
        for track in sorted(tracks_a.keys() | tracks_b.keys()):
            ticks_a, ticks_b = tracks_a.get(track, []), tracks_b.get(track, [])
            marks_a += len(ticks_a)
            marks_b += len(ticks_b)
            matched += match_ticks(ticks_a, ticks_b, window)
            few, many = sorted((len(ticks_a), len(ticks_b)))
            expected += expected_matches(few, many, ticks, window, permutations)
    return Agreement(seen, marks_a, marks_b, matched, expected)


def total(parts: Iterable[Agreement]) -> Agreement:
    """The agreement over all episodes of several."""
    parts = list(parts)
    sums = {name: sum(getattr(each, name) for each in parts) for name in Agreement.__dataclass_fields__}
    return Agreement(**sums)
