"""A guest becomes an account with all that was played."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.accounts.test_account import PASSWORD, sign_in
from webapp.accounts.models import AuditEvent, Invitation, SiteSettings, User
from webapp.matches.models import Match

FORM = {"username": "newcomer", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def guest(db) -> Client:
    SiteSettings.objects.update_or_create(pk=1, defaults={"guest_play": True})
    client = Client()
    client.post("/accounts/guest/")
    return client


@pytest.fixture
def link(adam) -> str:
    ends = timezone.now() + timedelta(days=1)
    made = Invitation.objects.create(roles=["annotator", "player"], created_by=adam, expires_at=ends)
    return f"/accounts/invitation/{made.token}/"


def test_a_guest_keeps_everything(guest, link, make_episode):
    user = User.objects.get(is_guest=True)
    User.objects.filter(pk=user.pk).update(guest_of=Match.objects.create(game="hanabi", seed=1).pk)
    episode = make_episode(user)
    page = guest.get(link, follow=True)
    assert page.redirect_chain[-1][0] == "/accounts/become/"
    assert "annotator, player" in page.content.decode()
    assert guest.post("/accounts/become/", FORM).url == "/"
    same = User.objects.get(username="newcomer")
    assert (same.pk, same.is_guest, same.guest_of, same.shown_name) == (user.pk, False, None, "newcomer")
    assert same.roles == {"annotator", "player"} and same.pseudonym == user.pseudonym
    assert list(episode.players.all()) == [same]
    assert guest.session["_auth_user_id"] == str(user.pk), "stays signed in"
    assert sign_in("newcomer").status_code == 302
    assert AuditEvent.objects.filter(verb="guest became an account").exists()
    assert Client().get(link).status_code == 410, "used up"


def test_it_needs_an_invitation_and_a_name_that_is_free(guest, link, pia):
    assert "needs an invitation link" in guest.post("/accounts/become/", FORM).content.decode()
    guest.get(link)
    page = guest.post("/accounts/become/", FORM | {"username": "pia"}).content.decode()
    assert "already exists" in page
    page = guest.post(
        "/accounts/become/", FORM | {"username": "admin", "password2": "other"}
    ).content.decode()
    assert "somebody else" in page and "passwords differ" in page
    assert User.objects.filter(is_guest=True).count() == 1


def test_who_has_an_account_has_one(pia_client):
    assert pia_client.get("/accounts/become/").url == "/accounts/"


@pytest.mark.parametrize(("leaves", "sentence"), [(False, "No mail leaves this site"), (True, "on its way")])
def test_pages_say_whether_a_mail_comes(pia, pia_client, settings, leaves, sentence):
    settings.MAIL_LEAVES = leaves
    page = Client().post("/accounts/password/reset/", {"email": "pia@example.org"}, follow=True)
    assert sentence in page.content.decode()
    added = {"email": "new@example.org", "action_add": ""}
    page = pia_client.post("/accounts/email/", added, follow=True).content.decode()
    assert ("on its way to new@example.org" if leaves else "no mail leaves this site") in page


def test_keeping_the_account_and_keeping_the_pseudonym_are_told_apart(pia_client):
    page = pia_client.get("/accounts/close/").content.decode()
    assert "Keep the account" in page and "Write it down" in page and "Keep it" not in page
