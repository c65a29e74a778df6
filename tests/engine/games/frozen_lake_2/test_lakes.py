"""The lakes: Gymnasium's maps with two of everything, and those that are drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine import games
from engine.games.frozen_lake_2 import lakes, rules
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation
from tests.engine.games.frozen_lake_2.lakes_of import GAME


@pytest.mark.parametrize("name", list(lakes.MAPS))
def test_the_maps_are_gymnasiums_with_a_second_start_and_target(name: str) -> None:
    frozen_lake = pytest.importorskip("gymnasium.envs.toy_text.frozen_lake")
    ours = [re.sub("[12AB]", "F", row) for row in lakes.MAPS[name]]
    theirs = [re.sub("[SG]", "F", row) for row in frozen_lake.MAPS[name]]
    assert ours == theirs
    start, goal = "".join(lakes.MAPS[name]).index("1"), "".join(lakes.MAPS[name]).index("A")
    assert "".join(frozen_lake.MAPS[name])[start] == "S" and "".join(frozen_lake.MAPS[name])[goal] == "G"


@pytest.mark.parametrize("layout", [*lakes.MAPS, "drawn"])
def test_ways_lead_from_both_players_to_both_targets(layout: str) -> None:
    batch = Batch(games.spec(GAME), games.spec(GAME).validate({"layout": layout}), 500, observations="none")
    for state in batch.states:
        places = state[rules.START : rules.AT]
        assert len(set(places.tolist())) == 4
        assert not state[rules.GRID + places].any()
        for target in range(2):
            for seat in range(2):
                assert rules.far(state, target, int(state[rules.START + seat])) < 64
    holes = batch.states[:, rules.GRID : rules.FAR].mean()
    assert layout != "drawn" or 0.15 < holes < 0.2


def test_far_counts_the_steps_over_ice() -> None:
    state = Simulation(GAME, {"layout": "4x4"}).state
    cells = {(x, y): int(rules.far(state, 1, y * 8 + x)) for y in range(4) for x in range(4)}
    assert cells[1, 3] == 0 and cells[0, 0] == 4 and cells[3, 0] == 5 and cells[1, 1] == 255


def test_a_drawn_lake_is_another_one_every_game_or_the_one_of_its_number() -> None:
    def ground(seed: int, **options: object) -> bytes:
        sim = Simulation(GAME, {"layout": "drawn", **options}, seed=seed)
        return sim.state[rules.START : rules.FAR].tobytes()

    assert len({ground(seed) for seed in range(20)}) == 20
    assert len({ground(seed, map_seed=7) for seed in range(20)}) == 1
    assert len({ground(0, map_seed=number) for number in range(20)}) == 20
    batch = Batch(games.spec(GAME), games.spec(GAME).validate({"layout": "drawn"}), 4, observations="none")
    first = batch.states[:, rules.GRID : rules.FAR].copy()
    while not batch.dones.all():
        batch.step(np.full((4, 2), rules.STAY))
    assert not np.array_equal(first, batch.states[:, rules.GRID : rules.FAR])
