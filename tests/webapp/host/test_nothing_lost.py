"""In every kind of game: what can't be kept is refused by itself, what fails ends nothing, and a game that a
host had played to its end when it died is finished by the next one. (The writer alone: test_writer; real
processes that are killed: test_kill.)
"""

import asyncio
import uuid
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import IntegrityError
from django.utils import timezone

from engine.simulation.log import resimulate, verify
from tests.webapp.host.arena import new_arena
from tests.webapp.host.matches import Browser
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import batches, manager, storage, tickets, turns
from webapp.host.connection import Refused
from webapp.matches.models import Instruction, Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
KINDS = ["hanabi", "kitchen", "kitchen turn by turn", "arena"]
SAYING = {"hanabi": "discard your oldest card", "overcooked": "bring me a plate", "arena": "hold here"}
STAY = 4


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def live(match):
    return manager.current_host().matches[match.pk]


@pytest.fixture(params=KINDS)
def new(request, make_match, make_kitchen, pia):
    """A function: a match that has begun, of pia with agents, to be watched by anybody."""

    def make() -> Match:
        if request.param == "hanabi":
            return make_match(pia, options={"colors": 2, "lives": 1})
        if request.param == "arena":
            return new_arena(pia, ("me", *["agent:weak"] * 3), 2, options={"pace": "short"})
        return make_kitchen(pia, horizon=3000, **({"pace": "turns"} if "turn" in request.param else {}))

    return make


@pytest.fixture
def sit(browse, fight):
    """A function: the page of a person at a match."""

    async def make(match, user):
        return await (fight if match.game == "arena" else browse)(match, user)

    return make


async def go_on(match, page) -> None:
    """The game goes on: its own player moves and sees it."""
    game = live(match)
    before = game.sim.tick
    if game.ticks_per_second:
        await page.ticks(3)
    elif match.game == "hanabi":
        await page.tick(before)
        await page.my_turn()
        await page.move("hint_color", "hint_rank", "discard")
    else:
        await page.send("move", tick=before, action=STAY)
        await page.tick(before + 1)
    assert live(match) is game and not game.closed and game.sim.tick > before


async def acknowledged(page) -> None:
    """Wait for the answer to what was sent last."""
    while (await page.until("ack"))["seq"] != page.seq:
        pass


async def log_of(match):
    await manager.current_host().writer.flush()
    return await in_thread(log_store().read, match.pk)


def row_of(match, user, name: str) -> Instruction:
    return Instruction.objects.create(
        pk=name, match=match, user=user, seat=0, tick=0, text="the first", reading=None, status="unread"
    )


async def test_an_id_that_another_match_has_is_refused_and_the_game_goes_on(new, sit, pia, otto):
    name = str(uuid.uuid4())
    await in_thread(lambda: row_of(new(), pia, name))
    match = await in_thread(new)
    page, other = await sit(match, pia), await sit(match, otto)
    text = SAYING[match.game]
    seq = await page.send("instruct", id=name, text=text, target=None)
    error = await page.until("error")
    assert (error["code"], error["seq"]) == ("not_kept", seq)
    assert "another game has this id" in error["text"]
    while any(live(match).programs(seat) for seat in range(len(live(match).seats))):
        await asyncio.sleep(0.05)
    if live(match).ticks_per_second is not None:  # everybody had been told already
        assert "could not be kept" in (await other.until("notice"))["text"]
    await go_on(match, page)
    again = str(uuid.uuid4())
    await page.send("instruct", id=again, text=text, target=None)
    await acknowledged(page)
    await go_on(match, page)
    log = await log_of(match)
    assert verify(log) == [] and {one["id"] for one in log.instructions} == {again}
    rows = await in_thread(lambda: {str(one.pk): one.text for one in Instruction.objects.all()})
    assert rows == {name: "the first", again: text}


async def test_saying_it_otherwise_under_anothers_id_leaves_the_first_in_force(new, sit, pia):
    name, taken = str(uuid.uuid4()), str(uuid.uuid4())
    await in_thread(lambda: row_of(new(), pia, taken))
    match = await in_thread(new)
    page = await sit(match, pia)
    await page.send("instruct", id=name, text=SAYING[match.game], target=None, choice=0)
    assert (await page.until("instruction"))["status"] == "confirmed"
    await acknowledged(page)
    await page.send("rewrite", id=name, new_id=taken, text=SAYING[match.game], choice=0)
    assert await page.refusal() == "not_kept"
    seats = range(1, len(live(match).seats))
    while {one["id"] for seat in seats for one in live(match).programs(seat)} != {name}:
        await asyncio.sleep(0.05)
    await go_on(match, page)
    assert verify(await log_of(match)) == []
    rows = await in_thread(lambda: dict(Instruction.objects.values_list("pk", "status")))
    assert rows == {uuid.UUID(name): "confirmed", uuid.UUID(taken): "unread"}


