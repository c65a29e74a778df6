"""Scripted squads: they find their way, know only what they may, and visibly do what they are told."""

import numpy as np
import pytest

from engine.agents.catalogue import load, shipped
from engine.agents.policy import choose
from engine.games.arena import bots, navigation
from engine.games.arena import goals as g
from engine.games.arena import state as s
from engine.games.arena import world as w
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.fields import Field

NAMES = list(bots.BOTS_MANY)


@pytest.fixture
def field():
    return Field()


def decide(name, sim):
    policy = load(f"arena/{name}", "arena")
    seats = list(range(sim.seats))
    return choose(policy.logits([sim] * sim.seats, seats), heads=sim.spec.heads)


# --- All of them -----------------------------------------------------------------------------------------


def test_every_card_names_a_bot():
    cards = shipped("arena")
    assert set(NAMES) <= {card.get("bot") for card in cards.values()}


@pytest.mark.parametrize("name", NAMES)
def test_choices_are_legal_and_the_same_again(name):
    sim = Simulation("arena", {"pace": "short"}, seed=5)
    for _ in range(60):
        heads = decide(name, sim)
        assert heads == decide(name, sim)
        for _ in range(4):
            if not sim.over:
                sim.step([sim.resolve(seat, heads[seat]) for seat in range(sim.seats)])
        for seat in range(sim.seats):
            mask = sim.legal(seat)
            chosen = np.array(decide(name, sim)[seat]) + bots.OFFSETS[:6]
            assert mask[chosen].all()


def test_what_scratch_holds_decides_nothing(field):
    field.wall(20, 5, 1, 10)
    field.give(0, g.GO, x=30, y=10)
    out = np.zeros((2, 6), np.int32)
    for row, scratch in enumerate((navigation.new_scratch(), navigation.new_scratch())):
        scratch[1:] = 12345 * row
        bots.act(field.state, field.world, 0, bots.STRONG, field.goals[0], scratch, out[row])
    assert (out[0] == out[1]).all()


def test_nobody_knows_what_is_behind_a_wall(field):
    field.wall(20, 4, 1, 20)
    field.put(0, 15, 10, 90)
    field.put(2, 25, 10, 270)
    field.put(3, 110, 110)
    field.look()
    before = field.heads(0).tolist()
    field.put(2, 28, 14, 270)
    field.look()
    assert field.heads(0).tolist() == before


@pytest.mark.parametrize("every", [1, 2, 3, 4])
def test_turns_end_where_they_should_however_often_one_decides(field, every):
    field.put(0, 40, 40, 0)
    field.give(0, g.GO, x=60, y=40)
    field.play(24, {0}, every=every)
    off = (field.player(0, s.YAW) - 16384 + 32768) % 65536 - 32768
    assert abs(off) < 2600


# --- Ways ------------------------------------------------------------------------------------------------


def test_it_walks_round_a_wall(field):
    field.put(0, 20, 40, 90)
    field.wall(30, 30, 1, 20)
    field.give(0, g.GO, x=40, y=40)
    ticks = field.play(900, {0}, until=lambda: field.metres(0, 40, 40) < 1)
    assert ticks < 900


def test_it_opens_the_door_of_a_house_and_goes_in(field):
    field.put(0, 20, 40, 90)
    field.wall(30, 35, 9, 1)
    field.wall(30, 45, 9, 1)
    field.wall(30, 35, 1, 11)
    field.wall(38, 35, 1, 11)
    door = field.door(38, 40)
    field.give(0, g.GO, x=34, y=40)
    ticks = field.play(900, {0}, until=lambda: field.metres(0, 34.5, 40.5) < 1.5)
    assert ticks < 900 and field.state[s.DOOR + door] == 1


def test_two_mates_at_one_door_dont_shut_it_on_each_other(field):
    for seat, y in ((0, 40.2), (1, 40.8)):
        field.put(seat, 27, y, 90)
        field.give(seat, g.GO, x=34, y=40)
    field.wall(30, 3, 1, 122)
    field.door(30, 40)
    there = {0: 34, 1: 34}
    field.play(500, {0, 1}, until=lambda: all(field.metres(i, 34, 40) < 2 for i in there))
    assert all(field.metres(seat, 34, 40) < 2 for seat in there)


def test_it_jumps_over_a_low_wall_that_has_no_end(field):
    field.put(0, 28, 40, 90)
    field.low_wall(31, 3, 1, 122)
    field.give(0, g.GO, x=36, y=40)
    assert field.play(400, {0}, until=lambda: field.metres(0, 36, 40) < 1.2) < 400


# --- Of their own accord ---------------------------------------------------------------------------------


def test_it_turns_to_who_shot_it(field):
    field.put(0, 40, 40, 0)
    field.put(2, 40, 60, 0)
    at = s.player(0)
    field.state[at + s.HIT_BY], field.state[at + s.HIT_TICK] = 3, 0
    field.state[at + s.HIT_YAW] = -32768
    field.play(30, {0}, until=lambda: s.sees(field.state, 0, 2))
    assert s.sees(field.state, 0, 2)


