"""What a seat of Arena sees, in words: one's own squad, as far as one's snapshots tell; spectators late."""

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async

from engine.games.arena import state as s
from engine.simulation.spoken import spoken
from tests.webapp.host.arena import Fighter, change, live, new_arena
from webapp.lobby.views.table import take_seat
from webapp.studies import delays

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest_asyncio.fixture
async def squads(fight, pia, otto, anna, adam):
    """(match, the pages of its four players): pia and otto against anna and adam."""
    people = [pia, otto, anna, adam]
    match = await in_thread(new_arena, pia, ("me", "friend", "friend", "friend"), 2)
    for friend in people[1:]:
        assert await in_thread(take_seat, match, friend)
    pages = [await fight(match, one) for one in people]
    await pages[0].tick(3)
    return match, pages


@pytest_asyncio.fixture
async def duel(fight, pia, otto):
    """(match, pia's page, otto's page), one against the other."""
    match = await in_thread(new_arena, pia, open_to_watch=True)
    assert await in_thread(take_seat, match, otto)
    return match, await fight(match, pia), await fight(match, otto)


async def see(page: Fighter, seat: int) -> dict:
    await page.send("see", seat=seat)
    return await page.until("seen")


async def refused(page: Fighter, seat: int) -> dict:
    await page.send("see", seat=seat)
    return await page.until("error")


async def test_a_player_asks_about_the_squad_and_nobody_else(squads):
    _, (page, *_) = squads
    mine, theirs = await see(page, 0), await see(page, 1)
    assert (mine["seat"], mine["moves"], mine["tick"] >= 2) == (0, [], True)
    assert "bullets to spare" in mine["sees"] and ["Health level", "Full"] in mine["details"]
    assert "My teammate Player 1 is" in theirs["sees"] and "bullets" not in theirs["sees"]
    error = await refused(page, 2)
    assert (error["code"], error["text"].endswith(".")) == ("not_yours", True)
    assert (await refused(page, 9))["code"] == "malformed"


async def test_who_is_out_hears_all_of_a_mate_and_once_the_squad_is_out_of_everybody_late(squads):
    match, (page, *_) = squads
    change(match, 0, LIFE=s.OUT)
    await page.ticks(1)
    assert "bullets" in (await see(page, 1))["sees"], "they look through these eyes now"
    assert (await see(page, 0))["sees"].startswith("I am out.")
    assert (await refused(page, 2))["code"] == "not_yours"
    change(match, 1, LIFE=s.OUT)
    game = live(match)
    oldest = game.past[0][0]
    told = await see(page, 2)
    assert told["tick"] >= oldest
    assert told["tick"] <= game.past[0][0] or game.over, "what everybody does is told late until the end"
    assert "bullets" in told["sees"]


async def test_spectators_ask_about_any_seat_and_are_told_late(monkeypatch, fight, pia, otto, adam):
    monkeypatch.setattr(delays, "HIDING_DELAY", 0.3)
    match = await in_thread(new_arena, pia, open_to_watch=True)
    assert await in_thread(take_seat, match, otto)
    page, _ = await fight(match, pia), await fight(match, otto)
    await page.ticks(8)
    spectator = await fight(match, adam)
    game = live(match)
    await page.ticks(5)
    for seat in (0, 1):
        told = await see(spectator, seat)
        assert told["tick"] < game.sim.tick - 3
        assert told["sees"] == spoken(game.sim.spec, *(game.past[0][1],) * 2, seat)["sees"]
        assert told["details"]


async def test_the_details_of_a_player_are_of_the_last_five_seconds(duel):
    match, page, _ = duel
    for _ in range(12):
        await page.act(body=s.B_RUN, yaw=0)
        await page.ticks(1)
    told = dict(map(tuple, (await see(page, 0))["details"]))
    assert told["Horizontal direction of view"] == "North"
    game = live(match)
    assert game.past.maxlen > game._window == 100
    assert game.older.maxlen == 100
