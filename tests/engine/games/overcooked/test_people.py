"""The recorded games of people that Overcooked ships, rows that aren't what they say, and their options."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

from engine import games
from engine.games import people
from engine.games.overcooked import options, rules
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FORM = people.formats()["people-overcooked"][1]
ROWS = list(FORM.games_of(games.folder("overcooked") / people.SHIPPED))


def test_two_games_of_each_kitchen_are_shipped_and_come_out_as_recorded():
    played = [people.replayed(FORM, one) for one in ROWS]
    assert set(Counter(one.kind for one in played).values()) == {2} and len(played) == 10
    for one, row in zip(played, ROWS, strict=True):
        assert one.simulation.over and one.simulation.score == row["score"]
        assert one.simulation.spec.clock(one.simulation.options) == pytest.approx(6.667, abs=0.5)
        assert options.variant(one.simulation.options) == row["layout"]


@pytest.mark.parametrize(
    ("where", "value", "why"),
    [
        (("cooks", 700, 0), 9, "Where the cooks are at tick 700"),
        (("states", 3, "objects"), [[0, 0, "dish", 0, 0]], "What lies around at tick 150"),
        (("states", 3, "cooks", 0, 3), "tomato", "What the cooks hold at tick 150"),
        (("rewards", 5), 20, "The reward of tick 6"),
        (("score",), 0, "The score"),
        (("actions", 5), [4, 9], "Step 6 can't be played"),
        (("actions", 5), [4], "Step 6 can't be played"),
        (("ticks",), 7, "aren't as long"),
        (("layout",), "attic", "There is no layout 'attic'"),
        (("grid", 0), "XXX", "Its kitchen isn't"),
        (("people",), [0], "Its seats"),
        (("seconds_per_tick",), 9.0, "can't be dealt"),
        (("states",), [], "The last state"),
        (("cooks", 0), None, "Where the cooks are at tick 0"),
        (("states", 3), 7, "It isn't what the format says"),
    ],
)
def test_a_row_that_is_not_what_it_says_is_refused_with_a_sentence(where, value, why):
    row = copy.deepcopy(ROWS[0])
    *path, last = where
    place = row
    for name in path:
        place = place[name]
    place[last] = value
    with pytest.raises(Refusal, match=why):
        people.replayed(FORM, row)


def test_cooks_may_begin_elsewhere_and_the_layout_stays_what_agents_are_made_for():
    game = Simulation("overcooked", {"layout": "counter_circuit", "starts": " 6 3 ;1 3"})
    width = int(game.state[rules.WIDTH])
    assert [int(game.state[rules.POSITION + seat]) for seat in (0, 1)] == [3 * width + 6, 3 * width + 1]
    assert game.options["starts"] == "6 3; 1 3"
    assert options.variant(game.options) == "counter_circuit_o_1order"


def test_start_cells_as_the_layout_has_them_and_the_usual_tick_are_no_other_game():
    usual = Simulation("overcooked", {"layout": "cramped_room"})
    same = Simulation("overcooked", {"layout": "cramped_room", "starts": "1 2; 3 1", "tick_length": 0})
    assert same.digest() == usual.digest() and same.options == usual.options
    assert usual.spec.clock(usual.options) is None and usual.spec.clock({}) is None
    assert usual.spec.clock({"tick_length": 150}) == 6.667


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"starts": "0 0; 1 2"}, "different floor cells"),
        ({"starts": "1 2; 1 2"}, "different floor cells"),
        ({"starts": "one"}, "is written like"),
        ({"starts": 7}, "is a text"),
        ({"tick_length": 20}, "from 100 to 250"),
        ({"layout": "forced_coordination", "starts": "1 1; 1 2"}, "With 2 cooks"),
    ],
)
def test_start_cells_and_ticks_that_cannot_be_are_refused_with_a_sentence(given, why):
    with pytest.raises(Refusal, match=why):
        options.validate(given)
