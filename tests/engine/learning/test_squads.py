"""The programs that made Arena's squads, small, and the squad that is shipped."""

import json

import numpy as np
import pytest
import torch

from engine.agents.catalogue import load
from engine.evaluation.arena.squads import squads
from engine.learning import squad_clone, squad_ppo
from engine.learning.heads import chosen, log_probs
from engine.learning.reporting import BadConfig, config_from, run_program

CLONE = {"updates": 3, "envs": 4, "rollout": 4, "hidden": [16], "minibatch": 64, "memory": 2}
SMALL = {"envs": 4, "rollout": 4, "critic": [16], "minibatch": 64}
PPO = {"updates": 3, "critic_updates": 1, "keep_past": 1, **SMALL}


def run(module, name, settings, folder):
    config = folder.with_suffix(".json")
    config.write_text(json.dumps(settings))
    kind = module.Settings
    return run_program(name, kind, module.train, ["--config", str(config), "--out", str(folder)])


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("squads") / "clone"
    assert run(squad_clone, "squad_clone", CLONE, folder) == 0
    return folder


def metrics(text, name):
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line["values"][name] for line in lines if line["type"] == "metrics" and name in line["values"]]


def test_a_clone_learns_and_loads(clone):
    policy = load(str(clone / "agent"), "arena")
    assert policy.card["parents"] == ["arena/strong"] and len(policy.card["choices"]) == 54


def test_cloning_predicts_the_teacher_better_and_better(tmp_path, capsys):
    settings = {**CLONE, "updates": 12, "hidden": [32], "lr": 0.01, "goal_share": 0.0}
    assert run(squad_clone, "squad_clone", settings, tmp_path / "more") == 0
    losses = metrics(capsys.readouterr().out, "loss")
    assert np.mean(losses[-3:]) < 0.9 * losses[0]


def trainer(clone, **more) -> squad_ppo.Training:
    return squad_ppo.Training(squad_ppo.Settings(**{**PPO, "base": str(clone / "agent"), **more}))


def log_likelihood(training, data) -> np.ndarray:
    """How likely the network as it is finds each action of a rollout, (T * rows,)."""
    inputs, masks, actions = (data[key].flatten(0, 1) for key in ("inputs", "masks", "actions"))
    with torch.no_grad():
        logp = log_probs(training.net(inputs)[0], masks, squad_ppo.HEADS)
    return chosen(logp, actions, squad_ppo.HEADS).numpy()


def test_what_went_better_than_expected_becomes_likelier_and_what_went_worse_less_likely(clone):
    alone = {"entropy": 0.0, "anchor": 0.0, "lr": 0.003, "critic_updates": 0, "opponents": {"self": 1.0}}
    training = trainer(clone, **alone)
    data = training.collect()
    # Choices of an even direction are said to have gone well, the others badly.
    good = data["actions"][..., 0] % 2 == 0
    data["advantages"] = torch.where(good, 1.0, -1.0)
    before = log_likelihood(training, data)
    training.learn(data)
    gained = log_likelihood(training, data) - before
    used, good = data["use"].flatten().numpy(), good.flatten().numpy()
    assert min((good & used).sum(), (~good & used).sum()) > 20, "both kinds are in the rollout"
    assert gained[good & used].mean() > 0.02 and gained[~good & used].mean() < -0.02


def test_the_first_updates_teach_the_critic_alone(clone):
    training = trainer(clone, critic_updates=1, lr=0.003, epochs=8, opponents={"self": 1.0})
    before = {key: value.clone() for key, value in training.net.state_dict().items()}
    data = training.collect()
    losses = [training.learn(data)["value_loss"] for _ in range(4)]
    assert losses[-1] < 0.7 * losses[0]
    assert all(torch.equal(before[key], value) for key, value in training.net.state_dict().items())


def test_the_anchor_pulls_back_to_the_network_that_it_began_with(clone):
    training = trainer(clone, entropy=0.0, anchor=5.0, lr=0.003, critic_updates=0, opponents={"self": 1.0})
    with torch.no_grad():
        training.net.policy.bias += 2 * torch.randn(training.net.policy.bias.shape)
    data = training.collect()
    data["advantages"] = torch.zeros_like(data["advantages"])
    apart = [training.learn(data)["from_first"] for _ in range(6)]
    assert apart[-1] < 0.6 * apart[0]


def test_a_stopped_training_goes_on_where_it_was(clone, tmp_path, capsys):
    settings = {**PPO, "base": str(clone / "agent")}
    out = tmp_path / "squad"
    training = trainer(clone)
    for _ in range(2):
        training.step()
    training.save(out)
    resumed = trainer(clone)
    assert resumed.resume(out) and resumed.update == 2 and len(resumed.past) == len(training.past) == 2
    for one, other in ((training.net, resumed.net), (training.critic, resumed.critic)):
        pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
        assert all(torch.equal(a, b) for a, b in pairs)
    assert run(squad_ppo, "squad_ppo", settings, out) == 0
    told = capsys.readouterr().out
    assert "Going on after update 2 of 3" in told and len(metrics(told, "value_loss")) == 1
    assert load(str(out / "agent"), "arena").card["training"]["decisions"] > resumed.rows


def test_settings_that_can_not_be_are_refused():
    with pytest.raises(BadConfig, match="sum to 1"):
        squad_ppo.Settings(opponents={"self": 0.5})
    with pytest.raises(BadConfig, match="from 0 to 1"):
        config_from(squad_clone.Settings, {"goal_share": 2.0})


def test_the_shipped_squad_beats_the_weak_and_the_middle_one():
    squad = load("champion", "arena")
    assert squad.name == "arena/squad"
    assert squads(squad, load("arena/weak", "arena"), matches=40, seed=3)["wins"] >= 0.75
    assert squads(squad, load("arena/middle", "arena"), matches=40, seed=3)["wins"] >= 0.65
