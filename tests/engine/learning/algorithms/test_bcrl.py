"""BC + RL: imitates what was recorded, learns by V-trace, goes on after a stop, says what it cannot."""

import io
import json
from pathlib import Path

import pytest
import torch

from engine.agents.catalogue import folder_of, load
from engine.agents.features import inputs_for
from engine.agents.surgery import widen
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.learning.algorithms.bcrl import BcRl, Settings, train
from engine.learning.parts import demonstrations, heads
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal

SMALL = {"envs": 8, "steps": 16, "minibatches": 2, "evaluation_games": 2, "evaluate_every": 100}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bots")
    logs = list(play_logs(load("hanabi/grounded-bot", "hanabi"), 4, mistakes=0.0, seed=1))
    write_snapshot(folder, logs, [Annotator()])
    return str(folder)


def settings(**more):
    return Settings(**{"game": "hanabi", "base": "hanabi/learner-1", "moves": 2048, **SMALL, **more})


def test_every_move_of_every_seat_is_there_to_be_imitated(snapshot):
    found = demonstrations.moves(Path(snapshot), "hanabi", inputs_for("hanabi"), False, lambda: None)
    assert len(found["inputs"]) == len(found["masks"]) == len(found["actions"]) > 100
    assert (heads.chosen(found["masks"].float(), found["actions"]) == 1).all()


@pytest.mark.parametrize("game", ["overcooked", "arena"])
def test_moves_of_other_games_are_read_too(game, tmp_path):
    options = {"horizon": 30} if game == "overcooked" else {"team_size": 1, "teams": 2, "pace": "short"}
    policy = load("overcooked/greedy" if game == "overcooked" else "arena/weak", game)
    write_snapshot(tmp_path, list(play_logs(policy, 1, options, seed=1)), [Annotator()])
    found = demonstrations.moves(Path(tmp_path), game, inputs_for(game, options), False, lambda: None)
    assert torch.isfinite(found["inputs"]).all()
    assert len(found["actions"]) == len(found["inputs"]) > 20


def test_imitation_alone_makes_what_was_recorded_likelier(snapshot):
    training = BcRl(settings(dataset=snapshot, rl_weight=0.0, lr=1e-3))
    losses = [training.step()["bc_loss"] for _ in range(12)]
    assert losses[-1] < losses[0] - 0.1


def test_it_learns_from_a_measure_and_goes_on_after_a_stop(snapshot, tmp_path):
    config = settings(dataset=snapshot, reward_model="measure:progress", score_weight=0.0, kl_weight=0.1)
    training = BcRl(config)
    values = training.step()
    assert {"policy_loss", "value_loss", "base_kl", "bc_loss", "gains"} <= set(values)
    training.save(tmp_path)
    again = BcRl(config)
    assert again.resume(tmp_path) and again.update == 1
    said = io.StringIO()
    train(config, tmp_path, Reporter(said))
    assert json.loads(said.getvalue().splitlines()[-1])["counted"] == 1  # no score beside it
    card = load(str(tmp_path / "agent"), "hanabi").card
    assert card["algorithm"] == "bcrl" and card["hyperparameters"]["bc_weight"] == 1.0


def test_a_base_with_memory_is_refused_with_a_sentence():
    with pytest.raises(Refusal, match="has a memory, with which BC \\+ RL can't go on"):
        BcRl(settings(base="hanabi/companion"))


def test_a_snapshot_of_another_game_is_refused(tmp_path):
    policy = load("overcooked/greedy", "overcooked")
    write_snapshot(tmp_path, list(play_logs(policy, 1, {"horizon": 20}, seed=1)), [Annotator()])
    with pytest.raises(Refusal, match="is a game of overcooked, not of hanabi"):
        BcRl(settings(dataset=str(tmp_path)))


def widened(tmp_path: Path) -> str:
    """A base that reads what it is told."""
    widen(folder_of("hanabi/learner-1"), "hanabi/learner-1", tmp_path / "reader")
    return str(tmp_path / "reader")


def test_each_game_is_told_something_which_its_reward_model_hears_too(tmp_path):
    texts = ["only hint colours", "only hint ranks"]
    config = settings(base=widened(tmp_path), instructions=texts, reward_model="measure:asked", moves=4096)
    training = BcRl(config)
    told = training.collector.instructions
    assert not told[:, 0].any()
    assert {tuple(row) for row in told[:, 1]} == {tuple(row) for row in training.wishes}
    before = told.copy()
    for _ in range(8):  # games end, and the next ones are told something anew
        training.step()
    assert (told != before).any()
    numbers = training.earnings.utility.told
    assert set(numbers[:, 1]) <= {1, 2} and not numbers[:, 0].any()
    assert (training.earnings.utility.memory[:, 1, 0] == numbers[:, 1]).all()


def test_who_does_not_read_cannot_be_told(tmp_path):
    with pytest.raises(Refusal, match="doesn't read what it is told"):
        BcRl(settings(instructions=["only hint colours"]))
    with pytest.raises(Refusal, match="can't be followed"):
        BcRl(settings(base=widened(tmp_path), instructions=["thanks"]))
