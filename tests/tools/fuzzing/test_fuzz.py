"""Odd input breaks nothing: a bounded sample of what `manage.py bench fuzz` does for longer. And what breaks
is seen: faults that are put in on purpose are reported.
"""

from __future__ import annotations

import json
import logging
import time

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse, JsonResponse
from django.test import override_settings
from django.urls import path

from tools.fuzzing import Report, alone, messages, routes, world
from tools.fuzzing.values import Odd, dumped
from webapp.config import urls
from webapp.host import messages as known
from webapp.lobby.setup import REAL_TIME

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SECONDS = 30.0  # of a machine that does other things too
SEED = 20260


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.VAR_DIR = tmp_path  # where `prepare --first` says what is still to be compiled
    for name in ("EPISODES_DIR", "SNAPSHOTS_DIR", "JOBS_DIR"):
        folder = tmp_path / name
        folder.mkdir()
        setattr(settings, name, folder)


def test_odd_input_breaks_nothing():
    found = alone.everything(SECONDS, SEED)
    assert {name: report.faults for name, report in found.items()} == {
        "messages": [],
        "commands": [],
        "routes": [],
    }
    assert all(report.tried > 40 for report in found.values())


# --- Faults that are put in on purpose ---------------------------------------------------------------------


def breaks(request):
    raise RuntimeError("planted")


def breaks_at_a_number(request):
    return HttpResponse(str(int(request.GET.get("page", "0"))))


def tells_a_path(request):
    from django.conf import settings

    return HttpResponse(f"not found: {settings.BASE_DIR}/webapp/accounts/views.py")


def tells_a_traceback(request):
    return HttpResponse('Traceback (most recent call last)\n  File "x.py", line 1')


def writes_no_json(request):
    return HttpResponse('{"at": NaN}', content_type="application/json")


def takes_long(request):
    until = time.thread_time() + 0.4
    while time.thread_time() < until:
        pass
    return HttpResponse("late")


def never_answers(request):
    while True:
        time.sleep(0.01)


def is_good(request):
    return JsonResponse({"page": request.GET.get("page"), "text": request.POST.get("text")})


PLANTED = {
    "breaks": (breaks, "RuntimeError 'planted'"),
    "breaks_at_a_number": (breaks_at_a_number, "ValueError"),
    "tells_a_path": (tells_a_path, "holds the path"),
    "tells_a_traceback": (tells_a_traceback, "holds a traceback"),
    "writes_no_json": (writes_no_json, "no JSON that a browser takes"),
    "never_answers": (never_answers, "no answer in 1 s (it stood at test_fuzz.py:"),
    "takes_long": (takes_long, "it took 0."),
    "is_good": (is_good, ""),
}
urlpatterns = [*urls.urlpatterns, *(path(f"{name}/", view, name=name) for name, (view, _) in PLANTED.items())]


def test_every_fault_of_a_page_is_seen(monkeypatch):
    monkeypatch.setattr(routes, "SLOW", 0.3)
    site = world.cast()
    found = {}
    with override_settings(ROOT_URLCONF=__name__), routes.watched():
        for route in routes.routes():
            if route.name in PLANTED:
                report = Report()
                sender = routes.Sender(site, Odd(SEED), report)
                sender.tidy()
                monkeypatch.setattr(routes, "LONGEST", 1.0 if route.name == "never_answers" else 60.0)
                for _ in range(1 if route.name in ("takes_long", "never_answers") else 25):
                    sender.send(route, "player", "GET")
                found[route.name] = report.faults
    assert found.keys() == PLANTED.keys()
    for name, faults in found.items():
        words = PLANTED[name][1]
        assert bool(faults) == bool(words), name
        for fault in faults:
            assert words in fault and fault.endswith(".") and f"/{name}/" in fault, faults


def test_every_route_of_the_site_is_known():
    found = routes.routes()
    assert len({route.name for route in found}) > 90
    assert {"home", "play:table", "replays:marks", "account_login", "datasets:import"} <= {
        r.name for r in found
    }
    odd = Odd(1)
    for route in found:
        assert routes.address_of(route, odd).startswith("/")


async def breaks_at_odd_seats(match, connection, message):
    if message.seat not in range(len(match.seats)):
        raise RuntimeError("planted")
    await match.acknowledge(connection, message.seq)


async def says_no_number(match, connection, message):
    connection.post('{"type": "pong", "at": NaN}')


@pytest.mark.parametrize(
    ("kind", "handler", "words"),
    [
        ("see", breaks_at_odd_seats, ("planted",)),
        ("ping", says_no_number, ("NaN is no number",)),
    ],
)
def test_a_fault_of_a_message_is_seen(monkeypatch, kind, handler, words):
    handler.__doc__ = None
    monkeypatch.setattr(messages, "PATIENCE", 10.0)
    monkeypatch.setattr(messages, "kinds", lambda: [("hanabi", REAL_TIME, True)])
    good = messages.examples()
    monkeypatch.setattr(messages, "examples", lambda: {kind: good[kind], "ping": good["ping"]})
    monkeypatch.setitem(known.HANDLERS, kind, handler)
    found = messages.run(4.0, SEED, world.cast())
    assert any(word in fault for word in words for fault in found.faults), found.faults
    assert all(
        fault.startswith("hanabi (real_time): after ") and fault.endswith(".") for fault in found.faults
    )


def test_an_acknowledgement_or_a_record_that_is_missing_is_seen(monkeypatch):
    async def forgets(match, connection, message):
        await match.acknowledge(connection, message.seq)

    async def keeps_quiet(match, connection, message):
        return

    monkeypatch.setattr(messages, "PATIENCE", 3.0)
    monkeypatch.setattr(messages, "kinds", lambda: [("hanabi", REAL_TIME, True)])
    monkeypatch.setattr(messages, "examples", lambda: {"ping": {"type": "ping", "at": 1}})
    site = world.cast()
    for handler, words in ((forgets, "no longer written to the log"), (keeps_quiet, "isn't acknowledged")):
        monkeypatch.setitem(known.HANDLERS, "say", handler)
        assert any(words in fault for fault in messages.run(1.0, SEED, site).faults)


# --- The generator and the command -------------------------------------------------------------------------


def test_a_seed_gives_the_same_values():
    def some(seed):
        odd = Odd(seed)
        return [dumped(odd.value()) for _ in range(50)], [odd.text() for _ in range(50)], odd.bytes()

    assert some(3) == some(3) != some(4)


def test_the_command_prints_what_was_found_and_fails_if_it_is_anything(monkeypatch, capsys):
    clean = {name: {"tried": 7, "faults": []} for name in ("messages", "commands", "routes")}
    monkeypatch.setattr(alone, "fuzz", lambda seconds, seed: clean)
    call_command("bench", "fuzz", "--seconds", "10", "--json")
    assert json.loads(capsys.readouterr().out) == clean
    found = clean | {"routes": {"tried": 7, "faults": ["GET '/' as player: it broke."]}}
    monkeypatch.setattr(alone, "fuzz", lambda seconds, seed: found)
    with pytest.raises(CommandError, match=r"^1 faults were found; --seed 5 tries the same again\.$"):
        call_command("bench", "fuzz", "--seconds", "10", "--seed", "5")
    assert "routes: 7 tried, 1 faults\n  GET '/' as player: it broke.\n" in capsys.readouterr().out


def test_nothing_stays_switched_off():
    assert logging.root.manager.disable == logging.NOTSET
