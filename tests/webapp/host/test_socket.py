"""Every bad message gets a clear error and changes nothing; people without the right don't get in."""

import json
import uuid

import pytest
from asgiref.sync import sync_to_async
from channels.exceptions import StopConsumer
from django.test import Client

from tests.webapp.host.matches import HOST, ORIGIN, Browser, Line
from webapp.host import tickets
from webapp.host.consumer import MatchConsumer
from webapp.matches.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest.fixture
def table(make_match, pia, browse):
    """A function: (match, pia's socket)."""

    async def make(**kwargs):
        match = await in_thread(make_match, pia, **kwargs)
        return match, await browse(match, pia)

    return make


async def test_a_move_is_acknowledged_and_the_agent_answers(table):
    _, browser = await table()
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    assert (await browser.until("ack")) == {"type": "ack", "seq": 1, "tick": 1}
    assert (await browser.until("state"))["view"]["last"]["seat"] == 0
    assert (await browser.until("state"))["view"]["last"]["seat"] == 1


async def test_the_own_hand_is_never_sent(table):
    _, browser = await table()
    own, partner = browser.view["hands"]
    assert all(card["card"] is None for card in own["cards"])
    assert all(card["card"] is not None for card in partner["cards"])


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("not json", "malformed"),
        ("[" * 5000, "malformed"),
        ("[1, 2]", "malformed"),
        ('{"no": "type"}', "malformed"),
        ({"type": "cheat", "seq": 1}, "unknown"),
        ({"type": "move", "tick": 0, "action": 0}, "malformed"),
        ({"type": "move", "seq": "1", "tick": 0, "action": 0}, "malformed"),
        ({"type": "move", "seq": 1, "tick": 0}, "malformed"),
        ({"type": "move", "seq": 1, "tick": 0, "action": True}, "malformed"),
        ({"type": "move", "seq": 1, "tick": 0, "action": 21}, "malformed"),
        ({"type": "move", "seq": 1, "tick": 0, "action": 20}, "illegal"),
        ({"type": "move", "seq": 1, "tick": 0, "action": 0}, "illegal"),
        ({"type": "move", "seq": 1, "tick": 3, "action": 5}, "stale"),
        ({"type": "say", "seq": 1, "text": "   "}, "empty"),
        ({"type": "say", "seq": 1, "text": "x" * 501}, "too_long"),
        ({"type": "say", "seq": 1, "text": "x" * 9000}, "oversize"),
        ({"type": "instruct", "seq": 1, "id": "7", "text": "play"}, "malformed"),
        ({"type": "confirm_reading", "seq": 1, "id": str(uuid.uuid4())}, "unknown_instruction"),
        ({"type": "takeover", "seq": 1, "seat": 1}, "is_agent"),
        ({"type": "join", "client": str(uuid.uuid4())}, "joined"),
        ({"type": "ping"}, "malformed"),
        ('{"type": "ping", "at": NaN}', "malformed"),
        ('{"type": "ping", "at": -Infinity}', "malformed"),
        ('{"type": "ping", "at": 1e999}', "malformed"),
        ('{"type": "ping", "at": %s}' % ("9" * 5000), "malformed"),
        ('{"type": "ping", "at": 1, "more": ' + "[" * 900 + "]" * 900 + "}", "malformed"),
    ],
)
async def test_bad_messages_are_refused_and_change_nothing(table, message, code):
    match, browser = await table()
    await browser.send_raw(message)
    assert await browser.refusal() == code
    await browser.send_raw({"type": "ping", "at": 1})
    assert (await browser.until("pong"))["tick"] == 0
    await in_thread(match.refresh_from_db)
    assert (match.status, await in_thread(match.instructions.count)) == (Match.PLAYING, 0)


async def test_binary_frames_are_refused(table):
    _, browser = await table()
    await browser.line.send_input({"type": "websocket.receive", "bytes": b"\x00\x01"})
    assert await browser.refusal() == "malformed"


async def test_nothing_but_join_comes_first(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia, join=False)
    await browser.line.connect()
    await browser.send("move", tick=0, action=5)
    assert await browser.refusal() == "not_joined"


async def test_moving_out_of_turn_is_refused(make_match, pia, otto, browse):
    match = await in_thread(make_match, pia, ("me", "friend"))
    await in_thread(sit_down, match, otto)
    second = await browse(match, otto)
    await second.send("move", tick=0, action=5)
    assert await second.refusal() == "not_your_turn"


def sit_down(match, user):
    from webapp.lobby.views.table import take_seat

    assert take_seat(match, user)


