"""The safe zone of Arena: phases, the closing circle, and what being outside costs."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.arena import state as s
from engine.games.arena import zone
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.acts import Acts


def fresh(pace: str = "short") -> np.ndarray:
    return Simulation("arena", {"teams": 3, "pace": pace}, 4)._state


@pytest.mark.parametrize(
    ("pace", "minutes"), [("short", 1.8), ("normal", 4.55), ("long", 9.9), ("calm", 9.5)]
)
def test_the_zone_closes_for_good_in_time(pace: str, minutes: float) -> None:
    state = fresh(pace)
    ticks = 0
    while int(state[s.PHASE_LENGTH]):
        zone.advance(state)
        ticks += 1
    assert ticks / 20 / 60 == pytest.approx(minutes, rel=0.02)
    assert state[s.BLUE_R] == 0
    for _ in range(100):
        zone.advance(state)
    assert state[s.BLUE_R] == 0 and state[s.STAGE] == zone.STAGES[int(state[s.PACE])]


def test_without_a_zone_the_whole_map_is_safe_and_the_match_ends_in_time() -> None:
    state = Simulation("arena", {"zone": "none", "pace": "short"}, 4)._state
    for x, y in ((0, 0), (32_767, 0), (0, 32_767), (32_767, 32_767)):
        assert zone.inside(state, s.BLUE_X, x, y) and zone.inside(state, s.WHITE_X, x, y)
    for _ in range(zone.REST - 1):
        zone.advance(state)
    assert not state[s.SHRINKING] and state[s.BLUE_R] == zone.WHOLE
    ticks = zone.REST - 1
    while int(state[s.PHASE_LENGTH]):
        zone.advance(state)
        ticks += 1
    assert state[s.BLUE_R] == 0 and ticks < 30_000  # a tick has 15 bits


def test_blue_waits_then_becomes_white_and_white_lies_within_it() -> None:
    state = fresh()
    for _ in range(int(zone.STAGES[0])):
        white = state[s.WHITE_X : s.WHITE_X + 3].copy()
        blue = state[s.BLUE_X : s.BLUE_X + 3].astype(int)
        assert np.hypot(*(white[:2] - blue[:2])) + white[2] <= blue[2] + 2
        for _ in range(200):
            assert state[s.SHRINKING] == 0
            zone.advance(state)
        assert state[s.SHRINKING] == 1
        last = int(blue[2])
        for _ in range(160):
            zone.advance(state)
            assert state[s.BLUE_R] <= last
            last = int(state[s.BLUE_R])
        assert state[s.BLUE_X : s.BLUE_X + 3].tolist() == white.tolist()


def test_a_calm_zone_waits_two_and_a_half_minutes_before_it_closes_for_the_first_time() -> None:
    state = fresh("calm")
    for _ in range(150 * 20 - 1):
        zone.advance(state)
        assert state[s.SHRINKING] == 0
    zone.advance(state)
    assert state[s.SHRINKING] == 1


def test_being_outside_costs_points_once_a_second_more_in_later_stages() -> None:
    field = Acts()
    field.put(0, 60, 60)
    field.state[s.BLUE_X : s.BLUE_X + 3] = 100 * 256, 100 * 256, 10 * 256
    field.state[s.WHITE_X : s.WHITE_X + 3] = 100 * 256, 100 * 256, 5 * 256
    field.tick(20)
    assert field.get(0, "hp") == 98 and field.get(0, "hit_by") == s.ZONE_HIT
    assert field.get(0, "outside") == 20
    assert field.row(0, s.R_OUTSIDE) == field.row(0, s.R_WHITE) == 1
    field.state[s.STAGE] = 4
    field.set(0, armour=50)
    field.tick(20)
    assert field.get(0, "hp") == 89 and field.get(0, "armour") == 50


def test_going_to_the_circle_from_outside_is_counted_in_units() -> None:
    field = Acts()
    field.put(0, 60, 60, 90)
    field.state[s.BLUE_X : s.BLUE_X + 3] = 100 * 256, 60 * 256, 10 * 256
    field.tick(p0={"body": s.B_NONE})
    assert field.row(0, s.R_TO_BLUE) == pytest.approx(51, abs=3)
    field.tick(p0={"body": s.B_NONE, "move": 8})
    assert field.row(0, s.R_TO_BLUE) == pytest.approx(-51, abs=3)


def test_everybody_goes_in_the_end() -> None:
    simulation = Simulation("arena", {"teams": 2, "team_size": 1, "pace": "short", "monsters": 0}, 3)
    while not simulation.over:
        simulation.step([simulation.idle(seat) for seat in range(2)])
    assert simulation.tick < 3.2 * 60 * 20