def test_the_strong_shoot_better_than_the_weak():
    ticks = {}
    for name in ("weak", "strong"):
        field = Field(seed=4)
        for seat in (0, 1):
            field.put(seat, 40, 40 + 3 * seat, 90)
            field.arm(seat)
            field.put(seat + 2, 55, 40 + 3 * seat, 90)
        ticks[name] = field.play(300, {0, 1}, name, until=lambda here=field: here.state[s.OVER])
    assert ticks["strong"] < 40 and ticks["weak"] > 2 * ticks["strong"]


def test_it_treats_its_wounds_and_helps_a_mate_up(field):
    field.put(0, 40, 40)
    field.put(1, 44, 40)
    field.knock(1)
    field.state[s.player(0) + s.HP] = 40
    field.play(500, {0}, until=lambda: field.player(0, s.HEALS) > 0 and field.player(0, s.RESCUES) > 0)
    assert field.player(0, s.RESCUES) == 1 and field.player(0, s.HEALS) == 1


def test_it_leaves_for_the_white_circle_in_time(field):
    field.put(0, 30, 64)
    field.state[s.WHITE_X : s.WHITE_X + 3] = 90 * 256, 64 * 256, 12 * 256
    field.state[s.PHASE_LEFT] = 200
    field.play(900, {0}, until=lambda: field.metres(0, 90, 64) < 12)
    assert field.metres(0, 90, 64) < 12


def test_it_takes_a_better_weapon_that_lies_about(field):
    field.put(0, 40, 40)
    field.lay(0, s.RIFLE, 30, 50, 44)
    field.play(300, {0}, until=lambda: field.player(0, s.LOOTS) > 0)
    assert s.RIFLE in (field.player(0, s.WEAPON), field.player(0, s.WEAPON_2))


# --- What they are told ----------------------------------------------------------------------------------


def test_follow_me(field):
    field.put(1, 60, 60)
    field.give(0, g.FOLLOW, who=1)
    field.play(900, {0}, until=lambda: field.metres(0, 60, 60) < 5)
    assert field.metres(0, 60, 60) < 5 and field.progress(0) == g.OBEYING


def test_hold_here(field):
    field.lay(0, s.RIFLE, 30, 18, 12)
    here = field.place(0)
    field.give(0, g.HOLD, x=here[0], y=here[1])
    field.play(200, {0})
    assert field.metres(0, *here) < 2 and field.progress(0) == g.OBEYING


def test_go_there(field):
    field.give(0, g.GO, x=40, y=30)
    assert field.play(900, {0}, until=lambda: field.progress(0) == g.DONE) < 900


def test_attack_that_one(field):
    field.put(0, 40, 40, 90)
    field.arm(0)
    field.put(2, 52, 38, 90)
    field.put(3, 60, 44, 90)
    field.give(0, g.ATTACK, who=3)
    field.play(300, {0}, until=lambda: field.progress(0) == g.DONE)
    assert field.player(3, s.LIFE) != s.UP


def test_cover_me(field):
    field.put(0, 40, 40, 90)
    field.arm(0)
    field.put(1, 60, 40, 90)
    field.put(2, 72, 42, 270)
    field.give(0, g.COVER, who=1)
    field.play(300, {0}, until=lambda: field.player(0, s.DEALT) > 60)
    assert field.player(0, s.DEALT) > 60 and field.metres(0, 60, 40) < 21


def test_take_cover(field):
    field.put(0, 40, 40, 90)
    field.put(2, 60, 40, 270)
    field.block(43, 42, w.ROCK, w.ROCK_TOP, 2, 2)
    field.give(0, g.TAKE_COVER)
    field.play(200, {0}, until=lambda: not s.in_sight(field.state, 0, 2))
    assert not s.in_sight(field.state, 0, 2)
    field.play(40, {0})
    assert not s.in_sight(field.state, 0, 2)


def test_loot(field):
    field.lay(0, s.MEDKIT, 1, 25, 15)
    field.give(0, g.LOOT)
    assert field.play(400, {0}, until=lambda: field.progress(0) == g.DONE) < 400


def test_heal(field):
    field.state[s.player(0) + s.HP] = 90
    field.give(0, g.HEAL)
    assert field.play(120, {0}, until=lambda: field.progress(0) == g.DONE) < 120


def test_rescue(field):
    field.put(1, 30, 15)
    field.knock(1)
    field.give(0, g.RESCUE, who=1)
    assert field.play(600, {0}, until=lambda: field.progress(0) == g.DONE) < 600
    assert field.player(1, s.LIFE) == s.UP


def test_go_prone_and_stay_so(field):
    field.lay(0, s.RIFLE, 30, 18, 12)
    here = field.place(0)
    field.give(0, g.PRONE)
    field.play(100, {0})
    assert field.player(0, s.STANCE) == s.PRONE and field.metres(0, *here) < 0.5


def test_hold_fire(field):
    field.put(0, 40, 40, 90)
    field.put(2, 52, 40, 270)
    field.give(0, g.HOLD_FIRE)
    field.play(200, {0})
    assert field.player(0, s.SHOTS) == 0
    field.goals[0] = 0
    field.play(200, {0})
    assert field.player(0, s.SHOTS) > 0


