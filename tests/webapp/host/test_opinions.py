"""The site's language model on what somebody types: asked beside the match, sealed, obeyed as it was
shown."""

from __future__ import annotations

import json
import time
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.core import signing
from django.http import QueryDict

from engine import language
from engine.language.second import Opinion
from engine.refusal import Refusal
from engine.simulation.life import State
from tests.engine.language import server
from tests.waiting import PATIENCE
from tests.webapp.readings_of import read_as
from webapp.agents.models import Agent
from webapp.datasets.corrections import rows
from webapp.language import opinions, readings
from webapp.language.models import LanguageModel
from webapp.lobby.setup import again, create_match, from_form

pytestmark = pytest.mark.django_db(transaction=True)
ODD = "newest flim of the hinted colour blarg cards never mind play zorp zorp zorp"
OLDEST, NEWEST = "discard cards=oldest", "play cards=touched_newest when=hint_color"
READ = "When you hint a colour, I play the newest card it touches."
CLEAR = "Colour hints tell you to play; rank hints tell you to keep."


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest.fixture(autouse=True)
def read(monkeypatch):
    """ODD is read unsurely, with another reading beside; other texts as they are."""
    read_as(monkeypatch, ODD, (OLDEST, NEWEST), 0.4)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with server.running(tmp_path_factory.mktemp("checkpoint")) as address:
        yield address


@pytest.fixture
def use(served, db, tmp_path, monkeypatch):
    """A function: the site asks this kind of server from now on."""
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))

    def choose(kind: str, seconds: float = 30.0) -> None:
        url = f"{served}/{kind}/v1" if kind != "down" else "http://127.0.0.1:9/v1"
        row = {"provider": "endpoint", "model": "tiny", "url": url, "seconds": seconds}
        LanguageModel.objects.update_or_create(pk=1, defaults=row)

    return choose


NOBODY = {"names": [], "seat": None, "people": []}


def company(browser, match) -> dict:
    """Which table it is and who is there, as its page tells the reader."""
    seats = browser.joined["seats"]
    people = [index for index, seat in enumerate(seats) if seat["kind"] == "person"]
    names = [seat["name"] for seat in seats]
    return {"match": str(match.pk), "names": names, "seat": 0, "people": people}


def post(client, path, text, game="hanabi", **more):
    body = json.dumps({"game": game, "text": text, **more})
    return client.post(path, body, content_type="application/json").json()


def test_without_a_model_nobody_is_asked(pia_client):
    assert post(pia_client, "/play/read/", ODD)["ask"] is False
    answer = post(pia_client, "/play/read/ask/", ODD)
    assert (answer["by"], answer["notice"]) == (None, "")


def test_only_what_leaves_something_open_is_asked_about(pia_client, use):
    use("words")
    assert post(pia_client, "/play/read/", ODD)["ask"] is True
    assert post(pia_client, "/play/read/", "  ")["ask"] is False
    assert post(pia_client, "/play/read/", CLEAR)["ask"] is False


def test_the_model_reads_and_says_who_it_is(pia_client, use):
    use("words")
    answer = post(pia_client, "/play/read/ask/", ODD)
    assert answer["sentence"] == answer["readings"][0]["sentence"] == READ
    assert (answer["by"], answer["notice"]) == ("tiny", "")
    said = readings.unsealed("hanabi", ODD, NOBODY, answer["seal"])["opinion"]
    assert said["program"] == NEWEST


@pytest.mark.parametrize("kind", ["down", "broken", "quota", "nonsense", "html"])
def test_a_model_in_trouble_is_told_of_and_left_alone_for_a_while(
    pia_client, adam_client, use, kind, monkeypatch
):
    use(kind)
    answer = post(pia_client, "/play/read/ask/", ODD)
    assert answer["sentence"] == language.read("hanabi", ODD).sentence
    assert answer["by"] is None and "doesn't answer now" in answer["notice"]
    assert "127.0.0.1" not in answer["notice"], "where it runs is not for players"
    monkeypatch.setattr("engine.language.second.opinion", None)  # would raise if it were asked again
    assert "embedded model answered instead" in post(adam_client, "/play/read/ask/", ODD)["notice"]


def test_one_that_is_slow_is_waited_for_no_longer_than_its_limit(pia_client, use):
    use("hangs", seconds=0.5)
    began = time.monotonic()
    assert "doesn't answer now" in post(pia_client, "/play/read/ask/", ODD)["notice"]
    assert time.monotonic() - began < PATIENCE


def test_nobody_asks_more_than_twenty_times_a_minute(pia_client, use):
    use("words")
    answers = [post(pia_client, "/play/read/ask/", f"{ODD} {i}") for i in range(21)]
    assert [bool(one["by"]) for one in answers] == [True] * 20 + [False]
    assert "often" in answers[-1]["notice"]


NO_QUESTIONS = ["[" * 50_000, "[]", "null", '{"game": 1, "text": []}', '{"game": "chess", "text": ""}']


