"""A plan through a game: which steps are being done, done, failed or overtaken, and what is planned then."""

from __future__ import annotations

import pytest

from engine.planning.running import AGAIN_AFTER, LATE, RENEW_EVERY, SLACK, SLOW, SOON, Running
from engine.planning.steps import Proposal, Proposed
from engine.simulation.planned import Outcome
from engine.simulation.simulation import Simulation
from tests.engine.planning.lake import DOWN, GAME, LEFT, STAY, Lake, go

DOING, AHEAD, DONE, FAILED = Outcome.DOING, Outcome.AHEAD, Outcome.DONE, Outcome.FAILED


def states(records: list[dict]) -> list[tuple[str, str]]:
    return [(record["id"], record["state"]) for record in records if record["type"] == "planned"]


def test_nothing_is_planned_before_the_plan_is_on() -> None:
    lake = Lake(go(0, 1, 2))
    assert [record["type"] for record in lake.look()] == ["plan", "planned"]
    off = Running(lake.header, 0, "test", lake.propose)
    assert off.look(lake.sim) == []


def test_the_first_step_of_each_seat_begins_and_the_next_one_when_it_is_done() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1), go(0, 1, 3))
    lake.look()
    assert lake.steps() == [
        (0, "go column=1 row=2", DOING),
        (1, "go column=3 row=1", DOING),
        (0, "go column=1 row=3", AHEAD),
    ]
    lake.proposed = [go(1, 3, 1), go(0, 1, 3)]
    assert states(lake.step(DOWN, STAY)) == [("0.1.0", DONE), ("0.1.2", DOING)]
    assert lake.steps() == [(1, "go column=3 row=1", DOING), (0, "go column=1 row=3", DOING)]


def test_a_step_begins_only_when_those_before_it_are_over() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1, 0), go(1, 2, 1))
    lake.look()
    assert [state for *_, state in lake.steps()] == [DOING, AHEAD, AHEAD]
    lake.proposed = [go(1, 3, 1), go(1, 2, 1)]
    lake.step(DOWN, STAY)
    assert lake.steps() == [(1, "go column=3 row=1", DOING), (1, "go column=2 row=1", AHEAD)]


def test_steps_that_stay_in_the_plan_keep_their_ids() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1), go(0, 1, 3))
    lake.look()
    lake.proposed = [go(1, 3, 1), go(0, 2, 3), go(0, 1, 3)]
    lake.step(DOWN, STAY)
    assert lake.ids() == ["0.1.1", "0.2.1", "0.1.2"]


def test_a_notation_in_another_order_is_the_same_step() -> None:
    lake = Lake(go(0, 1, 3))
    lake.look()
    lake.proposed = [Proposed(0, "go row=3 column=1"), go(1, 3, 1)]

    lake.running.due = "anew"
    lake.look()
    assert lake.ids() == ["0.1.0", "0.2.1"] and lake.steps()[0][2] == DOING


def test_a_plan_that_changes_nothing_is_not_written_again() -> None:
    lake = Lake(go(0, 1, 3))
    lake.look()
    lake.running.due = "anew"
    assert lake.look() == []


def test_what_takes_too_long_has_failed_and_is_not_given_to_that_seat_again_for_a_while() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1))
    lake.look()
    late = int(LATE * 3 + SLACK) + 1
    records = [record for _ in range(late) for record in lake.step(STAY, STAY)]
    failed = [record for record in records if record.get("state") == FAILED]
    assert [record["id"] for record in failed] == ["0.1.0", "0.1.1"] and "{0} didn't get it done" in failed[
        0
    ]["why"]
    banned = lake.asked[-1].banned
    assert banned[0] == ({"act": "go", "column": 1, "row": 2},)
    assert banned[1] == ({"act": "go", "column": 3, "row": 1},)
    for _ in range(AGAIN_AFTER):
        lake.sim.step([STAY, STAY])
    assert not lake.running.wanted(lake.sim).banned


def test_what_somebody_was_told_is_nothing_that_is_planned_for_them() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.proposed = []
    lake.say("x", "go at=goal side=left", target=0)
    records = lake.look()
    assert [(record["type"], record.get("state")) for record in records][0] == ("planned", Outcome.OVERTAKEN)
    assert records[0]["why"] == "{0} was told something else."
    assert lake.asked[-1].busy == {0} and lake.asked[-1].seats == (1,)
    # The instruction is what the seat follows now.
    assert [one["means"] for one in lake.running.told.programs(0)] == ["go at=goal side=left"]


