"""The process in which the plans of a host's matches are made."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

from engine.planning.serve import Planning
from engine.simulation.planned import Outcome
from tests.engine.planning.lake import DOWN, STAY, header
from tests.services import ROOT
from tests.waiting import PATIENCE

ON = {"type": "plan_edit", "tick": 0, "seat": 1, "side": 0, "do": "on"}


def request(number: int, start: int, *records: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": number, "match": "m", "from": start, "actions": [], "records": list(records), **more}


def first(number: int = 1, **more: Any) -> dict[str, Any]:
    return request(number, 0, ON, header=header(), **more)


def test_a_match_gets_its_plan_and_what_becomes_of_it() -> None:
    planning = Planning()
    answer = planning.answer(first())
    assert (
        answer["tick"] == 0 and [record["type"] for record in answer["records"]] == ["plan"] + ["planned"] * 2
    )
    steps = {step["id"]: step for step in answer["records"][0]["steps"]}
    assert answer["records"][0]["planner"] == "search"
    begun = [steps[record["id"]] for record in answer["records"][1:]]
    assert {step["seat"] for step in begun} == {0, 1}
    # The seat goes where it is to go; the records of the answer aren't sent back.
    column, row = next(step["place"] for step in begun if step["seat"] == 0)
    assert column == 0 < row
    later = planning.answer(request(2, 0, actions=[[DOWN, STAY]] * row))
    done = [record for record in later["records"] if record.get("state") == Outcome.DONE]
    assert later["tick"] == row and [record["id"] for record in done] == [begun[0]["id"]]


def test_a_game_that_is_not_here_is_asked_for_from_its_beginning() -> None:
    planning = Planning()
    assert planning.answer(request(1, 0)) == {"id": 1, "forgotten": True}
    planning.answer(first(2))
    assert planning.answer(request(3, 7)) == {"id": 3, "forgotten": True}
    assert planning.answer(request(4, 0))["tick"] == 0


def test_a_game_that_is_begun_again_from_its_log_goes_on_with_its_plan() -> None:
    planning = Planning()
    records = planning.answer(first())["records"]
    again = planning.answer(request(2, 0, ON, *records, header=header()))
    assert again["records"] == [], "there is a plan"
    told = planning.games["m"][1][0].told.plan
    assert [step["id"] for step in told.steps(0)] == [step["id"] for step in records[0]["steps"]]


def test_a_fault_is_told_and_the_game_begun_anew() -> None:
    planning = Planning()
    planning.answer(first())
    answer = planning.answer(request(2, 0, actions=[[9, 9]]))
    assert answer["id"] == 2 and answer["error"]
    assert planning.answer(request(3, 0)) == {"id": 3, "forgotten": True}
    assert "no planner “best”" in planning.answer(first(4, planner="best"))["error"]


def test_sides_have_plans_of_their_own_and_no_id_twice() -> None:
    planning = Planning()
    seats = [{"kind": "person"}, {"kind": "agent"}] * 2
    arena = {"game": "arena", "options": {"teams": 2, "team_size": 2}, "seed": 1, "seats": seats}
    records = [ON, {**ON, "side": 1, "seat": 2}]
    answer = planning.answer({**request(1, 0, *records), "header": arena})
    plans = [record for record in answer["records"] if record["type"] == "plan"]
    assert [plan["side"] for plan in plans] == [0, 1]
    ids = [step["id"] for plan in plans for step in plan["steps"]]
    assert ids and len(set(ids)) == len(ids)
    assert {step["seat"] for step in plans[0]["steps"]} <= {0, 1}
    assert {step["seat"] for step in plans[1]["steps"]} <= {2, 3}


def test_the_process_answers_line_by_line() -> None:
    lines = "".join(json.dumps(one) + "\n" for one in (first(1), request(2, 0), request(3, 5)))
    command = [sys.executable, "-m", "engine.planning.serve"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT, timeout=600)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2, 3], done.stderr[-2000:]
    assert answers[0]["records"] and answers[2]["forgotten"]


def test_a_match_goes_on_while_a_language_model_plans(chats) -> None:
    steps = [{"seat": 0, "program": "go column=1 row=3", "after": []}]
    script = chats(json.dumps({"thoughts": "", "goal": "", "steps": steps, "why": "{0} goes."}), opened=False)
    planning = Planning()
    assert planning.answer(first(1, planner="language"))["records"] == []
    moved = planning.answer(request(2, 0, actions=[[DOWN, STAY]]))
    assert (moved["tick"], moved["records"]) == (1, [])
    script.gate.set()
    until, records = time.monotonic() + PATIENCE, []
    while not records and time.monotonic() < until:
        records = planning.answer(request(3, 1))["records"]
    plan, begun = records
    assert (plan["planner"], plan["tick"]) == ("language", 1) and "{0} goes." in plan["why"]
    assert plan["steps"][0]["program"]["means"] == "go column=1 row=3"
    assert plan["asked"][0]["answer"] and begun["state"] == Outcome.DOING