async def test_a_message_sent_twice_is_taken_once(table):
    _, browser = await table()
    move = {"type": "move", "seq": 1, "tick": 0, "action": browser.legal("hint_color")}
    await browser.send_raw(move)
    await browser.send_raw(move)
    await browser.until("ack")
    assert await browser.refusal() == "duplicate"


async def test_a_second_socket_of_the_same_page_goes_on_with_its_numbers(table, browse, pia):
    match, browser = await table()
    move = {"type": "move", "seq": 1, "tick": 0, "action": browser.legal("hint_color")}
    await browser.send_raw(move)
    await browser.until("ack")
    await browser.close()
    again = await browse(match, pia, client=browser.client)
    await again.send_raw(move)
    assert await again.refusal() == "duplicate"


async def test_a_flood_is_told_once_and_closed(table):
    _, browser = await table()
    for _ in range(500):  # a busy machine needs seconds for them, in which some more are allowed
        await browser.send_raw({"type": "ping", "at": 1})
    assert await browser.refusal() == "flood"
    assert await browser.closed_with() == 4008


async def test_a_spectator_sees_no_hand_that_its_holder_cannot_see_and_may_not_move(table, browse, otto):
    match, browser = await table()
    watcher = await browse(match, otto)
    assert watcher.joined["seat"] is None
    hands = [card for hand in watcher.view["hands"] for card in hand["cards"]]
    assert len(hands) == 10
    assert {(card["card"], card["playable"], card["critical"]) for card in hands} == {(None, None, None)}
    await watcher.send("move", tick=0, action=5)
    assert await watcher.refusal() == "spectator"
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    await browser.until("ack")
    assert (await watcher.until("state"))["tick"] == 0, "two moves late"


async def test_a_closed_game_is_not_there_for_others(make_match, pia, otto, browse):
    match = await in_thread(make_match, pia, open_to_watch=False)
    browser = await browse(match, otto, join=False)
    await browser.line.connect()
    assert await browser.refusal() == "not_found"
    assert await browser.closed_with() == 4004


async def test_nobody_gets_in_without_a_ticket_or_with_that_of_another_game(make_match, pia):
    match = await in_thread(make_match, pia)
    other = await in_thread(make_match, pia)
    for ticket in ("", "forged", await in_thread(tickets.issue, other, pia, None)):
        browser = Browser(match.pk, ticket)
        await browser.line.connect()
        assert await browser.refusal() == "not_signed_in"
        assert await browser.closed_with() == 4001


async def test_an_account_without_a_role_is_turned_away(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    await in_thread(pia.set_roles, set())
    browser = await browse(match, pia, join=False)
    await browser.line.connect()
    assert await browser.refusal() == "no_role"
    assert await browser.closed_with() == 4003


@pytest.mark.parametrize("origin", [None, b"https://evil.example", b"null", b"http://127.0.0.1:9"])
async def test_foreign_pages_are_denied_and_logged(make_match, pia, origin, caplog):
    match = await in_thread(make_match, pia)
    ticket = await in_thread(tickets.issue, match, pia, None)
    headers = [HOST] + ([(b"origin", origin)] if origin else [])
    line = Line(f"/play/{match.pk}/socket/?ticket={ticket}", headers)
    assert not await line.connect()
    assert "socket denied" in caplog.text


async def test_the_sites_own_cookie_opens_a_socket_too(make_match, pia):
    match = await in_thread(make_match, pia)
    client = Client()
    await in_thread(client.force_login, pia)
    cookie = (b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode())
    line = Line(f"/play/{match.pk}/socket/", [ORIGIN, HOST, cookie])
    assert await line.connect()
    await line.send(json.dumps({"type": "join", "client": str(uuid.uuid4())}))
    assert (await line.receive())["type"] == "joined"
    await line.close()


async def test_signing_out_closes_the_socket(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    client = Client()
    await in_thread(client.force_login, pia)
    browser = await browse(match, pia, session=client.session.session_key)
    await in_thread(client.logout)
    assert await browser.refusal() == "signed_out"
    assert await browser.closed_with() == 4001


async def test_losing_the_role_closes_the_socket(table, pia):
    _, browser = await table()
    await in_thread(pia.set_roles, set())
    assert await browser.refusal() == "no_role"
    assert await browser.closed_with() == 4003


async def test_a_socket_does_not_depend_on_the_channel_layer():
    async def receive():
        raise StopConsumer

    consumer = MatchConsumer()
    await consumer({"type": "websocket"}, receive, None)
    assert consumer.channel_layer is None
