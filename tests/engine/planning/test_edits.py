"""What a person changes about a plan."""

from __future__ import annotations

from typing import Any

import pytest

from engine.planning.edits import edited
from engine.planning.steps import Proposed, carried
from engine.refusal import Refusal
from engine.simulation.planned import BY_PERSON, Outcome
from tests.engine.planning.lake import DOWN, GAME, STAY, Lake, go

DOING, AHEAD = Outcome.DOING, Outcome.AHEAD


def added(notation: str, to: int, before: str | None = None) -> dict:
    program = carried(GAME, notation)
    return {"to": to, "before": before, "program": program, "says": program["says"]}


def test_a_step_that_is_crossed_out_is_gone_at_once_and_not_planned_for_that_seat_again() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), go(1, 3, 1, 0))
    lake.look()
    records = lake.edit("drop", step="0.1.0")
    assert [record["type"] for record in records] == ["plan_edit", "plan", "planned", "planned"]
    assert lake.steps() == [(0, "go column=1 row=3", DOING), (1, "go column=3 row=1", DOING)]
    assert lake.plan.states["0.1.0"] == Outcome.DROPPED
    lake.look()
    assert lake.asked[-1].banned[0] == ({"act": "go", "column": 1, "row": 2},)


def test_what_was_crossed_out_may_be_planned_again_once_the_plan_was_off() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1))
    lake.look()
    lake.edit("drop", step="0.1.0")
    lake.edit("on")  # as somebody else's page does that hasn't heard yet that it is on
    lake.look()
    assert lake.asked[-1].banned
    lake.edit("off")
    lake.edit("on")
    lake.look()
    assert not lake.asked[-1].banned
    assert (0, "go column=1 row=2", DOING) in lake.steps()


def test_the_rest_is_planned_anew_after_an_edit() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.edit("drop", step="0.1.0")
    lake.proposed = [go(0, 1, 3)]
    plan = lake.look()[0]
    assert plan["why"] == "{1} changed the plan." and lake.steps() == [(0, "go column=1 row=3", DOING)]


def test_a_step_goes_to_another_seat_as_a_new_one_and_stays_there() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), people=())
    lake.look()
    lake.edit("move", step="0.1.1", to=1, before=None)
    assert lake.steps() == [(0, "go column=1 row=2", DOING), (1, "go column=1 row=3", DOING)]
    assert lake.ids() == ["0.1.0", "0.2.0"] and lake.plan.steps(0)[1]["by"] == 1
    lake.proposed = [go(0, 1, 2), go(1, 1, 3)]
    lake.look()
    assert lake.asked[-1].fixed == {0: ("go column=1 row=2",), 1: ("go column=1 row=3",)}
    assert lake.ids() == ["0.1.0", "0.2.0"] and lake.plan.steps(0)[1]["by"] == 1


def test_what_a_person_puts_first_is_done_first_and_the_other_put_off() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3))
    lake.look()
    records = lake.edit("move", step="0.1.1", to=0, before="0.1.0")
    assert [(record["id"], record["state"]) for record in records[2:]] == [("0.1.0", AHEAD), ("0.1.1", DOING)]
    assert lake.steps() == [(0, "go column=1 row=3", DOING), (0, "go column=1 row=2", AHEAD)]
    assert lake.running.told.default(0)[0]["means"] == "go column=1 row=3"


def test_the_order_that_a_person_gives_a_seat_is_kept() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), go(0, 1, 1))
    lake.look()
    lake.edit("move", step="0.1.1", to=0, before=None)
    order = ("go column=1 row=2", "go column=1 row=1", "go column=1 row=3")
    assert tuple(step[1] for step in lake.steps()) == order
    lake.look()
    assert lake.asked[-1].fixed[0] == order


def test_a_step_that_a_person_adds_is_in_every_later_plan_until_it_is_over() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.edit("add", **added("go column=2 row=1", 0, "0.1.0"))
    assert lake.steps() == [(0, "go column=2 row=1", DOING), (0, "go column=1 row=2", AHEAD)]
    lake.proposed = []  # a planner that forgets it
    lake.look()
    assert [step[1] for step in lake.steps()] == ["go column=2 row=1"]


