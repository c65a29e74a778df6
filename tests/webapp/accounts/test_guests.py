"""Guest play, where the admin allows it."""

from __future__ import annotations

import pytest
from django.test import Client

from webapp.accounts.models import SiteSettings, User


@pytest.fixture
def guests_welcome(db):
    site = SiteSettings.current()
    site.guest_play = True
    site.save()


def test_guests_are_refused_by_default(db):
    client = Client()
    assert client.post("/accounts/guest/").status_code == 403
    assert "Play as a guest" not in client.get("/accounts/login/").content.decode()
    assert not User.objects.exists()


def test_a_guest_gets_a_name_and_plays(guests_welcome):
    client = Client()
    assert "Play as a guest" in client.get("/accounts/login/").content.decode()
    client.post("/accounts/guest/")
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    assert guest.is_guest and guest.roles == {"player"}
    assert guest.shown_name.startswith("Guest ")
    assert not guest.has_usable_password()


def test_a_guest_goes_on_to_the_game_they_were_sent(guests_welcome):
    assert Client().post("/accounts/guest/", {"next": "/play/abc/"})["Location"] == "/play/abc/"


@pytest.mark.parametrize("target", ["inf", "home", "²"])
def test_what_is_no_address_of_a_game_is_no_name_of_a_page_either(guests_welcome, target):
    assert Client().post("/accounts/guest/", {"next": target}).status_code == 302


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_a_guest_is_never_sent_to_another_site(guests_welcome, elsewhere):
    assert Client().post("/accounts/guest/", {"next": elsewhere})["Location"] == "/"


def test_someone_signed_in_stays_who_they_are(guests_welcome, pia, pia_client):
    pia_client.post("/accounts/guest/")
    assert pia_client.session["_auth_user_id"] == str(pia.pk)


def test_one_address_cannot_make_guests_without_end(guests_welcome, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "3/h/ip"}
    statuses = [Client().post("/accounts/guest/").status_code for _ in range(4)]
    assert statuses == [302] * 3 + [429]
