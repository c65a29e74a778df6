"""Whoever was signed out comes back to the page that they were on, not to what a part of it asked for."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def back_to(answer) -> str:
    address = answer.headers.get("Location") or answer.headers["HX-Redirect"]
    return parse_qs(urlsplit(address).query)["next"][0]


def test_a_page_is_opened_again() -> None:
    assert back_to(Client().get("/play/?game=arena")) == "/play/?game=arena"


def test_after_a_form_one_is_on_its_page_again() -> None:
    answer = Client().post("/play/new/", headers={"Referer": "http://testserver/play/?game=arena"})
    assert answer.status_code == 302
    assert back_to(answer) == "/play/?game=arena"


@pytest.mark.parametrize("referer", ["", "https://evil.example/play/", "not an address"])
def test_a_form_from_nowhere_leads_home(referer: str) -> None:
    assert back_to(Client().post("/play/new/", headers={"Referer": referer})) == "/"


def test_a_part_of_a_page_sends_the_whole_page_to_the_sign_in() -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/play/?game=hanabi"}
    answer = Client().get("/play/open/", headers=headers)
    assert answer.status_code == 401
    assert answer.content == b""
    assert back_to(answer) == "/play/?game=hanabi"
