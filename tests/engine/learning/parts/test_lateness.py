"""How late raters mark is found from when the game changes, and their marks are moved back."""

import numpy as np

from engine.learning.parts.lateness import Lateness, corrected, estimated
from engine.learning.parts.marked import Track

LENGTH = 120


def tracks(raters: dict[str, tuple[float, float]], each: int, seed: int = 0) -> list[Track]:
    """Games in which something good or bad happens now and then among other things, as raters (mean and sd of
    their lateness) mark it, some of it, and a few things that didn't happen."""
    rng, found = np.random.default_rng(seed), []
    for number in range(each):
        for rater, (mean, spread) in raters.items():
            good, bad = rng.random((2, LENGTH)) < [[0.06], [0.03]]
            noise = (rng.random((LENGTH, 12)) < 0.1).cumsum(0) % 2
            seen = np.concatenate([np.cumsum([good, bad], 1).T % 2, noise], 1).astype(np.float16)
            positive, negative = np.zeros((2, LENGTH), np.int16)
            for happened, marks in ((good, positive), (bad, negative)):
                for tick in np.flatnonzero(happened[1:]) + 1:
                    late = max(0, round(rng.normal(mean, spread)))
                    if rng.random() < 0.7:
                        marks[min(LENGTH - 1, tick + late)] += 1
            positive[1:] += rng.random(LENGTH - 1) < 0.01
            told = np.zeros((LENGTH, 3), np.float32)
            found.append(Track(f"e{number}", 0, rater, True, seen, told, positive, negative))
    return found


def test_each_rater_is_found_to_be_as_late_as_it_is():
    raters = {"careful": (0.0, 0.0), "late": (5.0, 1.0), "vague": (4.0, 2.0), "also": (4.0, 1.0)}
    found = estimated(tracks(raters, 12), 10, np.random.default_rng(0))
    for name, (mean, _) in raters.items():
        assert abs(found[name].lag - mean) <= 1, (name, found[name])
    assert found["careful"].lag == 0


def test_one_with_few_marks_is_taken_to_be_as_late_as_all():
    made = tracks({"late": (4.0, 0.5)}, 12)
    few = tracks({"new": (4.0, 0.5)}, 1, seed=9)[0]
    for tick in np.flatnonzero(few.positive)[3:]:
        few.positive[tick] = 0
    found = estimated([*made, few], 8, np.random.default_rng(0))
    assert found["new"].marks < 20 and found["new"].lag == found["late"].lag == 4


def test_marks_are_moved_back():
    (track,) = tracks({"late": (0.0, 0.0)}, 1)
    track.positive[:], track.negative[:] = 0, 0
    track.positive[[2, 50]] = 1
    track.negative[7] = 2
    (found,) = corrected([track], {"late": Lateness(3, 40)})
    assert np.flatnonzero(found.positive).tolist() == [1, 47] and found.negative[4] == 2
    (same,) = corrected([track], {"late": Lateness(0, 40)})
    assert (same.positive == track.positive).all() and (same.negative == track.negative).all()
