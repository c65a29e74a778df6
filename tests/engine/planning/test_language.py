"""Plans by a language model, through a real client and a real server, which says what a test wants it to."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.games.plans import Wanted
from engine.language.decide import write
from engine.language.decisions.trouble import Unsupported
from engine.planning import prompt
from engine.planning.planners import language, search
from engine.planning.steps import Proposal
from engine.simulation.simulation import Simulation
from tests.waiting import PATIENCE

WANTED = Wanted((0, 1))
FILL = {"seat": 0, "program": "fill what=onion times=3", "after": []}
SERVE = {"seat": 1, "program": "serve times=1", "after": [0]}
SIDES = ("left", "right")
WHY = "{0} fills the pot while {1} gets a plate."


def kitchen(**options: Any) -> Simulation:
    return Simulation("overcooked", {"layout": "cramped_room", **options}, 3)


def plan_of(*steps: dict[str, Any], **more: Any) -> str:
    return json.dumps({"thoughts": "…", "goal": "a soup", "steps": list(steps), "why": WHY, **more})


def told(proposal: Proposal) -> list[tuple[int, str, tuple[int, ...]]]:
    return [(step.seat, step.program, step.after) for step in proposal.steps]


def soon(sim: Simulation, wanted: Wanted) -> Proposal:
    """The plan once the model has answered."""
    until = time.monotonic() + PATIENCE
    while (made := language.plan(sim, wanted)) is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    return made


def test_a_plan_that_a_model_writes_is_taken_with_what_the_game_knows_of_it(chats):
    script = chats(plan_of(FILL, SERVE))
    made = language.waited(kitchen(), WANTED)
    assert told(made) == [(0, "fill what=onion times=3", ()), (1, "serve times=1", (0,))]
    assert made.why == WHY and made.steps[0].ticks > 10 and made.steps[0].place == (2, 0)
    [asked] = made.asked
    assert json.loads(asked["answer"])["goal"] == "a soup" and "refused" not in asked
    assert (asked["model"], asked["tokens"], asked["cost"]) == ("scripted-1", 1000, 0.002)
    assert "Cooks share a kitchen" in asked["prompt"] and '"pot: empty"' in asked["prompt"]
    [body] = script.bodies
    assert body["response_format"]["json_schema"]["schema"] == prompt.schema(WANTED)


def test_a_model_reads_what_is_wanted_and_what_each_seat_does_can_do_and_is_not_to_do(chats):
    script = chats(plan_of(FILL))
    wanted = Wanted(
        (0, 1),
        people=frozenset({1}),
        goal=({"act": "serve", "times": 3},),
        banned={1: ({"act": "fill"},)},
        fixed={0: ("fill what=onion times=1",)},
    )
    language.waited(kitchen(), wanted)
    asked = json.loads(script.last_words(0))
    assert asked["wanted"] == "serve times=3"
    zero, one = asked["seats"]["0"], asked["seats"]["1"]
    assert zero["does"] == ["fill what=onion times=1"] and one["is not to"] == ["fill"]
    assert "person" in one["who"] and "person" not in zero["who"]
    assert {option["program"] for option in zero["options"]} > {"fill what=onion times=2"}
    assert all(option["ticks"] > 0 for option in zero["options"])
    assert "fill" not in {option["program"].split()[0] for option in one["options"]}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("I'd say that 0 fills the pot.", "The answer isn't JSON"),
        (plan_of(), "“steps” must be a list of steps, at least one"),
        (plan_of(*[FILL] * 41), "41 steps; a plan has 40 at most"),
        (plan_of({"seat": "0", "program": "serve", "after": []}), "Step 0 must be"),
        (plan_of({**FILL, "program": "dance"}), "“dance” is no act of overcooked"),
        (plan_of({**FILL, "program": "fill what=cheese"}), "what=cheese is not allowed"),
        (plan_of({**FILL, "program": "talk kind=chat"}), "asks for nothing that a seat can do"),
        (plan_of({**FILL, "seat": 2}), "seat 2, but there is no such seat in the team; the seats are 0, 1"),
        (plan_of(FILL, {**SERVE, "after": [1]}), "Step 1 is after [1]; a step can only wait for steps"),
        (plan_of({**SERVE, "after": []}), "seat 1 can't do “serve times=1” then; what it could do: “fill"),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused_with_a_reason_and_asked_for_again(chats, wrong, reason):
    script = chats(wrong, plan_of(FILL, SERVE))
    made = language.waited(kitchen(), WANTED)
    assert told(made)[0] == (0, "fill what=onion times=3", ())
    assert reason in script.last_words(1) and len(script.bodies) == 2
    assert script.bodies[1]["messages"][-2] == {"role": "assistant", "content": wrong}
    first, second = made.asked
    assert reason in first["refused"] and "refused" not in second
    assert reason in second["prompt"] and "Cooks share" not in second["prompt"]


def test_what_a_seat_is_not_to_do_or_people_told_it_otherwise_is_refused(chats):
    script = chats(
        plan_of(FILL), plan_of({**FILL, "seat": 1}), plan_of({**FILL, "program": "fill what=onion"})
    )
    wanted = Wanted((0,), banned={0: ({"act": "fill", "what": "onion", "times": 3},)}, busy=frozenset({1}))
    made = language.waited(kitchen(), wanted)
    assert "seat 0 is not to do “fill what=onion times=3”" in script.last_words(1)
    assert "seat 1, but people told it what to do" in script.last_words(2)
    assert made.why.startswith(language.UNUSABLE)


def test_after_three_plans_that_cannot_be_used_it_is_searched(chats):
    script = chats("no")
    made = language.waited(kitchen(), WANTED)
    assert len(script.bodies) == 3 == len(made.asked) and made.why.startswith(language.UNUSABLE)
    assert told(made) == told(search.plan(kitchen(), WANTED))


def test_a_model_may_write_a_fence_around_its_answer_and_slots_in_another_order(chats):
    chats(f"```json\n{plan_of({**FILL, 'program': 'fill times=3 what=onion'})}\n```")
    assert told(language.waited(kitchen(), WANTED)) == [(0, "fill what=onion times=3", ())]


def test_what_the_games_world_does_not_have_is_the_models_to_say(chats):
    chats(plan_of({"seat": 1, "program": "wait at=serve until=ready", "after": []}, FILL))
    made = language.waited(kitchen(), WANTED)
    assert (1, "wait at=serve until=ready", ()) in told(made) and made.why == WHY


def test_the_game_is_told_of_the_steps_that_it_is_to_fit(chats):
    ways = [
        {"seat": seat, "program": f"go at=goal side={side}", "after": []} for seat, side in enumerate(SIDES)
    ]
    script = chats(plan_of(*ways))
    made = language.waited(Simulation("frozen_lake_2", {}, 1), WANTED)
    assert made.why == WHY and len(script.bodies) == 1 and all(step.ticks > 1 for step in made.steps)


def test_the_same_is_not_asked_twice(chats):
    script = chats(plan_of(FILL, SERVE))
    first, again = language.waited(kitchen(), WANTED), language.waited(kitchen(), WANTED)
    assert len(script.bodies) == 1 and told(first) == told(again)
    assert again.asked[0]["requests"] == 0 and again.asked[0]["answer"] == first.asked[0]["answer"]


def test_nobody_waits_for_a_slow_model(chats):
    script, sim = chats(plan_of(FILL, SERVE), opened=False), kitchen()
    begun = time.monotonic()
    assert language.plan(sim, WANTED) is None and language.plan(sim, WANTED) is None
    assert time.monotonic() - begun < 30
    script.gate.set()
    assert soon(sim, WANTED).why == WHY and len(script.bodies) == 1


def test_an_answer_is_fitted_to_the_state_in_which_it_comes(chats):
    script, sim = chats(plan_of(FILL, SERVE), opened=False), kitchen()
    assert language.plan(sim, WANTED) is None
    script.gate.set()
    # Meanwhile seat 0 is at the first step, as the plan before said so, too.
    made = soon(sim, replace(WANTED, fixed={0: ("fill what=onion times=3",)}))
    assert told(made) == [(0, "fill what=onion times=3", ()), (1, "serve times=1", (0,))]


def test_an_answer_of_which_nothing_is_left_came_too_late(chats):
    script, sim = chats(plan_of(FILL), opened=False), kitchen()
    assert language.plan(sim, WANTED) is None
    script.gate.set()
    made = soon(sim, replace(WANTED, banned={0: ({"act": "fill"},)}))  # it has failed at it meanwhile
    assert made.why.startswith(language.LATE)
    assert "fill" not in {step.program.split()[0] for step in made.steps if step.seat == 0}


def test_another_goal_is_asked_about_anew_and_the_old_answer_dropped(chats):
    def answer(body: dict[str, Any]) -> str:
        return plan_of(FILL, why=json.loads(body["messages"][1]["content"])["wanted"])

    script, sim = chats(answer, opened=False), kitchen()
    assert language.plan(sim, WANTED) is None
    other = replace(WANTED, goal=({"act": "serve", "times": 2},))
    assert language.plan(sim, other) is None
    script.gate.set()
    assert soon(sim, other).why == "serve times=2"


def test_the_manual_is_kept_once_a_game(chats):
    chats(plan_of(FILL), plan_of(FILL, SERVE))
    sim = kitchen()
    first = soon(sim, WANTED)
    sim.step([4, 4])
    second = soon(sim, WANTED)
    assert "Cooks share" in first.asked[0]["prompt"]
    assert second.asked[0]["prompt"].startswith(language.MANUAL) and "pot: empty" in second.asked[0]["prompt"]


def test_without_a_server_it_is_searched_and_the_server_left_alone_for_a_while(model, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        model(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
    made = language.waited(kitchen(), WANTED)
    assert made.why.startswith(language.STOOD_IN) and "can't be reached" in made.asked[0]["answer"]
    assert told(made) == told(search.plan(kitchen(), WANTED))
    begun = time.monotonic()
    again = language.waited(kitchen(), WANTED)
    assert not again.asked and time.monotonic() - begun < 30


def test_a_server_that_never_answers_costs_no_more_than_the_time_limit(chats):
    chats(plan_of(FILL), opened=False, seconds="0.5")
    made = language.waited(kitchen(), WANTED)
    assert made.why.startswith(language.STOOD_IN) and "no answer" in made.asked[0]["answer"]


@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_server_that_answers_errors_is_stood_in_for(chats, status):
    chats(status, seconds="1")
    made = language.waited(kitchen(), WANTED)
    assert made.why.startswith(language.STOOD_IN) and made.steps


def test_settings_that_make_no_sense_are_told_to_admins(monkeypatch, fresh_var):
    monkeypatch.setenv("COPLAY_LANGUAGE_PROVIDER", "endpoint")
    made = language.waited(kitchen(), WANTED)
    assert "variables of the language model" in made.asked[0]["answer"] and made.steps


def test_the_embedded_model_chooses_among_what_can_be_done_and_says_that_it_guesses(monkeypatch, fresh_var):
    for name in ("PROVIDER", "URL", "MODEL"):
        monkeypatch.delenv(f"COPLAY_LANGUAGE_{name}", raising=False)
    made = language.waited(kitchen(), WANTED)
    assert "take that for a guess" in made.why and len(made.asked) == language.EACH * 2
    assert {step.seat for step in made.steps} <= {0, 1} and made.steps
    assert all(asked["answer"] in asked["prompt"] for asked in made.asked)
    with pytest.raises(Unsupported, match="COPLAY_LANGUAGE_PROVIDER=endpoint"):
        write([{"role": "user", "content": "Hello"}], {})


def test_a_model_that_only_answers_questions_chooses_the_steps(model, served, monkeypatch):
    model(f"{served}/decisions/v1", key="sk-the-right-key")
    made = language.waited(kitchen(), WANTED)
    assert not made.why.startswith(language.STOOD_IN) and made.steps
    assert all(asked["model"].endswith("by decisions") for asked in made.asked)


def test_a_tiny_model_that_chats_is_asked_three_times_and_stood_in_for(
    model, served, seen: Callable[[], Any]
):
    model(f"{served}/json/v1", key="sk-the-right-key")
    made = language.waited(kitchen(), WANTED)
    assert made.why.startswith(language.UNUSABLE) and len(made.asked) == 3
    assert all(asked["refused"] for asked in made.asked)
    assert seen()["last"]["json"]["path"] == "/chat/completions"
