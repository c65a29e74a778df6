"""A network whose card names a scripted player for orders: who plays when."""

import json
import shutil

import numpy as np
import pytest

from engine.agents.catalogue import load, shipped_folder
from engine.games.arena import goals as g
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation


@pytest.fixture
def squad(tmp_path):
    """A function: the shipped squad with this player for orders in its card."""

    def make(orders: str):
        folder = tmp_path / (orders or "none")
        shutil.copytree(shipped_folder("arena/squad"), folder)
        card = json.loads((folder / "card.json").read_text())
        card["orders"] = orders
        (folder / "card.json").write_text(json.dumps(card))
        return load(str(folder), "arena")

    return make


def test_a_seat_that_was_asked_for_something_is_played_by_the_scripted_player(squad):
    alone, obedient, strong = squad(""), squad("strong"), load("arena/strong", "arena")
    sim = Simulation("arena", {"pace": "short"}, seed=3)
    seats = np.array([0, 1, 2], np.int32)
    states, masks = np.stack([sim.state] * 3), np.stack([sim.legal(seat) for seat in range(3)])
    asked = np.zeros((3, g.GOAL_SIZE), np.int16)
    g.give(sim.state, 1, g.PRONE, -1, 0, 0, 0, 0, asked[1])
    for worlds in (sim.world, [sim.world] * 3):
        given = states, seats, masks, worlds, asked
        found, network, scripted = (one.logits_many(*given) for one in (obedient, alone, strong))
        assert np.array_equal(found[[0, 2]], network[[0, 2]])
        assert np.array_equal(found[1], np.where(masks[1] != 0, scripted[1], -np.inf))
        assert not np.array_equal(found[1], network[1])
    unasked = obedient.logits_many(states, seats, masks, sim.world)
    assert np.array_equal(unasked, alone.logits_many(states, seats, masks, sim.world))


def test_a_player_that_there_isnt_is_refused_with_a_sentence(squad):
    with pytest.raises(Refusal, match="no scripted bot 'obedient'"):
        squad("obedient")
