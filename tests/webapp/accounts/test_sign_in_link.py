"""One-time sign-in links."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client

from webapp.accounts.links import make_sign_in_link
from webapp.accounts.models import SignInLink


def path(link: str) -> str:
    return "/" + link.split("/", 3)[3]


def test_a_link_signs_its_person_in(pia):
    client = Client()
    response = client.get(path(make_sign_in_link(pia)))
    assert response.status_code == 302 and response["Location"] == "/"
    assert client.session["_auth_user_id"] == str(pia.pk)


def test_a_link_works_only_once(pia):
    link = path(make_sign_in_link(pia))
    Client().get(link)
    second = Client()
    second.get(link)
    assert "_auth_user_id" not in second.session
    assert SignInLink.objects.get().used_at is not None


def test_an_expired_link_signs_nobody_in(pia):
    link = path(make_sign_in_link(pia, lifetime=-timedelta(seconds=1)))
    client = Client()
    client.get(link)
    assert "_auth_user_id" not in client.session


def test_a_link_of_a_deactivated_person_signs_nobody_in(pia):
    link = path(make_sign_in_link(pia))
    pia.is_active = False
    pia.save()
    client = Client()
    client.get(link)
    assert "_auth_user_id" not in client.session
