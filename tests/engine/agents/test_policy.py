"""Policies: illegal moves are impossible, batches and live games agree, NumPy and torch agree."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from engine import games
from engine.agents import features
from engine.agents.catalogue import WEIGHTS, folder_of, load
from engine.agents.features import inputs_for
from engine.agents.network import PolicyValueNet, from_tensors, masked
from engine.agents.policy import choose
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

REFS = ["hanabi/random", "hanabi/grounded-bot", "hanabi/convention-bot", "hanabi/champion"]


def middle_of_a_game(seed, moves=20):
    policy = load("hanabi/convention-bot")
    sim = Simulation("hanabi", seed=seed)
    for _ in range(moves):
        sim.act(sim.current, choose(policy.logits([sim], [sim.current]))[0])
    return sim


@pytest.mark.parametrize("ref", REFS)
def test_illegal_moves_are_minus_infinity_and_legal_ones_finite(ref):
    sim = middle_of_a_game(1)
    for seat in range(2):
        logits = load(ref).logits([sim], [seat])[0]
        assert logits.dtype == np.float32
        assert np.array_equal(np.isfinite(logits), sim.legal(seat) != 0)


@pytest.mark.parametrize("ref", REFS)
def test_many_games_at_once_get_the_same_logits_as_one(ref):
    policy = load(ref)
    sims = [middle_of_a_game(seed) for seed in range(5)]
    seats = [sim.current for sim in sims]
    together = policy.logits(sims, seats)
    for sim, seat, row in zip(sims, seats, together, strict=True):
        np.testing.assert_allclose(policy.logits([sim], [seat])[0], row, rtol=1e-4, atol=1e-4)


def test_scripted_bots_give_their_choice_0_and_everything_else_less():
    logits = load("hanabi/convention-bot").logits([middle_of_a_game(2)], [0])[0]
    assert logits.max() == 0
    assert (logits == 0).sum() == 1


def test_numpy_acts_as_the_torch_network_does():
    policy = load("hanabi/companion")
    net = from_tensors(load_file(folder_of("hanabi/companion") / WEIGHTS))
    sim = middle_of_a_game(3)
    inputs = inputs_for("hanabi")(sim.state[None], np.array([sim.current]))
    mask = torch.from_numpy(sim.legal(sim.current))[None]
    with torch.no_grad():
        logits = masked(net(torch.from_numpy(inputs))[0], mask)[0].numpy()
    legal = sim.legal(sim.current) != 0
    np.testing.assert_allclose(
        policy.logits([sim], [sim.current])[0][legal], logits[legal], rtol=1e-4, atol=1e-4
    )


def test_networks_of_any_depth_are_rebuilt_from_their_tensors():
    net = PolicyValueNet(7, [5, 6, 4], 3)
    again = from_tensors(net.state_dict())
    inputs = torch.randn(2, 7)
    assert torch.equal(net(inputs)[0], again(inputs)[0])


def test_choosing_adds_the_prior():
    logits = np.array([[0.0, -1.0, -np.inf]], np.float32)
    assert choose(logits) == [0]
    assert choose(logits, np.array([[0.0, 8.0, 99.0]], np.float32)) == [1]


def test_sampling_follows_the_probabilities_and_never_picks_illegal_moves():
    rng = np.random.default_rng(0)
    logits = np.tile(np.log(np.array([0.7, 0.3, 0.0]) + 1e-30), (4000, 1))
    logits[:, 2] = -np.inf
    picked = np.bincount(choose(logits, greedy=False, rng=rng), minlength=3) / 4000
    assert picked[2] == 0
    assert abs(picked[0] - 0.7) < 0.03


def test_sampling_without_a_generator_is_refused():
    with pytest.raises(ValueError, match="random generator"):
        choose(np.zeros((1, 3)), greedy=False)


def test_options_are_completed_once_and_nobody_can_spoil_them(monkeypatch):
    calls = []
    validate = games.spec("overcooked").validate
    looked = SimpleNamespace(validate=lambda given: calls.append(given) or validate(given))
    monkeypatch.setattr(features.games, "spec", lambda game: looked)
    asked = {"layout": "cramped_room", "horizon": 123}
    first = features.complete_options("overcooked", asked)
    first["horizon"] = 5
    assert features.complete_options("overcooked", asked) == validate(asked)
    assert len(calls) == 1
    with pytest.raises(Refusal, match="horizon"):
        features.complete_options("overcooked", {"horizon": object()})