def test_once_somebody_is_through_with_what_they_were_told_they_are_planned_for_again() -> None:
    lake = Lake()
    lake.say("x", "go column=1 row=2", target=0)
    lake.look()
    assert lake.asked[-1].busy == {0}
    lake.proposed = [go(0, 1, 3)]
    lake.note({"type": "standing", "seat": 0, "id": "x", "state": "done"})
    lake.look()
    assert lake.asked[-1].busy == frozenset() and lake.steps() == [(0, "go column=1 row=3", DOING)]
    assert "{0} is through with what it was told." in lake.records[-2]["why"]


def test_an_instruction_that_is_taken_back_frees_the_seat() -> None:
    lake = Lake()
    lake.say("x", "go column=1 row=2", target=0)
    lake.look()
    lake.say("x", "go column=1 row=2", target=0, status="withdrawn")
    lake.look()
    assert lake.asked[-1].busy == frozenset()


def test_what_somebody_was_told_not_to_do_is_banned_and_they_are_planned_for() -> None:
    lake = Lake()
    lake.say("x", "not go column=1 row=2", target=0)
    lake.look()
    assert lake.asked[-1].busy == frozenset()
    assert lake.asked[-1].banned[0] == ({"act": "go", "column": 1, "row": 2},)


def test_what_a_person_says_to_all_is_the_goal_until_they_take_it_back() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.say("x", "go at=goal side=left")
    lake.proposed = [go(0, 1, 3)]
    plan = lake.look()[0]
    assert (plan["goal"], plan["seat"], plan["why"]) == ("go at=goal side=left", 1, "{1} asked for it.")
    assert lake.asked[-1].goal == ({"act": "go", "at": "goal", "side": "left"},)
    assert lake.running.told.of(0) == [] == lake.running.told.of(1), "it is nobody's own"
    lake.proposed = [go(0, 1, 2)]
    lake.say("x", "go at=goal side=left", status="withdrawn")
    plan = lake.look()[0]
    assert lake.asked[-1].goal == () and plan["goal"].startswith("Reach both goals") and plan["seat"] is None


def test_a_goal_replaces_the_one_before_and_what_nobody_is_to_do_holds_beside_it() -> None:
    lake = Lake()
    lake.say("one", "go at=goal side=left")
    lake.say("two", "not go column=1 row=2")
    lake.say("three", "go at=goal side=right")
    lake.look()
    assert lake.asked[-1].goal == ({"act": "go", "at": "goal", "side": "right"},)
    assert lake.asked[-1].banned == {0: ({"act": "go", "column": 1, "row": 2},)}


def test_what_speakers_keep_from_themselves_is_banned_for_them_and_never_an_agents_own() -> None:
    lake = Lake()
    program = {"game": GAME, "clauses": [], "means": "by=me not go at=goal side=left"}
    wish = {"type": "instruction", "id": "x", "seat": 1, "target_seat": None, "text": "not the left one"}
    lake.note({**wish, "status": "confirmed", "reading": {"program": program, "wish": program["means"]}})
    lake.look()
    assert lake.asked[-1].banned == {1: ({"act": "go", "at": "goal", "side": "left"},)}
    assert lake.asked[-1].goal == ()
    lake.edit("off")
    assert lake.running.told.of(0) == []
    lake.edit("on")
    lake.look()
    assert set(lake.asked[-1].banned) == {1}


def test_a_person_who_takes_over_is_planned_for_and_nothing_is_fixed_for_them() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1))
    lake.look()
    lake.note({"type": "control", "seat": 0, "controller": {"kind": "person", "name": "pia"}})
    lake.look()
    assert lake.asked[-1].people == {0, 1} and lake.asked[-1].fixed == {0: (), 1: ()}
    lake.note({"type": "control", "seat": 0, "controller": {"kind": "agent", "name": "walker"}})
    lake.look()
    assert lake.asked[-1].people == {1} and lake.asked[-1].fixed[0] == ("go column=1 row=2",)


def test_while_a_planner_thinks_the_last_plan_holds() -> None:
    lake = Lake(go(0, 1, 2), go(0, 1, 3))
    lake.look()
    lake.proposed = None
    assert states(lake.step(DOWN, STAY)) == [("0.1.0", DONE), ("0.1.1", DOING)]
    assert lake.step(STAY, STAY) == [] and len(lake.asked) == 3, "it is asked at each look"
    lake.proposed = [go(0, 1, 3), go(1, 3, 1)]
    assert [record["type"] for record in lake.step(STAY, STAY)] == ["plan", "planned"]


