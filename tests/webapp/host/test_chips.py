"""Instructions as chips in a live match: sub-goals with how far each mate is, taken away, judged."""

import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.simulation.told import told
from tests.webapp.host.arena import Fighter, new_arena
from webapp.episodes.stores import log_store
from webapp.host import manager
from webapp.matches.models import Instruction

pytestmark = pytest.mark.django_db(transaction=True)
SQUAD = ("me", "agent:strong", "agent:strong", "agent:idle", "agent:idle", "agent:idle")


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


async def say(page: Fighter, text: str) -> dict:
    await page.send("instruct", id=str(uuid.uuid4()), text=text, target=None)
    frame = await page.until("instruction")
    if frame["status"] == "read":
        await page.send("confirm_reading", id=frame["id"])
        frame = await page.until("instruction")
    return frame


async def goals_of(page: Fighter, name: str, until) -> dict:
    """The progress of an instruction as a page knows it, once `until` holds of it."""
    known: dict = {}
    while True:
        frame = await page.until("goals")
        if name not in frame["goals"]:
            continue
        told_now = frame["goals"][name]
        for seat, own in told_now.get("seats", {}).items():
            known.setdefault(seat, {}).update(own)
        if until(known):
            return known


@pytest.fixture
async def squad(fight, pia):
    match = await in_thread(new_arena, pia, SQUAD, team_size=3)
    return match, await fight(match, pia)


async def test_each_mate_tells_how_far_its_sub_goals_are_and_only_changes_are_sent(squad):
    match, page = squad
    frame = await say(page, "go prone")
    [asked] = frame["subgoals"]
    assert (asked["name"], asked["value"], asked["clause"]) == ("Whether prone position", "True", 0)
    first = await goals_of(page, frame["id"], lambda known: len(known) == 2)
    assert all(own["subgoals"][0]["sentence"] == "I lie prone." for own in first.values())
    done = await goals_of(
        page, frame["id"], lambda known: all(own["far"] == [[1.0, "yes"]] for own in known.values())
    )
    # What didn't change was told once.
    assert all("subgoals" not in own for own in done.values())


async def test_a_sub_goal_that_is_taken_away_makes_a_new_instruction_that_is_obeyed_at_once(squad):
    match, page = squad
    frame = await say(page, "take cover")
    assert [one["name"] for one in frame["subgoals"]] == ["Whether seen by enemy", "Whether crouch position"]
    kept = [{name: frame["subgoals"][1][name] for name in ("clause", "name", "value")}]
    new = str(uuid.uuid4())
    await page.send("rewrite", id=frame["id"], new_id=new, subgoals=kept)
    old = await page.until("instruction")
    assert (old["id"], old["status"]) == (frame["id"], "rewritten")
    told_now = await page.until("instruction")
    assert (told_now["id"], told_now["status"], told_now["sentence"]) == (new, "confirmed", "I crouch.")
    assert told_now["text"] == "take cover"
    await manager.current_host().writer.flush()
    spans = told(await in_thread(log_store().read, match.pk)).spans
    assert {span.id for span in spans if span.end is None} == {new}
    stored = await in_thread(Instruction.objects.get, pk=new)
    assert stored.reading["changed"] and str(stored.replaces_id) == frame["id"]


async def test_nothing_left_is_refused_and_the_instruction_stays(squad):
    match, page = squad
    frame = await say(page, "go prone")
    await page.send("rewrite", id=frame["id"], new_id=str(uuid.uuid4()), subgoals=[])
    assert await page.refusal() == "not_offered"
    await manager.current_host().writer.flush()
    assert (await in_thread(Instruction.objects.get, pk=frame["id"])).status == "confirmed"


async def test_yes_that_and_no_are_kept_with_the_instruction_in_log_and_row(squad):
    match, page = squad
    frame = await say(page, "go prone")
    for sign in (-1, 1):
        await page.send("judge", id=frame["id"], sign=sign)
        assert (await page.until("judged"))["sign"] == sign
    await manager.current_host().writer.flush()
    records = (await in_thread(log_store().read, match.pk)).records
    assert [(r["id"], r["sign"]) for r in records if r["type"] == "judged"] == [
        (frame["id"], -1),
        (frame["id"], 1),
    ]
    assert (await in_thread(Instruction.objects.get, pk=frame["id"])).judged == 1


async def test_what_nobody_was_to_obey_is_not_judged(squad):
    match, page = squad
    await page.send("instruct", id=str(uuid.uuid4()), text="blorp the frumious snark", target=None)
    frame = await page.until("instruction")
    await page.send("judge", id=frame["id"], sign=1)
    assert await page.refusal() == "not_obeyed"
    await page.send("judge", id=frame["id"], sign=2)
    assert await page.refusal() == "malformed"


async def test_who_joins_later_is_told_all_of_it(squad, fight, pia):
    match, page = squad
    frame = await say(page, "go prone")
    await goals_of(page, frame["id"], lambda known: len(known) == 2)
    await page.send("judge", id=frame["id"], sign=1)
    await page.until("judged")
    other = await fight(match, pia)
    assert other.joined["goals"][frame["id"]]["seats"]["1"]["subgoals"][0]["sentence"] == "I lie prone."
    assert [event["sign"] for event in other.joined["dialogue"] if event["type"] == "judged"] == [1]
