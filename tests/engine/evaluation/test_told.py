"""What agents did that were told something, counted from what games show."""

from __future__ import annotations

import json

import pytest

from engine.agents.catalogue import load
from engine.evaluation.told import evaluate_told, table

NEWEST = "play your newest card"


def test_an_instruction_changes_what_is_counted_in_the_seats_that_hear_it():
    policy = load("hanabi/convention-bot", "hanabi")
    found = {
        who: evaluate_told(policy, "only hint ranks", told=who, episodes=12, seed=1)
        for who in ("both", "first", "second", "none")
    }
    colours = {who: [seat["hint_color"] for seat in one["seats"]] for who, one in found.items()}
    assert all(colours["none"]) and not any(colours["both"])
    assert colours["first"][0] == 0 < colours["first"][1] and colours["second"][1] == 0 < colours["second"][0]
    same = evaluate_told(policy, NEWEST, told="none", episodes=12, seed=1)
    assert same["seats"] == found["none"]["seats"] and same["mean"] == found["none"]["mean"]


def test_the_counts_of_hanabi_add_up():
    policy = load("hanabi/learner-1", "hanabi")
    found = evaluate_told(policy, NEWEST, "only hint colours", episodes=6, seed=2)
    plays = sum(seat["play"] for seat in found["seats"])
    assert sum(found["slots"]["play"]) == plays == sum(found["known_before_play"].values())
    assert sum(found["slots"]["discard"]) == sum(seat["discard"] for seat in found["seats"])
    moves = sum(sum(seat.values()) for seat in found["seats"])
    assert sum(sum(one.values()) for one in found["after"].values()) == moves - 6  # of 6 first moves
    assert found["slots"]["play"][4] > sum(found["slots"]["play"][:4]) / 2
    assert found["seats"][1]["hint_rank"] == 0 < found["seats"][1]["hint_color"]
    assert found["lives_lost"] > 0 and not found["refused"]
    json.dumps(found)
    assert "score" in "\n".join(table(found))


def test_what_cannot_be_read_is_said_and_tells_nobody_anything():
    policy = load("hanabi/convention-bot", "hanabi")
    found = evaluate_told(policy, "thanks", episodes=3, seed=1)
    assert found["refused"]
    assert found["seats"] == evaluate_told(policy, "thanks", told="none", episodes=3, seed=1)["seats"]


def test_sub_goals_are_counted_in_kitchens_with_who_did_what_before():
    policy = load("overcooked/greedy", "overcooked")
    options = {"layout": "cramped_room", "horizon": 120}
    untold = evaluate_told(policy, "don't serve", told="none", options=options, episodes=2, seed=1)
    found = evaluate_told(policy, "don't serve", options=options, episodes=2, seed=1)
    assert untold["seats"][0].get("deliver soup", 0) + untold["seats"][1].get("deliver soup", 0) > 0
    assert not any("deliver soup" in seat for seat in found["seats"])
    assert untold["after"] and untold["mean"] > found["mean"] == 0


def test_deeds_are_counted_of_the_squad_that_is_told_and_of_no_other():
    policy, partner = load("arena/strong", "arena"), load("arena/squad", "arena")
    options = {"teams": 2, "team_size": 4, "pace": "short"}
    one = {"options": options, "episodes": 1, "seed": 1, "partner": partner}
    found = {who: evaluate_told(policy, "go prone", told=who, **one) for who in ("none", "second")}
    assert all(len(each["seats"]) == len(each["metres"]) == 4 for each in found.values())
    for told, untold in zip(found["second"]["seats"][1:], found["none"]["seats"][1:], strict=True):
        assert told["prone"] == told["still"] == told["up"] > 0  # all the time, where it began
        assert untold["still"] < untold["up"] and untold["prone"] < untold["up"]
    assert not any(any(ways.values()) for ways in found["second"]["metres"][1:])
    assert any(found["second"]["metres"][0].values()) and found["none"]["after"]
    json.dumps(found)
    assert "in 1 game" in "\n".join(table(found["none"]))
    alone = {"options": {**options, "teams": 3, "team_size": 1}, "episodes": 1, "seed": 1}
    assert len(evaluate_told(policy, "go prone", told="first", **alone)["seats"]) == 1


def test_games_without_such_counts_say_so():
    with pytest.raises(
        ValueError, match="Events are counted in arena, hanabi, overcooked, not in say_select"
    ):
        evaluate_told(load("say_select/random", "say_select"), "I should select the same number")
    with pytest.raises(ValueError, match="Who is told is both, first, second or none, not 'all'"):
        evaluate_told(load("hanabi/random", "hanabi"), NEWEST, told="all")
