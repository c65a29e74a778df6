"""The settings of the site's language model: admins only, the key only ever written, nonsense refused."""

from __future__ import annotations

import logging

import pytest
from django.core.management import call_command
from django.urls import reverse

from engine.language.decisions.settings import Settings
from tests.engine.language import server
from webapp.accounts.models import AuditEvent
from webapp.language import site
from webapp.language.models import LanguageModel
from webapp.language.sealing import seal, unseal

PAGE, TEST = "/settings/language/", "/settings/language/test/"
SECRET = "sk-a-secret-that-nobody-sees"
VALUES = {
    "provider": "endpoint",
    "model": "tiny",
    "url": "http://127.0.0.1:9/v1",
    "key": SECRET,
    "seconds": "5",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with server.running(tmp_path_factory.mktemp("checkpoint")) as address:
        yield address


def text(response) -> str:
    return " ".join(response.content.decode().split())


def test_only_admins_may_look_change_or_ask(pia_client, anna_client, client, db):
    for somebody in (pia_client, anna_client):
        assert somebody.get(PAGE).status_code == 403
        assert somebody.post(PAGE, VALUES).status_code == 403
        assert somebody.post(TEST).status_code == 403
        assert "Language model" not in somebody.get("/accounts/").content.decode()
    assert client.get(PAGE).status_code == 302 and "login" in client.get(PAGE).headers["location"]
    assert not LanguageModel.objects.exists()


def test_the_page_is_in_the_menu_of_admins(adam_client):
    assert f'href="{PAGE}"' in text(adam_client.get("/accounts/"))


def test_looking_writes_nothing_and_shows_the_defaults(adam_client):
    page = text(adam_client.get(PAGE))
    assert "Now: embedded (default)." in page and "Now: 60 (default)." in page
    assert not LanguageModel.objects.exists()
    assert site.current() == Settings()


def test_every_value_tells_where_it_comes_from(adam_client, monkeypatch):
    for name, value in (("PROVIDER", "endpoint"), ("MODEL", "m"), ("URL", "http://env:1/v1"), ("KEY", "k")):
        monkeypatch.setenv(f"COPLAY_LANGUAGE_{name}", value)
    LanguageModel.objects.create(pk=1, model="mine")
    page = text(adam_client.get(PAGE))
    assert "Now: endpoint (environment)." in page and "Now: mine (set here)." in page
    assert "A key is stored (environment)." in page and "Now: 60 (default)." in page
    assert site.current() == Settings("endpoint", "mine", "http://env:1/v1", "k")


def test_the_key_of_the_environment_is_for_its_address_alone(db, monkeypatch):
    monkeypatch.setenv("COPLAY_LANGUAGE_KEY", "k")
    monkeypatch.setenv("COPLAY_LANGUAGE_URL", "http://env:1/v1")
    LanguageModel.objects.create(pk=1, provider="endpoint", model="m", url="http://other:1/v1")
    assert site.current().key == ""


def test_an_admin_sets_it_and_it_is_on_record_without_the_key(adam, adam_client, caplog):
    for name in ("", "httpx2", "openai"):
        caplog.set_level(logging.DEBUG, name)
    answer = adam_client.post(PAGE, VALUES, follow=True)
    assert "The language model is saved." in text(answer)
    assert site.current() == Settings("endpoint", "tiny", VALUES["url"], SECRET, 5.0)
    event = AuditEvent.objects.get(verb="language model changed")
    assert event.user == adam and event.detail["key"] == "stored"
    row = LanguageModel.objects.get()
    everywhere = [text(answer), text(adam_client.get(PAGE)), str(event.detail), row.sealed_key, caplog.text]
    assert not any(SECRET in place for place in everywhere)
    assert "A key is stored (set here)." in text(answer)


def test_the_key_stays_until_it_is_replaced_or_forgotten(adam_client):
    adam_client.post(PAGE, VALUES)
    adam_client.post(PAGE, VALUES | {"key": "", "model": "other"})
    assert (site.current().model, site.current().key) == ("other", SECRET)
    adam_client.post(PAGE, VALUES | {"key": "sk-new"})
    assert site.current().key == "sk-new"
    adam_client.post(PAGE, VALUES | {"key": "", "forget_key": "on"})
    assert site.current().key == ""


def test_another_server_does_not_get_the_key(adam_client):
    adam_client.post(PAGE, VALUES)
    adam_client.post(PAGE, VALUES | {"key": "", "url": "http://127.0.0.1:9/v2"})
    assert site.current().key == SECRET  # another path of the same server
    answer = adam_client.post(PAGE, VALUES | {"key": "", "url": "https://elsewhere.example/v1"}, follow=True)
    assert site.current().key == "" and "The key was forgotten" in text(answer)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"provider": "oracle"}, "There is no &#x27;oracle&#x27;; choose one of embedded, endpoint"),
        ({"url": "ftp://example.org"}, "must start with http:// or https://"),
        ({"url": "file:///etc/passwd"}, "must start with http:// or https://"),
        ({"url": "http://me:pass@example.org/v1"}, "must not hold a name or password"),
        ({"url": ""}, "must start with http:// or https://"),
        ({"model": ""}, "needs the model&#x27;s name"),
        ({"seconds": "0"}, "The time limit is 0 seconds"),
        ({"seconds": "-3"}, "The time limit is -3 seconds"),
        ({"seconds": "soon"}, "Enter a number."),
        ({"seconds": "nan"}, "Enter a number."),
        ({"key": "with a space"}, "must be plain letters, digits and signs"),
        ({"key": "schlüssel"}, "must be plain letters, digits and signs"),
        ({"model": "m" * 301}, "at most 300 characters"),
        ({"provider": "checkpoint", "model": ""}, "needs a folder with the checkpoint"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(adam_client, change, sentence):
    answer = adam_client.post(PAGE, VALUES | change)
    assert answer.status_code == 422 and sentence in text(answer)
    assert SECRET not in text(answer)
    assert not LanguageModel.objects.exists() and not AuditEvent.objects.exists()


def test_markup_in_a_name_is_shown_as_text(adam_client):
    page = text(adam_client.post(PAGE, VALUES | {"model": "<script>alert(1)</script>"}, follow=True))
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_a_sealed_key_opens_with_the_same_secret_key_only(db, settings):
    sealed = seal(SECRET)
    assert SECRET not in sealed and unseal(sealed) == SECRET and seal(SECRET) != sealed
    LanguageModel.objects.create(pk=1, sealed_key=sealed)
    settings.SECRET_KEY = "another" * 9
    assert unseal(sealed) is None and site.current().key == ""


def test_the_page_says_so_if_the_key_cannot_be_opened(adam_client):
    LanguageModel.objects.create(pk=1, sealed_key="gAAAAA-not-ours")
    assert "Type it again." in text(adam_client.get(PAGE))


def test_three_questions_are_answered_by_the_embedded_model(adam_client):
    answer = text(adam_client.post(TEST, headers={"hx-request": "true"}))
    assert answer.count(">right<") == 3 and "By embedded-5 in" in answer
    assert "<html" not in answer
    assert "<html" in text(adam_client.post(TEST))  # without scripts, the whole page


def test_three_questions_are_answered_by_a_server(adam_client, served):
    adam_client.post(PAGE, VALUES | {"url": f"{served}/locked/v1", "key": server.KEY, "seconds": "60"})
    answer = text(adam_client.post(TEST, headers={"hx-request": "true"}))
    assert f"By tiny at {served}/locked/v1 by systemone in" in answer
    assert "2 requests" in answer and "200 tokens read" in answer and server.KEY not in answer


def test_a_server_that_fails_is_told_with_a_notice(adam_client, served, caplog):
    for name in ("", "httpx2", "openai"):
        caplog.set_level(logging.DEBUG, name)
    adam_client.post(PAGE, VALUES | {"url": f"{served}/locked/v1"})
    answer = text(adam_client.post(TEST, headers={"hx-request": "true"}))
    assert "refuses the key. The embedded model answered instead." in answer and "By embedded-5" in answer
    assert SECRET not in answer + caplog.text


def test_a_wrong_choice_of_ways_is_refused_at_the_start(monkeypatch):
    from django.apps import apps
    from django.core.exceptions import ImproperlyConfigured

    monkeypatch.setenv("COPLAY_LANGUAGE_PROVIDER", "oracle")
    with pytest.raises(ImproperlyConfigured, match="allowed are embedded, endpoint, checkpoint"):
        apps.get_app_config("language").ready()


def test_the_prior_of_the_command_line_is_answered_by_whom_it_says(db, served, capsys):
    LanguageModel.objects.create(
        pk=1, provider="endpoint", model="tiny", url=f"{served}/quota/v1", sealed_key=seal(SECRET)
    )
    command = ["prior", "--game", "overcooked", "--instruction", "bring me onions"]
    call_command(*command)
    assert "by embedded-5." in capsys.readouterr().out
    call_command(*command, "--model", "site")
    assert "out of quota. The embedded model answered instead." in capsys.readouterr().out


def test_the_address_is_as_documented():
    assert (reverse("language:edit"), reverse("language:test")) == (PAGE, TEST)


def test_what_asking_took_is_told_by_day(adam_client, served, tmp_path, monkeypatch):
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))
    assert "What asking took" not in text(adam_client.get(PAGE))
    adam_client.post(PAGE, VALUES | {"url": f"{served}/chat/v1", "seconds": "30"})
    adam_client.post(TEST)
    page = text(adam_client.get(PAGE))
    assert "What asking took" in page and '<td>tiny</td> <td class="num">' in page
    assert "0.00" in page  # the server counts a tenth of a cent a question
