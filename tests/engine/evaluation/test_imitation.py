"""How well agents foretell people: on made-up games, where it can be said beforehand."""

import math

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.agents.policy import Unsupported
from engine.evaluation.imitation import imitation, lines, log_probs, recorded
from tests.engine import made_people


@pytest.fixture(scope="module")
def cooks(tmp_path_factory):
    return recorded("overcooked", made_people.overcooked(tmp_path_factory.mktemp("games") / "cooks.gz"))[0]


@pytest.fixture(scope="module")
def players(tmp_path_factory):
    return recorded("hanabi", made_people.hanabi_games(tmp_path_factory.mktemp("games") / "players.gz"))[0]


def test_every_action_of_a_person_counts_and_no_one_elses(cooks, players):
    found = imitation(load("overcooked/greedy", "overcooked"), "overcooked", cooks)
    assert found["actions"] == 3 * 2 * 60
    assert list(found["by"]) == ["cramped_room"] and found["people"]["people"] == 6
    own = imitation(load("hanabi/grounded-bot"), "hanabi", players)
    assert own["actions"] == sum(len(one.states) // 2 for one in players)


def test_who_does_what_people_did_foretells_it(players):
    own = imitation(load("hanabi/grounded-bot"), "hanabi", players)
    assert own["accuracy"] == 1.0 and own["nats"] == 0.0
    other = imitation(load("hanabi/random"), "hanabi", players)
    assert other["accuracy"] < 0.5 and other["nats"] is None
    assert "never does what they did" in lines(other)[0]


def test_staying_counts_apart(cooks):
    found = imitation(load("overcooked/stay", "overcooked"), "overcooked", cooks)
    assert 0.4 < found["accuracy"] < 0.8 and found["not_stay_accuracy"] == 0.0


def test_the_distribution_is_the_one_that_is_drawn_from(players):
    policy = load("hanabi/learner-1")
    drawn = imitation(policy, "hanabi", players, greedy=False)
    assert 0.1 < drawn["nats"] < 10 and drawn["acts"] == "sampled"
    logits = np.array([[1.0, 0.0, -np.inf]])
    assert log_probs(policy, logits, greedy=False)[0] == pytest.approx(
        [-math.log(1 + math.exp(-1)), -math.log(1 + math.e), -np.inf]
    )
    assert log_probs(policy, logits, greedy=True).tolist() == [[0.0, -np.inf, -np.inf]]


def test_agents_of_another_kitchen_and_files_of_another_game_are_refused(cooks, tmp_path):
    with pytest.raises(Unsupported, match="can't play"):
        imitation(load("overcooked/self_play-forced_coordination", "overcooked"), "overcooked", cooks)
    with pytest.raises(ValueError, match="no game of people"):
        recorded("hanabi", made_people.overcooked(tmp_path / "cooks.gz", 1))
    with pytest.raises(ValueError, match="only in hanabi and overcooked"):
        recorded("arena", tmp_path / "cooks.gz")
