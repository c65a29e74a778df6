"""Who gets in at a match host, and which host a browser is sent to."""

import os
import socket
import subprocess
import sys
import threading
import uuid
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.utils import timezone

from engine.refusal import Refusal
from tests.services import free_port
from tests.webapp.host.matches import Browser
from webapp.common import running
from webapp.host import manager, storage, tickets
from webapp.host.doors import Doors, address_of
from webapp.host.tickets import host_address
from webapp.matches.models import Match, MatchHost

pytestmark = pytest.mark.django_db(transaction=True)
GAME = uuid.uuid4()


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def test_each_limit_of_sockets_counts_those_that_are_open(settings):
    settings.SOCKETS = {"person": 2, "game": 3, "address": 4}
    doors, game = Doors(), uuid.uuid4()
    places = [doors.enter(1, game, "a") for _ in range(2)]
    with pytest.raises(Refusal, match="You have 2 games open at once"):
        doors.enter(1, uuid.uuid4(), "b")
    places.append(doors.enter(2, game, "a"))
    with pytest.raises(Refusal, match="3 people watch this game already"):
        doors.enter(3, game, "b")
    places.append(doors.enter(3, None, "a"))  # a player
    with pytest.raises(Refusal, match="4 people from your address"):
        doors.enter(4, None, "a")
    for place in places:
        doors.leave(place)
    assert not doors._sockets
    settings.SOCKETS = dict.fromkeys(settings.SOCKETS, 0)
    assert [doors.enter(1, game, "a") for _ in range(50)]


def test_words_are_counted_by_account_and_the_refusal_says_when_to_try_again(settings):
    settings.ACCOUNT_RATE_LIMITS = {"words": "3/m/user,5/h/user"}
    now = [1000.0]
    doors = Doors(clock=lambda: now[0])
    for _ in range(3):
        doors.speak(1, GAME, "a")
    doors.speak(2, GAME, "a")
    now[0] += 20
    with pytest.raises(Refusal, match=r"At most 3 instructions and messages a minute .* in 40 seconds\."):
        doors.speak(1, GAME, "a")
    now[0] += 40
    doors.speak(1, GAME, "a")
    doors.speak(1, GAME, "a")
    with pytest.raises(Refusal, match="At most 5 .* an hour"):
        doors.speak(1, GAME, "a")
    settings.ACCOUNT_RATE_LIMITS = {"words": ""}
    doors.speak(1, GAME, "a")


def test_words_are_counted_by_game_and_by_address_too(settings):
    settings.ACCOUNT_RATE_LIMITS = {"words": "9/m/user,3/m/key,5/m/ip"}
    doors, other = Doors(clock=lambda: 1000.0), uuid.uuid4()
    for user in range(3):
        doors.speak(user, GAME, "a")
    with pytest.raises(Refusal, match="At most 3 instructions and messages a minute .* in one game"):
        doors.speak(3, GAME, "b")
    doors.speak(3, other, "a")
    doors.speak(4, other, "a")
    with pytest.raises(Refusal, match="At most 5 .* from one address"):
        doors.speak(5, uuid.uuid4(), "a")


def test_who_has_long_said_nothing_is_forgotten():
    now = [1000.0]
    doors = Doors(clock=lambda: now[0])
    for user in range(1000):
        doors.speak(user, uuid.uuid4(), str(user))
    now[0] += 100_000
    doors.speak(1000, GAME, "a")
    assert {*doors._said} == {("user", 1000), ("key", GAME), ("ip", "a")}


def test_the_address_is_the_clients_and_not_what_it_claims_to_be(settings):
    scope = {"client": ["10.0.0.1", 5], "headers": [(b"x-forwarded-for", b"6.6.6.6, 1.2.3.4")]}
    assert address_of(scope) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address_of(scope) == "1.2.3.4"
    assert address_of({"client": ["10.0.0.1", 5], "headers": []}) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    assert len({address_of({"client": [f"2001:db8::{end}", 5]}) for end in range(9)}) == 1, "of one line"
    assert address_of({"client": ["::ffff:1.2.3.4", 5]}) == "1.2.3.4", "IPv4 at a socket of IPv6"


