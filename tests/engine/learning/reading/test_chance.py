"""Fitting chances to what was right."""

from __future__ import annotations

import numpy as np
import pytest

from engine.language import chance
from engine.learning.reading import chance as fitting

FEATURES = 4


def test_fitting_finds_the_chances_behind_the_texts_and_a_bias_of_each_game() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(4000, FEATURES)) * 3 + 1
    games = ["arena" if number % 2 else "hanabi" for number in range(4000)]
    more = np.array([1.5 * (game == "arena") for game in games])
    true = 1 / (1 + np.exp(-(values[:, 1] - values[:, 2] + more)))
    right = (rng.random(4000) < true).astype(float)
    numbers = fitting.fit(values, right, games)
    found = np.array([chance.chance(numbers, game, one) for game, one in zip(games, values, strict=True)])
    assert np.abs(found - true).mean() < 0.03
    assert numbers["bias"]["arena"] > numbers["bias"]["hanabi"]
    crossed = fitting.across(values, right, games)
    assert np.abs(crossed - true).mean() < 0.03 and (crossed != found).any()


def test_a_feature_that_is_always_the_same_says_nothing() -> None:
    values, right = np.ones((20, FEATURES)), np.tile([1.0, 1.0, 1.0, 0.0], 5)
    numbers = fitting.fit(values, right, ["arena"] * 20)
    assert chance.chance(numbers, "arena", values[0]) == pytest.approx(0.75, abs=0.01)
    assert 0 < chance.chance(numbers, "arena", 3 * values[0]) < 1
