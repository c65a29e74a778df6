"""How players of Arena move: feet, stances, stamina, jumps, slides, falls, walls and doors."""

from __future__ import annotations

import pytest

from engine.games.arena import move
from engine.games.arena import state as s
from engine.games.arena import world as w
from tests.engine.games.arena.acts import FLOOR_Z, Acts


@pytest.fixture
def field() -> Acts:
    made = Acts()
    made.put(0, 60, 60, 0)
    return made


def steps(field: Acts, **act: int) -> tuple[int, int]:
    """How far one tick brings seat 0: units to the east and to the north."""
    x, y = field.get(0, "x"), field.get(0, "y")
    field.tick(p0=act)
    return field.get(0, "x") - x, y - field.get(0, "y")


def test_a_player_walks_unless_told_to_stop_and_runs_as_long_as_stamina_lasts(field: Acts) -> None:
    assert steps(field, body=s.B_NONE) == (0, 51)
    assert steps(field, body=s.B_RUN) == (0, 77)
    assert field.get(0, "stamina") == 400 - 3
    assert steps(field, body=s.B_STOP) == (0, 0)
    assert field.get(0, "stamina") == 399
    field.set(0, stamina=2)
    assert steps(field, body=s.B_RUN) == (0, 51)
    assert field.get(0, "stamina") == 4


def test_movement_is_relative_to_the_view_clockwise(field: Acts) -> None:
    assert steps(field, body=s.B_NONE, move=4) == (51, 0)
    assert steps(field, body=s.B_NONE, move=8) == (0, -51)
    assert steps(field, body=s.B_NONE, move=4, yaw=16384) == (0, -51)


@pytest.mark.parametrize("body", [s.B_CROUCH, s.B_PRONE, s.B_JUMP, s.B_DOOR, s.B_RESCUE])
def test_what_the_body_does_once_leaves_the_feet_as_they_were(field: Acts, body: int) -> None:
    assert steps(field, body=body) == (0, 0)
    field.tick(20)
    field.set(0, stance=s.STAND, stance_wait=0)
    field.tick(p0={"body": s.B_NONE})
    assert steps(field, body=body)[1] > 0


def test_stopping_to_fire_stops_the_feet_but_not_when_hands_rest(field: Acts) -> None:
    field.tick(p0={"body": s.B_NONE})
    assert steps(field, body=s.B_NONE, basic=s.STOP_FIRE) == (0, 0)
    assert steps(field, body=s.B_NONE, basic=s.STOP_FIRE, switch=0) == (0, 51)


@pytest.mark.parametrize(("body", "stance", "speed"), [(s.B_CROUCH, s.CROUCH, 28), (s.B_PRONE, s.PRONE, 12)])
def test_crouching_and_lying_toggle_with_eight_ticks_between(
    field: Acts, body: int, stance: int, speed: int
) -> None:
    field.tick(p0={"body": body})
    assert field.get(0, "stance") == stance
    assert steps(field, body=s.B_NONE) == (0, speed)
    field.tick(6, p0={"body": body})
    assert field.get(0, "stance") == stance
    field.tick(p0={"body": body})
    assert field.get(0, "stance") == s.STAND


def test_running_or_jumping_gets_up_first(field: Acts) -> None:
    for body in (s.B_RUN, s.B_JUMP):
        field.set(0, stance=s.PRONE, stance_wait=0)
        field.tick(p0={"body": body})
        assert field.get(0, "stance") == s.STAND and field.get(0, "airborne") == 0


def test_a_jump_rises_a_metre_and_costs_stamina(field: Acts) -> None:
    heights = []
    field.tick(p0={"body": s.B_JUMP})
    assert field.get(0, "stamina") == 400 - move.JUMP_COST + move.REST
    while field.get(0, "airborne"):
        heights.append(field.get(0, "z") - FLOOR_Z)
        field.tick()
    assert max(heights) == 261 and len(heights) == 18
    assert field.get(0, "z") == FLOOR_Z and field.get(0, "hp") == 100


