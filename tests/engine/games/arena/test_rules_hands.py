"""What hands of Arena do: weapons, magazines, supplies, wounds, and helping a mate up."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.arena import hands, rules
from engine.games.arena import state as s
from tests.engine.games.arena.acts import Acts


@pytest.fixture
def field() -> Acts:
    made = Acts(teams=2, team_size=3)
    made.put(0, 60, 60, 0)
    made.put(1, 62, 60, 0)
    made.put(2, 80, 60, 0)
    return made


def test_naming_the_slot_in_hand_means_that_hands_rest(field: Acts) -> None:
    field.lay(0, s.RIFLE, 30, 60, 60)
    field.tick(p0={"basic": s.PICK, "switch": 0})
    assert field.get(0, "weapon_2") == s.NO_WEAPON
    field.tick(p0={"basic": s.PICK, "switch": s.KEEP})
    assert field.get(0, "weapon_2") == s.RIFLE


def test_a_picked_weapon_is_taken_in_hand_and_the_third_lies_where_it_lay(field: Acts) -> None:
    field.lay(0, s.RIFLE, 30, 60, 61)
    field.tick(p0={"basic": s.PICK})
    assert (field.get(0, "slot"), field.get(0, "magazine_2")) == (1, 30)
    assert field.get(0, "fire_wait") == hands.SWITCH_TICKS
    field.tick(10)
    field.lay(1, s.SNIPER, 5, 60, 61)
    field.tick(p0={"basic": s.PICK})
    assert (field.get(0, "weapon"), field.get(0, "weapon_2")) == (s.PISTOL, s.SNIPER)
    assert field.state[s.SUPPLY + 4 : s.SUPPLY + 8].tolist() == [s.RIFLE, 30, 60 * 256, 61 * 256]


def test_what_is_of_no_use_stays_and_the_nearest_of_use_is_taken(field: Acts) -> None:
    field.set(0, medkits=5)
    field.lay(0, s.MEDKIT, 1, 60, 60.1)
    field.lay(1, s.PISTOL, 12, 60, 60.2)
    field.lay(2, s.BULLETS, 30, 60, 60.8)
    field.lay(3, s.BULLETS, 30, 60, 60.5)
    field.tick(p0={"basic": s.PICK})
    kinds = [int(field.state[s.SUPPLY + 4 * number]) for number in range(4)]
    assert kinds == [s.MEDKIT, s.PISTOL, s.BULLETS, 0]
    assert field.get(0, "ammo") == 36 + 30


def test_only_as_many_bullets_are_taken_as_there_is_room_for(field: Acts) -> None:
    field.set(0, ammo=230)
    field.lay(0, s.BULLETS, 30, 60, 60)
    field.tick(p0={"basic": s.PICK})
    assert field.get(0, "ammo") == 240 and field.state[s.SUPPLY + 1] == 20


def test_a_better_vest_is_put_on_and_the_old_one_left(field: Acts) -> None:
    field.set(0, armour=20)
    field.lay(0, s.VEST, 60, 60, 60)
    field.tick(p0={"basic": s.PICK})
    assert field.get(0, "armour") == 60 and field.state[s.SUPPLY : s.SUPPLY + 2].tolist() == [s.VEST, 20]
    field.tick(10, p0={"basic": s.PICK})
    assert field.get(0, "armour") == 60


def test_supplies_out_of_reach_stay_and_hands_wait_eight_ticks(field: Acts) -> None:
    field.lay(0, s.BULLETS, 30, 60, 61.6)
    field.tick(p0={"basic": s.PICK})
    assert field.get(0, "loots") == 0
    field.lay(1, s.BULLETS, 10, 60, 60)
    field.lay(2, s.BULLETS, 10, 60, 60)
    field.tick(8, p0={"basic": s.PICK})
    assert field.get(0, "loots") == 1
    field.tick(p0={"basic": s.PICK})
    assert field.get(0, "loots") == 2


def test_a_dropped_weapon_lies_there_and_the_other_is_in_hand(field: Acts) -> None:
    field.set(0, weapon_2=s.SMG, magazine_2=9)
    field.tick(p0={"basic": s.DROP})
    assert (field.get(0, "weapon"), field.get(0, "slot")) == (s.NO_WEAPON, 1)
    assert field.state[s.SUPPLY : s.SUPPLY + 4].tolist() == [s.PISTOL, 12, 60 * 256, 60 * 256]


def test_switching_takes_time_breaks_off_reloading_and_ignores_an_empty_slot(field: Acts) -> None:
    field.set(0, magazine=1)
    field.tick(p0={"basic": s.RELOADING})
    assert field.get(0, "reload") == 23
    field.tick(p0={"basic": s.FIRE, "switch": 1})
    assert field.get(0, "slot") == 0 and field.get(0, "reload") == 22
    field.set(0, weapon_2=s.SMG, magazine_2=9)
    field.tick(p0={"basic": s.FIRE, "switch": 1})
    assert (field.get(0, "slot"), field.get(0, "reload"), field.get(0, "magazine_2")) == (1, 0, 9)
    field.tick(7, p0={"basic": s.FIRE})
    assert field.get(0, "magazine_2") == 9
    field.tick(p0={"basic": s.FIRE})
    assert field.get(0, "magazine_2") == 8


def test_reloading_goes_on_by_itself_and_takes_from_the_bag(field: Acts) -> None:
    field.set(0, magazine=2, ammo=4)
    field.tick(p0={"basic": s.RELOADING})
    field.tick(22)
    assert (field.get(0, "magazine"), field.get(0, "reload")) == (2, 1)
    field.tick()
    assert (field.get(0, "magazine"), field.get(0, "ammo")) == (6, 0)
    assert field.row(0, s.R_BULLET) == 4 and field.told(s.RELOADED)
    field.tick(p0={"basic": s.RELOADING})
    assert field.get(0, "reload") == 0


def test_firing_an_empty_weapon_reloads_it(field: Acts) -> None:
    field.set(0, magazine=0)
    field.tick(p0={"basic": s.FIRE})
    assert field.get(0, "reload") > 0 and field.get(0, "shots") == 0


def test_treating_takes_three_seconds_of_holding_on(field: Acts) -> None:
    field.set(0, hp=40)
    field.tick(59, p0={"basic": s.TREATING})
    assert field.get(0, "hp") == 40 and field.get(0, "slow") == 1
    field.tick(p0={"basic": s.TREATING})
    assert (field.get(0, "hp"), field.get(0, "medkits"), field.get(0, "heals")) == (85, 0, 1)
    assert field.row(0, s.R_HEALTH) == 45


def test_letting_go_begins_the_treatment_anew_and_nobody_is_healed_beyond_full(field: Acts) -> None:
    field.set(0, hp=90)
    field.tick(59, p0={"basic": s.TREATING})
    field.tick()
    field.tick(59, p0={"basic": s.TREATING})
    assert field.get(0, "hp") == 90
    field.tick(p0={"basic": s.TREATING})
    assert field.get(0, "hp") == 100
    field.tick(70, p0={"basic": s.TREATING})
    assert field.get(0, "treat") == 0


def test_a_downed_mate_in_reach_is_helped_up_in_three_seconds(field: Acts) -> None:
    field.knock(1)
    field.put(1, 61, 60)
    field.tick(p0={"body": s.B_RESCUE})
    assert field.row(0, s.R_HELP) == 1 and field.get(1, "helped_by") == 1
    field.tick(58, p0={"body": s.B_RESCUE})
    assert field.get(1, "life") == s.DOWNED
    # Who is being helped doesn't bleed.
    assert field.get(1, "hp") == 100
    field.tick(p0={"body": s.B_RESCUE})
    assert (field.get(1, "life"), field.get(1, "stance"), field.get(1, "hp")) == (s.UP, s.STAND, 30)
    assert (field.get(0, "rescues"), field.get(2, "assists")) == (1, 1)
    assert field.row(0, s.R_HELPED_UP) == 1 and field.row(0, s.R_TEAM_UP) == field.row(2, s.R_TEAM_UP) == 1
    assert field.get(0, "rescued") == field.get(1, "helped_by") == 0


def test_an_interrupted_rescue_begins_anew(field: Acts) -> None:
    field.knock(1)
    field.put(1, 61, 60)
    field.tick(30, p0={"body": s.B_RESCUE})
    field.tick()
    assert field.row(0, s.R_INTERRUPT) == 1 and field.get(1, "helped_by") == 0
    field.tick(59, p0={"body": s.B_RESCUE})
    assert field.get(1, "life") == s.DOWNED
    field.tick(p0={"body": s.B_RESCUE})
    assert field.get(1, "life") == s.UP


def test_a_mate_out_of_reach_or_helped_by_another_is_not_helped(field: Acts) -> None:
    field.knock(1)
    field.put(1, 62, 60)
    field.tick(p0={"body": s.B_RESCUE})
    assert field.get(0, "rescued") == 0
    field.put(1, 61, 60)
    field.put(2, 61, 61)
    field.tick(p0={"body": s.B_RESCUE}, p2={"body": s.B_RESCUE})
    assert (field.get(0, "rescued"), field.get(2, "rescued")) == (2, 0)


def test_nobody_shoots_treats_or_picks_up_while_helping(field: Acts) -> None:
    field.knock(1)
    field.put(1, 61, 60)
    field.lay(0, s.BULLETS, 30, 60, 60)
    field.set(0, hp=50)
    for basic in (s.FIRE, s.TREATING, s.PICK):
        field.tick(p0={"body": s.B_RESCUE, "basic": basic})
    assert field.get(0, "rescue") == 3
    assert field.get(0, "shots") == field.get(0, "treat") == field.get(0, "loots") == 0


def test_the_downed_only_crawl(field: Acts) -> None:
    field.knock(1)
    field.lay(0, s.BULLETS, 30, 62, 60)
    x = field.get(1, "x")
    for basic in (s.FIRE, s.TREATING, s.PICK, s.DROP):
        field.tick(p1={"body": s.B_NONE, "basic": basic, "yaw": 16384})
    assert field.get(1, "x") - x == 4 * 8
    assert field.get(1, "shots") == field.get(1, "loots") == 0 and field.get(1, "weapon") == s.PISTOL
    mask = np.zeros(54, np.int8)
    rules.legal(field.state, field.world, 1, mask)
    assert [i - 35 for i in range(35, 44) if mask[i]] == [s.B_STOP, s.B_NONE]
