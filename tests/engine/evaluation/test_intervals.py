"""Intervals of means and shares: over deals, whose games are averaged first, over seeds, by bootstrap."""

import numpy as np
import pytest

from engine.evaluation.intervals import (
    bootstrap,
    estimate,
    interval_of_mean,
    interval_over_seeds,
    over_deals,
    share_over_deals,
    standard_error,
    wilson,
)


def test_the_same_deal_played_twice_tells_no_more_than_once():
    once = np.array([3.0, 9.0, 4.0, 8.0])
    single, double = over_deals(once), over_deals(np.stack([once, once]))
    assert double["stderr"] == pytest.approx(single["stderr"])
    assert (double["episodes"], double["deals"], single["deals"]) == (8, 4, 4)
    assert single["stderr"] == pytest.approx(np.std(once, ddof=1) / 2)


def test_swapped_seats_that_make_up_for_each_other_leave_no_spread():
    found = over_deals(np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    assert found["mean"] == 2 and found["stderr"] == 0


def test_one_deal_has_no_interval():
    found = over_deals(np.array([[1.0], [5.0]]))
    assert (found["mean"], found["stderr"], found["interval"], found["deals"]) == (3.0, None, None, 1)


def test_sides_that_always_share_a_deals_outcome_count_as_one_match():
    rng = np.random.default_rng(0)
    won = 2 * (rng.random(400) < 0.7)
    found = share_over_deals(won, np.full(400, 2))
    assert found["interval"] == pytest.approx(wilson(found["share"], 400), abs=1e-3)


def test_independent_sides_count_as_two_matches_and_opposite_ones_as_no_more():
    rng = np.random.default_rng(0)
    won = (rng.random((4000, 2)) < 0.7).sum(1)
    found = share_over_deals(won, np.full(4000, 2))
    assert found["interval"] == pytest.approx(wilson(found["share"], 8000), abs=2e-3)
    opposite = share_over_deals(np.ones(50), np.full(50, 2))
    assert opposite["interval"] == pytest.approx(wilson(0.5, 100))


def test_where_all_went_alike_a_deal_counts_once():
    assert share_over_deals(np.full(20, 2), np.full(20, 2))["interval"] == pytest.approx(wilson(1.0, 20))


def test_deals_without_trials_say_nothing():
    assert share_over_deals(np.array([0, 1]), np.array([0, 1]))["share"] == 1
    assert share_over_deals(np.zeros(3), np.zeros(3)) == {"share": None, "interval": None}


def test_the_interval_of_swapped_squads_covers_what_it_says():
    """Deals that favour one squad: with pooled matches the interval would be too narrow."""
    rng = np.random.default_rng(1)
    covered = pooled = 0
    for _ in range(300):
        strength = np.where(rng.random(100) < 0.5, 0.95, 0.05)  # of a squad on this deal, whichever side
        won = (rng.random((100, 2)) < strength[:, None]).sum(1)
        low, high = share_over_deals(won, np.full(100, 2))["interval"]
        covered += low <= 0.5 <= high
        low, high = wilson(won.sum() / 200, 200)
        pooled += low <= 0.5 <= high
    assert covered >= 0.92 * 300 > pooled


def test_the_interval_over_seeds_is_student_s():
    low, high = interval_over_seeds([1.0, 2.0, 3.0])
    assert (low, high) == (pytest.approx(2 - 4.303 / 3**0.5), pytest.approx(2 + 4.303 / 3**0.5))
    with pytest.raises(ValueError, match="2 to 10 seeds, not 1"):
        interval_over_seeds([1.0])


def test_a_bootstrap_holds_what_many_draws_of_a_mean_hold():
    values = np.random.default_rng(0).normal(size=400)
    low, high = bootstrap(400, lambda picked: values[picked].mean(), np.random.default_rng(1), 2000)
    assert [low, high] == pytest.approx(interval_of_mean(values), abs=0.01)


def test_one_value_says_nothing_of_a_spread():
    alone = np.array([2.0])
    assert interval_of_mean(alone) is None and standard_error(alone) is None
    assert bootstrap(1, lambda picked: 2.0, np.random.default_rng(0), 10) is None
    assert estimate(1, lambda picked: 2.0) == {"mean": 2.0, "low": 2.0, "high": 2.0}
    assert over_deals(alone)["interval"] is None


def test_draws_without_a_number_are_left_out():
    def most(picked: np.ndarray) -> float:
        return float("nan") if 0 in picked else 1.0

    assert bootstrap(3, most, np.random.default_rng(0), 200) == [1.0, 1.0]
