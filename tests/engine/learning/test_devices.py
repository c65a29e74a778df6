"""Every training keeps its networks, optimiser, rollouts and reward model on the device that it was told.

There need be no GPU for that: see tests/engine/learning/elsewhere.py for what this shows and what it can't.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from engine.agents import utility
from engine.agents.features import inputs_for, reward_inputs_for
from engine.agents.utility import RewardModel
from engine.language import num_features
from engine.learning import clone, devices, ibt, marked, ppo, self_play, squad_clone, squad_ppo
from engine.learning.marked import Track
from engine.learning.programs import making
from engine.learning.reporting import BadConfig, Reporter, config_from, run_program
from tests.engine.learning.elsewhere import configured

HANABI = {"base": "hanabi/learner-1", "envs": 4, "steps": 4, "moves": 32, "minibatches": 2}
PPO = {**HANABI, "evaluation_games": 2, "evaluate_every": 1, "value_warmup": 1, "epochs": 1}
KITCHEN = {"envs": 4, "rollout": 10, "hidden": [8], "evaluation_episodes": 1}
SMALL = {"team_size": 2, "pace": "short"}
SQUADS = {"envs": 2, "rollout": 2, "updates": 2, "minibatch": 64, "options": SMALL}
TRAININGS = {
    "ibt": (ibt, {"dataset": "nowhere", "steps": 2, "batch": 4, "hidden": 8, "history": 4}),
    "ppo": (ppo, PPO),
    "ppo with marks": (ppo, {**PPO, "reward_model": "somewhere"}),
    "ppo, told": (ppo, {**PPO, "instruction": "play your oldest card"}),
    "clone": (
        clone,
        {**KITCHEN, "envs": 8, "rollout": 4, "steps": 64, "minibatch": 16, "bf16": False},
    ),
    "self_play": (
        self_play,
        {
            **KITCHEN,
            "steps": 80,
            "minibatches": 2,
            "epochs": 1,
            "options": {"layout": "cramped_room", "horizon": 20},
            "partners": ["overcooked/random"],
            "keep": [1.0],
        },
    ),
    "squad_clone": (squad_clone, {**SQUADS, "hidden": [8]}),
    "squad_ppo": (squad_ppo, {**SQUADS, "base": "arena/squad", "critic": [8], "critic_updates": 1}),
}


def tracks() -> list[Track]:
    """Marked episodes of Hanabi that nobody played."""
    rng, found = np.random.default_rng(0), []
    for episode in range(4):
        observations = rng.random((20, inputs_for("hanabi").size)).astype(np.float16)
        told = rng.random((20, num_features("hanabi"))).astype(np.float32)
        marks = (rng.random((2, 20)) < 0.2).astype(np.int16)
        found.append(Track(str(episode), 0, "anna", False, observations, told, *marks))
    return found


def reward_model(folder) -> RewardModel:
    size = reward_inputs_for("hanabi", {"players": 2}).size
    return RewardModel(size, num_features("hanabi"), 8)


@pytest.mark.parametrize("name", TRAININGS)
def test_a_whole_training_computes_where_it_was_told(name, tmp_path, monkeypatch, capsys):
    module, given = TRAININGS[name]
    monkeypatch.setattr(marked, "load", lambda *_: tracks())
    monkeypatch.setattr(utility, "load", reward_model)
    config = config_from(module.Settings, given)
    with configured(monkeypatch) as watch:
        module.train(config, tmp_path, Reporter())
    assert len(watch.networks) > 4 and all(watch.networks), "networks computed there only"
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["type"] == "result"
    # What was left there can be gone on with here.
    monkeypatch.undo()
    monkeypatch.setattr(marked, "load", lambda *_: tracks())
    monkeypatch.setattr(utility, "load", reward_model)
    made = [one for one in vars(module).values() if isinstance(one, type) and hasattr(one, "advance")]
    (training,) = [one for one in made if one.__module__ == module.__name__]
    assert training(config).resume(tmp_path)


def test_every_program_that_trains_can_be_told_where():
    known = {**making("agent"), **making("reward_model")}
    told = {name for name, one in known.items() if "device" in {setting.name for setting in one.settings}}
    assert told == {module.__name__.rpartition(".")[2] for module, _ in TRAININGS.values()}


def test_a_network_that_stays_behind_is_noticed(monkeypatch):
    with configured(monkeypatch) as watch:
        training = self_play.Training(config_from(self_play.Settings, TRAININGS["self_play"][1]))
        training.net.cpu()
        with pytest.raises(AssertionError, match="tensors of two devices"):
            training.step()
        assert not all(watch.networks) or not watch.networks


@pytest.mark.parametrize("wanted", ["cuda", "cuda:1", "gpu", "cuda:x"])
def test_a_device_that_is_not_there_is_refused_with_a_sentence(wanted, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"device": wanted}))
    arguments = ["--config", str(path), "--out", str(tmp_path)]
    status = run_program("self_play", self_play.Settings, self_play.train, arguments)
    said = capsys.readouterr().err
    assert status == 1 and said.count("\n") == 1
    if wanted.removeprefix("cuda:1") in ("cuda", ""):
        assert "there is no CUDA GPU; set auto or cpu" in said
    else:
        assert "it must be auto, cpu, cuda or the likes of cuda:1" in said


def test_auto_takes_a_gpu_where_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert devices.chosen("auto") == devices.chosen("cuda:0") == torch.device("cuda", 0)
    assert devices.chosen("cpu") == torch.device("cpu")
    with pytest.raises(devices.NoDevice, match="there are cpu, cuda:0, cuda:1"):
        devices.chosen("cuda:2")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert devices.chosen("auto") == torch.device("cpu")
    with pytest.raises(BadConfig, match="'device' is 'tpu'"):
        config_from(self_play.Settings, {"device": "tpu"})
