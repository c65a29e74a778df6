"""Squads against squads: fair to both sides, the same again, and the better one wins."""

import pytest

from engine.agents.catalogue import load
from engine.evaluation.intervals import wilson
from engine.games.arena.evaluation.squads import squads
from engine.refusal import Refusal

SHORT = {"pace": "short", "team_size": 2, "monsters": 0}


def agent(name):
    return load(f"arena/{name}", "arena")


def test_an_agent_against_itself_wins_half_of_the_matches():
    found = squads(agent("middle"), agent("middle"), SHORT, matches=4, seed=3)
    assert found["wins"] == (1 - found["draws"]) / 2
    assert found["rates"]["a"] == pytest.approx(found["rates"]["b"])
    assert found == squads(agent("middle"), agent("middle"), SHORT, matches=4, seed=3)


def test_a_squad_beats_those_who_stand_about():
    found = squads(agent("strong"), agent("idle"), SHORT, matches=4, seed=1)
    low, high = found["interval"]
    assert found["wins"] == 1 and low < 1 <= high + 1e-9
    assert found["rates"]["a"]["kills"] > 0 and found["rates"]["b"]["shots"] == 0
    assert 0 < found["rates"]["a"]["accuracy"] <= 1
    assert found["seconds"]["p10"] <= found["seconds"]["mean"] <= 120
    assert found["agents"] == ["arena/strong", "arena/idle"] and found["matches"] == 4


def test_an_odd_number_of_matches_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="even number, not 3"):
        squads(agent("weak"), agent("idle"), SHORT, matches=3)


def test_an_agent_of_another_game_is_refused():
    with pytest.raises(Refusal):
        squads(agent("weak"), load("hanabi/random"), SHORT, matches=2)


def test_wilsons_interval_holds_the_share_and_stays_within_0_and_1():
    low, high = wilson(0.7, 10)
    assert 0.39 < low < 0.7 < high < 0.9
    assert wilson(0, 10)[0] == pytest.approx(0, abs=1e-9) and wilson(1, 10)[1] == pytest.approx(1)
