"""The plan of a side in a live match: made in a process beside it, changed by people, obeyed, in its log."""

import pytest
from asgiref.sync import sync_to_async

from engine.games.first import Course, of
from engine.simulation.told import told
from webapp.episodes.stores import log_store
from webapp.host import manager
from webapp.host.coaching import Coach

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def live(match):
    return manager.current_host().matches[match.pk]


async def plan_with_steps(page, fits=lambda steps: steps):
    """The first frame whose plan has steps left that fit."""
    while True:
        frame = await page.until("plan")
        steps = left(frame)
        if steps and fits(steps):
            return frame


def left(frame):
    return [step for step in (frame["plan"] or {"steps": []})["steps"] if step["state"] in ("ahead", "doing")]


async def planned_kitchen(make_kitchen, user, browse, **fields):
    match = await in_thread(make_kitchen, user, horizon=400, **fields)
    page = await browse(match, user)
    await page.send("plan", do="on")
    return match, page


async def test_a_player_turns_the_plan_on_and_agents_get_their_steps(make_kitchen, pia, browse):
    match, page = await planned_kitchen(make_kitchen, pia, browse)
    assert page.joined["plan"] is None
    frame = await plan_with_steps(page, lambda steps: any(one["state"] == "doing" for one in steps))
    assert frame["on"] and frame["plan"]["goal"] and {step["seat"] for step in left(frame)} <= {0, 1}
    doing = next(step for step in left(frame) if step["state"] == "doing" and step["seat"] == 1)
    (program,) = live(match).in_force.default(1)
    assert program["means"] == doing["means"]


async def test_a_plan_is_off_until_somebody_asks_for_it(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia)
    page = await browse(match, pia)
    await page.ticks(5)
    assert live(match).in_force.plan.plans == {}
    assert manager.current_host().planning.pid is None


async def test_an_edit_holds_at_once_and_stays(make_kitchen, pia, browse):
    match, page = await planned_kitchen(make_kitchen, pia, browse)
    frame = await plan_with_steps(page)
    step = next(one for one in left(frame) if one["seat"] == 1)
    before = next((one["id"] for one in left(frame) if one["seat"] == 0), None)
    await page.send("plan", do="move", step=step["id"], to=0, before=before)
    frame = await plan_with_steps(page, lambda steps: any(one["by"] == 0 for one in steps))
    moved = next(one for one in left(frame) if one["by"] == 0)
    assert (moved["seat"], moved["says"]) == (0, step["says"])
    await page.send("plan", do="drop", step=moved["id"])
    frame = await plan_with_steps(page, lambda steps: all(one["id"] != moved["id"] for one in steps))
    await page.send("plan", do="drop", step=moved["id"])  # of a page that hasn't heard of it yet
    for _ in range(4):
        await page.until("ack")
    edits = [one["do"] for one in live(match).planner.records if one["type"] == "plan_edit"]
    assert edits == ["on", "move", "drop"]


async def test_a_step_is_added_in_words(make_kitchen, pia, browse):
    match, page = await planned_kitchen(make_kitchen, pia, browse)
    await plan_with_steps(page)
    await page.send("plan", do="add", text="get a plate", to=1, choice=0)
    frame = await plan_with_steps(page, lambda steps: any(one["by"] == 0 for one in steps))
    (added,) = [one for one in left(frame) if one["by"] == 0]
    assert (added["seat"], added["means"]) == (1, "fetch what=dish times=1")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"do": "drop", "step": "9.9"}, "plan"),
        ({"do": "move", "step": "1.0"}, "malformed"),
        ({"do": "move", "step": "1.0", "to": 7}, "malformed"),
        ({"do": "add", "text": "xyzzy qwrt", "to": 1}, "unread"),
        ({"do": "add", "text": "don't take plates", "to": 1, "choice": 0}, "no_step"),
        ({"do": "add", "text": "", "to": 1}, "empty"),
        ({"do": "what"}, "malformed"),
    ],
)
async def test_it_refuses_what_cant_be_done(make_kitchen, pia, browse, fields, code):
    _, page = await planned_kitchen(make_kitchen, pia, browse)
    await page.send("plan", **fields)
    assert await page.refusal() == code


async def test_the_log_says_what_the_match_went_by(make_kitchen, pia, browse):
    match, page = await planned_kitchen(make_kitchen, pia, browse)
    await plan_with_steps(page, lambda steps: any(one["state"] == "doing" for one in steps))
    await page.ticks(20)
    await manager.current_host().writer.flush()
    found = told(await in_thread(log_store().read, match.pk)).plan
    ours = live(match).in_force.plan
    assert (found.states, found.on, found.plans) == (ours.states, ours.on, ours.plans)


async def test_what_is_said_to_all_is_what_the_plan_is_for(make_kitchen, pia, browse):
    match, page = await planned_kitchen(make_kitchen, pia, browse)
    await plan_with_steps(page)
    name = "6a0e7c9c-3f0b-4d59-8a43-1f6f4f0d2b7e"
    await page.send("instruct", id=name, text="serve three soups", target=None, choice=0)
    assert (await page.until("instruction"))["for_plan"]
    while (frame := await page.until("plan"))["plan"]["goal"] != "serve three soups":
        pass
    assert live(match).programs(1) == []
    assert frame["on"]
    await page.send("plan", do="off")
    while (frame := await page.until("instruction"))["id"] != name:
        pass
    assert not frame["for_plan"] and frame["status"] == "confirmed"
    ((program,),) = [live(match).programs(1)]
    assert program["id"] == name and program["program"]["means"].endswith("serve times=3")
    await page.send("plan", do="on")
    assert (await page.until("instruction"))["for_plan"] and live(match).programs(1) == []


async def test_what_a_player_keeps_from_is_a_wish_for_the_plan_and_asks_nothing_without_one(
    make_kitchen, pia, browse
):
    match, page = await planned_kitchen(make_kitchen, pia, browse)
    await plan_with_steps(page)
    text = "i wont scoop before its finished"
    await page.send("instruct", id="6a0e7c9c-3f0b-4d59-8a43-1f6f4f0d2b71", text=text, target=None)
    frame = await page.until("instruction")
    assert (frame["status"], frame["for_plan"]) == ("confirmed", True) and live(match).programs(1) == []
    while (await page.until("plan"))["plan"]["goal"] != text:
        pass
    await page.send("instruct", id="6a0e7c9c-3f0b-4d59-8a43-1f6f4f0d2b72", text=text, target=1)
    assert (await page.until("instruction"))["status"] == "unread"


async def test_the_coach_of_a_guided_game_sees_what_one_changes_about_the_plan(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia, horizon=400)
    page, first = await browse(match, pia), of("overcooked")
    assert first is not None
    course = Course(first, live(match).sim, 0)
    course.step = len(first.steps) - 1
    live(match).coach = Coach(live(match), course)
    await page.send("plan", do="on")
    frame = await plan_with_steps(page)
    assert not course.over
    await page.send("plan", do="drop", step=left(frame)[-1]["id"])
    assert (await page.until("coach"))["step"] == len(first.steps)
