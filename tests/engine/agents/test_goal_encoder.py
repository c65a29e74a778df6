"""Networks with an encoder of goal vectors: surgery, the same numbers in NumPy and torch, what is refused."""

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from engine.agents import surgery
from engine.agents.catalogue import WEIGHTS, load, read_card, shipped_folder, write_agent
from engine.agents.layers import goal_size, shape_problem
from engine.agents.network import from_tensors
from engine.games.arena import goals as g
from engine.learning.parts.networks import begun_small
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

CODE = 16
SQUAD = shipped_folder("arena/squad")


@pytest.fixture(scope="module")
def aimed():
    """The shipped squad's network with an encoder of goals, and its card."""
    known = surgery.up_to_date(load_file(SQUAD / WEIGHTS), read_card(SQUAD))
    return surgery.aiming(*known, CODE, seed=1)


def written(folder, tensors, card):
    write_agent(folder, tensors, {**card, "name": "aimed"})
    return load(str(folder), "arena")


def asked(kind: int = g.PRONE):
    """(states, seats, masks, world, goals) of eight seats, of whom seat 1 has a goal."""
    sim = Simulation("arena", {"pace": "short"}, seed=3)
    goals = np.zeros((8, g.GOAL_SIZE), np.int16)
    g.give(sim.state, 1, kind, -1, 0, 0, 0, 0, goals[1])
    masks = np.stack([sim.legal(seat) for seat in range(8)])
    return np.stack([sim.state] * 8), np.arange(8, dtype=np.int32), masks, sim.world, goals


def test_the_agent_acts_as_before_where_nothing_is_asked(aimed, tmp_path):
    tensors, card = aimed
    assert "orders" not in card and goal_size(tensors)[1] == CODE
    states, seats, masks, world, _ = asked()
    found = written(tmp_path / "aimed", tensors, card).logits_many(states, seats, masks, world)
    before = load("arena/squad", "arena").logits_many(states, seats, masks, world)
    legal = masks != 0
    assert np.abs(found[legal] - before[legal]).max() <= 1e-6 * np.abs(before[legal]).max()


def test_torch_and_numpy_read_a_goal_alike_and_only_who_has_one_acts_otherwise(aimed, tmp_path):
    tensors, card = aimed
    rng = np.random.default_rng(2)
    behind = tensors["hidden.1.weight"].copy()
    behind[:, -CODE:] = rng.normal(0, 0.3, (len(behind), CODE))
    learned = {**tensors, "hidden.1.weight": behind}
    policy = written(tmp_path / "learned", learned, card)
    states, seats, masks, world, goals = asked()
    told, untold = (policy.logits_many(states, seats, masks, world, one) for one in (goals, None))
    others = np.arange(8) != 1
    assert np.array_equal(told[others], untold[others]) and not np.array_equal(told[1], untold[1])
    inputs = torch.from_numpy(policy._inputs(states, seats, world, goals))
    with torch.no_grad():
        logits = from_tensors(learned)(inputs)[0].numpy()
    assert np.allclose(logits[masks != 0], told[masks != 0], atol=1e-4)


def test_a_new_network_with_an_encoder_is_written_and_read_again():
    net = begun_small(20, [12, 8], 4, goal=(6, 5, 5))
    again = from_tensors(net.state_dict())
    rows = torch.randn(3, 29)  # 20 that it sees, 3 that it doesn't read, 6 of its goal
    rows[1, -6:] = 0
    with torch.no_grad():
        assert torch.equal(net(rows)[0], again(rows)[0])
        other = rows.clone()
        other[:, 20:23] += 1
        assert torch.equal(net(rows)[0], net(other)[0])
        assert not net._encode(rows[1:2, -6:]).any() and net._encode(rows[:1, -6:]).any()


def test_an_encoder_that_doesnt_fit_is_told_of(aimed):
    tensors = {name: weights for name, weights in aimed[0].items()}
    inputs, choices = len(aimed[1]["inputs"]), len(tensors["policy.bias"])
    assert shape_problem(tensors, inputs, 0, choices) is None
    assert "encoder" in str(shape_problem(tensors, inputs, 3, choices))
    assert "encoder" in str(shape_problem(tensors, 400, 0, choices))
    assert "goal.2.weight" in str(
        shape_problem({**tensors, "goal.2.weight": np.zeros((3, 3))}, inputs, 0, choices)
    )
    fewer = {name: weights for name, weights in tensors.items() if name != "goal.4.weight"}
    assert "encoder" in str(shape_problem(fewer, inputs, 0, choices))
    flat = {**tensors, "goal.0.weight": np.zeros(5)}
    assert shape_problem(flat, inputs, 0, choices)


def test_games_without_goal_vectors_refuse_an_encoder():
    folder = shipped_folder("hanabi/companion")
    with pytest.raises(Refusal, match="no goal vectors in hanabi"):
        surgery.aiming(
            load_file(folder / WEIGHTS),
            {"game": "hanabi"},
            CODE,
            1,
        )
