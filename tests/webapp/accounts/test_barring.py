"""An admin closes an account at once and opens it again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.conftest import person
from tests.webapp.accounts.test_account import sign_in
from webapp.accounts import barring, links
from webapp.accounts.models import AuditEvent, Invitation, SiteSettings, User
from webapp.annotation.models import Assignment
from webapp.host.storage import lost_rights
from webapp.matches.models import Match, Seat
from webapp.studies.models import Study


def close(admin: Client, user: User) -> None:
    assert admin.post(f"/accounts/people/{user.pk}/close/").status_code == 302


def test_nothing_that_was_open_is_any_more(pia, pia_client, adam_client):
    link = links.make_sign_in_link(pia)
    ends = timezone.now() + timedelta(days=1)
    invitation = Invitation.objects.create(roles=["player"], created_by=pia, expires_at=ends)
    close(adam_client, pia)
    assert pia_client.get("/play/").url.startswith("/accounts/login/")
    assert lost_rights({pia.pk}, set()) == ({pia.pk}, set()), "hosts close the sockets"
    assert Client().post("/" + link.split("/", 3)[3]).status_code == 410
    assert Client().get(f"/accounts/invitation/{invitation.token}/").status_code == 410
    assert sign_in("pia").url == "/accounts/inactive/"
    assert "An admin of this site has closed it" in Client().get("/accounts/inactive/").content.decode()
    assert "not correct" in sign_in("pia", "wrong").content.decode(), "strangers aren't told"
    assert AuditEvent.objects.get().detail == {"person": pia.pseudonym}


def test_opened_again_it_is_as_before_but_for_its_sessions(pia, pia_client, adam_client):
    close(adam_client, pia)
    page = adam_client.get("/accounts/people/", {"role": "closed"}).content.decode()
    assert "closed by an admin" in page and "Open again" in page
    adam_client.post(f"/accounts/people/{pia.pk}/reopen/")
    assert pia_client.get("/play/").status_code == 302, "sessions of before stay closed"
    assert sign_in("pia").url == "/" and User.objects.get(pk=pia.pk).roles == {"player"}
    assert {event.verb for event in AuditEvent.objects.all()} == {
        "account closed by an admin",
        "account opened again",
    }


def test_open_work_is_handed_back_and_no_table_waits(pia, otto, adam, make_episode):
    study = Study.objects.filter(game="hanabi").first()
    ends = timezone.now() + timedelta(hours=1)
    held = Assignment.objects.create(study=study, episode=make_episode(), annotator=pia, expires_at=ends)
    own = Match.objects.create(game="hanabi", seed=1, created_by=pia)
    other = Match.objects.create(game="hanabi", seed=1, created_by=otto)
    seat = Seat.objects.create(match=other, index=1, kind=Seat.PERSON, user=pia)
    barring.bar(pia, adam)
    held.refresh_from_db()
    seat.refresh_from_db()
    assert held.status == Assignment.EXPIRED
    assert (seat.kind, seat.user) == (Seat.OPEN, None)
    assert not Match.objects.filter(pk=own.pk).exists()


def test_an_admin_is_asked_before_and_told_what_ends(pia, adam_client, make_episode):
    page = adam_client.get(f"/accounts/people/{pia.pk}/close/").content.decode()
    assert "Close the account of" in page and "signed out everywhere" in page and "in hand" not in page
    ends = timezone.now() + timedelta(hours=1)
    study = Study.objects.filter(game="hanabi").first()
    Assignment.objects.create(study=study, episode=make_episode(), annotator=pia, expires_at=ends)
    Invitation.objects.create(roles=["player"], created_by=pia, expires_at=ends)
    Match.objects.create(game="hanabi", seed=1, created_by=pia)
    playing = Match.objects.create(game="hanabi", seed=2, created_by=pia, status=Match.PLAYING)
    Seat.objects.create(match=playing, index=0, kind=Seat.PERSON, user=pia)
    page = adam_client.get(f"/accounts/people/{pia.pk}/close/").content.decode()
    for sentence in (
        "1 invitation of theirs would open nothing any more.",
        "1 episode that they have in hand would be handed out to others; marks on it that",
        "1 table of theirs that still waits for players would go.",
        "1 game under way would lose them.",
    ):
        assert sentence in page
    assert User.objects.get(pk=pia.pk).is_active, "asking closes nothing"
    listed = adam_client.get("/accounts/people/").content.decode()
    assert f'href="/accounts/people/{pia.pk}/close/"' in listed
    assert f'action="/accounts/people/{pia.pk}/close/"' not in listed


def test_a_guest_is_known_by_the_browser(adam, db):
    SiteSettings.objects.create(pk=1, guest_play=True)
    browser = Client()
    browser.post("/accounts/guest/")
    guest = User.objects.get(is_guest=True)
    assert guest.device and browser.cookies["coplay_device"].value not in str(User.objects.values())
    barring.bar(guest, adam)
    answer = browser.post("/accounts/guest/")
    assert answer.status_code == 403 and "who came with this browser" in answer.content.decode()
    assert Client().post("/accounts/guest/").status_code == 302
    barring.let_in_again(guest, adam)
    assert browser.post("/accounts/guest/").status_code == 302


@pytest.mark.parametrize("who", ["pia_client", "anna_client"])
def test_only_admins_close_accounts_and_not_their_own(request, who, adam, adam_client, otto):
    assert request.getfixturevalue(who).post(f"/accounts/people/{otto.pk}/close/").status_code == 403
    answer = adam_client.post(f"/accounts/people/{adam.pk}/close/", follow=True)
    assert "your own account" in answer.content.decode()
    assert User.objects.get(pk=adam.pk).is_active and User.objects.get(pk=otto.pk).is_active


def test_an_account_that_its_owner_closed_is_not_opened_again(adam_client):
    gone = person("gone", "player")
    gone.is_active = False
    gone.save()
    assert adam_client.post(f"/accounts/people/{gone.pk}/reopen/").status_code == 404