async def test_a_ticket_opens_one_socket(make_match, pia):
    match = await in_thread(make_match, pia)
    ticket = await in_thread(tickets.issue, match, pia, None)
    first = await Browser(match.pk, ticket).open()
    again = Browser(match.pk, ticket)
    await again.line.connect()
    assert await again.refusal() == "used"
    assert await again.closed_with() == 4009, "a page asks for another ticket and comes in"
    second = await Browser(match.pk, await in_thread(tickets.issue, match, pia, None)).open()
    for one in (first, second):
        await one.close()
    await manager.current_host().stop()


async def test_a_socket_too_many_is_refused_for_good_and_a_place_that_is_left_is_free(
    make_match, pia, browse, settings
):
    settings.SOCKETS = {"person": 2, "game": 0, "address": 0}
    match = await in_thread(make_match, pia)
    first, _ = [await browse(match, pia) for _ in range(2)]
    third = await browse(match, pia, join=False)
    await third.line.connect()
    refused = await third.until("error")
    assert (refused["code"], "2 games open at once" in refused["text"]) == ("too_many_sockets", True)
    assert await third.closed_with() == 4029
    await first.close()
    await browse(match, pia)


async def test_a_socket_that_fails_while_it_opens_is_not_counted_on(make_match, pia, monkeypatch):
    async def fails(_):
        raise OperationalError("the database is away")

    host = manager.current_host()
    monkeypatch.setattr(host, "open", fails)
    match = await in_thread(make_match, pia)
    browser = Browser(match.pk, await in_thread(tickets.issue, match, pia, None))
    await browser.line.connect()
    with pytest.raises(OperationalError):
        await browser.line.wait()
    assert not host.doors._sockets


async def test_words_too_many_are_refused_and_the_game_goes_on(make_match, pia, browse, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "words": "2/h/user"}
    browser = await browse(await in_thread(make_match, pia), pia)
    for _ in range(3):
        number = await browser.send("say", text="hello")
    refused = await browser.until("error")
    assert (refused["code"], refused["seq"]) == ("too_many_words", number)
    await browser.send("move", tick=0, action=browser.legal("hint_color"))
    await browser.until("state")


# --- Which host --------------------------------------------------------------------------------------------


LATELY = -60  # seconds ago: still lately where the test takes long


@pytest.fixture
def hosts(settings, monkeypatch):
    """A function: a host of this name that was heard of so many seconds ago, and answers."""
    settings.HOSTS_MATCHES = False
    monkeypatch.setattr(tickets, "answers", lambda url: True)

    def make(name: str, ago: float) -> MatchHost:
        at = timezone.now() - timedelta(seconds=ago)
        return MatchHost.objects.create(name=f"far-away/1/{name}", url=f"wss://{name}", heartbeat_at=at)

    return make


def test_a_host_whose_leases_have_run_out_gets_no_game(make_match, pia, hosts):
    matches = [make_match(pia) for _ in range(4)]
    hosts("dead", storage.LEASE.total_seconds() + 0.5)
    assert {host_address(match) for match in matches} == {"wss://dead"}, "better than none"
    hosts("alive", LATELY)
    assert {host_address(match) for match in matches} == {"wss://alive"}
    MatchHost.objects.all().update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    with pytest.raises(Refusal):
        host_address(matches[0])


def test_a_process_of_this_machine_that_is_gone_is_no_host_at_all(make_match, pia, hosts):
    match, machine = make_match(pia), storage.host_name().split("/")[0]
    dead = hosts("dead", 0)
    MatchHost.objects.filter(pk=dead.pk).update(name=f"{machine}/4194304/gone")
    with pytest.raises(Refusal):
        host_address(match)


