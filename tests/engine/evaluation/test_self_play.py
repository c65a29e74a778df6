"""Self-play and cross-play: counts, seats, seeds, and numbers that fit together."""

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.cross_play import cross_play
from engine.evaluation.latency import acting_latency
from engine.evaluation.self_play import play, self_play, summary
from engine.refusal import Refusal


def test_as_many_scores_as_episodes_and_the_same_again():
    policy = load("hanabi/convention-bot")
    scores = play([policy], episodes=37, seed=3)
    assert len(scores) == 37
    assert np.array_equal(scores, play([policy], episodes=37, seed=3))
    assert not np.array_equal(scores, play([policy], episodes=37, seed=4))


def test_more_episodes_than_games_at_once_are_counted_evenly():
    scores = play([load("hanabi/random")], episodes=1100, seed=1, options={"bomb": "keep"})
    assert len(scores) == 1100
    assert 0.8 < scores.mean() < 1.8  # random play with points kept scores about 1.25


def test_a_summary_says_what_the_scores_say():
    found = summary(np.array([0, 25, 20, 20]), 25)
    assert found["mean"] == 16.25
    assert found["zeros"] == 0.25 and found["perfect"] == 0.25
    assert found["histogram"][20] == 2 and sum(found["histogram"]) == 4
    assert found["interval"][0] < 16.25 < found["interval"][1]
    assert found["stderr"] == pytest.approx(np.std([0, 25, 20, 20], ddof=1) / 2)


def test_self_play_says_what_was_measured():
    found = self_play(load("hanabi/grounded-bot"), options={"players": 3}, episodes=5, seed=9)
    assert (found["agent"], found["episodes"], found["seed"]) == ("hanabi/grounded-bot", 5, 9)
    assert found["options"]["players"] == 3


def test_cross_play_has_self_play_on_its_diagonal_and_the_row_in_seat_0():
    convention, grounded = load("hanabi/convention-bot"), load("hanabi/grounded-bot")
    heard = []
    found = cross_play([convention, grounded], episodes=20, seed=2, told=lambda *pair: heard.append(pair))
    assert found["mean"][0][0] == play([convention], episodes=20, seed=2).mean()
    assert found["mean"][0][1] == play([convention, grounded], episodes=20, seed=2).mean()
    assert found["mean"][1][0] == play([grounded, convention], episodes=20, seed=2).mean()
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_agent_for_two_players_is_not_asked_to_play_with_three():
    with pytest.raises(Refusal):
        play([load("champion")], options={"players": 3}, episodes=2)


@pytest.mark.parametrize("bad", [{"episodes": 0}, {"options": {"players": 7}}])
def test_bad_settings_are_refused(bad):
    with pytest.raises(ValueError):
        play([load("hanabi/random")], **bad)


def test_the_time_that_the_champion_takes_is_measured():
    found = acting_latency(load("champion"), moves=50)
    assert found["moves"] == 50
    assert 0 < found["act_ms"]["p50"] <= found["act_ms"]["p99"]


def test_the_champion_scores_at_least_20():
    scores = play([load("champion")], episodes=400, seed=11)
    assert scores.mean() >= 20.0
