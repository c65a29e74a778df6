"""A match of Arena as a whole: its beginning, masks, places, and when it is over."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.arena import rules, world
from engine.games.arena import state as s
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.acts import Acts


@pytest.mark.parametrize(("teams", "size"), [(2, 1), (3, 4), (5, 4), (20, 1)])
def test_a_match_begins_in_the_zone_on_open_ground_with_teams_apart(teams: int, size: int) -> None:
    simulation = Simulation("arena", {"teams": teams, "team_size": size}, 5)
    state = simulation.state
    places = []
    for seat in range(simulation.seats):
        at = s.player(seat)
        x, y = int(state[at + s.X]), int(state[at + s.Y])
        assert world.kind_at(state, simulation.world, x, y) in (world.OPEN, world.FLOOR)
        assert np.hypot(x - int(state[s.BLUE_X]), y - int(state[s.BLUE_Y])) < int(state[s.BLUE_R])
        assert (int(state[at + s.LIFE]), int(state[at + s.HP]), int(state[at + s.TEAM])) == (
            s.UP,
            100,
            seat // size,
        )
        places.append((x, y))
    first = np.array(places[::size])
    apart = np.hypot(*(first[:, None] - first[None]).T) + 1e9 * np.eye(teams)
    assert apart.min() > 5 * 256


def test_seeds_give_other_matches_and_the_same_seed_the_same() -> None:
    digests = [Simulation("arena", {"teams": 2, "team_size": 1}, seed).digest() for seed in (1, 1, 2)]
    assert digests[0] == digests[1] != digests[2]


def test_masks_allow_what_does_something() -> None:
    field = Acts(teams=2, team_size=2)
    mask = np.zeros(54, np.int8)

    def allowed(begin: int, end: int) -> list[int]:
        rules.legal(field.state, field.world, 0, mask)
        return [i - begin for i in range(begin, end) if mask[i]]

    assert allowed(0, 35) == list(range(35))
    assert allowed(35, 44) == [s.B_STOP, s.B_CROUCH, s.B_RUN, s.B_JUMP, s.B_PRONE, s.B_NONE]
    # A full magazine, no wound, one weapon.
    assert allowed(44, 51) == [s.FIRE, s.PICK, s.DROP, s.STOP_FIRE, s.ADJUST_FIRE]
    assert allowed(51, 54) == [0, 2]
    field.set(0, hp=50, magazine=3, weapon_2=s.RIFLE)
    assert allowed(44, 51) == list(range(7)) and allowed(51, 54) == [0, 1, 2]
    field.set(0, magazine=0, ammo=0)
    assert allowed(44, 51) == [s.TREATING, s.PICK, s.DROP]
    field.set(0, life=s.OUT)
    assert [allowed(*head) for head in ((0, 16), (16, 32), (32, 35), (35, 44), (44, 51), (51, 54))] == [
        [0],
        [0],
        [1],
        [s.B_NONE],
        [s.PICK],
        [s.KEEP],
    ]


def test_teams_are_placed_in_the_order_in_which_they_go() -> None:
    field = Acts(teams=3, team_size=2)
    field.tick()
    for seat in (2, 3):
        field.set(seat, hp=1, damage=5)
    field.tick()
    assert field.state[s.LEFT] == 2 and field.state[s.TEAM_PLACE : s.TEAM_PLACE + 3].tolist() == [0, 3, 0]
    assert rules.score(field.state) == 50
    for seat in (4, 5):
        field.set(seat, hp=1, damage=5)
    field.tick()
    assert field.state[s.TEAM_PLACE : s.TEAM_PLACE + 3].tolist() == [1, 3, 2]
    assert (field.state[s.OVER], field.state[s.WINNER], rules.score(field.state)) == (1, 0, 100)
    assert field.told(s.WIN)[0][s.E_VALUE] == 0


def test_teams_that_go_in_one_tick_share_the_place() -> None:
    field = Acts(teams=3, team_size=1)
    field.tick()
    for seat in (0, 2):
        field.set(seat, hp=1, damage=5)
    field.tick()
    assert field.state[s.TEAM_PLACE : s.TEAM_PLACE + 3].tolist() == [2, 1, 2]


def test_a_team_with_only_downed_players_is_out() -> None:
    field = Acts(teams=2, team_size=2)
    field.tick()
    field.knock(2)
    field.set(3, hp=1, damage=5)
    field.tick()
    assert field.get(2, "life") == field.get(3, "life") == s.OUT and field.state[s.WINNER] == 0


def test_who_is_out_does_nothing_more() -> None:
    field = Acts(teams=2, team_size=2)
    field.tick()
    field.set(0, hp=1, damage=5)
    field.tick()
    field.knock(0)
    field.set(0, life=s.OUT)
    before = [field.get(0, name) for name in ("x", "y", "yaw", "magazine")]
    field.tick(5, p0={"body": s.B_RUN, "basic": s.FIRE, "yaw": 9999})
    assert [field.get(0, name) for name in ("x", "y", "yaw", "magazine")] == before


def test_steps_of_the_crouched_and_lying_are_not_heard() -> None:
    field = Acts()
    field.put(0, 60, 60, 0)
    heard = {}
    for stance, body in ((s.STAND, s.B_NONE), (s.STAND, s.B_RUN), (s.CROUCH, s.B_NONE), (s.PRONE, s.B_NONE)):
        field.set(0, stance=stance, stamina=400)
        count = []
        for _ in range(40):
            field.tick(p0={"body": body})
            count += field.told(s.STEP)
        heard[stance, body] = [event[s.E_VALUE] for event in count]
    assert heard[s.STAND, s.B_NONE] == [0] * 4 or heard[s.STAND, s.B_NONE] == [0] * 5
    assert len(heard[s.STAND, s.B_RUN]) >= 6 and set(heard[s.STAND, s.B_RUN]) == {1}
    assert heard[s.CROUCH, s.B_NONE] == heard[s.PRONE, s.B_NONE] == []
