"""Shots of Arena and what they do: spread, recoil, lag compensation, armour, heads, knock-downs, bleeding."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.arena import aim, combat, options
from engine.games.arena import state as s
from engine.games.arena.angles import STEEPEST, elevation
from tests.engine.games.arena.acts import Acts, duel

BODY = elevation(10 * 256, 230 - 425)  # the pitch that hits a standing body's middle 10 m away
SHOT = {"basic": s.FIRE, "pitch": BODY}


def shoot(field: Acts, ticks: int = 1, **act: int) -> None:
    for _ in range(ticks):
        field.set(0, fire_wait=0, recoil=0, bloom=0)
        field.tick(p0={**SHOT, **act})


def test_a_shot_takes_points_a_bullet_and_time() -> None:
    field = duel()
    field.tick(p0=SHOT)
    assert (field.get(0, "magazine"), field.get(0, "fire_wait"), field.get(1, "hp")) == (11, 5, 80)
    assert (field.get(1, "hit_by"), field.get(1, "hit_tick")) == (1, 0)
    # From where: the shooter stands to the south, half a turn from north, give or take the spread.
    assert abs(field.get(1, "hit_yaw")) > 32000
    assert field.told(s.HIT)[0][s.E_OTHER] == 1 and field.told(s.SHOT)
    field.tick(4, p0=SHOT)
    assert field.get(0, "magazine") == 11
    field.tick(p0=SHOT)
    assert field.get(0, "magazine") == 10


def test_a_head_counts_double_and_a_lying_one_does_not() -> None:
    field = duel()
    shoot(field, pitch=0)
    assert field.get(1, "hp") == 60
    field.set(1, stance=s.PRONE, hp=100)
    field.tick()
    shoot(field, pitch=elevation(10 * 256, 100 - 425))
    assert field.get(1, "hp") == 80


def test_shots_from_beyond_half_the_reach_are_weaker_and_none_go_further() -> None:
    field = duel(metres=30)
    shoot(field, pitch=elevation(30 * 256, 230 - 425))
    assert field.get(1, "hp") == 85
    field = duel(metres=51)
    shoot(field, 5, pitch=elevation(51 * 256, 230 - 425))
    assert field.get(1, "hp") == 100


@pytest.mark.parametrize(("higher", "pitch"), [(600, -STEEPEST), (-900, STEEPEST)])
def test_who_aims_straight_down_or_up_looks_no_further(higher: int, pitch: int) -> None:
    field = duel(metres=0.1)
    recoil = 900 if higher > 0 else 0
    field.set(0, z=field.get(0, "z") + higher, pitch=pitch, recoil=recoil)
    record = np.zeros(s.RECORD, np.int32)
    aim.resolve(field.state, field.world, 0, np.array([0, 0, 1, s.B_STOP, s.ADJUST_FIRE, s.KEEP]), record)
    assert record[s.ABS_PITCH] == pitch
    assert options.record_problem(record.tolist()) == ""


def test_armour_keeps_two_fifths_of_shots_until_it_is_gone() -> None:
    field = duel()
    field.set(1, armour=12)
    shoot(field)
    assert (field.get(1, "hp"), field.get(1, "armour")) == (88, 4)
    shoot(field)
    assert (field.get(1, "hp"), field.get(1, "armour")) == (72, 0)


def test_walls_stop_shots_and_bushes_do_not() -> None:
    field = duel()
    field.block(58, 55, 2, 0, 6, 1)
    shoot(field)
    assert field.get(1, "hp") == 80
    field.wall(58, 55, 6)
    shoot(field)
    assert field.get(1, "hp") == 80


def test_mates_are_not_hit() -> None:
    field = duel(team_size=2)
    field.put(1, 60, 57)
    shoot(field)
    assert field.get(1, "hp") == 100 and field.get(2, "hp") == 80


@pytest.mark.parametrize("late", [0, 4, 5])
def test_a_target_is_hit_where_it_was_in_the_tick_that_was_seen(late: int) -> None:
    field = duel()
    field.tick()
    seen = int(field.state[s.TICK])
    field.set(1, x=70 * 256)
    field.tick(5)
    shoot(field, seen=seen + 5 - late)
    # In the tick `seen` it stood in line for the last time, five ticks ago.
    assert (field.get(1, "hp") < 100) == (late == 5)


def test_nobody_shoots_further_back_than_five_ticks_or_ahead() -> None:
    field = duel()
    field.tick()
    seen = int(field.state[s.TICK])
    field.set(1, x=70 * 256)
    field.tick(6)
    shoot(field, seen=seen)
    assert field.get(1, "hp") == 100
    shoot(field, seen=30000)
    assert field.get(1, "hp") == 100
    field.put(1, 60, 50)
    shoot(field, seen=30000)
    assert field.get(1, "hp") == 80


def test_spread_grows_with_speed_and_air_and_shrinks_with_a_low_stance() -> None:
    field = duel()
    at = s.player(0)

    def spread(**values: int) -> int:
        field.set(0, **{"airborne": 0, "vx": 0, "vy": 0, "stance": s.STAND, "bloom": 0, **values})
        return int(combat.spread_of(field.state, at, s.PISTOL))

    assert spread() == 150
    assert spread(vx=50) == 300 and spread(airborne=1) == 600
    assert spread(stance=s.CROUCH) == 112 and spread(stance=s.PRONE) == 75
    assert spread(bloom=40) == 190


def test_recoil_and_bloom_grow_with_shots_to_a_bound_and_go_again() -> None:
    field = duel()
    field.set(0, weapon=s.SNIPER, magazine=200)
    for shots, recoil, bloom in ((1, 600, 300), (1, 600 - 45 + 600, 300 - 18 + 300), (8, 1500, 900)):
        for _ in range(shots):
            field.set(0, fire_wait=0)
            field.tick(p0={"basic": s.FIRE, "pitch": 8000})
        assert (field.get(0, "recoil"), field.get(0, "bloom")) == (recoil, bloom)
    field.tick()
    assert (field.get(0, "recoil"), field.get(0, "bloom")) == (1455, 882)
    field.tick(60)
    assert field.get(0, "recoil") == field.get(0, "bloom") == 0


def test_shots_stay_within_their_spread() -> None:
    field = duel(metres=40)
    off = []
    for _ in range(300):
        field.set(0, fire_wait=0, recoil=0, bloom=0, magazine=12, yaw=16384, pitch=0)
        field.tick(p0={"basic": s.FIRE, "yaw": 16384, "pitch": 0})
        off.append(field.told(s.SHOT)[0])
    assert len({tuple(event[s.E_X : s.E_Z + 1]) for event in off}) == 1  # events tell the aim, not the luck
    hits = 0
    for _ in range(100):
        field.set(1, hp=100)
        field.set(0, magazine=12)
        shoot(field, yaw=0, pitch=elevation(40 * 256, 230 - 425))
        hits += field.get(1, "hp") < 100
    # 0.35 m of body to each side at 40 m, 0.58 m of spread: some hit, some don't.
    assert 20 < hits < 95


def test_a_shotgun_has_seven_pellets() -> None:
    field = duel(metres=3)
    field.set(0, weapon=s.SHOTGUN, magazine=6)
    shoot(field, pitch=elevation(3 * 256, 230 - 425))
    assert field.get(1, "life") == s.UP and field.get(1, "hp") == 30
    assert len(field.told(s.HIT)) == 7 and field.get(0, "magazine") == 5


def test_one_with_a_standing_mate_is_knocked_down_and_bleeds() -> None:
    field = duel(team_size=2)
    field.set(2, hp=20)
    shoot(field)
    assert (field.get(2, "life"), field.get(2, "stance"), field.get(2, "hp")) == (s.DOWNED, s.DOWN, 100)
    assert (field.get(0, "knocks"), field.get(0, "kills")) == (1, 0)
    assert field.row(0, s.R_KNOCK) == field.row(2, s.R_KNOCKED) == 1
    field.tick(60)
    assert field.get(2, "hp") == 90
    field.set(2, hp=1)
    field.tick(6)
    assert field.get(2, "life") == s.OUT and field.get(0, "kills") == 1


def test_mates_who_let_one_bleed_to_death_are_told_so() -> None:
    field = duel(team_size=2)
    field.knock(2)
    field.set(2, hp=1)
    field.state[s.TICK] = 2 + 6 - 1
    field.tick(2)
    assert field.get(2, "life") == s.OUT and field.row(3, s.R_NOT_SAVED) == 1


def test_the_last_on_their_feet_takes_the_downed_along() -> None:
    field = duel(team_size=2)
    field.put(3, 60, 50)
    field.put(2, 90, 90)
    field.knock(2)
    field.set(3, hp=20)
    shoot(field)
    assert field.get(3, "life") == field.get(2, "life") == s.OUT
    assert field.state[s.OVER] == 1 and field.state[s.WINNER] == 0


def test_a_downed_player_shot_again_is_out() -> None:
    field = duel(team_size=2)
    field.knock(2)
    field.set(2, hp=15)
    field.tick()
    shoot(field, pitch=elevation(10 * 256, 60 - 425))
    assert field.get(2, "life") == s.OUT and field.row(0, s.R_KILL) == 1


def test_a_wound_breaks_off_treatment() -> None:
    field = duel()
    field.set(1, hp=60)
    field.tick(30, p1={"basic": s.TREATING})
    field.set(0, fire_wait=0)
    field.tick(p0=SHOT, p1={"basic": s.TREATING})
    assert field.get(1, "treat") == 0 and field.get(1, "hp") == 40


@pytest.mark.parametrize("hp", [(20, 20), (20, 100), (100, 20)])
def test_who_sits_where_decides_nothing_between_two_who_shoot_at_once(hp: tuple[int, int]) -> None:
    field = duel()
    for seat in (0, 1):
        field.set(seat, hp=hp[seat])
    field.tick(p0=SHOT, p1=SHOT)
    left = [field.get(seat, "life") == s.UP for seat in (0, 1)]
    assert left == [hp[0] > 20, hp[1] > 20]
    places = field.state[s.TEAM_PLACE : s.TEAM_PLACE + 2].tolist()
    if not any(left):
        assert places == [1, 1] and field.state[s.WINNER] == -1
    else:
        assert places == [2 - left[0], 2 - left[1]]


def test_monsters_can_be_shot_and_leave_a_medical_kit() -> None:
    field = duel()
    field.state[s.MONSTER_COUNT] = 1
    at = s.MONSTER
    field.state[at : at + s.MONSTER_SIZE] = 0
    field.state[at + s.M_X : at + s.M_Z + 1] = 60 * 256, 55 * 256, 320
    field.state[at + s.M_HOME_X : at + s.M_HOME_Y + 1] = 60 * 256, 55 * 256
    field.state[at + s.M_HP], field.state[at + s.M_TARGET] = 20, -1
    shoot(field, pitch=elevation(5 * 256, 150 - 425))
    assert field.state[at + s.M_HP] < 0 and field.told(s.MONSTER_DEAD)[0][s.E_SEAT] == 0
    assert int(field.state[s.SUPPLY]) == s.MEDKIT
    field.tick(3)
    assert not field.told(s.MONSTER_DEAD)


def test_monsters_chase_and_bite_whoever_comes_near() -> None:
    field = duel()
    field.state[s.MONSTER_COUNT] = 1
    at = s.MONSTER
    field.state[at : at + s.MONSTER_SIZE] = 0
    field.state[at + s.M_X : at + s.M_Z + 1] = 66 * 256, 60 * 256, 320
    field.state[at + s.M_HOME_X : at + s.M_HOME_Y + 1] = 66 * 256, 60 * 256
    field.state[at + s.M_HP], field.state[at + s.M_TARGET] = 70, -1
    field.tick(60)
    assert field.state[at + s.M_TARGET] == 0
    assert field.get(0, "hp") < 100 and field.get(0, "hit_by") == s.MONSTER_HIT
    field.put(0, 20, 100)
    field.put(1, 20, 90)
    field.tick(150)
    assert np.hypot(int(field.state[at]) - 66 * 256, int(field.state[at + 1]) - 60 * 256) < 6 * 256
