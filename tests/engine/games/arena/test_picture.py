"""Pictures of a match: what is drawn from above, and what a seat's picture keeps to itself."""

import numpy as np
import pytest

from engine.games.arena import options, rules
from engine.games.arena import state as s
from engine.games.arena.picture import TEAM_COLORS, picture, standing
from engine.simulation.rng import key_from_seed


@pytest.fixture
def state():
    complete = options.validate({"teams": 2, "team_size": 2, "map_seed": 3, "monsters": 2})
    record = np.zeros(s.STATE_SIZE, s.STATE_DTYPE)
    options.prepare(record, complete, *key_from_seed(1))
    rules.new_game(record, options.world(complete))
    return record


def put(state, seat, x, y):
    at = s.player(seat)
    state[at + s.X], state[at + s.Y] = x * s.UNIT, y * s.UNIT


def has(image, color):
    return bool((image == np.array(color, np.uint8)).all(axis=2).any())


def test_the_whole_map_is_a_square_of_the_width_that_is_asked_for(state):
    for width in (96, 320, 641):
        image = picture(state, None, width)
        assert image.shape == (width, width, 3)
        assert image.dtype == np.uint8


def test_every_team_stands_on_the_open_picture(state):
    image = picture(state, None, 640)
    assert has(image, TEAM_COLORS[0]) and has(image, TEAM_COLORS[1])


def test_a_seats_picture_shows_no_enemy_that_it_has_no_line_of_sight_to(state):
    for seat in range(4):
        put(state, seat, 60 + 2 * seat, 60)
        state[s.player(seat) + s.SIGHT] = 0
    assert not has(picture(state, 0, 640), TEAM_COLORS[1])
    state[s.player(0) + s.SIGHT] = 1 << 2
    assert has(picture(state, 0, 640), TEAM_COLORS[1])


def test_a_seat_that_is_out_watches_a_mate(state):
    put(state, 0, 20, 20)
    put(state, 1, 100, 100)
    state[s.player(0) + s.LIFE] = s.OUT
    assert np.array_equal(picture(state, 0, 200), picture(state, 1, 200))


def test_a_picture_is_the_same_each_time_and_changes_nothing(state):
    before = state.copy()
    assert np.array_equal(picture(state, 1, 300), picture(state, 1, 300))
    assert np.array_equal(before, state)


def test_a_shot_of_this_moment_is_drawn_and_an_old_one_is_not(state):
    quiet = picture(state, None, 400)
    state[s.TICK] = 50
    s.tell(state, s.SHOT, 0, -1, 20 * s.UNIT, 20 * s.UNIT, 0, 1)
    shot = picture(state, None, 400)
    state[s.TICK] = 56
    assert not np.array_equal(quiet[20:], shot[20:])
    assert np.array_equal(quiet[20:], picture(state, None, 400)[20:])


def test_the_zone_and_the_winner_are_told_as_on_the_page(state):
    assert standing(state).startswith("zone closes in ")
    complete = options.validate({"teams": 2, "team_size": 2, "map_seed": 3, "zone": "none"})
    quiet = np.zeros(s.STATE_SIZE, s.STATE_DTYPE)
    options.prepare(quiet, complete, *key_from_seed(1))
    rules.new_game(quiet, options.world(complete))
    assert standing(quiet) == "no zone"
    quiet[s.OVER], quiet[s.WINNER] = 1, 1
    assert standing(quiet) == "orange square wins"
