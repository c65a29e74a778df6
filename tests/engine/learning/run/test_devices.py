"""Every training keeps its networks, optimiser, rollouts and reward model on the device that it was told.

There need be no GPU for that: see tests/engine/learning/run/elsewhere.py for what this shows and what it
can't.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from engine.agents import utility
from engine.agents.features import reward_inputs_for
from engine.agents.utility import RewardModel
from engine.language import num_features
from engine.learning.algorithms import (
    ar,
    bcrl,
    clone,
    clone_people,
    cotrain,
    ibt,
    instruct_ppo,
    instruct_q,
    ppo,
)
from engine.learning.parts import marked
from engine.learning.parts.marked import Moves, Track
from engine.learning.parts.sides import suiting
from engine.learning.run import devices
from engine.learning.run.programs import making
from engine.learning.run.reporting import Reporter, config_from, run_program
from engine.refusal import Refusal
from tests.engine import made_people
from tests.engine.learning.run.elsewhere import configured

HANABI = {"game": "hanabi", "base": "hanabi/learner-1", "envs": 4, "steps": 4, "moves": 32, "minibatches": 2}
PPO = {**HANABI, "evaluation_games": 2, "evaluate_every": 1, "value_warmup": 1, "epochs": 1}
SMALL = {"team_size": 2, "pace": "short"}
SQUADS = {"game": "arena", "envs": 2, "options": SMALL, "hidden": [8]}
ALL = {
    "level": True,
    "sparse_weight": 0.1,
    "clone_steps": 1,
    "clone_weight": 1,
    "match_weight": 1,
    "window": 8,
    "history": 4,
}
TRAININGS = {
    "ibt": (ibt, {"game": "hanabi", "dataset": "nowhere", "steps": 2, "batch": 4, "hidden": 8, **ALL}),
    "ar": (
        ar,
        {"game": "hanabi", "dataset": "nowhere", "steps": 2, "batch": 4, "hidden": 8, "clone_steps": 1},
    ),
    "ppo": (ppo, PPO),
    "ppo with marks": (ppo, {**PPO, "reward_model": "somewhere"}),
    "bcrl": (bcrl, {**HANABI, "evaluation_games": 2, "kl_weight": 0.1, "reward_model": "somewhere"}),
    "clone_people": (
        clone_people,
        {
            **{"game": "overcooked", "file": "made up", "kinds": ["cramped_room"], "divide": 2, "clones": 2},
            **{"variants": [{"layout": "cramped_room", "horizon": 40}], "epochs": 1, "updates": 1},
            **{"games": 2, "steps": 10, "minibatch": 20, "device": "auto"},
        },
    ),
    "ppo, told": (ppo, {**PPO, "instruction": "play your oldest card"}),
    "instruct_ppo": (
        instruct_ppo,
        {
            **{**HANABI, "evaluation_games": 2, "evaluate_every": 1, "epochs": 1},
            **{"instruction": "play your oldest card", "never": "never hint ranks"},
        },
    ),
    "instruct_q": (
        instruct_q,
        {
            **{"game": "hanabi", "moves": 64, "envs": 4, "steps": 8, "batch": 4, "replay": 64, "hidden": [8]},
            **{"instruction": "play your oldest card", "memory": 4, "evaluation_games": 2},
        },
    ),
    "clone": (
        clone,
        {
            **{"game": "hanabi", "teacher": "convention-bot", "hidden": [8], "evaluation_episodes": 1},
            **{"envs": 8, "rollout": 4, "steps": 64, "minibatch": 16},
        },
    ),
    "clone of a squad": (
        clone,
        {**SQUADS, "rollout": 2, "steps": 8, "minibatch": 64, "evaluation_episodes": 0, "replay": 2},
    ),
    "ppo from nothing": (
        ppo,
        {
            **{"game": "overcooked", "options": {"layout": "cramped_room", "horizon": 20}, "hidden": [8]},
            **{"moves": 80, "envs": 4, "steps": 10, "minibatches": 2, "epochs": 1, "evaluation_games": 1},
            **{"partners": {"overcooked/random": 0.5, "past": 0.2}, "keep": [1.0]},
        },
    ),
    "ppo with memory": (
        ppo,
        {
            **{"game": "hanabi", "memory": 4, "hidden": [8], "envs": 4, "steps": 4, "moves": 32},
            **{"partners": {"past": 0.5}, "epochs": 1, "minibatches": 2, "evaluation_games": 1},
        },
    ),
    "cotrain": (
        cotrain,
        {
            **{"game": "arena", "base": "arena/mates", "options": SMALL, "envs": 2, "steps": 16, "moves": 64},
            **{"texts": 24, "minibatches": 2, "epochs": 1, "evaluation_games": 1},
        },
    ),
    "ppo of a squad": (
        ppo,
        {
            **{**SQUADS, "base": "arena/squad", "critic": [8], "value_warmup": 1, "anchor": 0.1},
            **{"moves": 8, "steps": 2, "minibatches": 2, "goal_share": 0.5, "evaluation_games": 1},
        },
    ),
}


def tracks() -> list[Track]:
    """Marked episodes of Hanabi that nobody played."""
    rng, found = np.random.default_rng(0), []
    for episode in range(4):
        observations = rng.random((20, reward_inputs_for("hanabi").size)).astype(np.float16)
        told = rng.random((20, num_features("hanabi"))).astype(np.float32)
        marks = (rng.random((2, 20)) < 0.2).astype(np.int16)
        did = rng.integers(20, size=(20, 1)).astype(np.int16)
        moves = Moves(did, np.ones((20, 21), bool), np.ones(20, bool))
        found.append(Track(str(episode), 0, "anna", False, observations, told, *marks, moves=moves))
    return found


def name_of(module) -> str:
    return module.__name__.rpartition(".")[2]


def reward_model(folder) -> RewardModel:
    size = reward_inputs_for("hanabi", {"players": 2}).size
    return RewardModel(size, num_features("hanabi"), 8)


def prepared(name, folder, monkeypatch):
    """(a training's module, its settings)"""
    module, given = TRAININGS[name]
    if "file" in given:
        given = {**given, "file": str(made_people.overcooked(folder / "cooks.gz", pairs=4))}
    monkeypatch.setattr(marked, "load", lambda *_: tracks())
    monkeypatch.setattr(utility, "load", reward_model)
    return module, config_from(module.Settings, suiting(name_of(module), given))


def class_of(module):
    made = [one for one in vars(module).values() if isinstance(one, type) and hasattr(one, "advance")]
    (training,) = [one for one in made if one.__module__ == module.__name__]
    return training


@pytest.mark.parametrize("name", TRAININGS)
def test_a_whole_training_computes_where_it_was_told(name, tmp_path, monkeypatch, capsys):
    module, config = prepared(name, tmp_path, monkeypatch)
    with configured(monkeypatch) as watch:
        module.train(config, tmp_path, Reporter())
    assert len(watch.networks) > 4 and all(watch.networks), "networks computed there only"
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["type"] == "result"
    # What was left there can be gone on with here.
    monkeypatch.undo()
    module, config = prepared(name, tmp_path, monkeypatch)
    assert class_of(module)(config).resume(tmp_path)


@pytest.mark.gpu
@pytest.mark.parametrize("name", TRAININGS)
def test_a_whole_training_computes_on_a_gpu(name, tmp_path, monkeypatch, capsys):
    module, config = prepared(name, tmp_path, monkeypatch)
    allocated = "allocated_bytes.all.allocated"  # ever, whatever was freed meanwhile
    before = torch.cuda.memory_stats().get(allocated, 0)  # it says nothing before the first use
    module.train(config, tmp_path, Reporter())
    assert torch.cuda.memory_stats()[allocated] > before
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["type"] == "result"
    assert class_of(module)(config).resume(tmp_path)
    # A worker without one can go on with it.
    monkeypatch.setattr(devices, "chosen", lambda wanted: torch.device("cpu"))
    assert class_of(module)(config).resume(tmp_path)


def test_every_program_that_trains_can_be_told_where():
    known = {**making("agent"), **making("reward_model")}
    told = {name for name, one in known.items() if "device" in {setting.name for setting in one.settings}}
    assert told == {name_of(module) for module, _ in TRAININGS.values()}


def test_a_network_that_stays_behind_is_noticed(monkeypatch):
    with configured(monkeypatch) as watch:
        training = ppo.Ppo(config_from(ppo.Settings, TRAININGS["ppo from nothing"][1]))
        training.net.cpu()
        with pytest.raises(AssertionError, match="tensors of two devices"):
            training.step()
        assert not all(watch.networks) or not watch.networks


@pytest.mark.parametrize("wanted", ["cuda", "cuda:1", "gpu", "cuda:x"])
def test_a_device_that_is_not_there_is_refused_with_a_sentence(wanted, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"game": "overcooked", "device": wanted}))
    arguments = ["--config", str(path), "--out", str(tmp_path)]
    status = run_program("ppo", ppo.Settings, ppo.train, arguments)
    said = capsys.readouterr().err
    assert status == (1 if wanted in ("cuda", "cuda:1") else 2) and said.count("\n") == 1
    if wanted.removeprefix("cuda:1") in ("cuda", ""):
        assert "there is no CUDA GPU; set auto or cpu" in said
    else:
        assert "it must be auto, cpu, cuda or the likes of cuda:1" in said


def test_auto_takes_a_gpu_where_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert devices.chosen("auto") == devices.chosen("cuda:0") == torch.device("cuda", 0)
    assert devices.chosen("cpu") == torch.device("cpu")
    with pytest.raises(Refusal, match="there are cpu, cuda:0, cuda:1"):
        devices.chosen("cuda:2")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert devices.chosen("auto") == torch.device("cpu")
    with pytest.raises(Refusal, match="'device' is 'tpu'"):
        config_from(ppo.Settings, {"game": "overcooked", "device": "tpu"})
