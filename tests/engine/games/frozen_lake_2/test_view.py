"""What players see and are told of a lake."""

from __future__ import annotations

import json

import numpy as np

from engine.games.frozen_lake_2 import features, picture
from engine.games.watched import watched
from engine.simulation.simulation import Simulation
from tests.engine.games.frozen_lake_2.lakes_of import GAME, go, lake


def test_the_view_says_where_everything_is_and_what_happened() -> None:
    sim = lake("1HB", "2FA")
    seen = sim.view(0)
    assert seen["holes"] == [[1, 0], *([x, 2] for x in range(3))] and seen["targets"] == [[2, 1], [2, 0]]
    assert seen["players"] == [{"x": 0, "y": 0}, {"x": 0, "y": 1}] and seen["last"] is None
    go(sim, ".R")
    events = sim.view(1)["last"]["events"]
    assert [event["kind"] for event in events] == ["stay", "step"]
    assert events[1] == {"tick": 1, "seat": 1, "kind": "step", "action": 2, "x": 1, "y": 1}


def test_a_point_went_well_and_a_fall_badly() -> None:
    sim = lake("1AB", "2FH")
    went = []
    for letters in ("RR", "LR"):
        go(sim, letters)
        went.append([event.get("success") for event in sim.view(None)["last"]["events"]])
    assert sim.view()["over"] == "fell"
    assert went == [[True, None], [None, False]]


def test_who_sees_coordinates_alone_is_told_nothing_of_the_lake() -> None:
    """Neither in views, pictures and words nor in what networks read; those who look on afterwards are."""
    told = []
    for rows in (("1FF", "2FF", "BHA"), ("1HF", "2BF", "HAF")):
        sim = lake(*rows, sight="coordinates")
        go(sim, "..")
        words = [sim.observation_text(0), sim.last_move_text(0), sim.action_text(0, 1)]
        inputs = np.zeros((1, features.input_size(sim.state)), np.float32)
        features.encode_many(sim.state[None].copy(), np.array([0], np.int32), inputs)
        seen = json.dumps([words, sim.view(0), sim.view(1), watched(GAME, sim.state), inputs.tolist()])
        told.append((seen, sim.picture(0, 120).tobytes()))
        assert sim.view(None)["holes"] and not np.array_equal(sim.picture(0, 120), sim.picture(None, 120))
    assert told[0] == told[1]


def test_the_picture_shows_players_and_flags_as_the_table_does() -> None:
    """A circle and a rounded square, a pennant that flies to the right of its pole: see its stylesheet."""
    side = picture.CELL
    drawn = lake("12", "BA").picture(None, 2 * side)
    first, second, goal = drawn[:side, :side], drawn[:side, side:], drawn[side:, :side]
    corner = 40 - int(27 * 0.8)  # within a square's side, outside of a circle's
    assert first[corner, corner].tolist() == list(picture.ICE)
    assert second[corner, corner].tolist() != list(picture.ICE)
    pole = np.flatnonzero((goal[36, 10:70] == picture.POLE).all(-1)) + 10
    cloth = np.flatnonzero((goal[18, 10:70] == picture.FLAG).all(-1)) + 10
    assert pole.size and cloth.size and cloth.max() > pole.max() and cloth.min() >= pole.min()


def test_the_lake_in_words() -> None:
    sim = Simulation(GAME, {"layout": "4x4"})
    assert sim.observation_text(0) == (
        "I stand in column 1, row 1. My partner stands in column 4, row 1. The left goal is in column 2, "
        "row 4. The right goal is in column 4, row 4. Holes: column 2, row 2; column 4, row 2; column 4, row "
        "3; column 1, row 4. 100 steps are left."
    )
    go(sim, "DL")
    assert sim.last_move_text(0) == "You stepped down. Player 2 stepped left."
    assert [sim.action_text(0, action) for action in range(5)] == [
        *("step left", "step down", "step right", "step up", "stay"),
    ]


def test_targets_are_called_by_their_sides() -> None:
    for rows, words in ((("1B", "2A"), ("upper", "lower")), (("12", "AB"), ("left", "right"))):
        text = lake(*rows).observation_text(0)
        assert all(f"The {word} goal is" in text for word in words)
