"""Leases, fencing, resuming, leaving: one host has a match, and no move is lost when it dies."""

import uuid
from datetime import timedelta
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from engine.simulation.log import resimulate, verify
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import manager, storage
from webapp.matches import results
from webapp.matches.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def test_a_match_has_one_host_until_the_lease_runs_out(make_match, pia):
    match = make_match(pia)
    assert storage.claim(match.pk, "far-away/1/a") == 1
    with pytest.raises(storage.Elsewhere):
        storage.claim(match.pk, "far-away/2/b")
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert storage.claim(match.pk, "far-away/2/b") == 2


def test_the_match_of_a_dead_process_of_this_machine_is_free_at_once(make_match, pia):
    match = make_match(pia)
    name = storage.host_name()
    assert not storage.is_dead(name)
    machine = name.split("/")[0]
    storage.claim(match.pk, f"{machine}/4194304/gone")
    assert storage.claim(match.pk, name) == 2


def test_a_host_may_take_its_own_match_anew_at_once(make_match, pia):
    match = make_match(pia)
    assert [storage.claim(match.pk, "far-away/1/a") for _ in range(2)] == [1, 2]


async def test_another_host_goes_on_where_the_first_one_stopped(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    for _ in range(3):
        await browser.my_turn()
        await browser.move("hint_color", "hint_rank", "discard", "play")
    await browser.my_turn()
    seen = browser.view
    await manager.current_host().stop()
    manager._host = None
    again = await browse(match, pia)
    assert again.view == seen
    assert len(again.joined["history"]) == seen["tick"]


async def test_a_host_that_is_fenced_closes_its_sockets_so_that_browsers_come_back(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    await in_thread(Match.objects.filter(pk=match.pk).update, epoch=7, host="far-away/2/b")
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    assert await browser.closed_with() == 4009
    assert (await in_thread(log_store().read, match.pk)).steps == []


async def test_a_game_is_played_to_its_end_and_kept(make_match, pia, browse):
    match = await in_thread(make_match, pia, options={"colors": 3, "lives": 1})
    browser = await browse(match, pia)
    while not browser.view["over"]:
        if browser.view["current"] == 0:
            await browser.send("move", tick=browser.view["tick"], action=browser.legal("discard", "play"))
        await browser.until("state")
    end = await browser.until("end")
    await in_thread(match.refresh_from_db)
    episode = await in_thread(Episode.objects.get, pk=match.pk)
    log = await in_thread(log_store().read, match.pk)
    assert verify(log) == []
    last = resimulate(log)
    assert (episode.status, episode.score, episode.ticks) == ("finished", last.score, last.tick)
    assert (match.status, episode.digest, end["score"]) == (Match.FINISHED, last.digest(), last.score)


async def test_leaving_a_game_with_agents_ends_it_as_abandoned(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    await browser.send("leave")
    assert (await browser.until("end"))["reason"] == "abandoned"
    await in_thread(match.refresh_from_db)
    assert match.status == Match.ABANDONED
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    assert await browser.refusal() == "over"


async def test_when_one_of_two_people_leaves_an_agent_plays_on(
    make_match, pia, otto, browse, pia_client, monkeypatch
):
    from webapp.host.consumer import admit
    from webapp.lobby.views.table import take_seat

    match = await in_thread(make_match, pia, ("me", "friend"))
    await in_thread(take_seat, match, otto)
    stays, leaves = await browse(match, otto), await browse(match, pia)
    bot = stays.joined["stand_in"]
    assert bot
    await leaves.send("leave")
    control = await stays.until("control")
    assert "has left" in control["text"] and control["stand_in"] == bot
    await stays.my_turn()
    assert stays.view["last"]["seat"] == 0, "the agent moved in pia's place"

    # Who left is out: no word, no way back, no game of theirs in the lobby.
    await leaves.send("say", text="hello?")
    assert await leaves.refusal() == "left"
    assert (await in_thread(admit, pia.pk, match.pk))[0] == "left"
    page = await in_thread(lambda: pia_client.get(f"/play/{match.pk}/").content.decode())
    assert "You have left this game" in page and "data-board" not in page
    assert str(match.pk) not in await in_thread(lambda: pia_client.get("/play/open/").content.decode())

    # What the agent does isn't told as theirs, here or at another host.
    hint = next(move for move in stays.view["moves"] if move["legal"])
    await stays.send("move", tick=stays.view["tick"], action=hint["action"])
    await stays.my_turn()
    await manager.current_host().stop()
    manager._host = None
    again = await browse(match, otto)
    told = [event["stand_in"] for event in again.joined["dialogue"] if event["type"] == "control"]
    assert told == [bot]
    await again.send("leave")
    await again.until("end")
    match = await in_thread(Match.objects.get, pk=match.pk)
    names: list[list[str]] = []
    monkeypatch.setattr(
        results.stories, "story", lambda game, moments, by, seat: names.append([*by, seat]) or ""
    )
    assert f"{bot} played on for you" in (await in_thread(results.summary, match, 0))[0]
    await in_thread(results.summary, match, 1)
    assert names == [["your seat", otto.shown_name, None], [f"{pia.shown_name}'s seat", otto.shown_name, 1]]


def test_a_story_names_the_seat_where_an_agent_played_for_its_person():
    seats = [{"kind": "person"}, {"kind": "agent"}, {"kind": "person"}]
    records = [
        {
            "type": "control",
            "seat": 0,
            "tick": 1,
            "controller": {"kind": "agent", "left": True, "name": "Bot"},
        },
        {"type": "control", "seat": 1, "tick": 2, "controller": {"kind": "copilot"}},
        {"type": "control", "seat": 1, "tick": 3, "controller": {"kind": "agent"}},
    ]
    log = SimpleNamespace(records=records, header={"seats": seats})
    assert results.stood_in_for(log) == {0}


async def test_where_nobody_could_play_on_the_game_ends(make_match, pia, otto, browse):
    from webapp.lobby.views.table import take_seat

    match = await in_thread(make_match, pia, ("me", "friend"))
    await in_thread(take_seat, match, otto)
    stays, leaves = await browse(match, otto), await browse(match, pia)
    manager.current_host().matches[match.pk].stand_in_agent = None
    await leaves.send("leave")
    assert (await stays.until("end"))["reason"] == "abandoned"


async def test_a_person_who_is_here_cannot_be_replaced(make_match, pia, otto, browse):
    from webapp.lobby.views.table import take_seat

    match = await in_thread(make_match, pia, ("me", "friend"))
    await in_thread(take_seat, match, otto)
    one, two = await browse(match, pia), await browse(match, otto)
    await one.send("takeover", seat=1)
    assert await one.refusal() == "present"
    await two.close()
    seats = (await one.until("presence"))["seats"]
    assert seats[0]["stand_in_after"] is None and 50 < seats[1]["stand_in_after"] <= 60, "the page waits, too"
    await one.send("takeover", seat=1)
    assert await one.refusal() == "too_early"


async def test_an_agent_that_fails_is_stood_in_for_and_everybody_is_told(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    live = manager.current_host().matches[match.pk]
    live.controllers[1]["ref"] = "hanabi/nobody"
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    assert "scripted player" in (await browser.until("notice"))["text"]
    while browser.view["tick"] < 2:
        await browser.until("state")
    assert browser.view["last"]["seat"] == 1


async def test_the_child_in_which_agents_think_is_started_again_when_it_dies(make_match, pia, browse):
    import os
    import signal

    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    child = manager.current_host().agents.child
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    while browser.view["tick"] < 2:
        await browser.until("state")
    first = child.pid
    os.kill(first, signal.SIGKILL)
    await child._reader
    await browser.send("move", tick=2, action=browser.legal("hint_color", "hint_rank"))
    while browser.view["tick"] < 4:
        await browser.until("state")
    assert child.pid not in (None, first)


async def test_instructions_and_words_survive_a_change_of_host(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    await browser.send("instruct", id=str(uuid.uuid4()), text="discard your oldest card", target=None)
    told = await browser.until("instruction")
    await browser.send("confirm_reading", id=told["id"])
    await browser.until("instruction")
    await browser.send("say", text="hello")
    await browser.until("utterance")
    await manager.current_host().stop()
    manager._host = None
    again = await browse(match, pia)
    assert [event["type"] for event in again.joined["dialogue"]] == [
        "instruction",
        "instruction",
        "utterance",
    ]
    live = manager.current_host().matches[match.pk]
    assert len(live.programs(1)) == 1
