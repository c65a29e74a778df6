"""Learning with memory: sequences are what was acted on, in every game, and a stop forgets nothing."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from engine.agents.catalogue import load, read_card
from engine.agents.network import PolicyValueNet
from engine.learning.algorithms import ppo
from engine.learning.algorithms.ppo import Ppo, Settings
from engine.learning.parts import sequences
from engine.learning.run.reporting import Reporter
from engine.learning.run.team import Team
from engine.refusal import Refusal
from tests.engine.agents.remembering import GAMES, remembering

SMALL = {"moves": 16 * 24 * 3, "envs": 16, "steps": 24, "minibatches": 3, "evaluation_games": 4}


def test_a_sequence_is_what_one_seat_saw_of_one_game():
    seats = torch.tensor([[0, 1], [1, 0], [0, 1], [1, 0]])
    dones = torch.tensor([[0, 0], [0, 1], [0, 0], [0, 0]])
    numbers = sequences.numbered(seats, dones)
    same = numbers.flatten()[:, None] == numbers.flatten()
    found = {tuple(row.nonzero().flatten().tolist()) for row in same}
    # Rows of the first game: 0, 2, 4, 6; of the second, which began anew after 3: 1, 3, 5, 7.
    assert found == {(0, 4), (2, 6), (1,), (3,), (5,), (7,)}


def test_minibatches_are_whole_sequences_in_packed_order():
    numbers = torch.tensor([7, 3, 9, 3, 7, 3, 9, 3])
    rows = {"sequences": numbers, "at": torch.arange(8)}
    order = torch.tensor([5, 1, 2, 7, 0, 3, 4, 6])
    parts = sequences.minibatches(rows, order, 2, Team())
    assert [part["at"].tolist() for part in parts] == [[0, 2, 4, 6], [1, 3, 5, 7]]
    seen = []
    for part in parts:
        assert int(part["sizes"].sum()) == len(part["at"])
        width = int(part["sizes"][0])
        firsts = part["sequences"][:width].tolist()
        assert len(set(firsts)) == width, "each begins once"
        place = 0
        for size in part["sizes"].tolist():
            assert part["sequences"][place : place + size].tolist() == firsts[:size]
            place += size
        for number in firsts:
            own = part["at"][part["sequences"] == number].tolist()
            assert own == (numbers == number).nonzero().flatten().tolist()
        seen += part["at"].tolist()
    assert sorted(seen) == list(range(8))


def test_sequences_are_computed_as_steps_are():
    torch.manual_seed(0)
    net = PolicyValueNet(5, [8, 6], 3, memory=4)
    inputs, begin = torch.randn(2, 3, 5), torch.randn(2, 4)  # two sequences of three steps
    memory, stepped = begin, []
    for step in range(3):
        logits, _, memory = net(inputs[:, step], memory)
        stepped.append(logits)
    memories = torch.cat([begin, torch.full((4, 4), 9.0)])  # only those of first rows are read
    packed = net(inputs.transpose(0, 1).flatten(0, 1), memories, torch.tensor([2, 2, 2]))[0]
    assert torch.allclose(packed, torch.cat(stepped), atol=1e-6)
    packed[4:].sum().backward()
    assert net.hidden[0].weight.grad.abs().max() > 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bf16", [False, True])
def test_learning_begins_where_acting_was(game, bf16, tmp_path):
    """The ratio of probabilities is 1 before the first step, with a base that plays and is looked at, too."""
    remembering(game, tmp_path / "base", [16])
    config = {"game": game, "base": str(tmp_path / "base"), "base_partner": 0.4, "anchor": 0.1, "bf16": bf16}
    training = Ppo(Settings(**SMALL, **config))
    for _ in range(2):  # the second rollout begins in the middle of games
        rows = training.rows_of(training.collect())
    pulls = training.pulls.on(rows)
    assert len(rows["sequences"].unique()) < len(rows["actions"]) or game == "say_select"
    (whole,) = sequences.minibatches(rows, torch.arange(len(rows["actions"])), 1, Team())
    found = training.proximal._step(whole, 0.0, pulls, values_only=True)
    assert abs(found["approx_kl"]) < 1e-4 and found["clipfrac"] == 0
    assert abs(found["base_kl"]) < 1e-4 and abs(found["anchor_kl"]) < 1e-4, "the base remembers by itself"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_agent_with_memory_is_trained_in_every_game(game, tmp_path):
    config = {"game": game, "options": GAMES[game], "memory": 8, "hidden": [16, 12], "epochs": 1}
    settings = Settings(**SMALL, **config, partners={"past": 0.3}, keep_past=1)
    ppo.train(settings, tmp_path, Reporter())
    folder = str(tmp_path / "agent")
    policy = load(folder, game)
    assert policy.memory == 8 and read_card(tmp_path / "agent")["hyperparameters"]["memory"] == 8
    with pytest.raises(Refusal, match="remembers already"):
        Ppo(dataclasses.replace(settings, base=folder))
    later = dataclasses.replace(settings, base=folder, memory=0)
    assert Ppo(later).net.memory_size == 8, "what is trained on keeps its memory"


def test_a_stopped_training_goes_on_with_what_was_remembered(tmp_path):
    settings = Settings(game="hanabi", memory=8, hidden=[16], bf16=False, **SMALL)
    one, other = Ppo(settings), Ppo(settings)
    one.advance()
    other.collector.restore(one.collector.tensors())
    assert one.collector.memory.any()
    assert torch.equal(one.collector.memory, other.collector.memory)
