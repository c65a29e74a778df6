"""The programs that made Arena's squads, small, and the squad that is shipped."""

import json
from functools import partial

import numpy as np
import pytest
import torch

from engine import games
from engine.agents.catalogue import load
from engine.games.arena.evaluation.squads import squads
from engine.learning.algorithms import clone, ppo
from engine.learning.algorithms.ppo import Ppo
from engine.learning.parts.heads import chosen, log_probs
from engine.learning.parts.sides import suiting
from engine.learning.run.reporting import config_from, run_program
from engine.refusal import Refusal

CLONE = {"game": "arena", "steps": 3 * 4 * 4, "envs": 4, "rollout": 4, "hidden": [16]}
CLONE |= {"minibatch": 64, "replay": 2}
PPO = {"game": "arena", "moves": 3 * 4 * 4, "value_warmup": 1, "keep_past": 1, "evaluation_games": 2}
PPO |= {"envs": 4, "steps": 4, "critic": [16], "minibatches": 2}
HEADS = games.spec("arena").heads


def run(module, name, settings, folder):
    config = folder.with_suffix(".json")
    config.write_text(json.dumps(settings))
    suits = partial(suiting, name)
    arguments = ["--config", str(config), "--out", str(folder)]
    return run_program(name, module.Settings, module.train, arguments, suits)


@pytest.fixture(scope="module")
def cloned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("squads") / "clone"
    assert run(clone, "clone", CLONE, folder) == 0
    return folder


def metrics(text, name):
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line["values"][name] for line in lines if line["type"] == "metrics" and name in line["values"]]


def test_a_clone_learns_and_loads(cloned):
    policy = load(str(cloned / "agent"), "arena")
    assert policy.card["parents"] == ["arena/strong"] and len(policy.card["choices"]) == 54


def test_cloning_predicts_the_teacher_better_and_better(tmp_path, capsys):
    settings = {**CLONE, "steps": 12 * 4 * 4, "hidden": [32], "lr": 0.01, "goal_share": 0.0}
    assert run(clone, "clone", settings, tmp_path / "more") == 0
    losses = metrics(capsys.readouterr().out, "policy_loss")
    assert np.mean(losses[-3:]) < 0.9 * losses[0]


def settings_of(cloned, **more) -> dict:
    first = games.part("arena", "training").SETTINGS["ppo"]["first"]
    return suiting("ppo", {**first, **PPO, "base": str(cloned / "agent"), **more})


def trainer(cloned, **more) -> Ppo:
    return Ppo(config_from(ppo.Settings, settings_of(cloned, **more)))


def log_likelihood(training, data) -> np.ndarray:
    """How likely the network as it is finds each action of a rollout, (n,)."""
    with torch.no_grad():
        logp = log_probs(training.net(data["inputs"])[0], data["masks"], HEADS)
    return chosen(logp, data["actions"], HEADS).numpy()


def test_what_went_better_than_expected_becomes_likelier_and_what_went_worse_less_likely(cloned):
    alone = {"entropy_weight": 0.0, "anchor": 0.0, "lr": 0.003, "partners": {}}
    training = trainer(cloned, **alone)
    data = training.rows_of(training.collect())
    # Choices of an even direction are said to have gone well, the others badly.
    good = data["actions"][:, 0] % 2 == 0
    data["advantages"] = torch.where(good, 1.0, -1.0)
    before = log_likelihood(training, data)
    training.learn_rows(data)
    gained = log_likelihood(training, data) - before
    assert min(good.sum(), (~good).sum()) > 20, "both kinds are in the rollout"
    assert gained[good].mean() > 0.02 and gained[~good].mean() < -0.02


def test_the_first_updates_teach_the_critic_alone(cloned):
    training = trainer(cloned, lr=0.003, epochs=8, partners={})
    before = {key: value.clone() for key, value in training.net.state_dict().items()}
    data = training.rows_of(training.collect())
    losses = [training.learn_rows(data, warming_up=True)["value_loss"] for _ in range(4)]
    assert losses[-1] < 0.7 * losses[0]
    assert all(torch.equal(before[key], value) for key, value in training.net.state_dict().items())


def test_the_anchor_pulls_back_to_the_network_that_it_began_with(cloned):
    training = trainer(cloned, entropy_weight=0.0, anchor=5.0, lr=0.003, partners={})
    with torch.no_grad():
        training.net.policy.bias += 2 * torch.randn(training.net.policy.bias.shape)
    data = training.rows_of(training.collect())
    data["advantages"] = torch.zeros_like(data["advantages"])
    apart = [training.learn_rows(data)["anchor_kl"] for _ in range(6)]
    assert apart[-1] < 0.6 * apart[0]


def test_a_stopped_training_goes_on_where_it_was(cloned, tmp_path, capsys):
    settings = settings_of(cloned)
    out = tmp_path / "squad"
    training = trainer(cloned)
    for _ in range(2):
        training.step()
    training.save(out)
    resumed = trainer(cloned)
    assert resumed.resume(out) and resumed.update == 2
    assert len(resumed.past.kept) == len(training.past.kept) == 2
    for one, other in ((training.net, resumed.net), (training.critic, resumed.critic)):
        pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
        assert all(torch.equal(a, b) for a, b in pairs)
    assert run(ppo, "ppo", settings, out) == 0
    told = capsys.readouterr().out
    assert "Going on after update 2 of 3" in told and len(metrics(told, "value_loss")) == 1
    assert load(str(out / "agent"), "arena").card["training"]["decisions"] > resumed.rows


def test_settings_that_can_not_be_are_refused():
    with pytest.raises(Refusal, match="from 0 to 1"):
        config_from(clone.Settings, {"game": "arena", "teacher": "arena/strong", "goal_share": 2.0})
    with pytest.raises(ValueError, match="no reward 'dancing'"):
        Ppo(ppo.Settings(game="arena", rewards={"dancing": 1.0}, critic=[8], envs=2))


def test_the_shipped_squad_beats_the_weak_and_the_middle_one():
    squad = load("champion", "arena")
    assert squad.name == "arena/squad"
    assert squads(squad, load("arena/weak", "arena"), matches=40, seed=3)["wins"] >= 0.75
    assert squads(squad, load("arena/middle", "arena"), matches=40, seed=3)["wins"] >= 0.65
