"""Why agents of games by the clock moved so: told to those who heard the instruction, kept, told again."""

from __future__ import annotations

import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.simulation.log import resimulate, verify
from tests.webapp.host.arena import new_arena
from webapp.episodes.stores import log_store
from webapp.episodes.streams import words_until
from webapp.host import manager
from webapp.lobby.views.table import take_seat

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


async def say(page, text: str) -> str:
    """The id of an instruction that is confirmed."""
    name = str(uuid.uuid4())
    await page.send("instruct", id=name, text=text, target=None)
    while (await page.until("instruction"))["status"] != "confirmed":
        await page.send("confirm_reading", id=name)
    return name


async def log_of(match):
    await manager.current_host().writer.flush()
    return await in_thread(log_store().read, match.pk)


async def test_a_cook_says_why_it_stops_for_good_and_to_who_comes_back(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia, horizon=3000)
    page = await browse(match, pia)
    await page.tick(1)
    told = await say(page, "stop")
    reason = await page.until("reason")
    assert (reason["id"], reason["seat"], reason["kind"]) == (told, 1, "because")
    assert reason["text"] == "Standing still, because Player 1 asked: “stop”."
    await page.ticks(12)
    log = await log_of(match)
    kept = [record for record in log.records if record["type"] == "reason"]
    assert [record["id"] for record in kept] == [told], "it goes on, and is said once"
    before = log.records[log.records.index(kept[0]) - 1]
    assert (before["type"], before["tick"] + 1) == ("step", kept[0]["tick"])
    assert kept[0]["instead"] != log.steps[before["tick"]][1]
    later = await browse(match, pia)
    assert reason in later.joined["dialogue"]
    words = words_until(log, 3000)
    assert [word["text"] for word in words if word["kind"] == "reason"] == [reason["text"]]
    assert resimulate(log).tick >= kept[0]["tick"]


async def test_a_wish_that_cannot_be_obeyed_now_is_answered_at_once(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia, horizon=3000)
    page = await browse(match, pia)
    await page.tick(1)
    await say(page, "stop")  # the first instruction of a host takes it a moment to load what it needs
    at = (await page.until("reason"))["tick"]
    told = await say(page, "you do the serving")
    reason = await page.until("reason")
    assert (reason["id"], reason["kind"]) == (told, "blocked")
    assert reason["text"].startswith("No soup is cooking yet. So not yet what Player 1 asked")
    assert reason["tick"] - at <= 20, "reading and answering take no two seconds"


async def test_what_keeps_a_cook_from_it_stands_on_the_chip_as_over_its_head(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia, horizon=3000)
    page = await browse(match, pia)
    await page.tick(1)
    told = await say(page, "get an onion")
    live = manager.current_host().matches[match.pk]
    why = {"seat": 1, "id": told, "kind": "blocked", "what": "somebody is in my way", "sure": False}
    obeying = {"1": {told: {"state": "obeying", "text": "fetching an onion"}}}

    def after(seconds: float) -> dict:
        """How it stands so long after it began."""
        for _ in range(int(seconds * live.ticks_per_second)):
            live.sim.step([live.sim.no_op] * 2)
        live.thinker.reasons = [why]
        said = [record["text"] for record in live._why()]
        live.note_goals(obeying)
        return {"said": said, "state": live.goals[told]["state"], "text": live.goals[told]["text"]}

    live.halt()
    assert after(0) == {"said": [], "state": "obeying", "text": "fetching an onion"}, (
        "cooks meet all the time"
    )
    lasted = after(1)
    assert lasted["said"][0].startswith("Somebody is in my way. So not yet what Player 1 asked")
    assert (lasted["state"], lasted["text"]) == ("waiting", "somebody is in my way")
    live.thinker.reasons = []
    live._why()
    live.note_goals(obeying)
    assert live.goals[told]["state"] == "obeying"


async def test_nobody_told_nothing_said(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia, horizon=30)
    page = await browse(match, pia)
    await page.until("end")
    log = await in_thread(log_store().read, match.pk)
    assert verify(log) == [] and not [one for one in log.records if one["type"] == "reason"]


async def test_squad_mates_answer_their_own_side_alone(fight, pia, otto):
    wishes = ("me", "agent:squad", "agent:squad", "friend", "agent:squad", "agent:squad")
    match = await in_thread(new_arena, pia, wishes, team_size=3)
    assert await in_thread(take_seat, match, otto)
    page, other = await fight(match, pia), await fight(match, otto)
    await page.tick(1)
    told = await say(page, "attack")
    said = [await page.until("reason") for _ in range(2)]
    assert {one["seat"] for one in said} == {1, 2} and {one["id"] for one in said} == {told}
    assert {one["text"] for one in said} == {
        "I see no enemy to attack. So not yet what Player 1 asked: “attack”."
    }
    await other.ticks(3)
    kept = [one for one in (await log_of(match)).records if one["type"] == "reason"]
    assert len(kept) == 2
    again = await fight(match, otto)
    assert not [one for one in again.joined["dialogue"] if one["type"] == "reason"]
