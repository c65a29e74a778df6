"""Ways through kitchens, against a search that steps the rules' own poses."""

from collections import deque

import numpy as np
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


def test_moves_towards_a_station_lead_there():
    sim = Simulation("overcooked", {"layout": "counter_circuit"})
    out = np.zeros(6)
    left = planner.moves_towards(sim.state, 0, planner.stations(sim.state, rules.POT), out)
    for _ in range(left + 1):
        assert out.min() == -1
        sim.step([int(out.argmin()), rules.STAY])
        ticks = planner.moves_towards(sim.state, 0, planner.stations(sim.state, rules.POT), out)
    assert ticks == 0 and out[rules.INTERACT] == -1


def test_there_is_no_way_out_of_a_closed_room():
    state = Simulation("overcooked", {"layout": "forced_coordination"}).state
    out = np.ones(6)
    onions = planner.stations(state, rules.ONIONS)
    assert not any(planner.reachable(state, 0, cell) for cell in onions)
    assert planner.moves_towards(state, 0, onions, out) == planner.FAR and not out.any()
    assert planner.task_targets(state, 0, "fetch_onion") == []
    shared = planner.task_targets(state, 0, "hand_over")
    assert shared and all(planner.reachable(state, seat, cell) for cell in shared for seat in range(2))


def test_an_unknown_task_is_refused():
    state = Simulation("overcooked").state
    with pytest.raises(ValueError, match="no task 'dance'"):
        planner.task_targets(state, 0, "dance")
