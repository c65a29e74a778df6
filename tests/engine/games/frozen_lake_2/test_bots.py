"""The scripted players."""

from __future__ import annotations

import numpy as np
import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.evaluation.self_play import play
from tests.engine.games.frozen_lake_2.lakes_of import GAME, lake, places


@pytest.mark.parametrize("layout", ["4x4", "8x8"])
def test_walkers_reach_both_targets_and_who_goes_anywhere_does_not(layout: str) -> None:
    scores = play([load("walker", GAME)], GAME, {"layout": layout}, episodes=20, seed=1)
    assert (scores == 2).all()
    assert play([load("random", GAME)], GAME, {"layout": layout}, episodes=200, seed=1).mean() < 0.3


def test_walkers_reach_both_targets_on_most_drawn_lakes() -> None:
    scores = play([load("walker", GAME)], GAME, {"layout": "drawn"}, episodes=500, seed=1)
    assert 0.88 < (scores == 2).mean() < 1, "they meet in narrow places, which takes a plan"


def test_a_walker_walks_round_who_stands_in_its_way_and_leaves_room_on_a_target() -> None:
    walker = load("walker", GAME)
    sim = lake("1FF", "F2B", "FFA")
    sim.step([act(walker, [sim], [0])[0], 4])
    assert places(sim)[0] in ((2, 1), (1, 2))
    # A corridor: whoever is on the first target goes on to the second.
    sim = lake("1F2BFA")
    while not sim.over:
        sim.step([act(walker, [sim], [seat])[0] for seat in range(2)])
    assert sim.score == 2 and sim.tick == 3


def test_nobody_but_who_is_told_moves_with_stay() -> None:
    sim = lake("1FB", "2FA")
    assert act(load("stay", GAME), [sim, sim], [0, 1]) == [4, 4]
    assert np.isin(act(load("random", GAME), [sim, sim], [0, 1]), range(5)).all()
