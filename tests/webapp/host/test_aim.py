"""Where a player looks when they give an instruction: checked before it is read."""

from types import SimpleNamespace

import pytest

from webapp.host.connection import Refused
from webapp.host.messages.fields import aim


def match(goal_size: int = 8) -> SimpleNamespace:
    spec = SimpleNamespace(goal_size=goal_size)
    return SimpleNamespace(sim=SimpleNamespace(spec=spec), seats=[None] * 8)


def test_a_point_and_a_player_are_taken():
    assert aim(match(), {"aim": {"x": 9000, "y": 0, "seat": 5}}) == {"x": 9000, "y": 0, "seat": 5}
    assert aim(match(), {"aim": {"x": 1, "y": 2}}) == {"x": 1, "y": 2, "seat": None}


def test_nothing_is_taken_where_nothing_is_said_or_games_have_no_goals():
    assert aim(match(), {}) is None
    assert aim(match(goal_size=0), {"aim": {"x": 1, "y": 2, "seat": None}}) is None


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
    with pytest.raises(Refused):
        aim(match(), {"aim": value})