@pytest.mark.parametrize("body", NO_QUESTIONS)
def test_what_is_no_question_is_refused_with_a_sentence(pia_client, body):
    answer = pia_client.post("/play/read/ask/", body, content_type="application/json")
    assert answer.status_code == 400 and answer.json()["error"].endswith(".")


def test_visitors_are_not_answered(client):
    assert client.post("/play/read/ask/", "{}", content_type="application/json").status_code == 401


def test_a_seal_is_for_its_words_and_company_and_can_be_made_here_alone():
    stored, table = readings.read("hanabi", CLEAR), {"names": ["Pia", "Otto"], "seat": 0, "people": [0]}
    token = readings.sealed("hanabi", CLEAR, table, stored)
    assert readings.unsealed("hanabi", CLEAR, {**table, "aim": None}, token) == stored
    assert readings.unsealed("hanabi", CLEAR, {**table, "names": ["Pia", "Bea"]}, token) is None
    for game, text, other in (
        ("hanabi", "other words", token),
        ("arena", CLEAR, token),
        ("hanabi", CLEAR, token[:-2]),
        ("hanabi", CLEAR, ""),
        ("hanabi", CLEAR, signing.dumps({"game": "hanabi", "text": CLEAR}, salt="another")),
    ):
        with pytest.raises(Refusal):
            readings.unsealed(game, text, table, other)


async def test_what_was_read_while_it_was_typed_is_not_read_again(
    make_match, pia, browse, signed_in, monkeypatch
):
    client = await in_thread(signed_in, pia)
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    answer = await in_thread(post, client, "/play/read/", CLEAR, **company(browser, match))
    monkeypatch.setattr("engine.language.read", None)  # would raise if it were read again
    await browser.send("instruct", id=str(uuid.uuid4()), text=CLEAR, target=None, seal=answer["seal"])
    assert (await browser.until("instruction"))["sentence"] == answer["sentence"]


async def test_in_a_match_is_obeyed_what_was_shown(make_match, pia, browse, use, signed_in):
    await in_thread(use, "words")
    client = await in_thread(signed_in, pia)
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    answer = await in_thread(post, client, "/play/read/ask/", ODD, **company(browser, match))
    await in_thread(use, "down")
    await browser.send("instruct", id=str(uuid.uuid4()), text=ODD, target=None, seal=answer["seal"])
    told = await browser.until("instruction")
    assert (told["status"], told["sentence"]) == ("read", READ)
    await browser.send("confirm_reading", id=told["id"])
    assert (await browser.until("instruction"))["status"] == "confirmed"
    stored = await in_thread(match.instructions.get)
    assert stored.reading["opinion"]["program"] == NEWEST
    assert stored.reading["embedded"]["sentence"] == language.read("hanabi", ODD).sentence
    [row] = await in_thread(lambda: list(rows()))
    assert (row["kind"], row["meant"]["sentence"]) == ("opinion", READ)
    assert row["offered"]["sentence"] == stored.reading["embedded"]["sentence"]


async def test_forged_seals_are_refused_with_a_sentence(make_match, pia, browse):
    match = await in_thread(make_match, pia)
    browser = await browse(match, pia)
    for seal, code in (("x", "not_offered"), (7, "malformed"), ("x" * 3000, "not_offered")):
        await browser.send("instruct", id=str(uuid.uuid4()), text=ODD, seal=seal)
        assert await browser.refusal() == code
    assert await in_thread(match.instructions.count) == 0


def test_the_lobby_takes_it_along_and_so_does_the_next_game(agents, pia):
    opinion = Opinion(NEWEST, 0.9, "m")
    table = {"names": ["", Agent.objects.get(ref="hanabi/grounded-bot").name], "seat": 0, "people": [0]}
    token = readings.sealed("hanabi", ODD, table, readings.read("hanabi", ODD, table, opinion))
    form = QueryDict(mutable=True)
    form.update({"game": "hanabi", "instruction": ODD, "seal": token, "confirmed": "yes"})
    form.setlist("seat", ["me", "agent:grounded-bot"])
    match = create_match(from_form(form), pia)
    said = match.instructions.get()
    assert (said.status, said.reading["sentence"]) == (State.CONFIRMED, READ)
    assert create_match(again(match, pia), pia).instructions.get().reading["sentence"] == READ
    form["seal"] = "forged"
    with pytest.raises(Refusal, match="say it again"):
        create_match(from_form(form), pia)


def test_an_opinion_of_another_version_is_refused_with_a_sentence():
    older = opinions.restored({"labels": ["after rain: dance"], "sure": 0.9, "model": "m"})
    for opinion in (older, Opinion("dance", 0.9, "m")):
        with pytest.raises(Refusal, match="another version"):
            readings.read("hanabi", CLEAR, opinion=opinion)


def test_a_chosen_reading_may_be_the_embedded_one():
    said = Opinion(NEWEST, 0.9, "m")
    first = readings.read("hanabi", ODD, opinion=said)
    embedded = language.read("hanabi", ODD).sentence
    [choice] = [one["choice"] for one in readings.options(first) if one["sentence"] == embedded]
    assert readings.choose(first, choice)["sentence"] == embedded
