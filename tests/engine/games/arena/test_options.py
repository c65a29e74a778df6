"""The settings of a match: what is allowed and how the rest is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.games import make, make_batch, spec
from engine.games.arena import options
from engine.games.arena import state as s
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"teams": 1}, "teams is a whole number from 2 to 20, not 1"),
        ({"teams": True}, "teams is a whole number"),
        ({"teams": 2.0}, "teams is a whole number"),
        ({"team_size": 5}, "team_size is a whole number from 1 to 4"),
        ({"teams": 6, "team_size": 4}, "6 teams of 4 are 24 players; a match has at most 20"),
        ({"map_seed": -1}, "map_seed is a whole number from 0 to 2147483647"),
        ({"map_seed": 2**31}, "map_seed is a whole number"),
        ({"map_seed": "city"}, "map_seed is a whole number"),
        ({"pace": "slow"}, "pace is one of short, normal, long, calm, not 'slow'"),
        ({"monsters": 9}, "monsters is a whole number from 0 to 8"),
        ({"zone": "blue"}, "zone is one of closing, none, not 'blue'"),
        ({"gravity": 1}, "Arena has no option 'gravity'; its options are teams"),
    ],
)
def test_options_that_cannot_be_are_refused_with_a_sentence(given: dict[str, Any], sentence: str) -> None:
    for start in (lambda: Simulation("arena", given), lambda: make("arena", **given)):
        with pytest.raises(Refusal, match=sentence):
            start()
    with pytest.raises(Refusal, match=sentence):
        make_batch("arena", 1, **given)


def test_options_left_out_have_defaults() -> None:
    complete = spec("arena").validate({})
    usual = {"teams": 2, "team_size": 4, "map_seed": None, "pace": "normal", "monsters": 4, "zone": "closing"}
    assert complete == usual


def test_a_map_seed_gives_that_map_and_none_one_of_sixteen() -> None:
    simulation = Simulation("arena", {"map_seed": 77, "team_size": 1}, 1)
    assert simulation.world.shape[0] == 1 and options.map_seed(simulation.state) == 77
    seeds = {options.map_seed(Simulation("arena", {"team_size": 1}, seed).state) for seed in range(40)}
    assert len(seeds) > 8 and seeds <= set(range(16))


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ([0] * 5, "gave 5"),
        (["a"] * 6, "isn't a list of whole numbers"),
        (None, "isn't a list of whole numbers"),
        ([16, 0, 1, 8, 3, 2], "Choice 16 of head 0 isn't one: seat 1 has 0 to 15"),
        ([0, 0, 1, 8, -1, 2], "Choice -1 of head 4 isn't one"),
        ([0, 0, 1, 9, 3, 2, 0, 0, 0], "its body is 9; it is 0 to 8"),
        ([0, 0, 1, 8, 3, 2, 65536, 0, 0], "its yaw is 65536"),
        ([0, 0, 1, 8, 3, 2, 0, 20000, 0], "its pitch is 20000"),
        ([0, 0, 1, 8, 3, 2, 0, 0, -1], "the tick that it saw is -1"),
    ],
)
def test_impossible_actions_are_refused_and_change_nothing(action: Any, sentence: str) -> None:
    simulation = Simulation("arena", {"team_size": 1}, 1)
    before = simulation.digest()
    with pytest.raises(Refusal, match=sentence):
        simulation.step([simulation.idle(0), action])
    assert simulation.digest() == before and simulation.tick == 0


def test_a_record_that_asks_for_what_cannot_be_done_does_nothing() -> None:
    """What a mask forbids a person's client may still send: it has no effect."""
    given = {"team_size": 1, "map_seed": 1, "monsters": 0}
    asked, idle = Simulation("arena", given, 1), Simulation("arena", given, 1)
    for _ in range(5):
        still = asked.idle(0)
        # Rescue nobody, drop nothing new, treat no wound, take an empty slot in hand.
        asked.step([[0, 0, 1, s.B_RESCUE, s.TREATING, s.KEEP, *still[6:]], asked.idle(1)])
        idle.step([idle.idle(0), idle.idle(1)])
    at = s.player(0)
    same = slice(at, at + s.LAST)
    assert np.array_equal(asked.state[same], idle.state[same])
