"""Reward-model metrics on utilities whose quality is known."""

import dataclasses

import numpy as np
import pytest

from engine.evaluation.reward_model import (
    Judged,
    auc,
    auc_apart,
    calibration_plot,
    event_gains,
    fall_auc,
    gain_correlation,
    matched_counts,
    pair_counts,
    report,
    report_on_truth,
    sign_auc,
    signs_between,
)


def episode(name: str, signs: dict[int, int], utilities: np.ndarray) -> Judged:
    positive, negative = np.zeros((2, len(utilities)), int)
    for tick, sign in signs.items():
        (positive if sign > 0 else negative)[tick] += 1
    return Judged(name, np.asarray(utilities, float), positive, negative)


def many(utility: str, rng: np.random.Generator, count: int = 60, length: int = 40) -> list[Judged]:
    """Random marks, with U that follows them, that is the clock, or that is noise."""
    out = []
    for i in range(count):
        ticks = rng.choice(np.arange(1, length), size=8, replace=False)
        signs = {int(t): 1 if rng.random() < 0.7 else -1 for t in ticks}
        steps = np.zeros(length)
        for tick, sign in signs.items():
            steps[tick] = sign
        values = {
            "truth": steps.cumsum(),
            "clock": np.arange(length),
            "noise": rng.normal(size=length).cumsum(),
        }
        out.append(episode(f"e{i}", signs, values[utility]))
    return out


def brute_force(judged: Judged) -> np.ndarray:
    counts = np.zeros(4)
    u, p, n = judged.utilities, judged.positive, judged.negative
    for t1 in range(len(u)):
        for t2 in range(t1 + 1, len(u)):
            ups, downs = p[t1 + 1 : t2 + 1].sum(), n[t1 + 1 : t2 + 1].sum()
            if ups and not downs:
                counts[:2] += (1.0 if u[t2] > u[t1] else 0.5 if u[t2] == u[t1] else 0.0), 1
            if downs and not ups:
                counts[2:] += (1.0 if u[t2] < u[t1] else 0.5 if u[t2] == u[t1] else 0.0), 1
    return counts


def test_gains_of_single_ticks_show_what_signs_do_not():
    truth = np.array([1, 0, -1, 0, 1, -1.0])
    no_memory = np.array([1, -1, -1, -1, 1, -1.0])  # takes every move of one look for a loss
    assert sign_auc(truth, truth) == fall_auc(truth, truth) == 1
    assert gain_correlation(2 * truth, truth) == pytest.approx(1)
    assert sign_auc(no_memory, truth) == 1 and fall_auc(no_memory, truth) == 0.5
    assert gain_correlation(no_memory, truth) == pytest.approx(np.corrcoef(no_memory, truth)[0, 1])
    assert np.isnan(gain_correlation(np.ones(6), truth))
    rows = [episode(f"e{i}", {}, np.append(0, no_memory.cumsum())) for i in range(3)]
    rows = [dataclasses.replace(row, progress=np.append(0, truth.cumsum())) for row in rows]
    found = report_on_truth(rows, np.random.default_rng(0))
    assert found["sign_auc"].value == 1 and found["fall_auc"].value == 0.5
    assert found["gain_correlation"].value < 1


@pytest.mark.parametrize("utility", ["truth", "clock", "noise"])
def test_pairs_are_counted_as_a_double_loop_counts_them(utility):
    for judged in many(utility, np.random.default_rng(1), count=5):
        assert np.array_equal(pair_counts(judged), brute_force(judged))


def test_the_truth_is_perfect():
    found = report(many("truth", np.random.default_rng(0)), np.random.default_rng(0), window=0)
    assert found["pair_accuracy"].value == 1
    assert found["regress_accuracy"].value == 1
    assert found["delta_auc"].value == 1


def test_the_clock_gets_half_the_pairs_no_regression_and_no_local_signal():
    found = report(many("clock", np.random.default_rng(0)), np.random.default_rng(0), window=0)
    assert found["pair_accuracy"].value == 0.5
    assert found["regress_accuracy"].value == 0
    assert found["delta_auc"].value == 0.5


def test_noise_is_near_one_half_and_its_interval_says_so():
    found = report(many("noise", np.random.default_rng(3)), np.random.default_rng(0))
    for name in ("pair_accuracy", "delta_auc"):
        assert found[name].low < 0.5 < found[name].high
        assert found[name].low <= found[name].value <= found[name].high


def test_a_mark_concerns_the_move_that_led_to_its_tick():
    judged = episode("e", {3: 1, 5: -1}, np.array([0, 0, 0, 1, 1, -1, -1]))
    up, down = event_gains(judged, 0)
    assert up.tolist() == [1.0]
    assert down.tolist() == [-2.0]


def test_auc_counts_ties_half():
    assert auc(np.array([1.0, 1.0]), np.array([1.0])) == 0.5
    assert auc(np.array([2.0, 0.0]), np.array([1.0])) == 0.5
    assert np.isnan(auc(np.array([]), np.array([1.0])))


def test_nothing_to_judge_is_reported_as_none():
    found = report([episode("e", {2: 1}, np.arange(5))], np.random.default_rng(0))
    assert found["regress_accuracy"].as_json() == {"value": None, "low": None, "high": None}


