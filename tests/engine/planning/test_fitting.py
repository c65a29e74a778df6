"""Steps that somebody thought of, followed through a game's world."""

from __future__ import annotations

from engine.games.plans import Wanted
from engine.planning.fitting import ahead, fitted, follow
from engine.planning.planners.search import UNKNOWN_TICKS
from engine.planning.steps import Proposed
from tests.engine.planning.garden import Chore, Garden

GARDEN = Garden({"fill": Chore({0: 5, 1: 9}), "water": Chore({1: 5}, needs=("fill",)), "dig": Chore({1: 2})})
WANTED = Wanted((0, 1))
ACTS = {"fill", "water", "dig"}


def test_a_seat_waits_for_what_others_make_possible() -> None:
    followed = follow(GARDEN, [Proposed(1, "water"), Proposed(0, "fill")], ACTS)
    assert [option and option.program for option in followed.found.values()] == ["fill", "water"]


def test_a_seat_waits_for_what_the_step_says_too() -> None:
    followed = follow(GARDEN, [Proposed(0, "fill"), Proposed(1, "dig", after=(0,))], ACTS)
    assert list(followed.found) == [0, 1]


def test_what_nobody_makes_possible_is_not_waited_for() -> None:
    followed = follow(GARDEN, [Proposed(1, "water"), Proposed(1, "dig")], ACTS)
    assert followed.found[0] is None and followed.instead[0] == ["fill", "dig"]
    assert followed.found[1] is not None


def test_acts_that_the_world_does_not_have_take_their_time() -> None:
    followed = follow(GARDEN, [Proposed(1, "sing"), Proposed(0, "fill"), Proposed(1, "water")], ACTS)
    assert followed.found[0] is None and followed.found[2] is not None


def test_what_the_game_says_nothing_of_has_time_too() -> None:
    [sing, fill] = fitted(GARDEN, WANTED, [Proposed(1, "sing"), Proposed(0, "fill")]).steps
    assert (sing.ticks, sing.place, fill.ticks) == (UNKNOWN_TICKS, None, 5)


def test_what_can_be_done_later_is_looked_for() -> None:
    assert {option.program for option in ahead(GARDEN)} == {"fill", "water", "dig", ""}


def test_steps_get_their_ticks_places_and_what_comes_before() -> None:
    fit = fitted(GARDEN, WANTED, [Proposed(0, "fill"), Proposed(1, "dig"), Proposed(1, "water")])
    assert [step.ticks for step in fit.steps] == [5, 2, 8]
    assert [step.place for step in fit.steps] == [(0, 0), (1, 2), (1, 1)]
    assert [step.after for step in fit.steps] == [(), (), (0,)]
    assert not fit.wrong and not fit.lost


def test_what_is_fixed_comes_first_and_is_not_done_twice() -> None:
    wanted = Wanted((0, 1), fixed={1: ("dig times=2",)})
    fit = fitted(GARDEN, wanted, [Proposed(1, "dig"), Proposed(0, "fill", after=(0,))])
    assert [(step.seat, step.program) for step in fit.steps] == [(1, "dig times=2"), (0, "fill")]
    assert fit.origin == {1: 1}


def test_what_is_fixed_and_cannot_be_done_is_lost() -> None:
    fit = fitted(GARDEN, Wanted((0, 1), fixed={0: ("water",), 1: ("sing",)}))
    assert fit.lost == {(0, "water")}


def test_without_the_wrong_steps_nobody_waits_for_them() -> None:
    steps = [Proposed(0, "water"), Proposed(0, "fill", after=(0,)), Proposed(1, "dig", after=(1,))]
    fit = fitted(GARDEN, WANTED, steps)
    assert fit.wrong == {0: "seat 0 can't do “water” then; what it could do: “fill”."}
    assert [(step.program, step.after) for step in fit.right()] == [("fill", ()), ("dig", (0,))]
