"""Texts, told and untold: which windows count, and where they are listed."""

import numpy as np
import pytest

from engine.games.arena.evaluation import texts


def test_every_window_with_something_left_to_do_counts_and_those_that_end_well_untold_are_listed_apart():
    shares = {
        "told": np.array([1.0, 0.5, 0.25, 1.0]),
        "untold": np.array([0.0, 0.25, 0.75, 1.0]),
        "another": np.array([0.5, 0.0, 1.0, 1.0]),
        "known": np.array([1.0, 1.0, 1.0, 1.0]),
    }
    row = texts._row(shares, np.array([True, True, True, False]))
    assert (row["n"], row["often"]["n"], row["every"]["n"]) == (2, 1, 3)
    assert row["gain"] == pytest.approx(0.625) and row["often"]["gain"] == -0.5
    assert row["every"]["gain"] == pytest.approx(0.25), "which the windows that are listed apart make smaller"
    assert row["another"] == 0.25 and row["every"]["another"] == 0.5
    none = texts._row(shares, np.array([False, False, False, False]))
    assert none == {"n": 0, "often": {"n": 0}, "every": {"n": 0}}
