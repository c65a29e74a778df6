"""Where a player looks when they give an instruction: checked before it is read."""

from types import SimpleNamespace

import pytest

from engine.refusal import Refusal
from engine.shapes import checked
from webapp.host.messages.fields import Said, aim


def match(goal_size: int) -> SimpleNamespace:
    spec = SimpleNamespace(goal_size=goal_size)
    return SimpleNamespace(sim=SimpleNamespace(spec=spec), seats=[None] * 8)


def taken(given: dict, goal_size: int = 8):
    return aim(match(goal_size), checked(Said, {"seq": 1, **given}).aim)


def test_a_point_and_a_player_are_taken():
    assert taken({"aim": {"x": 9000, "y": 0, "seat": 5}}) == {"x": 9000, "y": 0, "seat": 5}
    assert taken({"aim": {"x": 1, "y": 2}}) == {"x": 1, "y": 2, "seat": None}


def test_nothing_is_taken_where_nothing_is_said_or_games_have_no_goals():
    assert taken({}) is None
    assert taken({"aim": {"x": 1, "y": 2, "seat": None}}, goal_size=0) is None


@pytest.mark.parametrize(
    "value",
    [
        "there",
        [1, 2],
        {},
        {"x": 1},
        {"x": -1, "y": 0},
        {"x": 32768, "y": 0},
        {"x": 1.5, "y": 0},
        {"x": True, "y": 0},
        {"x": 1, "y": 2, "seat": 8},
        {"x": 1, "y": 2, "seat": "5"},
    ],
)
def test_what_is_outside_of_the_map_or_the_match_is_refused(value):
    with pytest.raises(Refusal):
        taken({"aim": value})
