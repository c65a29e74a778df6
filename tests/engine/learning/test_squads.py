"""The programs that made Arena's squads, small, and the squad that is shipped."""

import json

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.arena_squads import squads
from engine.learning import squad_clone, squad_ppo
from engine.learning.reporting import BadConfig, run_program

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


def test_ppo_goes_on_from_a_clone_and_after_a_stop(clone, tmp_path, capsys):
    settings = {**PPO, "base": str(clone / "agent")}
    out = tmp_path / "squad"
    training = squad_ppo.Training(squad_ppo.Settings(**settings))
    before = {key: value.clone() for key, value in training.net.state_dict().items()}
    for _ in range(2):
        training.step()
    assert any(not np.array_equal(before[key], value) for key, value in training.net.state_dict().items())
    training.save(out)
    assert run(squad_ppo, "squad_ppo", settings, out) == 0
    told = capsys.readouterr().out
    assert "Going on after update 2 of 3" in told and len(metrics(told, "value_loss")) == 1
    assert load(str(out / "agent"), "arena").card["training"]["decisions"] > 0


def test_settings_that_can_not_be_are_refused():
    with pytest.raises(BadConfig, match="sum to 1"):
        squad_ppo.Settings(opponents={"self": 0.5})
    with pytest.raises(BadConfig, match="from 0 to 1"):
        squad_clone.Settings(goal_share=2.0)


def test_the_shipped_squad_beats_the_weak_and_the_middle_one():
    squad = load("champion", "arena")
    assert squad.name == "arena/squad"
    assert squads(squad, load("arena/weak", "arena"), matches=40, seed=3)["wins"] >= 0.75
    assert squads(squad, load("arena/middle", "arena"), matches=40, seed=3)["wins"] >= 0.65
