"""What human proxies read in Hanabi: cards and hints alike, whatever their place and colour."""

import numpy as np
import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games.hanabi import people_features as read
from engine.simulation.simulation import Simulation


def seen(sim):
    out = np.zeros((1, read.SIZE), np.float32)
    read.encode_many(sim.state[None], np.array([sim.current], np.int32), np.zeros((1, 0), np.float32), out)
    return out[0, : read.CONTEXT], out[0, read.CONTEXT :].reshape(read.ALIKE, read.EACH)


@pytest.fixture(scope="module")
def game():
    sim, bot = Simulation("hanabi", {"players": 2}, seed=5), load("hanabi/grounded-bot")
    for _ in range(12):
        mover = sim.current
        sim.step([act(bot, [sim], [mover])[0] if seat == mover else sim.no_op for seat in (0, 1)])
    return sim


def test_colours_are_alike(game):
    order = [3, 0, 4, 1, 2]
    other = Simulation("hanabi", {"players": 2}, deck=[5 * order[card // 5] + card % 5 for card in game.deck])
    for joint in game.actions:
        other.step([10 + order[a - 10] if 10 <= a < 15 else a for a in joint])
    context, items = seen(game)
    theirs, changed = seen(other)
    assert np.allclose(context, theirs)
    rows = [*range(10), *(10 + color for color in order), *range(15, 20)]
    assert np.allclose(items, changed[rows], atol=1e-5)


def test_the_last_moves_and_the_kind_of_each_move_are_there(game):
    context, items = seen(game)
    assert items[:, :4].argmax(1).tolist() == [1] * 5 + [0] * 5 + [2] * 5 + [3] * 5
    last = context[-read.LAST * read.PER_MOVE :].reshape(read.LAST, read.PER_MOVE)
    assert (last[:, :4].sum(1) == 1).all()


def test_personas_are_those_of_the_survey():
    assert read.persona({"exp": "many"}) == "many" and read.persona({}) == ""
