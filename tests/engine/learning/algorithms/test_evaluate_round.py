"""The evaluation of a round: intervals over deals, differences deal by deal, and agents that are told."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.utility import RewardModel
from engine.evaluation.intervals import over_deals
from engine.evaluation.probes import probed, probes_of
from engine.evaluation.reward_return import fair_options, play_rewarded
from engine.learning.algorithms import evaluate_round
from engine.learning.parts.sides import round_options
from engine.learning.run.reporting import Reporter, config_from
from engine.refusal import Refusal

HANABI = {
    "game": "hanabi",
    "candidate": "hanabi/grounded-bot",
    "base": "hanabi/convention-bot",
    "champion": "hanabi/random",
}
JUDGED = {"candidate": "hanabi/random", "base": "hanabi/convention-bot", "episodes": 8, "seed": 7}
JUDGED |= {"cross_play": False}
ARENA = {"candidate": "arena/strong", "base": "arena/weak"}
COOKS = {"candidate": "overcooked/greedy", "base": "overcooked/zoo-lazy"}


def result(tmp_path, probes: int = 0, **config) -> dict:
    found, config["probes"] = {}, probes
    reporter = Reporter()
    reporter.result = lambda **fields: found.update(fields)
    evaluate_round.train(config_from(evaluate_round.Settings, config), tmp_path, reporter)
    json.dumps(found)
    return found


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict:
    where = tmp_path_factory.mktemp("told")
    return result(where, **HANABI, episodes=20, seed=7, instruction="never play")


def scores(*refs: str, episodes: int = 20, told: str = "") -> np.ndarray:
    table = [load(ref) for ref in refs]
    options = games.spec("hanabi").validate({"players": 2})
    return play_rewarded(table, "hanabi", options, episodes, 7, told=told).scores


def test_two_seatings_of_a_deal_count_as_one(told):
    pair = (HANABI["candidate"], "hanabi/random")
    both = np.stack([scores(*pair, episodes=10), scores(*pair[::-1], episodes=10)])
    found = told["cross_play"]["hanabi/random"]
    assert found == over_deals(both)
    assert (found["episodes"], found["deals"]) == (20, 10)
    assert found["stderr"] == pytest.approx(both.mean(0).std(ddof=1) / np.sqrt(10))


def test_differences_are_between_games_of_the_same_deals(told):
    mine = scores(*[HANABI["candidate"]] * 2)
    for name in ("base", "champion"):
        theirs = scores(*[HANABI[name]] * 2)
        assert told["difference"][name] == over_deals(mine - theirs)


def test_the_same_games_are_played_once_more_by_agents_that_were_told(told):
    found = told["told"]
    assert found["instruction"] == "never play" and found["reading"] == "I do not play cards."
    assert set(found["self_play"]) == {"candidate", "base", "champion"}
    again = scores(*[HANABI["base"]] * 2, told="never play")
    assert found["self_play"]["base"]["mean"] == again.mean() < told["self_play"]["base"]["mean"]
    assert found["difference"]["base"]["deals"] == 20


def test_what_they_do_is_counted_with_everybody_told_and_with_nobody(told):
    found = told["told"]["counts"]
    assert {(side, who) for side in found for who in found[side]} == {
        (side, who) for side in ("candidate", "base") for who in ("both", "none")
    }
    for both in found.values():
        plays = {who: sum(seat["play"] for seat in one["seats"]) for who, one in both.items()}
        assert plays["both"] < plays["none"]  # told never to play
        assert both["none"]["episodes"] == 20


def test_another_reading_than_the_first_is_meant_where_it_was_chosen(tmp_path):
    words = {"instruction": "Colour hints mean play", "counted": 0, "probes": 0, "watched": 0}
    found = result(tmp_path, **HANABI, **words, reading=1, episodes=4, cross_play=False)["told"]
    chosen = language.meant("hanabi", words["instruction"], 1)
    assert found["reading"] == chosen.sentence and not found["counts"]
    assert chosen.sentence != language.meant("hanabi", words["instruction"]).sentence


def test_everybody_is_judged_with_a_proxy_of_people_where_there_is_one(tmp_path):
    found = result(tmp_path, game="hanabi", **JUDGED, people="hanabi/grounded-bot")
    both = ("hanabi/convention-bot", "hanabi/grounded-bot")
    games_of = np.stack([scores(*both, episodes=4), scores(*both[::-1], episodes=4)])
    assert found["people"]["base"] == over_deals(games_of) == found["people"]["champion"]
    assert found["people"]["candidate"]["episodes"] == 8 and found["proxy"] == "hanabi/grounded-bot"
    nobody = result(tmp_path, game="hanabi", **JUDGED, people="")
    assert nobody["people"] == nobody["people_difference"] == {} and nobody["proxy"] == ""


def test_without_an_instruction_nobody_is_told(tmp_path):
    assert result(tmp_path, **HANABI, episodes=4, cross_play=False)["told"] == {}


def test_the_instruction_of_the_training_is_the_evaluations(tmp_path):
    """The candidate's card says with which instruction it was trained."""
    folder = tmp_path / "agent"
    folder.mkdir()
    card = {"game": "hanabi", "kind": "scripted", "bot": "convention-bot", "name": "trained"}
    card |= {"players": [2, 3, 4, 5], "hyperparameters": {"instruction": "never discard"}}
    (folder / "card.json").write_text(json.dumps(card))
    config = {
        "candidate": str(folder),
        "base": "hanabi/random",
        "game": "hanabi",
        "episodes": 4,
        "cross_play": False,
    }
    assert result(tmp_path, **config)["told"]["instruction"] == "never discard"
    assert result(tmp_path, **config, instruction="never play")["told"]["instruction"] == "never play"