def test_any_goal_can_be_done_quietly(field):
    field.put(0, 40, 40, 90)
    field.put(2, 52, 40, 270)
    field.give(0, g.HOLD, x=40, y=40, flags=g.QUIETLY | g.CROUCHED)
    field.play(100, {0})
    assert field.player(0, s.SHOTS) == 0 and field.player(0, s.STANCE) == s.CROUCH


def test_rotate_to_the_zone(field):
    field.state[s.WHITE_X : s.WHITE_X + 3] = 50 * 256, 40 * 256, 9 * 256
    field.give(0, g.ROTATE)
    assert field.play(900, {0}, until=lambda: field.progress(0) == g.DONE) < 900


def test_regroup(field):
    field.put(1, 50, 30)
    field.give(0, g.REGROUP)
    assert field.play(900, {0}, until=lambda: field.progress(0) == g.DONE) < 900


def test_retreat(field):
    field.put(0, 60, 60, 90)
    field.put(2, 70, 60, 270)
    field.wall(45, 50, 1, 20)
    field.give(0, g.RETREAT)
    field.play(200, {0})
    assert field.metres(0, 70, 60) > 20


def test_crouch(field):
    field.give(0, g.CROUCH)
    field.play(40, {0})
    assert field.player(0, s.STANCE) == s.CROUCH


def test_a_goal_that_ran_out_is_forgotten(field):
    field.give(0, g.PRONE, until=40)
    field.play(100, {0})
    assert field.player(0, s.STANCE) == s.STAND


def test_the_peaceful_never_shoot_whatever_they_are_asked(field):
    field.put(0, 40, 40, 90)
    field.put(2, 52, 40, 270)
    values, actions = np.zeros((1, 54), np.float32), np.zeros((1, 6), np.int32)
    seats = np.zeros(1, np.int32)

    def shots(name: str, ticks: int = 60) -> int:
        found = 0
        for _ in range(ticks):
            bots.BOTS_MANY[name](field.state[None], field.world[:1], seats, field.goals[:1], values, actions)
            fires = actions[0, s.BASIC] in (s.FIRE, s.STOP_FIRE, s.ADJUST_FIRE)
            found += int(fires and actions[0, s.SWITCH] == s.KEEP)
            field.play(1, set())
        return found

    assert shots("strong") > 0
    assert shots("peaceful") == 0
    for kind, until in ((g.ATTACK, 0), (g.HOLD, 0), (g.ATTACK, 1)):  # the last has run out
        field.give(0, kind, x=40, y=40, who=2)
        field.goals[0, g.UNTIL] = until
        before = field.goals.copy()
        assert shots("peaceful") == 0
        assert (field.goals == before).all(), "what was asked stays as it was"


# --- A calm match ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("strength", [bots.WEAK, bots.MIDDLE, bots.STRONG])
@pytest.mark.parametrize(
    ("pace", "stage", "metres", "hit", "fights"),
    [
        (3, 0, 20, False, False),  # live and let live …
        (3, 0, 20, True, True),  # … until somebody shoots,
        (3, 0, 7, False, True),  # or comes close,
        (3, 3, 20, False, True),  # or the zone is small
        (1, 0, 20, False, True),
    ],
)
def test_squads_let_each_other_be_at_the_beginning_of_a_calm_match(
    field, strength, pace, stage, metres, hit, fights
):
    field.state[s.PACE], field.state[s.STAGE] = pace, stage
    field.put(0, 50, 50, 90)
    field.put(2, 50 + metres, 50, 270)
    field.look()
    at, other = int(s.player(0)), int(s.player(2))
    field.state[[at + s.WEAPON, at + s.MAGAZINE, at + s.AMMO]] = s.RIFLE, 30, 90
    if hit:
        field.state[at + s.HIT_BY], field.state[at + s.HIT_TICK] = 3, field.state[s.TICK]
    shots = 0
    scratch, out = navigation.new_scratch(), np.zeros(6, np.int32)
    for tick in range(400, 800):  # whether a spell has luck hangs on the tick
        if hit:
            field.state[at + s.HIT_TICK] = tick
        field.state[s.TICK] = tick
        bots.act(field.state, field.world, 0, strength, field.goals[0], scratch, out)
        shots += int(out[s.BASIC]) in (s.FIRE, s.STOP_FIRE, s.ADJUST_FIRE)
    assert (shots > 0) == fights
    assert int(field.state[other + s.LIFE]) == s.UP


def test_who_is_told_to_attack_does_so_in_a_calm_match_too(field):
    field.state[s.PACE] = 3
    field.put(0, 50, 50, 90)
    field.put(2, 70, 50, 270)
    field.look()
    field.give(0, g.ATTACK, who=2)
    heads = [field.heads(0)[s.BASIC] for _ in range(1)]
    assert heads[0] in (s.FIRE, s.STOP_FIRE, s.ADJUST_FIRE)
