"""What a reading costs is measured while one reads it, by a child process."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.urls import reverse

from webapp.language import estimates

HANABI, ARENA = ("hanabi", "agent:hanabi/grounded-bot"), ("arena", "agent:arena/squad")


@pytest.fixture(autouse=True)
def ended():
    yield
    estimates.CHILD.stop()


@pytest.fixture
def asked(client, pia, agents):
    client.force_login(pia)

    def ask(game: str, agent: str, text: str) -> dict:
        body = {"game": game, "text": text, "agents": [agent]}
        read = client.post(reverse("play:read"), body, "application/json").json()
        return client.post(reverse("play:cost"), {**body, "seal": read["seal"]}, "application/json").json()

    return ask


@pytest.mark.slow
def test_a_ruinous_instruction_shows_what_it_costs_and_a_harmless_one_that_it_costs_nothing(asked):
    found = asked(*HANABI, "always discard your newest card")
    assert found["episodes"] >= 40 and 10 < found["untold"] < 25
    assert found["points"][0]["strict"] > 5 and set(found["points"][0]) == {"strict", "sensible"}
    assert abs(asked(*HANABI, "keep your fives")["points"][0]["sensible"]) < 2
    child = estimates.CHILD._process
    again = asked(*HANABI, "always discard your newest card")
    assert again == found and estimates.CHILD._process is child
    child.kill()
    child.wait()
    assert asked(*HANABI, "always discard your newest card") == found, "a child that died is started again"
    assert asked("overcooked", "agent:overcooked/greedy", "dont serve")["points"][0]["strict"] > 100


def test_whoever_asks_meanwhile_waits_for_an_answer_of_their_own(monkeypatch):
    slow = "import sys, time\nfor line in sys.stdin: time.sleep(0.3); print(line, end='', flush=True)"
    child = estimates.Child(sys.executable, "-c", slow)
    questions = [{"number": number} for number in range(3)]
    try:
        with ThreadPoolExecutor(3) as people:
            assert list(people.map(child.ask, questions)) == questions
        monkeypatch.setattr(estimates, "SECONDS", 0.01)
        assert child.ask({"number": 4}) is None, "it is too slow"
    finally:
        child.stop()


def test_where_no_points_are_played_for_and_nobody_hears_it_nothing_is_measured(asked, monkeypatch):
    monkeypatch.setattr(estimates.CHILD, "ask", lambda question: pytest.fail("it was asked"))
    assert asked(*ARENA, "follow me") == {}
    assert asked("hanabi", "person", "play your newest card") == {}
    assert asked("hanabi", "agent:hanabi/nobody", "play your newest card") == {}
    assert asked(*HANABI, "lovely weather today") == {}