@pytest.mark.parametrize(
    ("game", "agents", "instruction"),
    [("overcooked", COOKS, "stop"), ("arena", ARENA, "hold here")],
)
def test_agents_are_told_in_every_game(game, agents, instruction, tmp_path):
    found = result(tmp_path, game=game, **agents, episodes=4, cross_play=False, instruction=instruction)
    assert set(found["told"]["self_play"]) == set(found["self_play"]) == {"candidate", "base", "champion"}
    assert found["told"]["self_play"] != found["self_play"]
    # Nobody draws: where nothing is dealt, games begin anywhere.
    assert found["options"] == ({"start": "random"} if game == "overcooked" else {})
    assert set(found["acts"].values()) == {"best"}


def test_an_agent_that_does_not_fit_is_refused_before_a_game(tmp_path):
    with pytest.raises(ValueError, match="learner-1 plays with 2 players, not 3"):
        candidate = tmp_path / "agent"
        candidate.mkdir()
        card = {"game": "hanabi", "kind": "scripted", "bot": "random", "options": {"players": 3}}
        (candidate / "card.json").write_text(json.dumps({**card, "players": [3]}))
        agents = {"candidate": str(candidate), "base": str(candidate), "champion": "hanabi/learner-1"}
        result(tmp_path, game="hanabi", **agents)


def test_another_games_reward_model_is_refused_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluate_round.utility, "load", lambda folder: RewardModel(3, 4, 5))
    with pytest.raises(Refusal, match="The reward model was made for another game or other options"):
        result(tmp_path, game="hanabi", **JUDGED, reward_model="somewhere")


def test_some_deals_are_played_side_by_side_and_kept(tmp_path):
    found = result(tmp_path, game="hanabi", **{**JUDGED, "episodes": 5}, watched=9, people="")["side_by_side"]
    assert found["deals"] == 5 and len(found["games"]) == 3
    assert (tmp_path / "games" / found["games"][2]["theirs"]["file"]).exists()
    assert found["differences"][0]["worse"]
    nothing = result(tmp_path, game="hanabi", **JUDGED, watched=0, people="")
    assert nothing["side_by_side"] == {}


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("hanabi", {"candidate": "hanabi/learner-1", "base": "hanabi/random"}),
        ("overcooked", COOKS),
        ("arena", ARENA),
    ],
)
def test_tasks_in_words_are_played_told_and_untold_in_every_game(game, agents, tmp_path):
    given = {"game": game, **agents, "episodes": 4, "cross_play": False, "watched": 0, "people": ""}
    found = result(tmp_path, probes=2, **given)["probes"]
    assert list(found) == [probe.name for probe in probes_of(game)]
    for one in found.values():
        for which in ("told", "untold"):
            assert set(one[which]) == {"candidate", "base", "champion"}
            assert one[which]["champion"] == one[which]["base"]
    name = probes_of(game)[0].name
    candidate = load(agents["candidate"], game)
    options = fair_options(game, round_options(game, {}), [candidate])
    known = probed(candidate, probes_of(game)[0], options, episodes=2, seed=100)
    assert found[name]["told"]["candidate"]["share"] == known["share"]


def test_nobody_is_given_tasks_where_nobody_can_be_told():
    options = games.spec("arena").validate({"teams": 2, "team_size": 2})
    assert evaluate_round.tasks("arena", options, 1)
    assert evaluate_round.tasks("arena", options, 0) == []
    assert evaluate_round.tasks("arena", {**options, "team_size": 1}, 1) == []
