"""What players say about their instructions: "forget that", "as before", "not you, the other one"."""

import uuid

import pytest
from asgiref.sync import sync_to_async

from webapp.episodes.stores import log_store

pytestmark = pytest.mark.django_db(transaction=True)
FIRST, SECOND = "if I hint a colour, play those cards", "discard your oldest card"
UNDO, CANCEL = "nah forget that", "forget everything I told you, play the way you think is best"
AGAIN, OTHER = "ok go back to how we did it before", "not you lol i meant the other one"


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


async def send(page, text, target=None) -> None:
    await page.send("instruct", id=str(uuid.uuid4()), text=text, target=target)


async def say(page, text, target=None) -> dict:
    await send(page, text, target)
    return await page.until("instruction")


def last(match) -> dict[str, str]:
    return {record["text"]: record["status"] for record in log_store().read(match.pk).instructions}


async def test_the_last_one_is_taken_back_and_given_again(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    page = await browse(match, pia)
    for text in (FIRST, SECOND):
        told = await say(page, text)
        await page.send("confirm_reading", id=told["id"])
        await page.until("instruction")
    back = await say(page, UNDO)
    assert (back["text"], back["status"]) == (SECOND, "withdrawn")
    assert await in_thread(last, match) == {FIRST: "confirmed", SECOND: "withdrawn"}
    once_more = await say(page, AGAIN)
    assert (once_more["text"], once_more["status"]) == (SECOND, "read")


async def test_all_are_taken_back_and_nobody_elses(make_match, pia, otto, browse):
    from webapp.lobby.views.table import take_seat

    match = await in_thread(make_match, pia, ("me", "agent:grounded-bot", "friend"))
    await in_thread(take_seat, match, otto)
    page, other = await browse(match, pia), await browse(match, otto)
    await say(other, "hint reds")
    await say(page, FIRST)
    await say(page, SECOND)
    await send(page, CANCEL)
    ended = {(await page.until("instruction"))["text"] for _ in range(2)}
    assert ended == {FIRST, SECOND}
    assert (await in_thread(last, match))["hint reds"] == "read"


async def test_what_was_meant_for_the_other_one_goes_there(make_match, pia, browse):
    match = await in_thread(make_match, pia, ("me", "agent:grounded-bot", "agent:grounded-bot"))
    page = await browse(match, pia)
    await say(page, FIRST, target=1)
    back = await say(page, OTHER)
    assert (back["status"], back["target_seat"]) == ("withdrawn", 1)
    new = await page.until("instruction")
    assert (new["text"], new["status"], new["target_seat"]) == (FIRST, "read", 2)


async def test_where_it_is_unclear_whom_it_was_for_it_is_asked(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    page = await browse(match, pia)
    await say(page, FIRST)
    await send(page, OTHER)
    assert await page.refusal() == "nothing"
    assert await in_thread(last, match) == {FIRST: "read"}


@pytest.mark.parametrize("text", (UNDO, CANCEL, AGAIN, OTHER))
async def test_where_nothing_was_said_there_is_nothing_to_take_back(make_match, pia, browse, text):
    match = await in_thread(make_match, pia)
    page = await browse(match, pia)
    await send(page, text)
    assert await page.refusal() == "nothing"
    assert await in_thread(last, match) == {}
