"""What a seat of Arena observes, field by field, and that it is told nothing that it couldn't know."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from engine.games import make_batch
from engine.games.arena import hearing, maps, rules, sight
from engine.games.arena import observation as o
from engine.games.arena import observation_units as units
from engine.games.arena import state as s
from engine.games.arena import world as w
from engine.games.arena.observation_critic import encode_critic
from engine.games.arena.observation_fields import CRITIC_SIZE
from engine.games.arena.view import view
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.acts import Acts, duel

TABLE_4 = {
    **{"hero/attribute": 28, "hero/status": 44, "hero/pose": 76, "hero/item": 144, "hero": 292},
    **{"mate 0/attribute": 28, "mate 0/status": 30, "mate 0/pose": 43, "mate 2": 101},
    **{"enemy 0/attribute": 28, "enemy 0/status": 33, "enemy 0/pose": 43, "enemy 2": 104},
    **{"monster/attribute": 8, "monster/status": 6, "monster/pose": 16, "monster": 30},
    **{"circle/status": 4, "circle/position": 6, "circle/time": 5, "circle": 15},
    **{"event 0/attribute": 8, "event 0/position": 3, "event 1": 11},
    **{"door/attribute": 5, "door/pose": 8, "door": 13},
    **{"supply 0/status": 19, "supply 0/position": 7, "supply 2": 26},
}


def seen(field: Acts, seat: int = 0) -> dict[str, int]:
    """The observation of a seat by name."""
    out = np.zeros(o.SIZE, np.int8)
    o.encode(field.state, field.world, seat, out)
    return dict(zip(o.NAMES, out.tolist(), strict=True))


def test_the_fields_have_the_widths_of_table_4() -> None:
    assert {name: field.stop - field.start for name, field in o.FIELDS.items() if name in TABLE_4} == TABLE_4
    assert o.SIZE == 1065 == len(set(o.NAMES)) and CRITIC_SIZE == 104
    assert 250 <= len(o.COMPACT) <= 350 and len(set(o.COMPACT.tolist())) == len(o.COMPACT)


def test_every_block_is_written_to_its_end_and_no_further() -> None:
    field = duel(team_size=2)
    out = np.zeros(2000, np.int16)
    ends = [
        o._attribute(field.state, 0, out),
        o._status(field.state, field.world, 0, 0, 16384, out),
        o._pose(field.state, field.world, 0, 0, 16384, out),
        o._item(field.state, 0, -1, out),
    ]
    assert ends == [o.FIELDS[f"hero/{part}"].stop for part in ("attribute", "status", "pose", "item")]
    for known in (units.REMEMBERED, units.SEEN, units.TOLD):
        assert units.attribute(field.state, 0, 2, known, out, 0) == 28
        assert units.enemy_status(field.state, 0, 2, known, 0, 0, 0, 0xFFFFFF, out, 0) == 33
    assert units.mate_status(field.state, 0, 1, out, 0) == 30
    assert units.unit_pose(field.state, field.world, 0, 2, 0, 16384, out, 0) == 43
    assert units.remembered_pose(field.state, 0, 9, 9, 0, 16384, out, 0) == 43


def test_numbers_fit_a_byte_and_floats_hold_the_same() -> None:
    packed, floats = (make_batch("arena", 3, observations=kind, seed=2) for kind in ("packed", "float"))
    for _ in range(30):
        packed.step(packed.choose_random().copy())
        floats.step(packed.actions)
    assert packed.observations.dtype == np.int8 and packed.observations.min() >= -127
    assert np.array_equal(packed.observations, floats.observations)


def test_an_enemy_in_view_is_described_in_the_own_frame() -> None:
    field = duel(metres=8)
    field.put(0, 60, 60, 90)
    field.put(1, 68, 60, 270)
    field.look()
    found = seen(field)
    assert found["enemy 0/attribute/present"] == found["enemy 0/status/seen now"] == 127
    assert (found["enemy 0/pose/right"], found["enemy 0/pose/near distance"]) == (0, 64)
    assert found["enemy 0/pose/forward"] >= 125 and found["enemy 0/pose/forward (16 m)"] >= 63
    assert found["enemy 0/pose/looks at me"] == 127
    assert found["enemy 0/attribute/in hand=pistol"] == 127
    assert found["hero/pose/target in line"] == 127 and found["hero/status/enemies seen"] == 16
    # How an enemy feels only the critic is told.
    assert not any(found[f"enemy 0/status/{name} (critic)"] for name in ("hp", "armour", "stamina"))


def test_an_enemy_out_of_view_is_where_the_team_last_saw_it() -> None:
    field = duel(team_size=2)
    field.put(1, 60, 62, 180)
    field.tick()
    field.put(2, 64, 40)
    field.wall(50, 55, 30)
    field.tick(4)
    found = seen(field, 1)
    assert found["enemy 0/status/remembered"] == 127 and found["enemy 0/status/seen now"] == 0
    assert found["enemy 0/status/age"] == 0 and found["enemy 0/status/age (fine)"] == 16
    # Seat 1 looks away from where its mate saw it, 12 m behind.
    assert found["enemy 0/pose/forward"] < -120 and found["enemy 0/pose/near distance"] == 96
    assert not any(found[f"enemy 0/attribute/{name}"] for name in ("in hand=pistol", "height of the body"))


def test_mates_come_nearest_first_with_how_they_are() -> None:
    field = Acts(teams=2, team_size=4)
    for seat, x in ((0, 60), (1, 75), (2, 65), (3, 70)):
        field.put(seat, x, 60, 90)
    field.knock(3)
    found = seen(field)
    numbers = [[n for n in range(4) if found[f"mate {i}/attribute/number in team={n}"]] for i in range(3)]
    assert numbers == [[2], [3], [1]]
    assert found["mate 1/status/life=downed"] == 127 and found["mate 1/status/hp"] == 100
    assert found["hero/attribute/mates downed"] == 40 and found["hero/attribute/mates up"] == 80


def test_rays_tell_how_far_the_ground_is_free() -> None:
    field = Acts()
    field.put(0, 60.5, 60.5, 0)
    field.wall(50, 57, 20)
    field.low_wall(50, 63, 20)
    found = seen(field)
    assert found["hero/pose/free way, ray 0"] == 56 and found["hero/pose/obstacle high, ray 0"] == 127
    assert found["hero/pose/free way, ray 8"] < 60 and found["hero/pose/obstacle high, ray 8"] == 0
    assert found["hero/pose/free way, ray 4"] == 127


def test_supplies_doors_and_circles_are_found() -> None:
    field = Acts()
    field.put(0, 60.5, 60.5, 0)
    field.lay(0, s.MEDKIT, 1, 60.5, 59.5)
    field.lay(1, s.PISTOL, 12, 60.5, 60)  # no use: in hand already
    field.lay(2, s.RIFLE, 30, 60.5, 45)
    field.door(62, 60)
    found = seen(field)
    assert found["supply 0/status/kind=medkit"] == found["supply 0/status/can be taken"] == 127
    assert found["hero/item/supply in reach=medkit"] == 127
    assert found["supply 1/status/kind=rifle"] == 127 and found["supply 2/status/kind=pistol"] == 127
    assert found["supply 2/status/useful"] == 0
    assert found["door/attribute/present"] == 127 and found["door/attribute/open"] == 0
    assert found["circle/position/blue forward"] < 0
    field.wall(50, 50, 20)
    assert seen(field)["supply 1/status/kind=pistol"] == 127  # the rifle lies behind the wall


def test_a_sound_is_heard_near_by_and_placed_to_four_metres() -> None:
    field = duel()
    field.put(0, 60, 60, 180)
    field.put(1, 60, 53, 180)
    for _ in range(12):
        field.tick(p1={"body": s.B_NONE, "yaw": 16384})
        if field.told(s.STEP):
            break
    found = seen(field)
    assert found["event 0/attribute/step"] == 127 and found["event 0/attribute/seen"] == 0
    far = found["event 0/position/distance"]
    field.state[s.EVENT + s.E_X] += 200
    field.state[s.EVENT + s.E_X] -= 200
    assert far == seen(field)["event 0/position/distance"] and hearing.blurred(1000) == hearing.blurred(20)
    field.put(0, 60, 75)
    assert seen(field)["event 0/attribute/step"] == 0


def test_who_is_out_observes_only_how_the_match_stands() -> None:
    field = Acts(teams=2, team_size=2)
    field.set(0, life=s.OUT)
    found = seen(field)
    assert found["hero/status/life=out"] == 127
    assert not any(
        value for name, value in found.items() if not name.startswith(("hero/attribute", "hero/status/life"))
    )


def test_the_critic_is_told_of_the_nearest_unseen_enemy_in_full() -> None:
    field = duel(team_size=2)
    field.put(3, 60, 80)
    field.set(3, hp=33)
    field.look()
    out = np.zeros(104, np.int8)
    encode_critic(field.state, field.world, 0, out)
    names = [name.split("/", 1)[1] for name in o.NAMES[o.FIELDS["enemy 0"]]]
    found = dict(zip(names, out.tolist(), strict=True))
    assert found["status/hp (critic)"] == 33 and found["attribute/number in team=1"] == 127
    field.set(3, life=s.OUT)
    encode_critic(field.state, field.world, 0, out)
    assert not out.any()


def test_local_maps_are_gathered_on_demand() -> None:
    field = duel()
    field.wall(55, 55, 3)
    found = maps.local_maps(field.state, field.world, 0)
    assert found.shape == (3, 64, 64) and found.dtype == np.uint8
    assert found[0, 32 - 5, 32 - 5] == 10 + w.WALL_TOP and found[1, 27, 27] == w.WALL * maps.KIND_STEP
    assert found[2, 32, 32] == maps.OWN and found[2, 22, 32] == maps.ENEMY
    many = maps.crops(field.world, np.zeros(2, int), np.array([60 * 256, 2 * 256]), np.array([60 * 256] * 2))
    assert np.array_equal(many[0], found[:2]) and (many[1, 0, :, 0] == maps.OUTSIDE).all()


# --- Nothing that couldn't be known ----------------------------------------------------------------------


def random_matches() -> Iterator[Simulation]:
    """Matches of three teams of two, in the middle."""
    random = np.random.default_rng(8)
    for seed in range(4):
        simulation = Simulation(
            "arena", {"teams": 3, "team_size": 2, "map_seed": seed, "pace": "short"}, seed
        )
        state, record = simulation._state, np.zeros((6, s.RECORD), np.int32)
        # Near each other, so that there is something to see and to remember.
        for seat in range(6):
            state[s.player(seat) + s.X] = state[s.BLUE_X] + (seat - 3) * 1500
            state[s.player(seat) + s.Y] = state[s.BLUE_Y] + (seat % 3) * 1500
        for tick in range(60):
            for seat in range(6):
                record[seat] = simulation.idle(seat)
                record[seat, s.BODY] = random.choice([s.B_NONE, s.B_NONE, s.B_RUN, s.B_STOP])
                record[seat, s.ABS_YAW] = (tick // 12 * 9973 + seat * 17011) & 0xFFFF
                record[seat, s.BASIC], record[seat, s.SWITCH] = s.FIRE, 2 if tick % 16 == 0 else 0
            rules.step(state, simulation.world, record)
            if tick % 6 == 5:
                yield simulation


def change(state: np.ndarray, seat: int, random: np.random.Generator) -> None:
    """Another place, another look, other things in hand: all but whether somebody is still in the match."""
    at = s.player(seat)
    for field, low, high in (
        *((s.X, 600, 32000), (s.Y, 600, 32000), (s.Z, 300, 2000), (s.YAW, -32768, 32767)),
        *((s.PITCH, -9000, 9000), (s.STANCE, 0, 3), (s.HP, 1, 100), (s.ARMOUR, 0, 100), (s.VX, -77, 77)),
        *((s.VY, -77, 77), (s.WEAPON, 0, 5), (s.WEAPON_2, 0, 5), (s.AMMO, 0, 240), (s.MEDKITS, 0, 5)),
        *((s.RELOAD, 0, 40), (s.TREAT, 0, 59), (s.SHOT_TICK, 0, 60), (s.STAMINA, 0, 400), (s.LIFE, 1, 2)),
    ):
        state[at + field] = random.integers(low, high + 1)
    for tick in range(s.HISTORY):
        past = s.PAST + 4 * (s.MAX_SEATS * tick + seat)
        state[past : past + 3] = random.integers(600, 20000, 3)


def test_nothing_of_an_enemy_that_nobody_sees_hears_or_remembers_is_told() -> None:
    random = np.random.default_rng(3)
    changed = told = 0
    before, after = np.zeros(o.SIZE, np.int8), np.zeros(o.SIZE, np.int8)
    for simulation in random_matches():
        state, ground = simulation._state, simulation.world
        for seat in range(6):
            team = seat // 2
            for other in range(6):
                knows = sight.knows(state, team, other) < sight.FORGOTTEN
                if other // 2 == team or int(state[s.player(other) + s.LIFE]) == s.OUT:
                    continue
                altered = state.copy()
                if any(s.sees(state, mate, other) for mate in (2 * team, 2 * team + 1)):
                    told += 1
                    continue
                # What is remembered is a place and nothing else; sometimes it is forgotten, too.
                if knows and random.integers(2):
                    entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
                    state[entry] = altered[entry] = -2000
                # Nobody hears it: its sounds are taken out of the ring, in both.
                ring = state[s.EVENT :].reshape(s.EVENTS, s.EVENT_SIZE)
                quiet = altered[s.EVENT :].reshape(s.EVENTS, s.EVENT_SIZE)
                mute = (ring[:, s.E_SEAT] == other) & ~np.isin(ring[:, s.E_KIND], (s.KILL, s.KNOCK, s.HIT))
                ring[mute, s.E_KIND] = quiet[mute, s.E_KIND] = s.TREATED
                ring[mute, s.E_X : s.E_Z] = quiet[mute, s.E_X : s.E_Z] = 32000
                change(altered, other, random)
                o.encode(state, ground, seat, before)
                o.encode(altered, ground, seat, after)
                where = [o.NAMES[i] for i in np.flatnonzero(before != after)]
                assert not where, (seat, other, where)
                first, second = view(state, seat), view(altered, seat)
                assert first == second
                assert np.array_equal(
                    maps.local_maps(state, ground, seat), maps.local_maps(altered, ground, seat)
                )
                changed += 1
    assert changed > 100 and told > 10


def test_what_is_seen_does_change_the_observation() -> None:
    """The test above would pass for an observation of nothing."""
    field = duel()
    before = np.zeros(o.SIZE, np.int8)
    o.encode(field.state, field.world, 0, before)
    for name, value in (("x", 61 * 256), ("stance", s.CROUCH), ("weapon", s.SNIPER), ("yaw", 500)):
        altered = field.state.copy()
        altered[s.player(1) + getattr(s, name.upper())] = value
        after = np.zeros(o.SIZE, np.int8)
        o.encode(altered, field.world, 0, after)
        assert (before != after).any(), name


@pytest.mark.parametrize("seat", [0, None])
def test_a_view_is_plain_json(seat: int | None) -> None:
    field = duel(team_size=2)
    field.tick(p0={"basic": s.FIRE, "pitch": -1200})
    field.state[s.MAPS], field.state[s.MAP] = 16, 0
    text = json.dumps(view(field.state, seat))
    assert '"shot"' in text and ('"hp"' in text)
