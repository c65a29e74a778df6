"""U over a recorded episode: what it is at each tick, under another instruction, and how sure an ensemble
is."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine import language
from engine.agents.catalogue import load
from engine.agents.features import reward_inputs_for
from engine.agents.utility import RewardModel, can_read
from engine.evaluation.simulated_episodes import play_logs
from engine.learning.parts.marked import observe
from engine.learning.parts.utility_curve import utility_curve
from engine.refusal import Refusal


def log_of(players=2, instructions=(), seed=1):
    """The second of two games by chance: where there are instructions, it has one."""
    return list(
        play_logs(load("hanabi/random"), 2, {"players": players}, 0.0, instructions, obey=0.0, seed=seed)
    )[1]


def model_for(log, **changes) -> RewardModel:
    torch.manual_seed(3)
    game = log.header["game"]
    size = reward_inputs_for(game, log.header["options"]).size
    sizes = {"observation_size": size, "instruction_size": language.num_features(game), "hidden": 8}
    return RewardModel(**sizes | changes)


def test_it_is_the_models_own_u_since_the_first_tick():
    log = log_of()
    model = model_for(log)
    found = utility_curve(model, log, 1)
    observations, instructions = observe(log, [1])[1]
    with torch.no_grad():
        u = model(
            torch.from_numpy(observations[None].astype(np.float32)), torch.from_numpy(instructions[None])
        )[0].numpy()
    assert found.ticks == list(range(len(log.steps) + 1))
    assert np.allclose(found.mean, u - u[0], atol=1e-4) and found.mean[0] == 0
    assert (found.spread, found.members) == (None, 1)


def test_every_seat_of_a_game_has_its_own():
    log = log_of(players=5)
    model = model_for(log)
    curves = [utility_curve(model, log, seat).mean for seat in range(5)]
    assert len({tuple(one) for one in curves}) == 5


@pytest.mark.parametrize("players", [2, 3])
def test_another_instruction_changes_it_and_its_own_does_not(players):
    """Where one was told, and where several were."""
    log = log_of(players, ["discard oldest"])
    model = model_for(log)
    recorded = utility_curve(model, log, 1)
    same = language.read("hanabi", "discard oldest").program
    other = language.read("hanabi", "never play").program
    assert np.allclose(utility_curve(model, log, 1, same).mean, recorded.mean, atol=1e-4)
    assert not np.allclose(utility_curve(model, log, 1, other).mean, recorded.mean, atol=1e-4)
    # Seat 0 told the others, and nobody told seat 0.
    assert not np.allclose(utility_curve(model, log, 0, same).mean, utility_curve(model, log, 0).mean)


class Ensemble(RewardModel):
    """Three members whose U are one, two and three times that of the network, from different levels."""

    def members(self, observations, instructions):
        u = self(observations, instructions)
        return torch.stack([u + 5, 2 * u - 1, 3 * u])


def test_an_ensemble_says_how_far_its_members_are_apart_in_what_was_gained():
    log = log_of()
    alone = model_for(log)
    many = Ensemble(**alone.sizes)
    many.load_state_dict(alone.state_dict())
    one, found = utility_curve(alone, log, 0), utility_curve(many, log, 0)
    assert np.allclose(found.mean, 2 * np.array(one.mean), atol=1e-4)
    assert np.allclose(found.spread, np.abs(one.mean), atol=1e-4) and found.members == 3


def test_the_smallest_game_has_one_too():
    log = next(play_logs(load("same-number", "say_select"), 1, {}, seed=1))
    assert utility_curve(model_for(log), log, 1).ticks[-1] == len(log.steps)


def test_what_a_model_cannot_read_is_said():
    log = log_of()
    with pytest.raises(Refusal, match="reads 3 numbers a tick, and a seat of this episode sees 53"):
        utility_curve(model_for(log, observation_size=3), log, 0)
    with pytest.raises(Refusal, match="reads instructions as 2 numbers"):
        utility_curve(model_for(log, instruction_size=2), log, 0)
    with pytest.raises(Refusal, match=r"There is no seat 2: this episode has 2 seats, 0 to 1\."):
        utility_curve(model_for(log), log, 2)
    broken = model_for(log)
    broken.embed.weight.data[:] = float("nan")
    with pytest.raises(Refusal, match="gives no number"):
        utility_curve(broken, log, 0)


def test_a_kitchens_model_is_not_read_in_another_kitchen_that_looks_alike():
    options = {"layout": "coordination_ring"}
    model = RewardModel(reward_inputs_for("overcooked", options).size, language.num_features("overcooked"), 4)
    model.variant = "coordination_ring"
    assert can_read(model, "overcooked", options)
    other = {"layout": "counter_circuit_o_1order"}
    assert reward_inputs_for("overcooked", other).size == model.sizes["observation_size"]
    assert not can_read(model, "overcooked", other)
