"""instructQ with a network: what it learns towards, what it leans to, that nothing is added in the end."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.agents import fresh
from engine.agents.catalogue import load
from engine.agents.network import masked
from engine.agents.surgery import widen
from engine.learning.algorithms.instruct_q import InstructQ, Settings, train
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal

SMALL = {"envs": 8, "steps": 16, "batch": 4, "replay": 256, "evaluation_games": 2, "evaluate_every": 100}
COLOURS = "only hint colours"


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("agents") / "first"
    fresh.fresh("hanabi", {"players": 2, "lives": 1}, folder)
    return folder


def settings(**more) -> Settings:
    return Settings(**{"game": "hanabi", "moves": 512, **SMALL, **more})


@torch.no_grad()
def by_hand(training: InstructQ, played: dict[str, torch.Tensor]) -> float:
    """The loss of algorithm 1, move by move and game by game, remembering what each seat saw."""
    steps, games = played["actions"].shape
    values = {}
    for name, net in (("net", training.net), ("target", training.target)):
        memory = {}
        for game in range(games):
            for step in range(steps):
                seat = int(played["seats"][step, game])
                own = memory.get((game, seat), played["memory"][step, game])
                row = {
                    "inputs": played["inputs"][step, game][None].float(),
                    "memory": own[None],
                    "masks": played["masks"][step, game][None],
                }
                found, remembered = training.q(net, row)
                values[name, step, game] = found[0]
                memory[game, seat] = remembered[0]
                if played["dones"][step, game]:
                    memory = {place: one for place, one in memory.items() if place[0] != game}
    errors = []
    for game in range(games):
        for step in range(steps):
            if not played["counts"][step, game]:
                continue
            target = float(played["earned"][step, game])
            if not played["dones"][step, game]:
                liked = training.weight() * played["liked"][step + 1, game].float()
                leaned = masked(values["net", step + 1, game] + liked, played["masks"][step + 1, game])
                worth = values["target", step + 1, game][int(leaned.argmax())]
                target += training.config.gamma * float(worth)
            mine = values["net", step, game][int(played["actions"][step, game])]
            errors.append((float(mine) - target) ** 2)
    return float(np.mean(errors))


@pytest.mark.parametrize("memory", [0, 8])
def test_it_learns_towards_what_algorithm_1_says(first, memory):
    told = {"instruction": COLOURS, "instruction_weight": 1.0}
    training = InstructQ(settings(base=str(first), memory=memory, epsilon=1.0, **told))
    with torch.no_grad():
        for net, spread in ((training.net, 0.5), (training.target, 0.3)):
            for weights in (*net.policy.parameters(), *net.value.parameters()):
                weights.add_(spread * torch.randn_like(weights))
    played = training.columns(training.collect())
    assert played["dones"].any() and played["counts"].sum() > 100
    assert 0 < played["liked"].max() <= 1.5, "what is asked for counts about 1"
    expected = by_hand(training, played)
    assert training.learn(played)["loss"] == pytest.approx(expected, rel=1e-3)


def test_it_learns_a_small_game():
    more = {"instruction": "", "envs": 32, "steps": 8, "batch": 16, "lr": 2e-3, "sync": 50, "replay": 2048}
    training = InstructQ(settings(game="say_select", reads="observation", hidden=[64], moves=80_000, **more))
    before = training.evaluate()["score"]
    for _ in range(150):
        training.step()
    assert training.evaluate()["score"] > before + 0.5


def test_what_is_asked_for_is_leaned_to_less_and_less(first):
    config = settings(base=str(first), instruction=COLOURS, instruction_weight=2.0, epsilon=0.0)
    training = InstructQ(config)
    rollout = training.collect()
    ranks = slice(15, 20)
    hints = rollout.actions >= 10
    asked = rollout.masks[..., 10:15].any(-1) & hints
    assert asked.sum() > 5 and not ((rollout.actions >= 15) & asked).any()
    assert (rollout.extras["liked"][..., ranks] < 0).any()
    unit = training.unit
    assert training.weight() == pytest.approx(2.0 * unit)
    training.update = training.updates
    assert training.weight() == pytest.approx(2.0 * unit * config.instruction_left)


def test_a_network_that_hears_is_not_told_so_that_it_keeps_to_it_untold(first, tmp_path):
    widen(first, "first", tmp_path / "reader", answers=True)
    training = InstructQ(settings(base=str(tmp_path / "reader"), instruction=COLOURS))
    rollout = training.collect()
    heard = training.collector.instructions.shape[2]
    assert heard > 20 and not rollout.inputs[..., -heard:].any() and rollout.extras["liked"].any()


def test_the_agent_plays_by_its_values_alone(first, tmp_path):
    config = settings(base=str(first), instruction=COLOURS, memory=4)
    train(config, tmp_path, Reporter(io.StringIO()))
    policy = load(str(tmp_path / "agent"), "hanabi")
    assert policy.card["algorithm"] == "instructQ" and policy.card["acts"] == "best"
    assert policy.card["parents"] == ["beginner"] and policy.memory == 4
    assert policy.card["evaluation"]["episodes"] == 2


def test_a_training_goes_on_exactly_where_it_stopped(first, tmp_path):
    config = settings(base=str(first), memory=4, moves=1024)
    whole, half = InstructQ(config), InstructQ(config)
    for _ in range(4):
        whole.step()
    for _ in range(2):
        half.step()
    half.save(tmp_path)
    rest = InstructQ(config)
    assert rest.resume(tmp_path)
    for _ in range(2):
        rest.step()
    for name, weights in whole.net.state_dict().items():
        assert torch.equal(weights, rest.net.state_dict()[name]), name


def test_what_ran_out_of_time_is_not_learned_from():
    kitchen = {"layout": "cramped_room", "horizon": 10}
    training = InstructQ(settings(game="overcooked", options=kitchen, hidden=[8]))
    columns = training.columns(training.collect())
    ended = columns["dones"] > 0
    assert ended.any() and not columns["counts"][ended].any()
    assert not columns["counts"][-1].any() and columns["counts"][:9].all()
    assert np.isfinite(training.step()["loss"])


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"base": "hanabi/convention-bot"}, "instructQ goes on from a network"),
        ({"game": "arena"}, "In Arena a move is several choices at once"),
        ({"instruction": "thanks"}, "“thanks” can't be followed"),
        ({"replay": 100}, r"The replay \(100\) must hold the moves of an update"),
        ({"reads": "tea leaves"}, "The setting 'reads' is 'tea leaves'"),
    ],
)
def test_what_cannot_be_learned_is_refused_with_a_sentence(more, sentence):
    with pytest.raises(Refusal, match=sentence):
        InstructQ(settings(**more))
