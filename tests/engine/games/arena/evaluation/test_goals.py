"""Goal vectors and plain orders, told and untold: which are drawn, and what is counted."""

import numpy as np
import pytest

from engine import games
from engine.agents.catalogue import load
from engine.games.arena import goals as records
from engine.games.arena import lessons
from engine.games.arena import state as s
from engine.games.arena.evaluation import goals as measure
from engine.games.arena.evaluation import obedience, windows
from engine.games.arena.subgoal_table import CONTROLLABLE, COUNT
from engine.simulation.batch import world_of

OPTIONS = games.spec("arena").validate(windows.OPTIONS)


@pytest.fixture(scope="module")
def drawn():
    """(windows, what they came to, their ground) of twelve matches of the middle squad."""
    middle = load("arena/middle", "arena")
    begun = windows.drawn(middle, middle, OPTIONS, 12, seed=3)
    world = world_of(games.spec("arena"), OPTIONS)
    asked, ends = measure._ends(load("arena/strong", "arena"), middle, world, begun, seed=3)
    assert asked.shape == (len(ends), measure.TURNS, records.GOAL_SIZE)
    return begun, ends, world


def test_goals_are_what_scripted_mates_came_to_and_nothing_that_was_so_at_the_start(drawn):
    begun, ends, world = drawn
    before = measure._measured(begun, begun.states, world)
    for count in measure.DIMENSIONS:
        wanted, used, turns = measure._drawn(begun, ends, count, seed=3)
        assert len(wanted) > 0
        for goal, row, turn in zip(wanted, used, turns, strict=True):
            values = goal[records.VECTOR : records.VECTOR + COUNT] - 1
            chosen = np.flatnonzero(values >= 0)
            assert len(chosen) == count and CONTROLLABLE[chosen].all() and lessons.held_out(goal)
            assert (values[chosen] != before[row, chosen]).all()
            assert (ends[row, turn, chosen] == values[chosen]).all()
            assert goal[records.UNTIL] == begun.ends[row] > begun.states[row, s.TICK]


def test_who_reads_no_goal_vector_meets_as_many_told_as_untold(drawn):
    begun, ends, world = drawn
    idle = load("arena/idle", "arena")
    wanted, used, _ = measure._drawn(begun, ends, 2, seed=3)
    chosen = windows.Windows(begun.states[used], begun.seats[used], begun.ends[used])
    told, untold = (
        measure._met(idle, idle, world, chosen, wanted, asked, seed=3)
        for asked in (wanted, np.zeros_like(wanted))
    )
    assert np.array_equal(told, untold)


def test_windows_that_end_well_without_a_word_are_listed_apart_and_those_that_end_so_again():
    told, untold = np.array([1.0, 0.5, 0.75, 1.0]), np.array([0.0, 0.25, 0.75, 1.0])
    another = np.array([0.25, 0.25, 0.0, 0.0])
    row = measure._row(told, untold, another, np.array([0.5, 0.25, 1.0, 0.0]))
    assert row["n"] == 2 and row["gain"] == pytest.approx(0.625) and row["told"] == 0.75
    assert row["repeated"]["n"] == 1 and row["repeated"]["gain"] == 1.0 and row["repeated"]["order"] == 0.5
    assert row["another"] == 0.25
    assert row["often"]["n"] == 2 and row["often"]["told"] == row["often"]["untold"] == 0.875
    none = measure._row(told[3:], untold[3:], another[3:], untold[3:])
    assert none["n"] == 0 and none["repeated"] == {"n": 0} and none["often"]["n"] == 1


def test_the_whole_measure_has_every_order_by_its_name():
    found = measure.goals(load("arena/strong", "arena"), episodes=4, seed=2)
    assert set(found["dimensions"]) == {"2", "3", "4"}
    assert set(found["orders"]) == {"all", *measure.NAMES.values()}
    assert set(measure.NAMES) == {task.text for task in obedience.TASKS}
    every = found["orders"]["all"]
    assert every["n"] and every["told"] > every["untold"]
    assert len(measure.lines(found)) >= 2 + len(found["orders"])