def with_truth(judged: list[Judged]) -> list[Judged]:
    """The same, where progress is what the marks say and drifts upwards as games go by."""
    return [
        dataclasses.replace(one, progress=(one.positive - one.negative).cumsum().astype(float))
        for one in judged
    ]


def test_equally_far_apart_the_clock_is_right_half_of_the_time_and_never_on_regressions():
    """Though most pairs are of progress, and of the far ones nearly all."""
    clock = with_truth(many("clock", np.random.default_rng(0)))
    rng = np.random.default_rng(0)
    truth, marks = report_on_truth(clock, rng), report(clock, rng)
    assert truth["matched_accuracy"].value == marks["matched_accuracy"].value == 0.5
    assert truth["regress_accuracy"].value == 0 and truth["delta_auc"].value == 0.5
    perfect = with_truth(many("truth", np.random.default_rng(0)))
    found = report_on_truth(perfect, rng)
    assert found["matched_accuracy"].value == found["regress_accuracy"].value == found["delta_auc"].value == 1
    assert report(perfect, rng)["matched_accuracy"].value == 1


def test_pairs_at_a_gap_are_those_that_a_double_loop_finds():
    (judged,) = many("noise", np.random.default_rng(1), count=1)
    counted = matched_counts(judged.utilities, signs_between(judged))
    found, u = np.zeros(4), judged.utilities
    for t1 in range(len(u) - 3):
        ups, downs = judged.positive[t1 + 1 : t1 + 4].sum(), judged.negative[t1 + 1 : t1 + 4].sum()
        if ups and not downs:
            found[:2] += u[t1 + 3] > u[t1], 1
        if downs and not ups:
            found[2:] += u[t1 + 3] < u[t1], 1
    assert np.array_equal(counted[2], found), "the gap after 1 and 2 is 3"


def test_truth_that_is_not_known_is_not_judged():
    found = report_on_truth(many("truth", np.random.default_rng(0)), np.random.default_rng(0))
    assert all(np.isnan(one.value) for one in found.values())


def test_an_instruction_is_told_from_another_where_it_was_done():
    rng = np.random.default_rng(0)
    asked = np.ones(40, bool)
    good = [episode(f"e{i}", {3: 1, 9: 1}, rng.normal(size=40).cumsum()) for i in range(30)]
    told = [dataclasses.replace(e, swapped=e.utilities - np.arange(40), asked=asked) for e in good]
    bad = [episode(f"f{i}", {3: -1}, np.arange(40)) for i in range(30)]
    ignored = [dataclasses.replace(e, swapped=2 * e.utilities, asked=asked) for e in bad]
    assert report(told + ignored, rng)["swap_auc"].value > 0.95
    blind = [dataclasses.replace(e, swapped=e.utilities, asked=asked) for e in good]
    assert report(blind, rng)["swap_auc"].value == report(blind, rng)["swap_accuracy"].value == 0.5
    slight = [dataclasses.replace(e, swapped=0.99 * e.utilities, asked=asked) for e in good]
    up = np.mean([e.utilities[-1] > e.utilities[0] for e in good])
    assert report(slight, rng)["swap_accuracy"].value == pytest.approx(up), "each game against itself"
    assert abs(report(slight, rng)["swap_auc"].value - 0.5) < 0.05, "games differ by more"
    assert np.isnan(report(good, rng)["swap_auc"].value)
    known = [dataclasses.replace(e, progress=e.utilities, obeyed=1.0) for e in told]
    known += [
        dataclasses.replace(e, progress=e.utilities, obeyed=-1.0, swapped=9 * e.utilities) for e in told
    ]
    assert report_on_truth(known, rng)["swap_auc"].value > 0.95


def test_sureness_that_is_earned_is_calibrated():
    """Marks that have the sign that sigma(U(t2) - U(t1)) says they have, that often."""
    rng, found = np.random.default_rng(0), []
    for i in range(600):
        gain = rng.normal(scale=2)
        sign = 1 if rng.random() < 1 / (1 + np.exp(-gain)) else -1
        found.append(episode(f"e{i}", {1: sign}, np.array([0.0, gain])))
    assert report(found, rng)["calibration_error"].value < 0.05
    rows = calibration_plot(found)
    assert len(rows) > 5 and abs(sum(row["share"] for row in rows) - 1) < 0.01
    sure = [dataclasses.replace(one, utilities=9 * one.utilities) for one in found]
    assert report(sure, rng)["calibration_error"].value > 0.1


def test_two_utilities_are_compared_in_pairs_over_the_same_games():
    rng = np.random.default_rng(2)
    good, poor = [], []
    for number in range(30):
        gains = rng.choice([-1, 0, 0, 1], size=40)
        marks = [np.append(0, gains == sign).astype(int) for sign in (1, -1)]
        for some, noise in ((good, 0.5), (poor, 3.0)):
            u = np.append(0, np.cumsum(gains + rng.normal(0, noise, len(gains))))
            some.append(Judged(f"e{number}", u, *marks))
    better = auc_apart(good, poor, rng, window=0)
    assert better.value > 0.1 and better.low > 0
    assert better.value == pytest.approx(-auc_apart(poor, good, rng, window=0).value)
    same = auc_apart(good, good, rng, window=0)
    assert (same.value, same.low, same.high) == (0, 0, 0)
    nothing = [Judged("e", np.arange(3.0), np.zeros(3, int), np.zeros(3, int))]
    assert np.isnan(auc_apart(nothing, nothing, rng).value)