def test_a_low_wall_stops_whoever_walks_and_a_jump_goes_over_it(field: Acts) -> None:
    field.low_wall(55, 58, 10)
    field.tick(60, p0={"body": s.B_NONE})
    assert field.place(0)[1] > 59
    assert field.row(0, s.R_OBSTACLE) == 1
    field.tick(p0={"body": s.B_JUMP})
    field.tick(30, p0={"body": s.B_NONE})
    assert field.place(0)[1] < 58


def test_a_wall_lets_one_slide_along_it(field: Acts) -> None:
    field.wall(50, 58, 20)
    x = field.place(0)[0]
    field.tick(60, p0={"body": s.B_NONE, "move": 2})
    assert field.place(0)[1] > 59 and field.place(0)[0] > x + 5


def test_a_slide_needs_feet_that_move_and_stamina_and_ends_crouched(field: Acts) -> None:
    field.tick(p0={"body": s.B_SLIDE})
    assert field.get(0, "stance") == s.STAND
    field.tick(p0={"body": s.B_NONE})
    field.set(0, stamina=59)
    field.tick(p0={"body": s.B_SLIDE})
    assert field.get(0, "stance") == s.STAND
    field.set(0, stamina=100, stance_wait=0)
    assert steps(field, body=s.B_SLIDE) == (0, 100)
    # Where one looks and what the feet want doesn't matter on the way.
    assert steps(field, body=s.B_STOP, yaw=16384) == (0, 96)
    field.tick(12)
    assert field.get(0, "stance") == s.CROUCH
    assert steps(field, body=s.B_STOP) == (0, 0)


@pytest.mark.parametrize(("height", "points"), [(900, 0), (1700, 50), (3000, 131)])
def test_a_fall_costs_what_is_above_three_and_a_half_metres(field: Acts, height: int, points: int) -> None:
    field.set(0, z=FLOOR_Z + height, hp=200)
    field.tick(60)
    assert field.get(0, "z") == FLOOR_Z
    assert field.get(0, "hp") == 200 - points
    assert (field.get(0, "hit_by") == s.FALL_HIT) == (points > 0)


def test_water_and_busy_hands_slow_the_feet(field: Acts) -> None:
    field.block(55, 55, w.WATER, 0, 10, 10)
    assert steps(field, body=s.B_NONE) == (0, 30)
    field.set(0, hp=50)
    field.tick(p0={"body": s.B_NONE, "basic": s.TREATING})
    assert steps(field, body=s.B_NONE, basic=s.TREATING) == (0, 12)


def test_the_map_ends_in_rock(field: Acts) -> None:
    field.put(0, 3, 60, 270)
    field.tick(100, p0={"body": s.B_RUN})
    assert field.place(0)[0] > 2


def test_doors_open_and_close_but_never_on_somebody(field: Acts) -> None:
    field.wall(50, 58, 20)
    door = field.door(60, 58)
    field.put(0, 60.5, 59.6, 0)
    field.tick(20, p0={"body": s.B_NONE})
    assert field.place(0)[1] > 59
    field.tick(p0={"body": s.B_DOOR})
    assert field.state[s.DOOR + door] == 1 and field.told(s.DOOR_EVENT)
    # Eight ticks pass before hands can touch anything again.
    field.tick(7, p0={"body": s.B_DOOR})
    assert field.state[s.DOOR + door] == 1
    field.put(1, 60.5, 58.5)
    field.tick(5, p0={"body": s.B_DOOR})
    assert field.state[s.DOOR + door] == 1
    field.put(1, 60.5, 55)
    field.tick(p0={"body": s.B_DOOR})
    assert field.state[s.DOOR + door] == 0
    field.tick(10)
    field.tick(p0={"body": s.B_DOOR})
    field.tick(60, p0={"body": s.B_NONE})
    assert field.place(0)[1] < 58


def test_a_door_out_of_reach_stays_as_it_is(field: Acts) -> None:
    door = field.door(60, 50)
    assert not field.near_door(0)
    field.tick(p0={"body": s.B_DOOR})
    assert field.state[s.DOOR + door] == 0