async def test_what_the_database_refuses_is_told_to_its_sender_and_to_the_table(new, sit, pia, monkeypatch):
    match = await in_thread(new)
    page = await sit(match, pia)

    def refuses(*_):
        raise IntegrityError("CHECK constraint failed")

    monkeypatch.setattr("webapp.host.match.save_instruction", refuses)
    await page.send("instruct", id=str(uuid.uuid4()), text=SAYING[match.game], target=None)
    assert "This could not be kept, so it doesn't count (problem " in (await page.until("error"))["text"]
    await go_on(match, page)
    log = await log_of(match)
    assert verify(log) == [] and log.instructions == []


async def test_half_a_character_is_set_aside_however_it_came_here(new, sit, pia):
    match = await in_thread(new)
    page = await sit(match, pia)
    await page.send_raw('{"type": "say", "seq": 1, "text": "half \\ud800"}')
    assert await page.refusal() == "malformed"
    page.seq = 1
    if live(match).ticks_per_second is None:
        with pytest.raises(Refused):
            await live(match).say(0, "half \ud800")
    else:
        await live(match).say(0, "half \ud800")
        assert "could not be kept" in (await page.until("notice"))["text"]
    await page.send("say", text="whole")
    await acknowledged(page)
    await go_on(match, page)
    log = await log_of(match)
    said = [one["text"] for one in log.records if one["type"] == "utterance" and one["seat"] == 0]
    assert said == ["whole"]  # beside what agents say


async def test_a_message_that_fails_is_refused_and_ends_neither_socket_nor_match(new, sit, pia, monkeypatch):
    match = await in_thread(new)
    page = await sit(match, pia)

    def broken(*_):
        raise ZeroDivisionError("a fault in the program")

    with monkeypatch.context() as patched:
        patched.setattr(live(match), "words_for", broken)
        seq = await page.send("see", seat=0)
        error = await page.until("error")
    assert (error["code"], error["seq"]) == ("failed", seq) and "ZeroDivision" not in error["text"]
    await page.send("see", seat=0)
    assert (await page.until("seen"))["seat"] == 0
    await go_on(match, page)


async def test_a_move_waits_for_a_database_that_is_away_and_people_are_told(
    make_match, pia, browse, monkeypatch
):
    monkeypatch.setattr(turns, "OUTAGE", 0.3)
    match = await in_thread(make_match, pia)
    page = await browse(match, pia)
    real, away = batches._write, [True]

    def hangs(*given):
        if away:
            raise batches.OperationalError("the server closed the connection unexpectedly")
        return real(*given)

    monkeypatch.setattr(batches, "_write", hangs)
    await page.send("move", tick=0, action=page.legal("hint_color"))
    assert "can't be saved at the moment" in (await page.until("notice"))["text"]
    assert live(match).sim.tick == 0
    away.clear()
    assert (await page.until("ack"))["tick"] == 1
    await go_on(match, page)
    assert verify(await log_of(match)) == []


# --- A host that dies at the very end ----------------------------------------------------------------------


def play_on(match, end: str = "") -> None:
    """What a host leaves in the log when it dies after the last step of the game; with `end` (abandoned or
    finished) after the end record, too, but before its rows were written.
    """
    store = log_store()
    log = store.read(match.pk)
    sim, records = resimulate(log).copy(), []
    while not sim.over and end != "abandoned":
        if sim.current is None:
            joint = [sim.idle(seat) for seat in range(sim.seats)]
        else:
            legal = (move for move in range(sim.num_actions) if not sim.why_illegal(sim.current, move))
            joint = [sim.no_op] * sim.seats
            joint[sim.current] = next(legal)
        joint = [one if isinstance(one, int) else [int(head) for head in one] for one in joint]
        records.append({"type": "step", "tick": sim.tick, "actions": joint})
        sim.step(joint)
    if end:
        done = {"score": sim.score, "digest": sim.digest(), "reason": end}
        records.append({"type": "end", "tick": sim.tick, **done})
    store.append(match.pk, records)


