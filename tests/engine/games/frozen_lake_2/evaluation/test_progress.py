"""What simulated annotators go by on the lake, and what is said of a moment."""

from __future__ import annotations

import numpy as np

from engine.evaluation.measures import measure
from engine.games.frozen_lake_2.evaluation.moments import effect
from engine.games.frozen_lake_2.evaluation.progress import FELL, NEARER, REACHED
from tests.engine.games.frozen_lake_2.lakes_of import go, lake


def gained(letters: str, *rows: str) -> tuple[list[float], list[str]]:
    sim = lake(*rows)
    before = sim.state.copy()
    go(sim, letters)
    after = sim.state.copy()
    gains = measure("frozen_lake_2").gains(before[None], after[None], np.zeros((1, 2, 0)))[0]
    return gains.tolist(), [effect(before, after, seat, gains[seat]) for seat in range(2)]


def test_a_step_is_worth_what_it_brings_nearer() -> None:
    assert gained("RL", "F1FFB", "F2FFA")[0] == [NEARER, -NEARER]
    assert gained("RR", "1FB", "2AH")[0] == [NEARER, NEARER + REACHED]


def test_a_hole_is_worth_less_than_anything() -> None:
    gains, words = gained("RR", "1FB", "2HA")
    assert gains == [NEARER, FELL] and words == ["A step closer to the goals.", "That ended the game."]
    assert gained("RR", "1B", "2A")[1] == ["Both goals were reached."] * 2
