"""The search planner and its greedy control, in a world that the test makes up."""

from __future__ import annotations

import pytest

from engine.games.plans import Wanted
from engine.planning.planners import names, planner, search
from engine.planning.steps import Proposal
from engine.refusal import Refusal
from tests.engine.planning.garden import Chore, Garden

WANTED = Wanted((0, 1))


def planned(garden: Garden, wanted: Wanted = WANTED, **how: int) -> Proposal:
    return search.proposal(garden, search.searched(garden, wanted, **how))


def told(made: Proposal) -> dict[int, list[str]]:
    return {seat: [step.program for step in made.steps if step.seat == seat] for seat in WANTED.seats}


def test_whoever_is_nearer_does_it() -> None:
    garden = Garden({"rake": Chore({0: 30, 1: 3}), "dig": Chore({0: 4, 1: 30})})
    assert told(planned(garden)) == {0: ["dig"], 1: ["rake"]}


def test_a_step_comes_after_those_of_others_that_give_what_it_needs() -> None:
    garden = Garden({"fill": Chore({0: 5}), "water": Chore({1: 5}, needs=("fill",)), "rest": Chore({1: 1})})
    made = planned(garden)
    steps = {step.program: step for step in made.steps}
    order = [step.program for step in made.steps]
    assert steps["water"].after == (order.index("fill"),) and steps["rest"].after == ()


def test_nobody_waits_for_their_own_steps() -> None:
    garden = Garden({"fill": Chore({0: 5}), "water": Chore({0: 5}, needs=("fill",))})
    assert [step.after for step in planned(garden).steps] == [(), ()]


def test_search_sees_further_than_greedy() -> None:
    # Seat 0 alone can fetch the key, which opens what is worth most.
    garden = Garden(
        {"key": Chore({0: 2}, points=0), "door": Chore({0: 2}, 100, ("key",)), "leaf": Chore({0: 2}, 1)},
        (0.0, 99.0),
    )
    assert planned(garden).steps[0].program == "key"
    assert planned(garden, width=1, each=1).steps[0].program == "leaf"


def test_what_is_fixed_comes_first_and_in_its_order() -> None:
    garden = Garden({name: Chore({0: ticks, 1: ticks}) for name, ticks in (("a", 1), ("b", 9), ("c", 4))})
    made = planned(garden, Wanted((0, 1), fixed={1: ("b", "c")}))
    assert told(made) == {0: ["a"], 1: ["b", "c"]} and not made.lost


def test_what_is_fixed_and_cannot_be_done_is_lost_and_time_goes_by() -> None:
    garden = Garden({"a": Chore({0: 1, 1: 1})})
    made = planned(garden, Wanted((0, 1), fixed={0: ("fly",)}))
    assert made.lost == {(0, "fly")} and told(made) == {0: ["fly"], 1: ["a"]}


def test_a_seat_that_is_half_through_with_something_goes_on_with_it() -> None:
    garden = Garden({"dig times=2": Chore({0: 5, 1: 5})})
    made = planned(garden, Wanted((0, 1), fixed={0: ("dig times=3",)}))
    assert told(made)[0] == ["dig times=3"] and not made.lost


def test_why_is_said_by_who_else_would_have_needed_longer() -> None:
    garden = Garden({"rake": Chore({0: 30, 1: 3}), "dig": Chore({0: 4, 1: 30})}, (0.0, 1.0))
    assert planned(garden).why == "{1} is nearer to the next thing to do (3 against 30 ticks for {0})."


def test_where_there_is_nothing_to_do_nothing_is_planned() -> None:
    assert planned(Garden({})).steps == ()


def test_a_planner_that_is_none_is_refused_with_those_that_there_are() -> None:
    assert {"search", "greedy", "language"} <= set(names())
    with pytest.raises(Refusal, match="no planner “best”; there are greedy, language, search"):
        planner("best")
