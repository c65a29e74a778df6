"""Squads that are led: a ready match by seat, orders that the moment asks for, results with and without."""

import numpy as np
import pytest

from engine import language
from engine.agents.catalogue import load
from engine.games.arena import state as s
from engine.games.arena.evaluation.leading import _Match, led, lines, seated
from engine.games.arena.goals import COVER, LOOT, RESCUE
from engine.simulation.simulation import Simulation


def test_a_ready_match_seats_the_leader_and_the_levels_squads():
    options, refs = seated("Lead a squad", "Hard", "arena/leader-casual")
    assert options["pace"] == "calm" and options["teams"] == 4
    assert refs == [
        "arena/leader-casual",
        *["strong"] * 3,
        *["weak"] * 4,
        *["middle"] * 8,
    ]
    assert seated("duel of squads", "", "x")[1][4:] == ["middle", *["strong"] * 3]


@pytest.mark.parametrize(
    ("match", "level", "sentence"),
    [
        ("War", "", "no match 'War'; there are Lead a squad"),
        ("Lead a squad", "x", "no level 'x'; .* Easy, Even, Hard"),
    ],
)
def test_names_that_there_are_not_are_refused_with_those_that_there_are(match, level, sentence):
    with pytest.raises(ValueError, match=sentence):
        seated(match, level, "x")


def test_a_leader_says_what_the_moment_asks_for_and_not_all_the_time():
    sim = Simulation("arena", {"pace": "calm", "monsters": 0, "map_seed": 3}, seed=4)
    defaults = language.defaults("arena", sim.options, [0])
    match = _Match(sim, True, defaults)
    goals = match.goals()
    assert list(match.said) == ["Loot"] and (goals[1:4, 0] == LOOT).all()
    assert not goals[[0, *range(4, 8)]].any()
    sim._state[s.player(2) + s.LIFE] = s.DOWNED
    match.goals()
    assert list(match.said) == ["Loot"], "no second sentence within four seconds"
    match.at = -1000
    match.goals()
    assert list(match.said) == ["Loot", "Rescue our mate"]
    silent = _Match(sim, False, defaults)
    goals = silent.goals()[1:4, 0].tolist()
    assert set(goals) <= {COVER, RESCUE} and not silent.said


def test_the_same_matches_are_played_with_orders_and_without_a_word():
    leader, mate, weak = (load(f"arena/{name}", "arena") for name in ("leader-casual", "strong", "weak"))
    options = {"teams": 2, "team_size": 2, "pace": "short", "monsters": 0}
    found = led([leader, mate, weak, weak], options, matches=4, seed=1)
    for name in ("orders", "silent", "idle"):
        assert 0 <= found[name]["wins"] <= 1 and sum(found[name]["places"]) == pytest.approx(1, abs=0.01)
        assert found[name]["seconds"]["mean"] > 0
    assert found["orders"]["said"] and not found["silent"]["said"]
    again = led([leader, mate, weak, weak], options, matches=4, seed=1)
    assert again == found
    assert "wins" in lines(found)[1] and np.isfinite(found["orders"]["did"]["loots"])
