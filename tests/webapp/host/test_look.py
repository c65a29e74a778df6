"""What tables that draw no game are told: picture, words and the own legal moves, and no secrets."""

import base64
import io

import pytest
from asgiref.sync import sync_to_async
from PIL import Image

from engine import games
from engine.games.hanabi import words
from webapp.matches.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


async def look(browser) -> dict:
    await browser.send("look")
    return await browser.until("looked")


def size(picture: str) -> tuple[int, int]:
    kind, _, data = picture.partition(",")
    assert kind == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data))).size


async def test_a_player_sees_picture_words_and_own_legal_moves(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    found = await look(browser)
    assert (found["tick"], found["current"], found["over"], found["score"]) == (0, 0, False, 0)
    assert found["sees"] == "the game has just begun"
    legal = [move["action"] for move in browser.view["moves"] if move["legal"]]
    assert [move["action"] for move in found["moves"]] == legal
    assert all(move["text"] for move in found["moves"])
    assert size(found["picture"])[0] == 640
    await browser.move("hint_rank", "hint_color")
    assert (await look(browser))["tick"] >= 1


async def test_who_watches_sees_the_game_late_and_has_no_moves(make_match, pia, otto, browse):
    match = await in_thread(make_match, pia)
    await in_thread(Match.objects.filter(pk=match.pk).update, open_to_watch=True)
    player, spectator = await browse(match, pia), await browse(match, otto)
    await player.move("hint_rank", "hint_color")
    found = await look(spectator)
    assert (found["tick"], found["moves"], found["sees"]) == (0, [], "")


async def test_nobody_may_move_when_it_is_anothers_turn(make_match, pia, otto, browse):
    match = await in_thread(make_match, pia, ("me", "friend"))
    await in_thread(sit_down, match, otto)
    first, second = await browse(match, pia), await browse(match, otto)
    assert (await look(first))["moves"] and (await look(second))["moves"] == []


def sit_down(match, user) -> None:
    from webapp.lobby.views.table import take_seat

    assert take_seat(match, user)


async def test_where_all_move_at_once_everybody_has_moves(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia)
    found = await look(await browse(match, pia))
    spec = games.spec("overcooked")
    assert found["current"] is None and len(found["moves"]) == spec.num_actions(match.options)


async def test_a_game_with_heads_has_a_table_of_its_own(agents, pia, fight):
    from tests.webapp.host.arena import new_arena

    match = await in_thread(new_arena, pia, ("me", "agent:weak"))
    page = await fight(match, pia)
    await page.send("look")
    assert await page.refusal() == "stream"


async def test_what_others_see_is_told_only_where_the_game_says_so(make_match, pia, browse, monkeypatch):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    monkeypatch.setattr(words, "OPEN", False)
    await browser.send("see", seat=1)
    assert await browser.refusal() == "hidden"
    await browser.send("see", seat=0)
    assert (await browser.until("seen"))["seat"] == 0
