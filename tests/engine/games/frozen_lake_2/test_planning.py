"""The work of two on the lake, planned: who goes through a narrow place first, and who takes which goal."""

from __future__ import annotations

from typing import Any

import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games.frozen_lake_2 import planning
from engine.games.plans import Wanted
from engine.planning.planners import planner
from engine.planning.running import Running
from engine.planning.steps import made
from engine.simulation.log import header_of
from engine.simulation.simulation import Simulation
from tests.engine.games.frozen_lake_2.lakes_of import GAME, lake

BOTH = (0, 1)
MEET = ("1FA", "HFH", "BF2")  # each is to go past the other in a narrow place
# Seeds of drawn lakes on which walkers without a plan get into each other's way.
STUCK = (10, 21, 98)


def planned(sim: Simulation, **wanted: Any) -> list[tuple[int, str]]:
    proposal = planner("search")(sim, Wanted(**{"seats": BOTH, **wanted}))
    assert proposal is not None
    return [(step.seat, step.program) for step in proposal.steps]


def play(sim: Simulation, name: str | None = "search") -> Simulation:
    """A game of two walkers who follow a plan."""
    running = Running(header_of(sim, "a", [{"kind": "agent"}] * 2), 0, name or "search")
    walker = load("walker", GAME)
    if name:
        running.note({"type": "plan_edit", "tick": 0, "seat": 0, "side": 0, "do": "on"})
    while not sim.over:
        running.look(sim)
        joint = [act(walker, [sim], [seat], programs=[running.told.programs(seat)])[0] for seat in BOTH]
        tick = sim.tick
        sim.step(joint)
        running.note({"type": "step", "tick": tick, "actions": joint})
    return sim


@pytest.mark.parametrize("seed", STUCK)
def test_a_plan_leads_both_to_their_goals_where_walkers_get_stuck(seed: int) -> None:
    options = {"layout": "drawn", "horizon": 50}
    assert play(Simulation(GAME, options, seed=seed), None).score < 2
    assert play(Simulation(GAME, options, seed=seed)).score == 2


@pytest.mark.parametrize("layout", ["4x4", "8x8"])
def test_the_fixed_lakes_are_solved_as_fast_as_can_be(layout: str) -> None:
    sim = play(Simulation(GAME, {"layout": layout}))
    assert sim.score == 2 and sim.tick == {"4x4": 5, "8x8": 7}[layout]


def test_a_plan_is_steps_that_can_be_said() -> None:
    sim = Simulation(GAME, {"layout": "4x4"})
    steps = planned(sim)
    assert [program for seat, program in steps if seat == 0] == [
        *("go column=1 row=3", "go column=2 row=3", "go at=goal side=left"),
    ]
    assert [program for seat, program in steps if seat == 1] == [
        *("go column=3 row=1", "go column=3 row=4", "go at=goal side=right"),
    ]
    proposal = planner("search")(sim, Wanted(BOTH))
    assert proposal is not None
    names = [str(number) for number in range(len(proposal.steps))]
    for name, step in zip(names, proposal.steps, strict=True):
        assert made(GAME, name, step, names)["says"].startswith("I go to ")


def test_who_crosses_a_cell_that_the_other_leaves_comes_after_that_step() -> None:
    sim = lake("1FFFB", "2HHHA")
    options = {option.program: option for option in planning.world(sim, Wanted(BOTH)).options()}
    there = options["go column=3 row=1"]
    assert there.gives == ("{0} has left column 1, row 1", "{0} has left column 2, row 1")
    second = {option.program: option for option in there.then.options()}
    assert "go column=1 row=1" not in second, "it isn't free yet by the plan"
    waited = {option.program: option for option in second["wait times=2"].then.options()}
    after = {option.program: option for option in waited["wait times=2"].then.options()}
    assert after["go column=1 row=1"].needs == ("{0} has left column 1, row 1",)


def test_what_is_asked_for_is_planned_and_what_is_forbidden_is_not() -> None:
    sim = Simulation(GAME, {"layout": "8x8"})
    steps = planned(sim, goal=({"act": "go", "column": 4, "row": 1},))
    assert steps == [(0, "go column=4 row=1")]
    steps = planned(sim, banned={0: ({"act": "go", "at": "goal", "side": "left"},)})
    assert steps[-1][1].startswith("go at=goal") and (0, "go at=goal side=left") not in steps
    assert all(seat == 1 for seat, _ in planned(sim, seats=(1,), busy=frozenset([0])))


def test_what_a_seat_is_at_comes_first() -> None:
    sim = Simulation(GAME, {"layout": "8x8"})
    steps = planned(sim, fixed={0: ("go column=5 row=5",), 1: ("wait times=3",)})
    firsts = {seat: program for seat, program in reversed(steps)}
    assert firsts == {0: "go column=5 row=5", 1: "wait times=3"}


def test_people_who_see_coordinates_alone_are_told_of_no_hole() -> None:
    names = [thing["name"] for thing in planning.things(lake("1HB", "2FA"))]
    assert {"upper goal", "lower goal", "hole", "{0}", "{1}"} == set(names)
    assert [one["name"] for one in planning.things(lake("1HB", "2FA", sight="coordinates"))] == ["{0}", "{1}"]
