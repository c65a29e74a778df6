"""Games by the clock: keys, late agents, a database that hangs, pauses, empty seats, another host."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.db import connection as database

from engine.simulation.log import resimulate, verify
from tests.webapp.host.matches import stands_still
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import attendance, inference, manager
from webapp.matches.models import Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest.fixture
def kitchen(make_kitchen, pia, browse):
    """A function: (match, pia's socket at it)."""

    async def make(*args, **kwargs):
        match = await in_thread(make_kitchen, pia, *args, **kwargs)
        return match, await browse(match, pia)

    return make


@pytest.fixture
def two(make_kitchen, pia, otto, browse):
    """A function: (match, pia's socket, otto's socket): two people cook."""
    from webapp.lobby.views.table import take_seat

    async def make(**kwargs):
        match = await in_thread(make_kitchen, pia, ("me", "friend"), **kwargs)
        assert await in_thread(take_seat, match, otto)
        return match, await browse(match, pia), await browse(match, otto)

    return make


async def log_of(match):
    await manager.current_host().writer.flush()
    return await in_thread(log_store().read, match.pk)


def steps_of(log):
    return [record for record in log.records if record["type"] == "step"]


async def test_a_game_is_played_by_the_clock_to_its_end_and_kept(kitchen):
    match, browser = await kitchen(horizon=12)
    assert browser.joined["pace"] == {"mode": "real_time", "ticks_per_second": 10}
    assert (browser.joined["role"], browser.joined["controls"]) == ("player", ["person", "agent"])
    assert (await browser.until("countdown"))["seconds"] == 0
    first = await browser.tick(1)
    last = await browser.tick(11)
    # At ten a second; a busy machine begins some later and may leave some out, but never makes them faster.
    due = [state["at"] - state["late_ms"] for state in (first, last)]
    assert 80 < (due[1] - due[0]) / (last["tick"] - first["tick"]) < 1000
    end = await browser.until("end")
    log = await in_thread(log_store().read, match.pk)
    assert verify(log) == []
    assert log.header["ticks_per_second"] == 10
    words = [record["by"] for record in log.records if record["type"] == "step"]
    assert len(words) == 12 and {word[0] for word in words} == {"person"}
    assert {word[1] for word in words} <= {"agent", "late"}
    episode = await in_thread(Episode.objects.get, pk=match.pk)
    await in_thread(match.refresh_from_db)
    assert (episode.status, episode.ticks, match.status) == ("finished", 12, Match.FINISHED)
    assert (end["score"], end["tick"], episode.digest) == (episode.score, 12, resimulate(log).digest())


async def test_the_own_chef_answers_on_the_next_tick_and_walks_while_the_key_is_down(kitchen):
    _, browser = await kitchen(("me", "agent:self_play-cramped_room"), horizon=3000)
    state = await browser.tick(2)
    assert state["key"] is None
    seq = await browser.send("press", action=EAST)
    state = await browser.ticks(1)
    while state["key"] != seq:
        state = await browser.ticks(1)
    assert state["view"]["last"]["actions"][0] == EAST
    assert (await browser.ticks(2))["view"]["last"]["actions"][0] == EAST
    await browser.send("release", action=EAST)
    await browser.ticks(3)
    while browser.view["last"]["actions"][0] == EAST:  # it ends only if the chef stops
        await browser.ticks(1)
    assert browser.view["last"]["actions"][0] == STAY


async def test_a_tap_shorter_than_a_tick_acts_once_and_the_last_key_wins(kitchen):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    done = []
    for _ in range(5):  # on a busy machine a tick may fall between two taps, but not each time
        for action in (NORTH, SOUTH, WEST):
            await browser.send("press", action=action)
            await browser.send("release", action=action)
        last = browser.seq - 1
        await browser.ticks(6)
        assert browser.state["key"] == last, "told again at every state, because a slow browser misses some"
        before = len(done)
        done = [one[0] for one in (await log_of(match)).steps if one[0] != STAY]
        if done[before:] == [WEST]:
            return
    raise AssertionError(f"a backlog of keys: {done}")


async def test_the_interact_key_acts_once_while_it_is_down(kitchen):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(1)
    await browser.send("press", action=INTERACT)
    await browser.ticks(5)
    assert [one[0] for one in (await log_of(match)).steps].count(INTERACT) == 1


async def test_two_pages_of_one_player_both_press(kitchen, browse, pia):
    match, browser = await kitchen(horizon=3000)
    other = await browse(match, pia)
    await other.send("press", action=INTERACT)
    await other.ticks(2)
    await browser.ticks(3)
    assert (other.state["key"], browser.state["key"]) == (1, None)
    await browser.send("release", action=EAST)
    await browser.send("press", action=NORTH)
    await other.close()
    await browser.ticks(3)
    assert NORTH in [one[0] for one in (await log_of(match)).steps]


async def test_an_agent_that_is_late_stays_and_the_ticks_go_on(kitchen, monkeypatch):
    monkeypatch.setattr(attendance, "LATE", 0.3)
    # The process itself is stopped, which a fork (forks.py) isn't.
    monkeypatch.setattr(inference, "COMMAND", (sys.executable, "-m", "engine.agents.serve"))
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    child = manager.current_host().agents.child.pid
    thinker = manager.current_host().matches[match.pk].thinker
    os.kill(child, signal.SIGSTOP)
    late_before = thinker.late_decisions
    try:
        began, first = browser.state["at"], browser.state["tick"]
        await browser.tick(first + 8)
        assert "is late and stays" in (await browser.until("notice"))["text"]
        assert browser.state["at"] - began < 60_000
        assert browser.state["late"] == [1]
    finally:
        os.kill(child, signal.SIGCONT)
    while browser.state["late"]:
        await browser.ticks(1)
    assert 1 <= thinker.late_decisions - late_before < 8, "one request at a time"
    words = [record["by"][1] for record in (await log_of(match)).records if record["type"] == "step"]
    assert "agent" in words[words.index("late", first + 1) :]


async def test_the_game_goes_on_when_the_process_of_the_agents_dies(kitchen):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    child = manager.current_host().agents.child
    first = child.pid
    os.kill(first, signal.SIGKILL)
    await browser.ticks(2)
    while child.pid in (None, first) or browser.state["late"]:
        await browser.ticks(1)


@contextlib.contextmanager
def stalled_database():
    """Another process holds the database's lock."""
    held = sqlite3.connect(database.settings_dict["NAME"], isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        held.execute("ROLLBACK")
        held.close()


needs_sqlite = pytest.mark.skipif(
    "sqlite" not in os.environ.get("COPLAY_DATABASE_URL", "sqlite"), reason="holds SQLite's lock"
)


@needs_sqlite
async def test_the_game_goes_on_while_the_database_hangs_and_nothing_is_lost(kitchen):
    match, browser = await kitchen(horizon=40)
    await browser.tick(2)
    with stalled_database():
        began = browser.state["at"]
        await browser.send("press", action=NORTH)
        state = await browser.ticks(10)
        assert state["at"] - began < 15_000 and state["key"] == 1
        log = await asyncio.to_thread(log_store().read, match.pk)
        assert len(log.steps) < state["tick"]
    await browser.until("end")
    assert verify(await in_thread(log_store().read, match.pk)) == []


@needs_sqlite
async def test_a_long_outage_pauses_the_game_until_it_can_be_saved(kitchen, monkeypatch):
    monkeypatch.setattr(attendance, "OUTAGE", 0.5)
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    with stalled_database():
        live, stands = manager.current_host().matches[match.pk], -1
        while live.sim.tick != stands:  # what was slow before the outage may be saved yet, and the game go on
            assert "can't be saved" in (await browser.until("paused"))["text"]
            stands = live.sim.tick
            await asyncio.sleep(0.6)
    await browser.until("resumed")
    await browser.tick(stands + 3)
    assert verify(await log_of(match)) == []


async def test_it_begins_when_everybody_is_here(make_kitchen, pia, otto, browse):
    from webapp.lobby.views.table import take_seat

    match = await in_thread(make_kitchen, pia, ("me", "friend"))
    await in_thread(take_seat, match, otto)
    first = await browse(match, pia)
    await asyncio.sleep(0.6)
    assert manager.current_host().matches[match.pk].sim.tick == 0
    second = await browse(match, otto)
    await second.tick(2)
    assert (await first.tick(2))["controls"] == ["person", "person"]


async def test_it_begins_without_who_does_not_come(make_kitchen, pia, otto, browse, monkeypatch, settings):
    from webapp.lobby.views.table import take_seat

    settings.ABSENT_SECONDS = 60
    monkeypatch.setattr(attendance, "START_PATIENCE", 0.5)
    match = await in_thread(make_kitchen, pia, ("me", "friend"))
    await in_thread(take_seat, match, otto)
    settings.ABSENT_SECONDS = 60
    first = await browse(match, pia)
    await first.tick(3)
    steps = steps_of(await log_of(match))
    assert all(step["by"][1] == "none" and step["actions"][1] == STAY for step in steps)


async def test_nobody_there_pauses_the_game_and_coming_back_resumes_it(kitchen, browse, pia):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(3)
    await browser.close()
    stands = await stands_still(manager.current_host().matches[match.pk])
    again = await browse(match, pia)
    await again.tick(stands + 2)
    assert again.state["controls"] == ["person", "agent"], "nobody played in their place meanwhile"


async def test_an_empty_seat_is_taken_by_an_agent_and_given_back(two, browse, otto):
    match, stays, goes = await two(horizon=3000)
    await stays.tick(2)
    await goes.close()
    told = await stays.until("control")
    assert "otto is away" in told["text"] and told["controls"] == ["person", "agent"]
    while "agent" not in [record["by"][1] for record in steps_of(await log_of(match))]:
        await stays.ticks(2)
    back = await browse(match, otto)
    assert "is back" in (await stays.until("control"))["text"]
    assert back.state["controls"] == ["person", "person"]
    await stays.ticks(2)
    log = await log_of(match)
    controls = [record for record in log.records if record["type"] == "control"]
    assert [(one["seat"], one["controller"]["kind"]) for one in controls] == [(1, "agent"), (1, "person")]
    words = [record["by"][1] for record in steps_of(log)]
    assert set(words) >= {"person", "none", "agent"}
    assert words[-1] == "person"


async def test_leaving_for_good_hands_the_seat_to_an_agent(two):
    _, stays, goes = await two(horizon=3000)
    await stays.tick(2)
    await goes.send("leave")
    assert "has left" in (await stays.until("control"))["text"]
    await goes.send("press", action=NORTH)
    assert await goes.refusal() == "left"
    await stays.send("leave")
    assert (await stays.until("end"))["reason"] == "abandoned"


async def test_agents_among_themselves_run_while_somebody_watches(make_kitchen, pia, otto, browse):
    wishes = ("agent:self_play-cramped_room", "agent:self_play-cramped_room")
    match = await in_thread(make_kitchen, pia, wishes, horizon=3000)
    watcher = await browse(match, pia)
    assert (watcher.joined["role"], watcher.joined["seat"]) == ("spectator", None)
    state = await watcher.tick(3)
    live = manager.current_host().matches[match.pk]
    assert live.sim.tick >= state["tick"] + live.watch_delay
    await watcher.send("press", action=NORTH)
    assert await watcher.refusal() == "spectator"
    await watcher.close()
    await stands_still(live)


async def test_another_host_goes_on_where_the_first_one_stopped(kitchen, browse, pia):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(5)
    await manager.current_host().stop()
    stopped = (await in_thread(log_store().read, match.pk)).steps
    manager._host = None
    again = await browse(match, pia)
    assert again.state["tick"] == len(stopped)
    await again.ticks(2)
    assert verify(await log_of(match)) == []


async def test_a_host_that_lost_its_claim_writes_nothing_and_sends_browsers_on(kitchen):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    await in_thread(Match.objects.filter(pk=match.pk).update, epoch=7, host="far-away/2/b")
    before = len((await in_thread(log_store().read, match.pk)).steps)
    assert await browser.closed_with() == 4009
    assert len((await in_thread(log_store().read, match.pk)).steps) <= before + 3


async def test_an_agent_that_cannot_play_is_replaced_and_everybody_is_told(kitchen):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    manager.current_host().matches[match.pk].controllers[1]["ref"] = "overcooked/nobody"
    told = await browser.until("control")
    assert "can't play" in told["text"] and "plays on for it" in told["text"]
    while browser.state["late"]:
        await browser.ticks(1)
    log = await log_of(match)
    assert next(one for one in log.records if one["type"] == "control")["controller"]["kind"] == "agent"


async def test_an_instruction_is_obeyed_at_once_and_can_be_withdrawn(kitchen):
    match, browser = await kitchen(horizon=3000)
    await browser.tick(2)
    await browser.send("instruct", id=str(uuid.uuid4()), text="bring me a plate", target=None)
    told = await browser.until("instruction")
    assert (told["status"], bool(told["sentence"])) == ("confirmed", True)
    while told["id"] not in browser.state.get("goals", {}):
        await browser.ticks(1)
    assert browser.state["goals"][told["id"]]["state"] in ("waiting", "obeying", "done")
    await browser.send("withdraw", id=told["id"])
    assert (await browser.until("instruction"))["status"] == "withdrawn"
    log = await log_of(match)
    assert [one["status"] for one in log.instructions] == ["confirmed", "withdrawn"]
    assert (await in_thread(match.instructions.get)).status == "withdrawn"
    assert (await in_thread(Episode.objects.get, pk=match.pk)).instruction == "bring me a plate"


async def test_words_are_acknowledged_when_they_are_kept(kitchen):
    match, browser = await kitchen(horizon=3000)
    seq = await browser.send("say", text="behind you!")
    assert (await browser.until("ack"))["seq"] == seq
    log = await in_thread(log_store().read, match.pk)
    assert [one["text"] for one in log.records if one["type"] == "utterance"] == ["behind you!"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "press"}, "malformed"),
        ({"type": "press", "seq": 1}, "malformed"),
        ({"type": "press", "seq": 1, "action": 6}, "malformed"),
        ({"type": "press", "seq": 1, "action": -1}, "malformed"),
        ({"type": "press", "seq": 1, "action": True}, "malformed"),
        ({"type": "press", "seq": 1, "action": "up"}, "malformed"),
        ({"type": "release", "seq": 1, "action": 99}, "malformed"),
        ({"type": "move", "seq": 1, "tick": 0, "action": 0}, None),
        ({"type": "take_control", "seq": 1}, "no_copilot"),
        ({"type": "hand_back", "seq": 1}, "no_copilot"),
        ({"type": "takeover", "seq": 1, "seat": 1}, "is_agent"),
    ],
)
async def test_bad_frames_are_refused_and_the_game_goes_on(kitchen, message, code):
    _, browser = await kitchen(horizon=3000)
    await browser.send_raw(message)
    found = await browser.refusal()
    assert found == code or (code is None and found in ("real_time", "stale"))
    await browser.ticks(2)