def test_an_added_step_has_time_even_if_the_planner_knows_nothing_of_it() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.edit("add", **added("go column=2 row=1", 0, "0.1.0"))
    lake.proposed = []
    for _ in range(60):
        assert Outcome.FAILED not in [record.get("state") for record in lake.step(STAY, STAY)]
    assert lake.steps() == [(0, "go column=2 row=1", DOING)]


def test_an_added_step_is_a_persons_own_too() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.edit("add", **added("go column=3 row=1", 1))
    lake.look()
    assert lake.asked[-1].fixed[1] == ("go column=3 row=1",)


def test_the_plan_goes_off_and_on() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.edit("off")
    assert lake.steps() == [] and lake.running.told.default(0) == [] and lake.step(STAY, STAY) == []
    lake.edit("on")
    assert lake.look()[0]["why"] == "The work is planned from now on."


def test_ids_are_never_used_twice() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1), people=())
    lake.look()
    for row in (2, 3, 4):
        lake.edit("add", **added(f"go column=1 row={row}", 0))
        lake.proposed = [go(0, 1, 2), go(1, 3, 1), go(1, 2, 1)]
        lake.step(STAY, STAY)
    plans = [record for record in lake.records if record["type"] == "plan"]
    assert len({plan["id"] for plan in plans}) == len(plans)
    programs: dict[str, set] = {}
    for plan in plans:
        assert len({step["id"] for step in plan["steps"]}) == len(plan["steps"])
        for step in plan["steps"]:
            programs.setdefault(step["id"], set()).add((step["seat"], step["program"]["means"]))
    assert all(len(one) == 1 for one in programs.values())


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ({"do": "drop", "step": "0.9.9"}, "over"),
        ({"do": "move", "step": "0.1.0", "to": 5, "before": None}, "seats of one's own side"),
        ({"do": "move", "step": "0.1.0", "to": 0, "before": "0.9.9"}, "over or was replaced"),
    ],
)
def test_edits_of_what_is_not_there_are_refused(edit: dict, reason: str) -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    before = lake.steps()
    with pytest.raises(Refusal, match=reason):
        lake.edit(**edit)
    assert lake.steps() == before


def renewed(*steps: Proposed, **edit: Any) -> Lake:
    """A plan of three steps of seat 0, in whose place a new one has these; then an edit of what was on the
    page before.
    """
    lake = Lake(go(0, 1, 2), go(0, 1, 3), go(0, 3, 1), people=())
    lake.look()
    lake.running.due, lake.proposed = "Something happened.", list(steps)
    lake.look()
    lake.edit(**edit)
    return lake


def test_a_step_that_a_new_plan_left_out_while_it_was_dragged_is_done_by_whom_it_was_given_to() -> None:
    lake = renewed(go(0, 1, 2), do="move", step="0.1.1", to=1, before=None)
    assert lake.steps() == [(0, "go column=1 row=2", DOING), (1, "go column=1 row=3", DOING)]
    assert lake.plan.steps(0)[1]["by"] == 1 and len({*lake.ids()}) == 2
    lake.look()
    assert lake.asked[-1].fixed[1] == ("go column=1 row=3",)


def test_a_step_that_a_new_plan_gave_to_another_seat_while_it_was_dragged_is_in_it_once() -> None:
    lake = renewed(go(0, 1, 2), go(1, 1, 3), do="move", step="0.1.1", to=0, before=None)
    assert lake.steps() == [(0, "go column=1 row=2", DOING), (0, "go column=1 row=3", AHEAD)]


@pytest.mark.parametrize(
    ("edit", "becomes"),
    [
        # Another seat's was there before; its own seat's is the one that is left.
        ({"step": "0.1.1", "to": 0}, [(0, 2), (1, 3), (0, 3)]),
        ({"step": "0.1.3", "to": 1}, [(1, 3), (1, 2)]),
        ({"step": "0.1.3", "to": 0, "before": "0.1.0"}, [(0, 2), (0, 2), (1, 3)]),  # not before itself
    ],
)
def test_of_two_equal_steps_nobody_elses_is_taken(edit: dict, becomes: list) -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), go(1, 1, 3), go(0, 1, 2), people=())
    lake.look()
    lake.running.due, lake.proposed = "Something happened.", [go(0, 1, 2), go(1, 1, 3)]
    lake.look()
    lake.edit("move", **{"before": None} | edit)
    assert [(seat, f"go column=1 row={row}") for seat, row in becomes] == [step[:2] for step in lake.steps()]
    assert len({*lake.ids()}) == len(becomes)


