"""The People page: admins only, roles, invitations, guests, audit."""

from __future__ import annotations

import pytest
from django.test import Client

from webapp.accounts.models import AuditEvent, Invitation, SiteSettings, User

PAGE = "/accounts/people/"


@pytest.mark.parametrize("address", [PAGE, "/accounts/people/audit/"])
def test_players_and_annotators_may_not_look(pia_client, anna_client, address):
    assert pia_client.get(address).status_code == 403
    assert anna_client.get(address).status_code == 403


def test_a_player_cannot_change_roles(pia, pia_client):
    assert pia_client.post(f"{PAGE}{pia.pk}/roles/", {"roles": ["admin"]}).status_code == 403
    assert User.objects.get(pk=pia.pk).roles == {"player"}


def test_a_player_cannot_make_sign_in_links_or_invitations(adam, pia_client):
    assert pia_client.post(f"{PAGE}{adam.pk}/link/").status_code == 403
    form = {"roles": ["admin"], "uses": 1, "days": 1}
    assert pia_client.post(f"{PAGE}invitations/", form).status_code == 403
    assert not Invitation.objects.exists()


def test_an_admin_sees_everybody(adam_client, pia, anna):
    page = adam_client.get(PAGE).content.decode()
    assert all(name in page for name in ("pia", "anna", "adam"))


def test_the_role_filter_leaves_the_others_out(adam_client, pia, anna):
    page = adam_client.get(PAGE, {"role": "annotator"}).content.decode()
    assert "anna" in page and pia.pseudonym not in page


def test_search_finds_a_pseudonym(adam_client, pia, anna):
    page = adam_client.get(PAGE, {"q": pia.pseudonym}).content.decode()
    assert "pia" in page and anna.pseudonym not in page


def test_the_number_of_queries_does_not_grow_with_the_people(adam_client, db, django_assert_max_num_queries):
    for i in range(40):
        User.objects.create_user(f"person{i}").set_roles({"player"})
    with django_assert_max_num_queries(12):
        adam_client.get(PAGE)


def test_an_admin_gives_several_roles_and_it_is_on_record(adam, adam_client, pia):
    adam_client.post(f"{PAGE}{pia.pk}/roles/", {"roles": ["player", "annotator"]})
    assert User.objects.get(pk=pia.pk).roles == {"player", "annotator"}
    event = AuditEvent.objects.get(verb="roles changed")
    assert event.user == adam
    assert event.detail == {
        "person": pia.pseudonym,
        "before": ["player"],
        "after": ["annotator", "player"],
    }


def test_the_only_admin_stays_one(adam, adam_client):
    response = adam_client.post(f"{PAGE}{adam.pk}/roles/", {"roles": ["player"]}, follow=True)
    assert "only admin" in response.content.decode()
    assert User.objects.get(pk=adam.pk).is_admin


def test_an_unknown_role_changes_nothing(adam_client, pia):
    adam_client.post(f"{PAGE}{pia.pk}/roles/", {"roles": ["emperor"]})
    assert User.objects.get(pk=pia.pk).roles == {"player"}


def test_an_invitation_shows_its_link_once_and_can_be_revoked(adam_client):
    form = {"roles": ["player"], "uses": 3, "days": 7, "note": "3B of 2026"}
    page = adam_client.post(f"{PAGE}invitations/", form).content.decode()
    link = "/" + page.split('data-copy="', 1)[1].split('"', 1)[0].split("/", 3)[3]
    assert "3 people can sign up as player" in page and Client().get(link).status_code == 302
    page = adam_client.get(PAGE).content.decode()
    assert "3B of 2026" in page and link not in page
    adam_client.post(f"{PAGE}invitations/{Invitation.objects.get().pk}/revoke/")
    assert "3B of 2026" not in adam_client.get(PAGE).content.decode()
    assert Client().get(link).status_code == 410


def test_an_invitation_without_a_role_is_refused_with_a_sentence(adam_client):
    response = adam_client.post(f"{PAGE}invitations/", {"uses": 1, "days": 1}, follow=True)
    assert "Roles: This field is required." in response.content.decode()
    assert not Invitation.objects.exists()


def test_an_admin_makes_a_link_for_someone_who_lost_their_password(adam_client, pia):
    page = adam_client.post(f"{PAGE}{pia.pk}/link/").content.decode()
    link = page.split('data-copy="', 1)[1].split('"', 1)[0]
    client = Client()
    client.post("/" + link.split("/", 3)[3])
    assert client.session["_auth_user_id"] == str(pia.pk)
    assert AuditEvent.objects.filter(verb="sign-in link made").exists()


def test_an_admin_opens_the_site_to_guests(adam_client):
    assert SiteSettings.current().friends_play
    adam_client.post(f"{PAGE}guests/", {"guest_play": "on"})
    assert (SiteSettings.current().guest_play, SiteSettings.current().friends_play) == (True, False)
    adam_client.post(f"{PAGE}guests/", {"friends_play": "on"})
    assert (SiteSettings.current().guest_play, SiteSettings.current().friends_play) == (False, True)


def test_the_audit_log_shows_what_was_done(adam_client, pia):
    adam_client.post(f"{PAGE}{pia.pk}/roles/", {"roles": ["annotator"]})
    page = adam_client.get(f"{PAGE}audit/").content.decode()
    assert "roles changed" in page and pia.pseudonym in page
    assert "<th>When</th>" in page  # in the reader's own zone


@pytest.mark.parametrize("address", ["invitations/", "guests/"])
def test_changes_are_refused_by_get(adam_client, address):
    assert adam_client.get(PAGE + address).status_code == 405
