"""How agents do with a human proxy: every seat in turn, beside a leader where there are sides, or not at
all."""

from __future__ import annotations

import numpy as np
import pytest

from engine import games
from engine.agents import catalogue
from engine.agents.catalogue import load
from engine.evaluation import people
from engine.evaluation.partners import tables
from engine.evaluation.self_play import play
from engine.refusal import Refusal

ROOM = {"layout": "cramped_room", "horizon": 60}


@pytest.fixture
def humans(monkeypatch):
    """Scripted agents as proxies; kitchens have none of their own."""
    known = {"overcooked/human": "overcooked/stay", "hanabi/human": "hanabi/learner-1"}
    for module in (catalogue, people):
        monkeypatch.setattr(module, "aliases", lambda: known)


def test_both_seats_are_played_with_the_proxy(humans):
    greedy = load("overcooked/greedy", "overcooked")
    found = people.evaluate_people(greedy, "overcooked", ROOM, episodes=2, seed=3, seeds=2)
    stay = load("overcooked/stay", "overcooked")
    complete = games.spec("overcooked").validate(ROOM)
    by_seat = [
        np.mean([play(cast, "overcooked", complete, 2, seed).mean() for seed in (3, 4)])
        for cast in ([greedy, stay], [stay, greedy])
    ]
    assert found["by_seat"] == pytest.approx(by_seat) and found["mean"] == pytest.approx(np.mean(by_seat))
    assert (found["proxy"], found["episodes"], len(found["by_seed"])) == ("overcooked/stay", 8, 2)


def test_a_proxy_leads_the_agents_own_side_where_there_are_sides():
    spec = games.spec("arena")
    options = spec.validate({"teams": 2, "team_size": 3})
    strong, weak = load("arena/strong", "arena"), load("arena/weak", "arena")
    (table,) = tables(strong, weak, options)
    names = [one.name for one in table]
    assert names == ["arena/weak", "arena/strong", "arena/strong", *["arena/middle"] * 3]


def test_where_there_is_no_proxy_it_is_said(humans):
    with pytest.raises(ValueError, match="say_select has no human proxy"):
        people.evaluate_people(load("say_select/beginner", "say_select"), "say_select")
    assert people.proxy("hanabi", {"players": 2}).name == "hanabi/learner-1"
    assert people.proxy("hanabi", {"players": 3}) is None, "it plays with two only"
    with pytest.raises(Refusal, match="plays with 2 players, not 3"):
        people.proxy("hanabi", {"players": 3}, "hanabi/learner-1")


def test_a_squad_is_judged_under_a_leader_like_a_person():
    found = people.evaluate_people(load("arena/strong", "arena"), "arena", {"pace": "short"}, 2, seeds=1)
    assert found["proxy"] == "arena/leader-casual" and len(found["by_seat"]) == 1
    assert found["episodes"] == 2 and 0 <= found["mean"] <= 100


def test_a_partner_may_be_told_something_in_the_same_deals():
    bot = load("hanabi/convention-bot")
    plain, told = (
        people.evaluate_people(bot, "hanabi", {}, 20, seeds=1, ref=f"hanabi/convention-bot{text}")
        for text in ("", " | never play a card")
    )
    assert told["proxy"] == "hanabi/convention-bot | never play a card" and plain["mean"] > told["mean"]
    with pytest.raises(ValueError, match="can't be followed"):
        people.evaluate_people(bot, "hanabi", {}, 1, seeds=1, ref="hanabi/random | sing a song")
