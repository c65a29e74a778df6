"""Overcooked in words, the view's stations, and the picture."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.overcooked import rules, words
from engine.games.overcooked.picture import picture
from engine.games.overcooked.stations import stations
from engine.games.overcooked.view import view
from tests.engine.games.overcooked.kitchen import EAST, INTERACT, NORTH, SOUTH, STAY, WEST, Kitchen, soup

WIDE = """
XPPXPXXX
O12  T X
X 3  S X
XXDXDXXX
"""


def named(layout: str) -> dict[str, tuple[int, int]]:
    return {found["name"]: (found["x"], found["y"]) for found in stations(Kitchen(layout, "new").state)}


def test_stations_of_a_kind_are_told_apart_by_their_sides() -> None:
    assert named("cramped_room") == {
        "pot": (2, 0),
        "left onion dispenser": (0, 1),
        "right onion dispenser": (4, 1),
        "dish dispenser": (1, 3),
        "serving window": (3, 3),
    }
    high = named("asymmetric_advantages")
    assert high["top pot"] == (4, 2) and high["bottom pot"] == (4, 3)
    assert high["left serving window"] == (3, 1) and high["right serving window"] == (8, 1)
    three = named(WIDE)
    assert [three[name] for name in ("left pot", "middle pot", "right pot")] == [(1, 0), (2, 0), (4, 0)]


def test_stations_that_sides_do_not_tell_apart_are_numbered() -> None:
    four = named("XXPPPPXX\nO 1  2 X\nXXXDSXXX\n")
    assert [four[f"pot {number}"] for number in (1, 2, 3, 4)] == [(2, 0), (3, 0), (4, 0), (5, 0)]
    corners = named("XXPXPXX\nO 1 2 X\nX     X\nXXPDPSX\n")
    assert corners["top left pot"] == (2, 0) and corners["bottom right pot"] == (4, 3)


def test_the_view_lists_the_stations() -> None:
    kitchen = Kitchen("coordination_ring")
    seen = view(kitchen.state, 0)
    assert {"kind": "pot", "name": "right pot", "x": 4, "y": 1} in seen["stations"]
    assert all(seen["grid"][found["y"]][found["x"]] in "POTDS" for found in seen["stations"])


@pytest.mark.parametrize(
    ("at", "facing", "held", "inside", "would", "did"),
    [
        ((1, 1), WEST, 0, 0, "take an onion from the left onion dispenser", None),
        ((1, 2), SOUTH, 0, 0, "take a dish from the dish dispenser", None),
        ((2, 1), NORTH, rules.ONION, 0, "put my onion into the pot", "put an onion into the pot"),
        (
            (2, 1),
            NORTH,
            0,
            soup(1),
            "start to cook a soup of 1 onion in the pot",
            "started the pot with a soup",
        ),
        (
            (2, 1),
            NORTH,
            rules.DISH,
            soup(3),
            "fill my dish with a soup of 3 onions from the pot",
            "filled a dish with a soup of 3 onions from the pot",
        ),
        ((3, 2), SOUTH, soup(3), 0, "serve my soup of 3 onions for 20 points", "for 20 points"),
        ((3, 2), SOUTH, soup(2), 0, "serve my soup of 2 onions for 0 points", "for 0 points"),
        (
            (1, 2),
            WEST,
            rules.DISH,
            0,
            "put my dish on the counter in column 1, row 3",
            "put a dish on the counter in column 1, row 3",
        ),
    ],
)
def test_interacting_is_told_by_what_it_would_do_and_did(
    at: tuple[int, int], facing: int, held: int, inside: int, would: str, did: str | None
) -> None:
    kitchen = Kitchen(dynamics="new")
    kitchen.cook(0, at, facing, held)
    if inside:
        kitchen.put((2, 0), inside, 20 if held == rules.DISH else rules.IDLE)
    before = kitchen.state.copy()
    assert words.action_text(kitchen.state, 0, INTERACT) == would
    assert np.array_equal(kitchen.state, before), "telling changes nothing"
    kitchen.step(INTERACT, STAY)
    told = words.last_move_text(kitchen.state, 0)
    assert told.startswith("You ") and told.endswith(".") and (did or "took a") in told
    assert words.last_move_text(kitchen.state, 1).startswith("Player 1 ")


def test_moves_are_told_by_where_they_lead() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (2, 1))
    assert words.action_text(kitchen.state, 0, NORTH) == "turn north to the pot"
    assert words.action_text(kitchen.state, 0, SOUTH) == "go south"
    assert words.action_text(kitchen.state, 0, EAST) == "turn east to my partner"
    assert words.action_text(kitchen.state, 0, STAY) == "stay where I am"
    assert words.action_text(kitchen.state, 0, INTERACT) == "use the pot, which does nothing now"
    four = Kitchen(WIDE, "new")
    assert words.action_text(four.state, 0, EAST) == "turn east to Player 2"


def test_the_kitchen_is_told_from_a_seat() -> None:
    kitchen = Kitchen("counter_circuit")
    kitchen.cook(0, (3, 1), NORTH, rules.ONION)
    kitchen.put((3, 0), soup(2))
    kitchen.put((4, 0), soup(3), 19)
    kitchen.put((2, 2), rules.DISH)
    text = words.observation_text(kitchen.state, 0)
    assert "400 of 400 ticks are left, and we have 0 points." in text
    assert "We can serve a soup of 3 onions for 20 points." in text
    assert "I stand in column 4, row 2, face the left pot and hold an onion." in text
    assert "My partner stands in column 4, row 2, faces north and holds nothing." in text
    assert "The left pot has 2 onions and needs 1 more ingredient." in text
    assert "The right pot cooks 3 onions for 1 more tick." in text
    assert "There is a dish on the counter in column 3, row 3." in text
    kitchen.wait(1)
    assert "The right pot has a soup of 3 onions ready for a dish." in words.observation_text(
        kitchen.state, 1
    )


def test_pots_of_the_new_dynamics_say_that_they_wait_for_a_cook() -> None:
    kitchen = Kitchen(WIDE, "new")
    kitchen.put((1, 0), soup(2, 1))
    kitchen.put((2, 0), soup(1))
    text = words.observation_text(kitchen.state, 2)
    assert "The left pot has 2 onions and 1 tomato and needs somebody with empty hands to start it." in text
    assert "The middle pot has 1 onion and can be started or take 2 more ingredients." in text
    assert "Player 1 stands" in text and "We can serve a soup of 1 tomato for 20 points;" in text


def test_an_action_that_is_not_there_is_refused_with_a_sentence() -> None:
    kitchen = Kitchen()
    assert words.why_illegal(kitchen.state, 0, 6).startswith("There is no action 6; the actions are 0 to 5")
    assert words.why_illegal(kitchen.state, 0, 5) == ""


def test_nothing_is_told_when_nobody_used_anything() -> None:
    kitchen = Kitchen()
    assert words.last_move_text(kitchen.state, None) == ""
    kitchen.step(EAST, STAY)
    assert words.last_move_text(kitchen.state, None) == ""


@pytest.mark.parametrize("width", [64, 320, 641])
def test_a_picture_has_the_width_that_was_asked_for(width: int) -> None:
    kitchen = Kitchen("asymmetric_advantages")
    drawn = picture(kitchen.state, None, width)
    assert drawn.dtype == np.uint8 and drawn.shape[1:] == (width, 3) and drawn.flags.c_contiguous


def test_a_picture_shows_every_change() -> None:
    kitchen = Kitchen(dynamics="new")
    seen = [picture(kitchen.state)]

    def differs() -> None:
        seen.append(picture(kitchen.state))
        assert not np.array_equal(seen[-1], seen[-2])

    for held in (rules.ONION, rules.TOMATO, rules.DISH, soup(3), soup(1, 2)):
        kitchen.cook(0, (1, 2), NORTH, held)
        differs()
    for facing in (SOUTH, EAST, WEST):
        kitchen.cook(0, (1, 2), facing)
        differs()
    for inside, timer in ((soup(1), -1), (soup(2), -1), (soup(2), 4), (soup(2), 11), (soup(2), 20)):
        kitchen.put((2, 0), inside, timer)
        differs()
    kitchen.put((0, 2), rules.DISH)
    differs()
    kitchen.state[rules.SCORE] = 20
    differs()
