"""What networks and reward models read in a kitchen."""

from __future__ import annotations

import numpy as np
import pytest

from engine import games
from engine.agents.features import inputs_for
from engine.games.overcooked import features, rules
from engine.games.overcooked.layouts import CLASSIC
from engine.simulation.batch import Batch


def played(layout: str, **options) -> np.ndarray:
    """Records of many games in the middle, both seats after each other."""
    batch = Batch(
        games.spec("overcooked"), {"layout": layout, "start": "random", **options}, 64, "none", seed=3
    )
    batch.play_random(60)
    return np.repeat(batch.states, 2, axis=0)


SEATS = np.tile(np.arange(2, dtype=np.int32), 64)


@pytest.mark.parametrize("layout", CLASSIC)
def test_numbers_are_shares_and_tell_different_kitchens_apart(layout: str) -> None:
    states = played(layout)
    inputs = inputs_for("overcooked", {"layout": layout})
    seen = inputs(states, SEATS)
    assert seen.min() == 0 and seen.max() == 1
    different = {states[i, rules.POSITION :].tobytes() for i in range(0, len(states), 2)}
    assert len({row.tobytes() for row in seen[::2]}) >= len(different) * 0.9


def test_each_seat_reads_itself_first() -> None:
    states = played("cramped_room")[:2]
    inputs = inputs_for("overcooked", {"layout": "cramped_room"})
    mine, theirs = inputs(states, np.array([0, 1], np.int32))
    floor = 6
    assert (mine[:floor] == theirs[floor : 2 * floor]).all() and (
        mine[floor : 2 * floor] == theirs[:floor]
    ).all()


@pytest.mark.parametrize("layout", CLASSIC)
def test_who_rates_sees_what_cooks_hold_and_did(layout: str) -> None:
    states = played(layout)
    out = np.zeros((len(states), features.rated_size(states[0])), np.float32)
    features.rated_many(states, SEATS, out)
    cooks = 8 * 2
    for i, state in enumerate(states):
        for turn in (0, 1):
            who = (int(SEATS[i]) + turn) % 2
            assert out[i, 8 * turn + int(state[rules.FACING + who])] == 1
            held = int(state[rules.HELD + who])
            assert out[i, 8 * turn + 4 : 8 * turn + 8].sum() == (held != rules.NOTHING)
            events = out[i, out.shape[1] - 1 - (2 - turn) * 10 + 2 :][:8]
            assert events.argmax() == state[rules.EVENT + who] and events.sum() == 1
        assert out[i, cooks : cooks + features.MET].sum() == 1
        cells = int(state[rules.WIDTH]) * int(state[rules.HEIGHT])
        lie = [rules.terrain(state, c) == rules.COUNTER and state[rules.ITEM + c] != 0 for c in range(cells)]
        at = cooks + features.MET + int(state[rules.POT_COUNT]) * features.PER_POT
        assert out[i, at : at + features.THINGS].sum() == sum(lie)
    assert out[:, -1].min() >= 0 and out[:, -1].max() <= 1


def test_three_cooks_are_read_in_turn() -> None:
    layout = "XXPXX\nO123O\nX   X\nXDXSX"
    states = played(layout)
    inputs = inputs_for("overcooked", {"layout": layout})
    assert inputs(states[:3], np.array([0, 1, 2], np.int32)).shape == (3, inputs.size)
