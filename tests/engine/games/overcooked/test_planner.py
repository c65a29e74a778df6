"""Ways through kitchens, against a search that steps the rules' own poses."""

from collections import deque

import pytest

from engine.games.overcooked import planner, rules
from engine.games.overcooked.layouts import CLASSIC
from engine.simulation.simulation import Simulation


def searched(state, cell):
    """Ticks until seat 0 looks at a station or stands on a floor cell, by trying every move."""
    waiting = deque([(int(state[rules.POSITION]), int(state[rules.FACING]), 0)])
    seen = set()
    while waiting:
        here, facing, ticks = waiting.popleft()
        station = rules.terrain(state, cell) != rules.FLOOR
        if (station and rules.neighbour(state, here, facing) == cell) or (not station and here == cell):
            return ticks
        if (here, facing) in seen:
            continue
        seen.add((here, facing))
        for direction in range(4):
            there = rules.neighbour(state, here, direction)
            there = there if rules.terrain(state, there) == rules.FLOOR else here
            waiting.append((there, direction, ticks + 1))
    return planner.FAR


@pytest.mark.parametrize("layout", CLASSIC)
def test_ways_are_the_shortest(layout):
    for seed in range(3):
        state = Simulation("overcooked", {"layout": layout, "start": "random"}, seed=seed).state
        for cell in range(int(state[rules.WIDTH]) * int(state[rules.HEIGHT])):
            assert planner.ticks_to(state, 0, cell) == searched(state, cell)


def test_there_is_no_way_out_of_a_closed_room():
    state = Simulation("overcooked", {"layout": "forced_coordination"}).state
    onions = planner.stations(state, rules.ONIONS)
    assert not any(planner.reachable(state, 0, cell) for cell in onions)
    counters = planner.stations(state, rules.COUNTER)
    assert any(all(planner.reachable(state, seat, cell) for seat in range(2)) for cell in counters)