async def test_keys_that_do_not_count_are_refused_once_not_each_time(kitchen, browse, otto):
    match, _ = await kitchen(horizon=3000)
    watcher = await browse(match, otto)
    for _ in range(5):
        await watcher.send("press", action=EAST)
        await watcher.send("release", action=EAST)
    await watcher.ticks(3)
    await watcher.send_raw({"type": "ping", "at": 1})
    refusals = []
    while (frame := await watcher.receive())["type"] != "pong":
        refusals += [frame] if frame["type"] == "error" else []
    assert len(refusals) <= 1


async def test_twenty_keys_a_second_are_no_flood(kitchen):
    match, browser = await kitchen(horizon=3000)
    for _ in range(30):
        await browser.send("press", action=EAST)
        await browser.send("release", action=EAST)
        await asyncio.sleep(0.05)
    await browser.ticks(1)
    # All at one moment, however long a busy machine takes for them.
    (connection,) = manager.current_host().matches[match.pk].connections
    now = connection.bucket.at
    connection.bucket.clock = lambda: now
    for _ in range(200):
        await browser.send("press", action=EAST)
    assert await browser.refusal() == "flood"


async def test_keys_are_no_moves_in_games_of_turns(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    assert browser.joined["pace"] is None
    await browser.send("press", action=1)
    assert await browser.refusal() == "turn_based"