@pytest.mark.parametrize("left", ["", "finished", "abandoned"])
async def test_a_game_that_was_over_when_its_host_died_is_finished_by_the_next(new, sit, pia, left):
    match = await in_thread(new)
    await in_thread(play_on, match, left)
    page = await sit(match, pia)
    end = await page.until("end")
    assert end["reason"] == (left or "finished")
    log = await log_of(match)
    assert verify(log) == []
    assert [one["type"] for one in log.records].count("end") == 1 and log.records[-1]["type"] == "end"
    await in_thread(match.refresh_from_db)
    episode = await in_thread(Episode.objects.get, pk=match.pk)
    assert (match.status, episode.status, match.lease_until) == (end["reason"], end["reason"], None)
    assert (episode.ticks, episode.score, episode.digest) == tuple(
        log.end[name] for name in ("tick", "score", "digest")
    )


# --- What nobody comes back to -----------------------------------------------------------------------------


def make_old(match, **fields) -> None:
    Match.objects.filter(pk=match.pk).update(**fields)


async def swept(*matches) -> list[str]:
    host = manager.current_host()
    await host._sweep()
    for match in matches:
        await in_thread(match.refresh_from_db)
        for _ in range(2400):
            if match.status != Match.PLAYING:
                break
            await asyncio.sleep(0.05)
            await in_thread(match.refresh_from_db)
    await host.stop()
    return [match.status for match in matches]


async def test_matches_that_nobody_touched_for_a_day_are_abandoned_but_a_finished_game_is_finished(new):
    long_ago, now = timezone.now() - timedelta(days=2), timezone.now()
    never_opened, left, over, fresh, playing = [await in_thread(new) for _ in range(5)]
    await in_thread(make_old, never_opened, started_at=long_ago, lease_until=None)
    await in_thread(make_old, left, started_at=long_ago, lease_until=long_ago, host="far-away/1/a")
    await in_thread(make_old, over, started_at=long_ago, lease_until=long_ago, host="far-away/1/a")
    await in_thread(play_on, over)
    await in_thread(make_old, playing, started_at=long_ago, lease_until=now, host="far-away/1/a")
    assert await swept(never_opened, left, over) == [Match.ABANDONED, Match.ABANDONED, Match.FINISHED]
    for match in (fresh, playing):
        await in_thread(match.refresh_from_db)
        assert match.status == Match.PLAYING


async def test_one_damaged_match_does_not_stop_the_sweep_and_goes_too(new, pia):
    long_ago = timezone.now() - timedelta(days=2)
    matches = [await in_thread(new) for _ in range(3)]
    for match in matches:
        await in_thread(make_old, match, started_at=long_ago)
    for match in matches[:2]:
        await in_thread(log_store().delete, match.pk)
    assert await sit_down_in_vain(matches[0], pia) == ("unreadable", 4004)
    await in_thread(make_old, matches[0], lease_until=long_ago)
    assert await swept(*matches) == [Match.ABANDONED] * 3
    episode = await in_thread(Episode.objects.get, pk=matches[0].pk)
    assert episode.status == Episode.ABANDONED


async def sit_down_in_vain(match, user) -> tuple[str, int]:
    """(error, close code) of a socket that is turned away."""
    page = Browser(match.pk, await in_thread(tickets.issue, match, user, None))
    assert await page.line.connect()
    error = await page.line.receive()
    return error["code"], await page.closed_with()


async def test_a_table_at_which_nobody_sat_down_for_a_day_is_closed(
    make_kitchen, pia, otto, pia_client, otto_client
):
    old, young = [await in_thread(make_kitchen, pia, ("me", "friend")) for _ in range(2)]
    await in_thread(make_old, old, created_at=timezone.now() - timedelta(days=2))
    assert await swept(old) == [Match.CLOSED]
    await in_thread(young.refresh_from_db)
    assert young.status == Match.WAITING

    def pages() -> None:
        for client in (pia_client, otto_client):
            lobby = client.get("/play/").content.decode()
            assert str(old.pk) not in lobby and str(young.pk) in lobby
        table = pia_client.get(f"/play/{old.pk}/", follow=True)
        assert table.status_code == 410 and "Nobody came" in table.content.decode()
        assert pia_client.get(f"/play/{old.pk}/waiting/")["HX-Redirect"] == f"/play/{old.pk}/"
        assert pia_client.get(f"/play/{old.pk}/ticket/").status_code == 409
        assert otto_client.post(f"/play/{old.pk}/join/", {"token": old.join_token}).status_code == 409

    await in_thread(pages)
    with pytest.raises(storage.NotPlaying):
        await manager.current_host().open(old.pk)
    await manager.current_host().stop()