def test_a_process_that_has_ended_is_gone_though_nobody_has_asked_how():
    ended = subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.DEVNULL)
    try:
        assert not running.is_gone(str(os.getpid()))
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert running.is_gone(str(ended.pid))
    finally:
        ended.wait()


def test_a_browser_that_found_nobody_is_sent_elsewhere_also_from_the_host_of_its_game(
    make_match, pia, hosts, client
):
    match = make_match(pia)
    one, _ = hosts("one", LATELY), hosts("two", LATELY)
    lease = timezone.now() + timedelta(minutes=1)
    Match.objects.filter(pk=match.pk).update(host=one.name, lease_until=lease)
    match.refresh_from_db()
    client.force_login(pia)
    address = f"/play/{match.pk}/ticket/"
    first = client.get(address).json()["url"]
    assert first == f"wss://one/play/{match.pk}/socket/"
    assert client.get(address, {"failed": first}).json()["url"].startswith("wss://two/")
    MatchHost.objects.filter(pk=one.pk).update(url="wss://on")
    assert host_address(match, first) == "wss://on", "an address that only begins alike"
    MatchHost.objects.filter(pk=one.pk).update(url="wss://one")
    MatchHost.objects.exclude(pk=one.pk).delete()
    assert client.get(address, {"failed": first}).json()["url"] == first, "there is no other"


def test_a_new_game_goes_to_a_host_that_answers(make_match, pia, hosts, monkeypatch):
    matches = [make_match(pia) for _ in range(3)]
    for number, match in enumerate(matches):
        match.pk = uuid.UUID(int=number)
    for name in ("one", "two", "three"):
        hosts(name, LATELY)
    monkeypatch.setattr(tickets, "answers", lambda url: url == "wss://two")
    assert {host_address(match) for match in matches} == {"wss://two"}
    monkeypatch.setattr(tickets, "answers", lambda url: False)
    addresses = [host_address(match) for match in matches]
    assert sorted(addresses) == ["wss://one", "wss://three", "wss://two"], "there may be no way from here"


def test_a_host_answers_unless_it_is_gone_hangs_or_its_proxy_finds_nobody(monkeypatch):
    def served(first_line: bytes) -> str:
        def answer() -> None:
            line, _ = listening.accept()
            with line:
                asked.append(line.recv(1000).split()[1])
                line.sendall(b"HTTP/1.1 " + first_line + b"\r\nContent-Length: 0\r\n\r\n")

        listening = socket.create_server(("127.0.0.1", 0))
        opened.append(listening)
        if first_line:
            threading.Thread(target=answer, daemon=True).start()
        return f"ws://127.0.0.1:{listening.getsockname()[1]}"

    opened: list[socket.socket] = []
    asked: list[bytes] = []
    try:
        monkeypatch.setattr(tickets, "ANSWERS_WITHIN", 60.0)
        assert tickets.answers(served(b"404 Not Found")) is True
        assert tickets.answers(served(b"404 Not Found") + "/host-1") is True
        assert asked == [b"/", b"/host-1/"]
        assert tickets.answers(served(b"502 Bad Gateway")) is False
        monkeypatch.setattr(tickets, "ANSWERS_WITHIN", 0.1)
        assert tickets.answers(served(b"")) is False
        assert tickets.answers(f"ws://127.0.0.1:{free_port()}") is False
        assert tickets.answers(f"wss://127.0.0.1:{free_port()}") is False
        assert tickets.answers(f"wss://{'a' * 64}.example") is False, "no such name can be"
        assert tickets.answers("ws://127.0.0.1:65536") is False, "nor such a port"
    finally:
        for listening in opened:
            listening.close()


def test_a_host_says_that_it_is_up_more_often_than_it_would_be_taken_for_dead():
    assert 3 * manager.ROUND <= storage.LEASE.total_seconds() <= 4