@pytest.mark.parametrize("edit", [{"do": "drop", "step": "0.1.1"}, {"do": "off"}])
def test_what_was_crossed_out_is_not_brought_back_by_who_had_it_in_hand(edit: dict) -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), people=())
    lake.look()
    lake.edit(**edit)
    lake.edit("on")
    before = lake.steps()
    with pytest.raises(Refusal, match="That step was crossed out"):
        lake.edit("move", step="0.1.1", to=1, before=None)
    assert lake.edit("drop", step="0.1.1") == [] and lake.steps() == before


def test_a_step_put_before_one_that_a_new_plan_left_out_comes_after_what_is_being_done() -> None:
    lake = renewed(go(0, 1, 2), go(0, 1, 1), go(0, 3, 1), do="move", step="0.1.2", to=0, before="0.1.1")
    order = ["go column=1 row=2", "go column=3 row=1", "go column=1 row=1"]
    assert [means for seat, means, _ in lake.steps() if seat == 0] == order


def test_a_step_put_before_one_that_is_over_comes_first() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), go(1, 3, 1), people=())
    lake.look()
    lake.proposed = [go(0, 1, 3), go(1, 3, 1)]
    lake.step(DOWN, STAY)
    assert lake.plan.states["0.1.0"] == Outcome.DONE
    lake.edit("move", step="0.1.2", to=0, before="0.1.0")
    order = ["go column=3 row=1", "go column=1 row=3"]
    assert [means for seat, means, _ in lake.steps() if seat == 0] == order


def test_what_a_new_plan_left_out_while_it_was_crossed_out_isnt_planned_again() -> None:
    lake = renewed(go(0, 1, 2), do="drop", step="0.1.1")
    lake.look()
    assert lake.asked[-1].banned[0] == ({"act": "go", "column": 1, "row": 3},)


def test_what_is_over_and_what_another_side_does_cannot_be_moved() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3))
    lake.look()
    lake.step(DOWN, STAY)
    with pytest.raises(Refusal, match="That step is over"):
        lake.edit("move", step="0.1.0", to=1, before=None)
    theirs = {"type": "plan_edit", "tick": 1, "seat": 1, "side": 0, "do": "move", "step": "0.1.1", "to": 1}
    with pytest.raises(Refusal, match="That step is over"):
        edited(lake.running.told, [1], theirs)


def test_a_plan_that_is_off_cannot_be_changed_and_one_has_forty_steps_at_most() -> None:
    lake = Lake(*(go(0, 1, row) for row in (2, 3) * 20))
    lake.look()
    with pytest.raises(Refusal, match="40 steps at most"):
        lake.edit("add", **added("go column=1 row=1", 0))
    lake.edit("off")
    with pytest.raises(Refusal, match="turn the plan on first"):
        lake.edit("drop", step="0.1.0")


def test_a_plan_that_a_person_changed_says_so() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3))
    lake.look()
    plan = lake.edit("drop", step="0.1.1")[1]
    assert plan["planner"] == BY_PERSON and plan["why"] == "{1} changed the plan." and "asked" not in plan
    lake.proposed = []
    lake.step(DOWN, STAY)
    assert lake.steps() == []


def test_what_another_person_is_at_is_not_put_off() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3), people=(0, 1))
    lake.look()
    records = lake.edit("move", step="0.1.1", to=0, before="0.1.0")
    assert [record["type"] for record in records] == ["plan_edit", "plan"]
    assert lake.steps() == [(0, "go column=1 row=3", AHEAD), (0, "go column=1 row=2", DOING)]


def test_people_put_off_what_they_are_at_themselves() -> None:
    lake = Lake(go(1, 3, 1), go(1, 3, 2), people=(0, 1))
    lake.look()
    records = lake.edit("move", step="0.1.1", to=1, before="0.1.0")
    assert [(record["id"], record["state"]) for record in records[2:]] == [("0.1.0", AHEAD), ("0.1.1", DOING)]
