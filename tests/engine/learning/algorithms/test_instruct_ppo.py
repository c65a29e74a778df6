"""One agent for many instructions: what it reads, what is drawn for games, that no prior is added."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from engine import language
from engine.agents import fresh
from engine.agents.acting import act, told_size
from engine.agents.catalogue import WEIGHTS, load, write_agent
from engine.agents.surgery import widen
from engine.learning.algorithms.instruct_ppo import InstructPpo, Settings, train
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

SMALL = {"envs": 8, "steps": 16, "minibatches": 2, "evaluation_games": 2, "evaluate_every": 100}
TEXTS = ["only hint colours", "play your newest card"]
FEATURES = language.num_features("hanabi")


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> Path:
    """An agent that reads what an instruction says of its moves, and knows nothing yet."""
    folder = tmp_path_factory.mktemp("agents")
    fresh.fresh("hanabi", {"players": 2}, folder / "first")
    widen(folder / "first", "first", folder / "reader", answers=True)
    return folder / "reader"


def settings(base: Path | str, **more) -> Settings:
    return Settings(
        **{"game": "hanabi", "base": str(base), "instructions": TEXTS, "moves": 512, **SMALL, **more}
    )


def test_answers_are_read_and_not_added(reader, tmp_path):
    policy = load(str(reader), "hanabi")
    assert told_size(policy.card) == FEATURES + 21
    tensors = load_file(reader / WEIGHTS)
    # Whatever is asked for is disliked: what is read decides, not a prior.
    for value in tensors.values():
        value[...] = 0
    size = tensors["hidden.0.weight"].shape[1]
    for action in range(20):
        tensors["hidden.0.weight"][action, size - 21 + action] = 1
        tensors["hidden.1.weight"][action, action] = 1
        tensors["policy.weight"][action, action] = -100
    write_agent(tmp_path / "contrary", tensors, {**policy.card, "name": "contrary", "acts": "best"})
    contrary = load(str(tmp_path / "contrary"), "hanabi")
    program = language.read("hanabi", "only hint colours").program
    sim = Simulation("hanabi", {"players": 2}, seed=1)
    wished = language.prior("hanabi", program, sim, 0)
    (untold,) = act(contrary, [sim], [0])
    (told,) = act(contrary, [sim], [0], programs=[[program]])
    assert untold == 0 or wished[untold] <= 0
    assert wished[told] < wished.max()


def test_each_game_is_told_something_that_its_seats_read(reader):
    training = InstructPpo(settings(reader, envs=200, nobody=0.2, alone=0.3))
    training.collect()
    which, told = training.taught.drawn.which, training.collector.instructions
    assert {-1, 0, 1} == set(which.ravel())
    nobody = (which < 0).all(1).mean()
    alone = ((which < 0).sum(1) == 1).mean()
    assert 0.1 < nobody < 0.3 and 0.12 < alone < 0.36
    features = [language.features("hanabi", one) for one in training.taught.drawn.programs]
    for row, seat in zip(range(200), training.collector.batch.seats, strict=True):
        place = which[row, seat]
        assert np.array_equal(told[row, seat, :FEATURES], features[place] if place >= 0 else 0 * features[0])
        state = training.collector.batch.states[row]
        sim = Simulation.at("hanabi", {"players": 2}, state)
        wished = (
            language.prior("hanabi", training.taught.drawn.programs[place], sim, seat) if place >= 0 else 0
        )
        assert np.allclose(told[row, seat, FEATURES:], np.zeros(21) + wished / 16)


def test_it_comes_to_do_what_it_is_told(reader):
    training = InstructPpo(settings(reader, envs=64, steps=32, lr=3e-3, instruction_weight=0.3, nobody=0.25))
    training.updates = 1000  # the rate stays
    obeyed = [training.step()["obeyed"] for _ in range(14)]
    assert np.mean(obeyed[-2:]) > np.mean(obeyed[:2]) + 0.15


def test_one_convention_for_an_agent_that_reads_nothing(tmp_path):
    fresh.fresh("hanabi", {"players": 2}, tmp_path / "first")
    config = settings(
        tmp_path / "first", instructions=TEXTS[:1], never="Only play cards that you are sure of"
    )
    train(config, tmp_path / "out", Reporter(io.StringIO()))
    card = load(str(tmp_path / "out" / "agent"), "hanabi").card
    assert card["algorithm"] == "instruct_ppo" and "told_version" not in card
    assert card["hyperparameters"]["instructions"] == TEXTS[:1]


def test_what_cannot_be_taught_is_refused_with_a_sentence(reader, tmp_path):
    with pytest.raises(Refusal, match="Without an 'instruction' there is nothing to be told"):
        InstructPpo(settings(reader, instructions=[]))
    with pytest.raises(Refusal, match="“thanks” can't be followed"):
        InstructPpo(settings(reader, instructions=["thanks"]))


def test_a_base_that_reads_nothing_is_given_what_it_needs_for_several(tmp_path):
    fresh.fresh("hanabi", {"players": 2}, tmp_path / "first")
    train(settings(tmp_path / "first", memory=8), tmp_path / "out", Reporter(io.StringIO()))
    policy = load(str(tmp_path / "out" / "agent"), "hanabi")
    assert policy.memory == 8 and told_size(policy.card) == FEATURES + 21


def test_never_keeps_a_learner_from_moves_and_makes_them_unlikely(tmp_path):
    fresh.fresh("hanabi", {"players": 2}, tmp_path / "first")
    never = "Only play cards that you are sure of"
    config = settings(tmp_path / "first", instructions=TEXTS[:1], envs=32, never=never, lr=3e-3)
    training = InstructPpo(config)
    training.updates = 1000
    rollout = training.collect()
    tried, masks = rollout.extras["tried"], rollout.masks
    assert (tried <= masks).all() and (tried < masks).any()
    assert tried.flatten(0, 1).gather(1, rollout.actions.flatten()[:, None]).all()

    def likely() -> float:
        found = training.collect()
        flat = {"inputs": found.inputs.flatten(0, 1), "memory": found.memory.flatten(0, 1)}
        with torch.no_grad():
            logits, _ = training.forward(flat)
        legal = logits.float().masked_fill(found.masks.flatten(0, 1) == 0, -1e4).softmax(1)
        return float((legal * (found.extras["tried"].flatten(0, 1) == 0)).sum(1).mean())

    before = likely()
    for _ in range(10):
        training.step()
    assert likely() < before / 3


def test_wrong_answers_are_asked_of_games_that_have_questions(reader):
    texts = ["If I hint you a colour, play those cards. If I do something else, hint colours"]
    training = InstructPpo(settings(reader, instructions=texts, flipped=1.0, firmness=[0.2]))
    right = InstructPpo(settings(reader, instructions=texts))
    for one in (training, right):
        one.watch(np.arange(one.collector.batch.n))
        one.taught.drawn.tell()
    hints = right.collector.batch.masks[:, 10:20] != 0
    assert (right.taught.drawn.wished[:, 10:15][hints[:, :5]] > 0).all()
    assert (training.taught.drawn.wished[:, 10:15][hints[:, :5]] == 0).all()
    assert (training.taught.drawn.wished[:, 15:20][hints[:, 5:]] > 0).all()
    with pytest.raises(Refusal, match="In overcooked, no answers can be 'flipped'"):
        InstructPpo(
            Settings(**SMALL, game="overcooked", base="overcooked/cook", instruction="plate", flipped=0.1)
        )