@pytest.mark.parametrize(
    ("other", "picks", "after"),
    [
        pytest.param("person", True, SOON, id="soon after a person did something"),
        pytest.param("person", False, RENEW_EVERY, id="where a person did nothing"),
        pytest.param("agent", True, RENEW_EVERY, id="agents keep to the plan"),
    ],
)
def test_what_cannot_be_done_any_more_is_overtaken_and_planned_anew(other, picks, after) -> None:
    sim = Simulation("overcooked", {"layout": "cramped_room"}, 1)
    seats = [{"kind": "agent"}, {"kind": other}]
    plans = [[Proposed(0, "serve times=1", 90.0)], [Proposed(0, "fill what=onion times=3")]]
    header = {"game": "overcooked", "options": sim.options, "seats": seats}
    running = Running(header, 0, "test", lambda sim, wanted: Proposal(tuple(plans.pop(0))))
    running.note({"type": "plan_edit", "tick": 0, "seat": 0, "side": 0, "do": "on"})
    running.look(sim)
    moves = [2, 5] if picks else []  # it turns to the onions and takes one
    records: list[dict] = []
    for tick in range(after):
        assert records == []
        sim.step([4, moves[tick] if tick < len(moves) else 4])
        records = running.look(sim)
    assert [record["type"] for record in records] == ["planned", "plan", "planned"]
    assert records[0]["state"] == Outcome.OVERTAKEN and records[0]["why"] in records[1]["why"]
    assert records[0]["why"] == "There is nothing left of that for {0}." and not plans


def test_nothing_that_an_agent_can_do_is_left_to_people() -> None:
    for people in ((), (1,), (0, 1)):
        lake = Lake(people=people)
        lake.look()
        assert lake.asked[-1].slow == dict.fromkeys(people, SLOW)


def test_how_long_things_took_is_learned_and_agents_alone_are_learned_from() -> None:
    lake = Lake(go(0, 1, 2, ticks=1), go(1, 3, 1, ticks=1))
    lake.look()
    for _ in range(3):
        lake.step(STAY, STAY)
    lake.step(DOWN, LEFT)
    assert lake.running.wanted(lake.sim).pace == {"go": (3.0 + 4.0) / 4.0}


def test_a_log_alone_gives_the_same_plan() -> None:
    lake = Lake(go(0, 1, 2), go(1, 3, 1), go(0, 1, 3))
    lake.look()
    lake.proposed = [go(1, 3, 1), go(0, 1, 3)]
    lake.step(DOWN, STAY)
    lake.say("x", "not go column=4 row=1")
    lake.look()
    for _ in range(36):
        lake.step(STAY, STAY)
    lake.edit("drop", step=lake.ids()[0]) if lake.ids() else None
    again = Running(lake.header, 0, "test", lake.propose)
    for record in lake.records:
        again.note(record)
    assert again.told.plan.__dict__ == lake.plan.__dict__
    assert again.wanted(lake.sim) == lake.running.wanted(lake.sim)
    assert (again.number, again.asked, again.due) == (
        lake.running.number,
        lake.running.asked,
        lake.running.due,
    )


def test_a_planner_that_proposes_what_cannot_be_said_is_a_fault() -> None:
    lake = Lake(Proposed(0, "fly"))
    try:
        lake.look()
    except ValueError as error:
        assert "The planner test proposed what can't be done: “fly” is no act" in str(error)
    else:
        raise AssertionError("it was taken")


def test_what_was_said_to_all_is_each_ones_own_while_the_plan_is_off() -> None:
    lake = Lake(go(0, 1, 2))
    lake.look()
    lake.say("x", "go at=goal side=left")
    lake.look()
    lake.step(STAY, STAY)
    lake.edit("off")
    (span,) = lake.running.told.of(0)
    assert (span.id, span.start, span.program["since_tick"]) == ("x", 1, 0)
    lake.step(STAY, STAY)
    lake.edit("on")
    lake.look()
    assert lake.running.told.of(0) == [] and lake.asked[-1].busy == frozenset()
    assert lake.asked[-1].goal == ({"act": "go", "at": "goal", "side": "left"},)
    assert [(span.id, span.end) for span in lake.running.told.spans] == [("x", 2)]


def test_a_plan_goes_by_what_was_said_to_all_before_it_unless_everybody_is_through_with_it() -> None:
    lake = Lake()
    lake.edit("off")
    lake.say("x", "go column=1 row=2")
    lake.say("y", "not go column=2 row=1")
    lake.note({"type": "standing", "seat": 0, "id": "x", "state": "done"})
    lake.edit("on")
    lake.look()
    assert lake.asked[-1].goal == () and lake.asked[-1].busy == frozenset()
    assert lake.asked[-1].banned[0] == ({"act": "go", "column": 2, "row": 1},)


def test_to_turn_a_plan_off_that_was_never_on_changes_nothing() -> None:
    lake = Lake()
    lake.edit("off")
    lake.say("x", "go column=1 row=2")
    lake.note({"type": "standing", "seat": 0, "id": "x", "state": "done"})
    lake.edit("off")
    assert lake.running.told.of(0) == []
