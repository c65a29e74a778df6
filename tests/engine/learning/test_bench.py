"""Measuring how fast self-play learns."""

from __future__ import annotations

import pytest

from engine.learning.bench import bench_learn
from engine.simulation.spec import OptionError


def test_it_counts_joint_steps_and_where_the_time_goes() -> None:
    found = bench_learn("overcooked", options={"layout": "cramped_room"}, seconds=0.1)
    assert found["steps_per_second"] > 100 and found["unit"].startswith("joint steps")
    assert found["collect_share"] + found["learn_share"] == pytest.approx(1)


def test_a_kitchen_that_isnt_there_is_refused() -> None:
    with pytest.raises(OptionError, match="nowhere"):
        bench_learn("overcooked", options={"layout": "nowhere"})
