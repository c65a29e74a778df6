"""What an agent sees, in words: the same for all who ask, no secret in it, late for spectators."""

import pytest
from asgiref.sync import sync_to_async

from webapp.matches.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


async def see(browser, seat: int = 1) -> dict:
    await browser.send("see", seat=seat)
    return await browser.until("seen")


async def test_the_words_are_of_what_everybody_has_seen(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    before = await see(browser)
    assert (before["seat"], before["tick"], before["sees"]) == (1, 0, "the game has just begun")
    assert "play my 1st card" in before["moves"]
    await browser.move("hint_rank", "hint_color")
    after = await see(browser)
    assert "told" in after["sees"]
    assert [name for name, _ in after["details"]] == [
        "What hints told of my cards",
        "What hints told of my partner's cards",
    ]
    assert before["details"][0][1].count("unknown") == 5 > after["details"][0][1].count("unknown")


async def test_the_moves_tell_nothing_of_a_players_hand(make_match, pia, browse):
    """Which hints are legal depends on the cards that the player holds."""
    match = await in_thread(make_match, pia)
    told = await see(await browse(match, pia))
    assert sum("hint the color" in move for move in told["moves"]) == 5
    assert sum("hint the rank" in move for move in told["moves"]) == 5


async def test_spectators_are_told_late(make_match, pia, otto, browse):
    match = await in_thread(make_match, pia)
    await in_thread(Match.objects.filter(pk=match.pk).update, open_to_watch=True)
    player, spectator = await browse(match, pia), await browse(match, otto)
    await player.move("hint_rank", "hint_color")
    assert (await see(player))["tick"] >= 1
    assert (await see(spectator))["tick"] == 0


@pytest.mark.parametrize("seat", [2, -1, None, "1"])
async def test_a_seat_that_there_is_not_is_refused(make_match, pia, browse, seat):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    await browser.send("see", seat=seat)
    assert await browser.refusal() == "malformed"


async def test_a_kitchen_is_told_in_sentences(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia)
    told = await see(await browse(match, pia))
    assert "ticks are left" in told["sees"] and len(told["moves"]) >= 2
