"""What is in force in a live match is what its log says afterwards: in every game, for one and for many."""

import asyncio
import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.simulation.told import told
from tests.webapp.host.arena import new_arena
from webapp.episodes.stores import log_store
from webapp.host import manager
from webapp.lobby.views.table import take_seat

pytestmark = pytest.mark.django_db(transaction=True)
KITCHEN = "XXPXX\nO1  O\nX 2 X\nX 3 X\nXDXSX"
PLAY, DISCARD = "if I hint a colour, play those cards", "When I hint a colour, discard those cards"


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def live(match):
    return manager.current_host().matches[match.pk]


async def say(page, text, target=None) -> str:
    """The id of an instruction that is confirmed."""
    name = str(uuid.uuid4())
    await page.send("instruct", id=name, text=text, target=target)
    frame = await page.until("instruction")
    if frame["status"] == "read":
        await page.send("confirm_reading", id=name)
        frame = await page.until("instruction")
    assert (frame["id"], frame["status"]) == (name, "confirmed")
    return name


def now(match, *seats) -> list[list[str]]:
    return [[one["id"] for one in live(match).programs(seat)] for seat in seats]


async def spans(match):
    """What the log says, once it is written; it is what the match goes by."""
    await manager.current_host().writer.flush()
    found = told(await in_thread(log_store().read, match.pk))
    seats = range(len(live(match).seats))
    assert [found.programs(seat) for seat in seats] == [live(match).in_force.programs(seat) for seat in seats]
    return found.spans


async def test_a_hanabi_convention_replaces_what_it_contradicts(make_match, pia, browse):
    match = await in_thread(make_match, pia, ("me", "agent:grounded-bot", "agent:grounded-bot"))
    page = await browse(match, pia)
    first = await say(page, PLAY)
    assert now(match, 0, 1, 2) == [[], [first], [first]]
    second = await say(page, DISCARD, target=2)
    frame = await page.until("standing")
    assert (frame["id"], frame["state"], frame["by"], frame["seats"]) == (first, "replaced", second, [2])
    assert now(match, 0, 1, 2) == [[], [first], [second]]
    await page.send("withdraw", id=first)
    await page.until("instruction")
    assert now(match, 1, 2) == [[], [second]]
    ended = {(one.id, one.seat): one.why for one in await spans(match)}
    assert ended == {(first, 1): "withdrawn", (first, 2): "replaced", (second, 2): ""}


async def test_a_cooks_task_ends_for_each_cook_when_it_is_done(make_kitchen, pia, browse):
    wishes = ("me", "agent:greedy", "agent:greedy")
    match = await in_thread(make_kitchen, pia, wishes, horizon=400, options={"layout": KITCHEN})
    page = await browse(match, pia)
    role = await say(page, "you do onions", target=1)
    go = await say(page, "get an onion", target=2)
    assert now(match, 1, 2) == [[role], [go]]
    frame = await page.until("standing")
    assert (frame["id"], frame["state"], frame["seats"]) == (go, "done", [2])
    assert now(match, 1, 2) == [[role], []]
    assert live(match).goals[go]["state"] == "done"
    by_id = {one.id: one for one in await spans(match)}
    assert by_id[go].why == "done" and by_id[go].start < by_id[go].end == frame["tick"]
    assert by_id[role].end is None


async def test_an_order_to_the_squad_is_replaced_for_one_mate(fight, pia):
    wishes = ("me", "agent:strong", "agent:strong", "agent:weak", "agent:weak", "agent:weak")
    match = await in_thread(new_arena, pia, wishes, 3)
    page = await fight(match, pia)
    hold = await say(page, "hold here")
    assert now(match, *range(6)) == [[], [hold], [hold], [], [], []]
    follow = await say(page, "follow me", target=1)
    assert now(match, 1, 2) == [[follow], [hold]]
    for _ in range(900):  # agents compile what they think with, where nothing has before
        if len(live(match).goals.get(hold, {}).get("seats", {})) == 2:
            break
        await asyncio.sleep(0.2)
    seats = live(match).goals[hold]["seats"]
    assert seats["1"] == {"state": "replaced", "text": "replaced by a later instruction"}
    assert seats["2"]["state"] in ("waiting", "obeying")
    await page.send("instruct", id=str(uuid.uuid4()), text="hold here", target=4)
    assert await page.refusal() == "malformed", "an enemy is not instructed"
    await spans(match)


async def test_what_one_squad_says_reaches_no_page_of_another(fight, pia, otto):
    """Nor do those who come later hear of it. Who plays whose seat is told to all."""
    wishes = ("me", "agent:weak", "friend", "agent:weak")
    match = await in_thread(new_arena, pia, wishes, 2)
    assert await in_thread(take_seat, match, otto)
    page, other = await fight(match, pia), await fight(match, otto)
    hold = await say(page, "hold here")
    follow = await say(page, "follow me")
    await page.until("standing")
    while follow not in (await page.until("goals"))["goals"]:
        pass
    await page.send("say", text="I go round the left")
    await page.until("utterance")
    again = await fight(match, otto)
    # One's own mate may have said what it sees.
    theirs = [one for one in again.joined["dialogue"] if one.get("seat") not in (2, 3)]
    assert {one["type"] for one in theirs} <= {"control", "notice"}
    assert again.joined["goals"] == {}
    mate = await fight(match, pia)
    assert [one["id"] for one in mate.joined["dialogue"] if one["type"] == "standing"] == [hold]
    assert set(mate.joined["goals"]) == {hold, follow}
    own = await say(other, "hold here")
    words = ("instruction", "standing", "utterance", "goals")
    heard = [frame for frame in other.kept if frame["type"] in words]
    # One's own mate says what it sees meanwhile, and how far it is with what one has told it.
    others = [frame for frame in heard if frame.get("seat") not in (2, 3)]
    assert all(frame["type"] == "goals" and set(frame["goals"]) == {own} for frame in others)
    await page.send("leave")
    assert (await other.until("control"))["seat"] == 0


async def test_another_host_knows_what_was_replaced_and_done(make_kitchen, pia, browse):
    match = await in_thread(make_kitchen, pia, ("me", "agent:greedy"), horizon=400)
    page = await browse(match, pia)
    onions = await say(page, "you do onions")
    plates = await say(page, "you do the plates")
    assert (await page.until("standing"))["id"] == onions
    before = await spans(match)
    await manager.current_host().stop()
    manager._host = None
    again = await browse(match, pia, client=str(uuid.uuid4()))
    assert now(match, 1) == [[plates]]
    told_again = [one for one in again.joined["dialogue"] if one["type"] == "standing"]
    assert [(one["id"], one["state"], one["by"]) for one in told_again] == [(onions, "replaced", plates)]
    assert await spans(match) == before


async def test_what_was_said_in_the_lobby_is_settled_at_the_start(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    header, records = (await in_thread(log_store().read, match.pk)).header, []
    page = await browse(match, pia)
    first, second = await say(page, PLAY), await say(page, DISCARD)
    await manager.current_host().stop()
    manager._host = None
    log = await in_thread(log_store().read, match.pk)
    records = [one for one in log.records if one["type"] != "standing"]  # as if the host had died before
    await in_thread(log_store().delete, match.pk)
    await in_thread(log_store().append, match.pk, [header, *records])
    await browse(match, pia, client=str(uuid.uuid4()))
    for _ in range(100):
        if now(match, 1) == [[second]]:
            break
        await asyncio.sleep(0.05)
    assert now(match, 1) == [[second]]
    assert [one.id for one in await spans(match)] == [first, second]
