"""Rollouts of networks that read what they are told: the same numbers as where they play."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from engine import language
from engine.agents import fresh, surgery
from engine.agents.catalogue import WEIGHTS, load
from engine.agents.network import from_tensors
from engine.learning.parts.rollouts import Collector

GAMES = [("hanabi", {"players": 3}), ("overcooked", {"layout": "cramped_room", "horizon": 5})]


@pytest.mark.parametrize(("game", "options"), GAMES, ids=lambda one: str(one))
def test_a_learner_reads_what_the_agent_reads_where_it_plays(game, options, tmp_path):
    card = fresh.fresh(game, options, tmp_path / "first")
    tensors, card = surgery.hearing(load_file(tmp_path / "first" / WEIGHTS), card)
    rng = np.random.default_rng(1)
    told_from = tensors["hidden.0.weight"].shape[1] - language.num_features(game)
    tensors["hidden.0.weight"][:, told_from:] = rng.normal(size=(64, language.num_features(game)))
    surgery.write_agent(tmp_path / "told", tensors, card)
    policy, net = load(str(tmp_path / "told"), game), from_tensors(tensors)

    collector = Collector(game, options, 4, seed=1, heard=language.num_features(game))
    collector.instructions[...] = rng.random(collector.instructions.shape)
    view = collector.view()
    games_of = np.repeat(np.arange(4), collector.rows)
    told = collector.instructions[games_of, view.seats]
    found = policy.logits_many(view.states, view.seats, view.masks, None, None, told)
    legal = view.masks != 0
    with torch.no_grad():
        logits = net(view.inputs)[0].numpy()
    assert np.allclose(found[legal], logits[legal], atol=1e-4)

    def act(view):
        return {"actions": torch.from_numpy(view.masks.argmax(1))}

    rollout = collector.collect(6, act)
    assert rollout.inputs.shape[2] == rollout.cut.inputs.shape[1] == told_from + told.shape[1]
    for row, inputs in zip(rollout.cut.rows, rollout.cut.inputs, strict=True):
        asked = collector.instructions[int(row) // collector.rows, int(row) % collector.rows]
        assert np.array_equal(inputs[told_from:].numpy(), asked)
    assert len(rollout.cut.rows) == (0 if collector.spec.turn_based else 4 * collector.rows)


def test_a_learner_that_is_told_nothing_reads_what_it_always_did():
    collector = Collector("hanabi", {"players": 2}, 3, seed=1)
    assert collector.instructions.size == 0
    assert collector.view().inputs.shape == (3, collector.inputs.size)
