"""A person's own account: name, keys, password, closing it."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.test import Client

from webapp.accounts.models import User

PASSWORD = "correct horse battery"


def sign_in(username: str, password: str = PASSWORD, client: Client | None = None):
    return (client or Client()).post("/accounts/login/", {"login": username, "password": password})


@pytest.mark.parametrize("address", ["", "keys/", "close/", "email/", "password/change/"])
def test_strangers_are_sent_to_the_sign_in_page(db, address):
    response = Client().get(f"/accounts/{address}")
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("address", ["", "keys/", "close/", "email/", "password/change/", "logout/"])
def test_account_pages_open(pia_client, address):
    assert pia_client.get(f"/accounts/{address}").status_code == 200


@pytest.mark.parametrize("login", ["pia", "pia@example.org"])
def test_one_signs_in_with_user_name_or_mail(pia, login):
    assert sign_in(login).status_code == 302


def test_a_wrong_password_signs_nobody_in(pia):
    response = sign_in("pia", "wrong")
    assert response.status_code == 200
    assert "not correct" in response.content.decode()


def test_after_ten_wrong_passwords_the_right_one_is_refused_for_a_while(pia):
    for _ in range(10):
        sign_in("pia", "wrong")
    response = sign_in("pia")
    assert "_auth_user_id" not in response.wsgi_request.session
    assert "At most 10 failed sign-ins an hour are possible for one account." in response.content.decode()
    assert "Try again in 60 minutes." in response.content.decode()


def test_the_shown_name_changes(pia, pia_client):
    pia_client.post("/accounts/", {"first_name": "  Pia   the Player "})
    assert User.objects.get(pk=pia.pk).shown_name == "Pia the Player"


def test_a_shown_name_is_escaped_where_it_is_shown(pia_client):
    pia_client.post("/accounts/", {"first_name": "<script>alert(1)</script>"})
    page = pia_client.get("/accounts/").content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_a_lost_password_is_reset_by_mail(pia):
    Client().post("/accounts/password/reset/", {"email": "pia@example.org"})
    address = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)[1]
    client = Client()
    form = client.get(address, follow=True)
    new = "battery staple horse"
    client.post(form.redirect_chain[-1][0], {"password1": new, "password2": new})
    assert sign_in("pia").status_code == 200
    assert sign_in("pia", new).status_code == 302


def test_asking_for_a_reset_does_not_say_who_has_an_account(pia):
    answers = [
        Client().post("/accounts/password/reset/", {"email": f"{name}@example.org"}, follow=True)
        for name in ("pia", "nobody")
    ]
    assert answers[0].redirect_chain == answers[1].redirect_chain


def test_the_password_changes(pia, pia_client):
    new = "battery staple horse"
    pia_client.post(
        "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )
    assert User.objects.get(pk=pia.pk).check_password(new)


def test_closing_the_account_removes_what_names_the_person_and_keeps_the_pseudonym(pia, pia_client):
    pia_client.post("/accounts/close/", {"confirm": "pia"})
    closed = User.objects.get(pk=pia.pk)
    assert (closed.first_name, closed.last_name, closed.email) == ("", "", "")
    assert closed.username == f"closed-{pia.pseudonym}" and closed.pseudonym == pia.pseudonym
    assert not closed.is_active and closed.roles == frozenset()
    assert "_auth_user_id" not in pia_client.session
    assert "_auth_user_id" not in sign_in("pia").wsgi_request.session


def test_closing_needs_the_user_name(pia, pia_client):
    response = pia_client.post("/accounts/close/", {"confirm": "otto"})
    assert "which is pia" in response.content.decode()
    assert User.objects.get(pk=pia.pk).is_active


def test_signing_out_ends_the_session(pia_client):
    pia_client.post("/accounts/logout/")
    assert "_auth_user_id" not in pia_client.session
