"""Sign-up by invitation link, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from webapp.accounts.models import AuditEvent, Invitation, User

FORM = {
    "username": "newcomer",
    "email": "",
    "password1": "correct horse battery",
    "password2": "correct horse battery",
}


@pytest.fixture
def invitation(adam):
    return Invitation.objects.create(
        roles=["annotator", "player"], created_by=adam, expires_at=timezone.now() + timedelta(days=1)
    )


def follow(invitation: Invitation) -> Client:
    client = Client()
    client.get(f"/accounts/invitation/{invitation.token}/")
    return client


def test_a_stranger_without_an_invitation_finds_sign_up_closed(db):
    client = Client()
    assert "by invitation" in client.get("/accounts/signup/").content.decode()
    client.post("/accounts/signup/", FORM)
    assert not User.objects.filter(username="newcomer").exists()


def test_the_link_leads_to_the_sign_up_page(invitation):
    response = Client().get(f"/accounts/invitation/{invitation.token}/", follow=True)
    assert response.redirect_chain[-1][0] == "/accounts/signup/"
    assert "Make your account" in response.content.decode()


def test_signing_up_gives_the_roles_of_the_invitation_and_uses_it_up(invitation):
    client = follow(invitation)
    response = client.post("/accounts/signup/", FORM)
    assert response.status_code == 302
    user = User.objects.get(username="newcomer")
    assert user.roles == {"annotator", "player"}
    assert client.session["_auth_user_id"] == str(user.pk)
    invitation.refresh_from_db()
    assert invitation.uses_left == 0
    assert AuditEvent.objects.filter(user=user, verb="invitation used").exists()


def test_a_used_up_invitation_lets_nobody_in(invitation):
    late = follow(invitation)
    follow(invitation).post("/accounts/signup/", FORM)
    late.post("/accounts/signup/", {**FORM, "username": "latecomer"})
    assert not User.objects.filter(username="latecomer").exists()
    assert Client().get(f"/accounts/invitation/{invitation.token}/").status_code == 410


def test_an_expired_invitation_says_that_it_is_closed(invitation):
    invitation.expires_at = timezone.now() - timedelta(seconds=1)
    invitation.save()
    response = Client().get(f"/accounts/invitation/{invitation.token}/")
    assert response.status_code == 410
    assert "closed" in response.content.decode()


def test_an_invitation_for_three_serves_three(invitation):
    invitation.uses_left = 3
    invitation.save()
    for i in range(4):
        follow(invitation).post("/accounts/signup/", {**FORM, "username": f"newcomer{i}"})
    assert User.objects.filter(username__startswith="newcomer").count() == 3


def test_someone_signed_in_takes_the_roles_on(invitation, pia, pia_client):
    address = f"/accounts/invitation/{invitation.token}/"
    assert "annotator, player" in pia_client.get(address).content.decode()
    assert User.objects.get(pk=pia.pk).roles == {"player"}
    pia_client.post(address)
    assert User.objects.get(pk=pia.pk).roles == {"player", "annotator"}


def test_a_weak_password_is_refused_and_the_invitation_kept(invitation):
    client = follow(invitation)
    response = client.post("/accounts/signup/", {**FORM, "password1": "password", "password2": "password"})
    assert response.status_code == 200
    assert "too short" in response.content.decode()
    invitation.refresh_from_db()
    assert invitation.uses_left == 1
