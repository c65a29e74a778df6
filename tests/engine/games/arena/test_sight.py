"""Who sees whom in Arena, and what a team remembers."""

from __future__ import annotations

import pytest

from engine.games.arena import sight
from engine.games.arena import state as s
from engine.games.arena import world as w
from tests.engine.games.arena.acts import Acts, duel


def seen(field: Acts, seat: int = 0, other: int = 1) -> bool:
    field.look()
    return bool(s.sees(field.state, seat, other))


def test_an_enemy_in_the_open_is_seen_by_whoever_looks_that_way() -> None:
    field = duel()
    assert seen(field) and seen(field, 1, 0)
    field.put(0, 60, 60, 180)
    assert not seen(field) and seen(field, 1, 0)
    assert s.in_sight(field.state, 0, 1)


@pytest.mark.parametrize(("yaw", "sees"), [(54, True), (56, False), (-54, True), (-56, False)])
def test_the_view_is_55_degrees_to_either_side(yaw: int, sees: bool) -> None:
    field = duel()
    field.put(0, 60, 60, yaw)
    assert seen(field) == sees


def test_one_notices_who_stands_right_behind() -> None:
    field = duel(metres=2.9)
    field.put(0, 60, 60, 180)
    assert seen(field)
    field = duel(metres=3.1)
    field.put(0, 60, 60, 180)
    assert not seen(field)


@pytest.mark.parametrize(
    ("kind", "hides"), [(w.WALL, True), (w.ROCK, True), (w.BUSH, True), (w.WATER, False)]
)
def test_what_stands_between_hides(kind: int, hides: bool) -> None:
    field = duel()
    field.block(58, 55, kind, {w.WALL: w.WALL_TOP, w.ROCK: w.ROCK_TOP}.get(kind, 0), 5)
    assert seen(field) != (hides and kind != w.BUSH)
    if kind == w.BUSH:
        # A bush is 1.4 m high: it hides the crouched alone.
        for seat in (0, 1):
            field.set(seat, stance=s.CROUCH)
        assert not seen(field)


def test_a_low_wall_hides_the_crouched_behind_it() -> None:
    field = duel()
    field.low_wall(58, 51, 5)
    assert seen(field)
    field.set(1, stance=s.PRONE)
    assert not seen(field)


def test_a_closed_door_hides_and_an_open_one_does_not() -> None:
    field = duel()
    field.wall(50, 55, 20)
    door = field.door(60, 55)
    for seat, y in ((0, 60), (1, 50)):
        field.put(seat, 60.5, y, 180 * seat)
    assert not seen(field)
    field.state[s.DOOR + door] = 1
    assert seen(field)


def test_one_sees_out_of_the_bush_in_which_one_stands() -> None:
    field = duel()
    field.block(60, 60, w.BUSH, 0)
    for seat in (0, 1):
        field.set(seat, stance=s.CROUCH)
    assert seen(field) and seen(field, 1, 0)


def test_height_looks_over_walls() -> None:
    field = duel()
    field.wall(50, 52, 20)
    assert not seen(field)
    field.set(0, z=320 + 4 * 256)
    assert not seen(field)
    field.set(0, z=320 + 8 * 256)
    assert seen(field)


def test_nobody_is_seen_beyond_sixty_metres() -> None:
    assert seen(duel(metres=55))
    field = duel()
    # 64 m away, and less than 60 m along each axis.
    field.put(0, 60, 60, 45)
    field.put(1, 110, 20)
    assert not seen(field)


def test_those_who_are_out_neither_see_nor_are_seen() -> None:
    field = duel(team_size=2)
    field.set(2, life=s.OUT)
    assert not seen(field, 0, 2)
    field.set(2, life=s.UP)
    field.set(0, life=s.OUT)
    assert not seen(field, 0, 2)


def test_a_team_shares_where_it_saw_somebody_and_forgets_after_a_minute() -> None:
    field = duel(team_size=2)
    field.tick()
    assert sight.knows(field.state, 0, 2) == 0 and sight.knows(field.state, 1, 0) == 0
    field.put(2, 60, 100)
    field.tick(3)
    assert sight.knows(field.state, 0, 2) == 3
    entry = s.MEMORY + 3 * 2
    assert field.state[entry + 1 : entry + 3].tolist() == [60 * 256, 50 * 256]
    field.state[s.TICK] += 1200
    assert sight.knows(field.state, 0, 2) >= sight.FORGOTTEN


def test_an_enemy_is_discovered_anew_after_three_seconds() -> None:
    field = duel()
    field.put(0, 60, 60, 180)
    field.tick(61)
    # Seat 1 has seen seat 0 all the time; seat 0 saw seat 1 before the match began to count.
    field.tick(p0={"yaw": 0})
    assert field.row(0, s.R_DISCOVER) == 1 and field.row(1, s.R_DISCOVERED) == 1
    field.tick(p0={"yaw": 32768})
    field.tick(20, p0={"yaw": 32768})
    field.tick(p0={"yaw": 0})
    assert field.row(0, s.R_DISCOVER) == 0
    assert int(field.state[s.player(0) + s.EVER]) == 2
