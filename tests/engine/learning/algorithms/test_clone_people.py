"""Clones of people: they learn from made-up games, go on after a stop, act, and refuse what can't be."""

import io
import json
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from engine.agents.catalogue import load, write_agent
from engine.agents.people import PeoplePolicy
from engine.evaluation.imitation import divided, imitation
from engine.evaluation.self_play import play
from engine.learning.algorithms.clone_people import CloningPeople, Settings, train
from engine.learning.run.reporting import Reporter, run_program
from engine.learning.run.shell import weights
from engine.refusal import Refusal
from tests.engine import made_people

SMALL = {
    "variants": [{"layout": "cramped_room", "horizon": 40}],
    "kinds": ["cramped_room"],
    "divide": 2,
    "clones": 2,
    "epochs": 2,
    "updates": 2,
    "games": 2,
    "steps": 10,
    "minibatch": 20,
}


@pytest.fixture(scope="module")
def cooks(tmp_path_factory):
    return str(made_people.overcooked(tmp_path_factory.mktemp("games") / "cooks.gz", pairs=4))


@pytest.fixture(scope="module")
def players(tmp_path_factory):
    return str(made_people.hanabi_games(tmp_path_factory.mktemp("games") / "players.gz", 4))


def settings(file, **more):
    return Settings(**(SMALL | {"game": "overcooked", "file": file} | more))


def test_a_proxy_of_cooks_learns_remembers_and_draws(cooks, tmp_path):
    config = settings(cooks, epochs=10, dropout=0.0)
    training = CloningPeople(config)
    first = training.step()["nats"]
    reporter = Reporter(io.StringIO())
    result = training.run(tmp_path, reporter)
    assert result["held_out"]["nats"] < first - 0.15
    policy = load(result["folder"], "overcooked")
    assert isinstance(policy, PeoplePolicy) and policy.memory > 0 and policy.card["acts"] == "sampled"
    again = play([policy], "overcooked", {"horizon": 40}, episodes=3, seed=1)
    assert len(again) == 3
    held_out = imitation(policy, "overcooked", training.others)
    assert held_out["nats"] == pytest.approx(result["held_out"]["nats"], abs=1e-6)


def test_numpy_says_what_torch_said(cooks):
    training = CloningPeople(settings(cooks))
    policy = PeoplePolicy("x", "overcooked", weights(training.net), {})
    one = training.own[0]
    inputs = training.reader.read(one.states[:5], np.zeros(5, np.int32), None)
    said = training.net(torch.from_numpy(inputs), torch.zeros(5, 0)).detach().numpy()
    found = policy.logits_many(one.states[:5], np.zeros(5, np.int32), one.masks[:5, 0])
    assert np.allclose(found, said, atol=1e-4)


def test_a_resumed_training_goes_on_as_if_it_was_never_stopped(cooks, tmp_path):
    whole = CloningPeople(settings(cooks))
    for _ in range(5):
        whole.step()
    whole.save(tmp_path)
    rest = CloningPeople(settings(cooks))
    assert rest.resume(tmp_path)
    ours, theirs = whole.step(), rest.step()
    assert ours["crowd"] == pytest.approx(theirs["crowd"])


def test_a_proxy_of_players_plays_with_bots(players, tmp_path):
    more = {"game": "hanabi", "variants": [{}], "kinds": [], "partners": ["grounded-bot", ""]}
    training = CloningPeople(settings(players, **more))
    result = training.run(tmp_path, Reporter(io.StringIO()))
    policy = load(result["folder"], "hanabi")
    assert policy.memory == 0 and 0 < result["held_out"]["nats"] < 4
    assert len(play([policy, load("hanabi/grounded-bot")], episodes=3)) == 3


def test_a_partner_that_remembers_may_sit_beside_it(cooks, tmp_path):
    training = CloningPeople(settings(cooks))
    write_agent(tmp_path / "other", weights(training.net), training.card())
    training = CloningPeople(settings(cooks, partners=[str(tmp_path / "other"), "greedy"], games=8))
    training.update = training.answering
    first = training.step()
    seating = training.tables[0].seating
    assert set(seating.cast.ravel().tolist()) == {-1, 0, 1} and (seating.cast == -1).any(1).all()
    assert "idle/0" in first and seating.others[str(tmp_path / "other")].memory.any()


def test_people_are_divided_never_their_games(cooks):
    training = CloningPeople(settings(cooks, parts=[0]))
    learned, held_out = (
        {who for one in part for who in one.names} for part in (training.own, training.others)
    )
    assert learned and held_out and not learned & held_out
    both = [*training.own, *training.others]
    assert sorted(divided(both, 2)) == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("more", "why"),
    [({"file": ""}, "--set file"), ({"kinds": ["nowhere"]}, "nowhere"), ({"parts": [7]}, "No people")],
)
def test_what_cannot_be_learned_from_is_refused(cooks, more, why):
    with pytest.raises(Refusal, match=why):
        CloningPeople(replace(settings(cooks), **more))


def test_the_command_takes_the_file_from_set(cooks, tmp_path, capsys):
    config = tmp_path / "config.json"
    given = {key: value for key, value in asdict(settings(cooks)).items() if key != "file"}
    config.write_text(json.dumps(given))
    common = ["--config", str(config), "--out", str(tmp_path / "out")]
    assert run_program("clone_people", Settings, train, [*common, "--set", "updates=one"]) == 2
    assert "updates" in capsys.readouterr().err
    assert (
        run_program("clone_people", Settings, train, [*common, "--set", f"file={cooks}", "--set", "clones=1"])
        == 0
    )
    card = json.loads((tmp_path / "out" / "agent" / "card.json").read_text())
    assert card["hyperparameters"]["clones"] == 1 and "/" not in card["hyperparameters"]["file"]


def test_weights_that_do_not_fit_are_refused(cooks, tmp_path):
    training = CloningPeople(settings(cooks))
    tensors = weights(training.net)
    write_agent(tmp_path, tensors | {"move.weight": np.zeros((1, 5), np.float32)}, training.card())
    with pytest.raises(Refusal, match="move.weight"):
        load(str(tmp_path), "overcooked")
