"""Agreement between annotators: matching by hand, chance, and what is not defined."""

import itertools
import random

import pytest

from engine.evaluation.agreement import agree, expected_matches, match_ticks


def brute_force(a, b, window):
    """The largest matching by trying every assignment of the shorter list."""
    short, long = sorted((a, b), key=len)
    return max(
        sum(abs(x - y) <= window for x, y in zip(short, chosen, strict=True))
        for chosen in itertools.permutations(long, len(short))
    )


def test_matching_is_as_large_as_trying_everything_finds():
    rng = random.Random(3)
    for _ in range(300):
        a = [rng.randrange(12) for _ in range(rng.randrange(1, 5))]
        b = [rng.randrange(12) for _ in range(rng.randrange(1, 6))]
        window = rng.randrange(3)
        assert match_ticks(a, b, window) == brute_force(a, b, window), (a, b, window)


def test_equal_marks_agree_perfectly():
    marks = [(0, 4, 1), (0, 9, -1), (1, 20, 1)]
    result = agree([(40, marks, marks)], window=1)
    assert (result.matched, result.observed) == (3, 1.0)
    assert result.corrected == pytest.approx(1.0)


def test_sign_and_seat_must_be_the_same():
    result = agree([(40, [(0, 5, 1), (1, 9, 1)], [(0, 5, -1), (0, 9, 1)])], window=2)
    assert result.matched == 0
    assert result.corrected < 0


def test_random_marks_agree_at_about_zero():
    rng = random.Random(1)
    episodes = [
        (
            60,
            [(0, t, 1) for t in rng.sample(range(1, 61), 8)],
            [(0, t, 1) for t in rng.sample(range(1, 61), 8)],
        )
        for _ in range(200)
    ]
    result = agree(episodes, window=1, permutations=20)
    assert result.observed > 0.25
    assert abs(result.corrected) < 0.05


@pytest.mark.parametrize(("few", "many", "window"), [(3, 5, 0), (2, 9, 1), (4, 4, 3)])
def test_chance_is_what_placing_marks_one_by_one_finds(few, many, window):
    rng = random.Random(2)
    sizes = [
        match_ticks(rng.sample(range(30), few), rng.sample(range(30), many), window) for _ in range(4000)
    ]
    found = expected_matches(few, many, 30, window, 4000)
    assert found == pytest.approx(sum(sizes) / 4000, abs=0.06)


def test_the_window_decides_what_matches():
    episodes = [(40, [(0, 10, 1)], [(0, 12, 1)])]
    assert agree(episodes, window=1).matched == 0
    assert agree(episodes, window=2).matched == 1


def test_without_marks_agreement_is_not_defined():
    result = agree([(40, [], [])], window=1)
    assert (result.episodes, result.observed, result.corrected) == (1, None, None)


def test_a_negative_window_is_refused():
    with pytest.raises(ValueError, match="-1 ticks"):
        agree([], window=-1)
