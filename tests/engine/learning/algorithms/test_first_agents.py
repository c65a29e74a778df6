"""PPO from nothing: it learns, goes on as if it never had stopped, meets partners, refuses bad settings."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from engine import language
from engine.agents import fresh, surgery
from engine.agents.catalogue import WEIGHTS, load, read_card
from engine.learning.algorithms import population
from engine.learning.algorithms.ppo import Ppo, Settings
from engine.learning.parts.sides import suiting
from engine.learning.run.reporting import Reporter, config_from
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

SMALL = {
    "game": "overcooked",
    "options": {"layout": "cramped_room", "horizon": 50},
    "hidden": [32],
    "envs": 8,
    "steps": 50,
    "epochs": 1,
    "minibatches": 2,
    "evaluation_games": 2,
}


def settings(**more):
    return config_from(Settings, suiting("ppo", SMALL | {"moves": 8 * 50 * 4} | more))


def test_shaped_rewards_grow(monkeypatch):
    training = Ppo(settings(envs=64, epochs=4, minibatches=8, lr=3e-3, moves=64 * 50 * 40))
    rollouts, collect = [], training.collect
    monkeypatch.setattr(training, "collect", lambda: rollouts.append(collect()) or rollouts[-1])
    for _ in range(15):
        training.step()
    earned = [float(rollout.shaped.mean()) for rollout in rollouts]
    assert np.mean(earned[-3:]) > 2 * np.mean(earned[:3])


def test_a_resumed_training_goes_on_as_if_it_was_never_stopped(tmp_path):
    more = {"partners": {"past": 0.3, "overcooked/random": 0.3}, "keep_past": 1}
    whole = Ppo(settings(**more))
    whole.step()
    whole.save(tmp_path)
    rest = Ppo(settings(**more))
    assert rest.resume(tmp_path)
    one, other = whole.step(), rest.step()
    assert {name: one[name] for name in one if "per_second" not in name} == {
        name: other[name] for name in other if "per_second" not in name
    }


def test_a_folder_with_other_settings_is_refused(tmp_path):
    Ppo(settings()).save(tmp_path)
    with pytest.raises(Refusal, match="other settings"):
        Ppo(settings(lr=0.1)).resume(tmp_path)


def test_every_partner_gets_every_seat_and_the_rest_is_self_play():
    partners = {"overcooked/random": 0.25, "overcooked/stay": 0.25}
    cast = Ppo(settings(envs=400, partners=partners)).seating.cast
    assert ((cast >= 0).sum(axis=1) <= 1).all()
    assert 150 < (cast >= 0).any(axis=1).sum() < 250
    for partner in (0, 1):
        assert (60 < (cast == partner).sum() < 140) and (cast == partner).any(axis=0).all()


def test_a_partner_acts_for_its_own_seat_only():
    training = Ppo(settings(steps=20, partners={"overcooked/stay": 1.0}, random_starts=0.0))
    cast = training.seating.cast.copy()
    rollout = training.collect()
    theirs = rollout.actions[:, cast.reshape(-1) == 0]
    assert theirs.numel() and (theirs == 4).all()
    assert (rollout.actions[:, cast.reshape(-1) < 0] != 4).any()
    assert (rollout.extras["mine"] == torch.from_numpy(cast.reshape(-1) < 0)).all()


def test_the_agent_that_it_writes_cooks_in_its_layout_alone(tmp_path):
    training = Ppo(settings(options={"layout": "cramped_room"}))
    training.write(tmp_path, training.net)
    assert load(str(tmp_path), "overcooked").players == (2,)
    card = read_card(tmp_path)
    assert card["options"] == {"layout": "cramped_room", "dynamics": "old"}
    with pytest.raises(Refusal, match="plays overcooked"):
        load(str(tmp_path), "hanabi")


def test_a_game_of_turns_is_learned_from_its_canonical_observation(tmp_path):
    """A partner plays its seat whenever that is to move, and the agent says what it reads."""
    more = {"game": "hanabi", "options": {}, "reads": "observation", "partners": {"hanabi/random": 1.0}}
    training = Ppo(settings(steps=3, **more))  # so that no game ends
    assert training.collector.inputs.size == 658
    rollout = training.collect()
    cast = training.seating.cast
    mine = cast[np.arange(len(cast))[None], rollout.seats.numpy()] < 0
    assert (rollout.extras["mine"].numpy() == mine).all() and 0.3 < mine.mean() < 0.7
    training = Ppo(settings(**more))
    assert set(training.step()) >= {"policy_loss", "value_loss", "training_score"}
    training.write(tmp_path, training.net)
    policy = load(str(tmp_path), "hanabi")
    assert policy.card["reads"] == "observation"
    sim = Simulation("hanabi", seed=1)
    with torch.no_grad():
        bits = torch.from_numpy(np.asarray(sim.observe(0), np.float32))[None]
        logits = training.net(bits)[0].numpy()
    legal = sim.legal(0) != 0
    assert np.allclose(policy.logits([sim], [0])[0][legal], logits[0][legal], atol=1e-4)


def test_a_base_that_reads_what_it_is_told_goes_on_reading_it(tmp_path):
    card = fresh.fresh("hanabi", {"players": 2}, tmp_path / "first")
    surgery.write_agent(tmp_path / "told", *surgery.hearing(load_file(tmp_path / "first" / WEIGHTS), card))
    base = {"base": str(tmp_path / "told"), "instruction": "never discard"}
    training = Ppo(settings(game="hanabi", options={}, envs=4, steps=4, moves=32, **base))
    heard = torch.from_numpy(language.features("hanabi", training.taught.drawn.programs[0]))
    assert heard.any() and (training.collect().inputs[..., -len(heard) :] == heard).all()
    training.step()
    training.write(tmp_path / "more", training.net)
    assert "told_version" in load(str(tmp_path / "more"), "hanabi").card


def test_what_it_reads_is_one_of_two():
    with pytest.raises(Refusal, match="'reads' is 'tea leaves'; it must be features or observation"):
        settings(reads="tea leaves")


def test_a_base_of_another_kitchen_is_refused(tmp_path):
    training = Ppo(settings())
    training.write(tmp_path, training.net)
    with pytest.raises(ValueError, match="trained for .*cramped_room.* can't play .*coordination_ring"):
        Ppo(settings(options={"layout": "coordination_ring"}, base=str(tmp_path)))


def test_a_whole_population_is_made_and_not_made_twice(tmp_path, capsys):
    tiny = {
        "moves": 800,
        "envs": 8,
        "steps": 50,
        "hidden": [16],
        "evaluation_games": 1,
        "minibatches": 2,
    }
    recipe = population.Settings(
        game="overcooked",
        options={"layout": "cramped_room", "horizon": 50},
        self_play=tiny,
        population={**tiny, "keep": [0.5, 1.0]},
        seeds=[5, 6],
        partner=tiny,
        best_responses=tiny,
        zoo=["overcooked/random"],
    )
    population.train(recipe, tmp_path, Reporter())
    capsys.readouterr()
    partner = read_card(tmp_path / "partner" / "agent")
    names = partner["hyperparameters"]["partners"]
    assert len(set(names)) == 4 and all(name.startswith("population-") for name in names)
    response = read_card(tmp_path / "best_responses" / "random" / "agent")
    assert response["parents"] == [], "measured against the partner, it must not begin as the partner"
    assert response["hyperparameters"]["partners"] == {"overcooked/random": 1.0}
    population.train(recipe, tmp_path, Reporter())
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert not [line for line in lines if line["type"] == "log"], "nothing is trained again"
    with pytest.raises(Refusal, match="other settings"):
        changed = population.Settings(**{**recipe.__dict__, "self_play": {**tiny, "lr": 0.1}})
        population.train(changed, tmp_path, Reporter())


def test_an_unknown_stage_is_refused():
    with pytest.raises(Refusal, match="stages are"):
        population.Settings(game="overcooked", options={}, stages=["dessert"])


def test_bad_settings_are_refused():
    with pytest.raises(Refusal, match="'moves' is 0.*'random_starts' is 2.0; .* from 0 to 1"):
        config_from(Settings, {"game": "overcooked", "moves": 0, "random_starts": 2.0})
    with pytest.raises(Refusal, match="more than 1 together"):
        settings(partners={"overcooked/random": 0.8, "overcooked/stay": 0.3})
