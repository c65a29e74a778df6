"""One-time sign-in links."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from webapp.accounts.links import make_sign_in_link
from webapp.accounts.models import Invitation, SignInLink
from webapp.matches.models import Match, Seat


def path(link: str) -> str:
    return "/" + link.split("/", 3)[3]


def test_a_link_signs_its_person_in(pia):
    client = Client()
    response = client.post(path(make_sign_in_link(pia)))
    assert response.status_code == 302 and response["Location"] == "/"
    assert client.session["_auth_user_id"] == str(pia.pk)


def test_a_link_works_only_once(pia):
    link = path(make_sign_in_link(pia))
    Client().post(link)
    second = Client()
    assert second.post(link).status_code == second.get(link).status_code == 410
    assert "_auth_user_id" not in second.session
    assert SignInLink.objects.get().used_at is not None


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_at_a_link_neither_signs_in_nor_uses_it_up(pia, method):
    link = path(make_sign_in_link(pia))
    scanner = Client()
    assert getattr(scanner, method)(link).status_code == 200
    assert "_auth_user_id" not in scanner.session
    assert Client().post(link)["Location"] == "/"


def test_the_database_holds_nothing_that_opens_a_door(pia, adam, client):
    """Links of people, invitations also where a browser remembers one, links of games."""
    link = make_sign_in_link(pia)
    ends = timezone.now() + timedelta(days=1)
    invitation = Invitation.objects.create(roles=["player"], created_by=adam, expires_at=ends)
    client.get(f"/accounts/invitation/{invitation.token}/")
    match = Match.objects.create(game="overcooked", seed=1, created_by=pia)
    seat = Seat.objects.create(match=match, index=0, kind=Seat.AGENT, alias="greedy")
    tokens = [link.split("/")[-2], invitation.token, match.join_token, seat.copilot_token]
    rows = [
        *SignInLink.objects.values(), *Invitation.objects.values(), *Match.objects.values(),
        *Seat.objects.values(), *(session.get_decoded() for session in Session.objects.all()),
    ]  # fmt: skip
    assert len(rows) >= 5 and not any(token in str(rows) for token in tokens)


def test_links_that_were_sent_before_tokens_were_hashed_go_on_working(pia, adam):
    class Old:
        """A row as it was before the migration."""

        def __init__(self, token: str) -> None:
            self.token = token

        def save(self, update_fields) -> None:
            SignInLink.objects.create(
                user=pia, token_hash=self.token, expires_at=timezone.now() + timedelta(days=1)
            )

    class Apps:
        def get_model(self, app: str, name: str):
            rows = [Old("sent-before")] if name == "SignInLink" else []
            return SimpleNamespace(objects=SimpleNamespace(all=lambda: rows))

    import_module("webapp.accounts.migrations.0003_tokens_as_hashes").hash_tokens(Apps(), None)
    assert Client().post("/accounts/link/sent-before/")["Location"] == "/"


def test_an_expired_link_signs_nobody_in(pia):
    link = path(make_sign_in_link(pia, lifetime=-timedelta(seconds=1)))
    client = Client()
    client.post(link)
    assert "_auth_user_id" not in client.session


def test_a_link_of_a_deactivated_person_signs_nobody_in(pia):
    link = path(make_sign_in_link(pia))
    pia.is_active = False
    pia.save()
    client = Client()
    client.post(link)
    assert "_auth_user_id" not in client.session
