"""Instructions: stored as typed with their tick, read back, obeyed once confirmed."""

import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.simulation.life import State
from webapp.episodes.stores import log_store

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "if I hint a colour, play those cards"


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


async def say(browser, text=TEXT) -> dict:
    await browser.send("instruct", id=str(uuid.uuid4()), text=text, target=None)
    return await browser.until("instruction")


def logged(match) -> list[tuple[str, str]]:
    return [(record["text"], record["status"]) for record in log_store().read(match.pk).instructions]


async def test_what_was_typed_is_stored_with_its_tick_and_read_back(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    told = await say(browser)
    assert (told["status"], told["tick"], told["text"]) == ("read", 0, TEXT)
    assert "colour" in told["sentence"]
    stored = await in_thread(match.instructions.get)
    assert (stored.text, stored.tick, stored.status) == (TEXT, 0, State.READ)
    assert await in_thread(logged, match) == [(TEXT, "read")]


async def test_what_cannot_be_read_is_said_to_be_so_and_stored(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    told = await say(browser, "move faster please")
    assert told["status"] == "unread"
    await browser.send("confirm_reading", id=told["id"])
    assert await browser.refusal() == "unread"
    assert await in_thread(logged, match) == [("move faster please", "unread")]


async def test_a_rewritten_instruction_keeps_its_first_wording(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    told = await say(browser)
    await browser.send("rewrite", id=told["id"], new_id=str(uuid.uuid4()), text="discard your oldest card")
    await browser.until("instruction")
    new = await browser.until("instruction")
    assert new["text"] == "discard your oldest card"
    assert [status for _, status in await in_thread(logged, match)] == ["read", "rewritten", "read"]
    await browser.send("confirm_reading", id=told["id"])
    assert await browser.refusal() == "closed"


async def test_only_the_speaker_may_confirm(make_match, pia, otto, browse):
    match = await in_thread(make_match, pia, ("me", "agent:grounded-bot", "friend"))
    from webapp.lobby.views.table import take_seat

    await in_thread(take_seat, match, otto)
    told = await say(await browse(match, pia))
    other = await browse(match, otto)
    await other.send("confirm_reading", id=told["id"])
    assert await other.refusal() == "unknown_instruction"


async def first_answer_to_a_colour_hint(browser) -> dict:
    """What the agent does after being hinted a colour that touches its newest card."""
    hand = browser.view["hands"][1]["cards"]
    color = hand[-1]["card"] // 5
    hint = next(m for m in browser.view["moves"] if m["kind"] == "hint_color" and m["value"] == color)
    await browser.send("move", tick=0, action=hint["action"])
    while browser.view["tick"] < 2:
        await browser.until("state")
    return browser.view["last"]


async def test_the_agent_obeys_from_its_next_move_on_and_only_what_is_confirmed(make_match, pia, browse):
    unconfirmed = await in_thread(make_match, pia)
    browser = await browse(unconfirmed, pia)
    await say(browser)
    before = await first_answer_to_a_colour_hint(browser)
    assert before["kind"] != "play", "a grounded player doesn't play on a colour alone"

    confirmed = await in_thread(make_match, pia)
    browser = await browse(confirmed, pia)
    told = await say(browser)
    await browser.send("confirm_reading", id=told["id"])
    assert (await browser.until("instruction"))["status"] == "confirmed"
    after = await first_answer_to_a_colour_hint(browser)
    assert after["kind"] == "play"
    await browser.send("withdraw", id=told["id"])
    assert (await browser.until("instruction"))["status"] == "withdrawn"


async def test_an_instruction_from_the_lobby_is_in_the_log_from_tick_0(make_match, pia):
    match = await in_thread(make_match, pia, instruction=TEXT, confirmed=True)
    assert await in_thread(logged, match) == [(TEXT, "confirmed")]
    await in_thread(match.episode.refresh_from_db)
    assert match.episode.instruction == TEXT


async def test_thanks_are_said_and_leave_what_is_in_force(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    told = await say(browser)
    await browser.send("confirm_reading", id=told["id"])
    await browser.until("instruction")
    await browser.send("instruct", id=str(uuid.uuid4()), text="nice, thanks!", target=None)
    assert (await browser.until("utterance"))["text"] == "nice, thanks!"
    await browser.send("rewrite", id=told["id"], new_id=str(uuid.uuid4()), text="sorry")
    assert await browser.refusal() == "talk"
    assert await in_thread(logged, match) == [(TEXT, "read"), (TEXT, "confirmed")]
    assert await in_thread(match.instructions.count) == 1


async def told_to_discard(make_match, pia, browse):
    """A browser that has told its partner to discard at the first move, while all hints are there."""
    match = await in_thread(make_match, pia, seed=1)  # in some deals it had rather give a hint
    browser = await browse(match, pia)
    told = await say(browser, "always discard your oldest card")
    await browser.send("confirm_reading", id=told["id"])
    assert (await browser.until("instruction"))["status"] == "confirmed"
    return match, browser, told["id"]


async def test_a_partner_that_moves_after_a_hint_is_never_said_to_be_unable_to_discard(
    make_match, pia, browse
):
    match, browser, told = await told_to_discard(make_match, pia, browse)
    later = await browse(match, pia)
    assert later.joined["goals"][told]["state"] == "obeying"
    seen = []
    await browser.move("hint_color", "hint_rank")
    while browser.view["tick"] < 2:
        frame = await browser.receive()
        seen += [goals[told]["state"] for goals in [frame.get("goals") or {}] if told in goals]
    assert "waiting" not in seen
    assert browser.view["last"]["kind"] == "discard", "as it was told"


async def test_what_a_partner_cannot_do_in_its_own_move_is_said_while_it_moves(make_match, pia, browse):
    """The first seat keeps all hints there by playing a card; an agent that may not discard says so then."""
    _, browser, told = await told_to_discard(make_match, pia, browse)
    await browser.move("play")
    goals = {"state": "obeying"}
    while goals["state"] == "obeying":
        goals = (await browser.until("goals"))["goals"][told]
    assert goals == {"state": "waiting", "text": "nothing may be discarded while all hints are there"}
