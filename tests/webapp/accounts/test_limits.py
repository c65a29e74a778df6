"""How often something may be done: a class gets in, a flood doesn't, and a refusal says when to try again."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.conf import settings as site
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from webapp.accounts import limits
from webapp.accounts.models import Invitation, SiteSettings, User
from webapp.common import made
from webapp.matches.models import Match

PASSWORD = "correct horse battery"
CLASS = 60


def sign_in(name: str, password: str = PASSWORD):
    return Client().post("/accounts/login/", {"login": name, "password": password})


def test_a_class_of_sixty_behind_one_address_signs_in(db):
    for i in range(CLASS):
        User.objects.create_user(f"student{i}", password=PASSWORD)
    assert {sign_in(f"student{i}").status_code for i in range(CLASS)} == {302}


def test_sixty_sign_up_by_one_invitation(adam):
    ends = timezone.now() + timedelta(days=1)
    invitation = Invitation.objects.create(
        roles=["player"], uses_left=CLASS, created_by=adam, expires_at=ends
    )
    for i in range(CLASS):
        client = Client()
        client.get(f"/accounts/invitation/{invitation.token}/")
        form = {"username": f"student{i}", "password1": PASSWORD, "password2": PASSWORD}
        assert client.post("/accounts/signup/", form).status_code == 302
    assert User.objects.filter(username__startswith="student").count() == CLASS


def test_sixty_come_in_as_guests_at_once(db):
    SiteSettings.objects.create(pk=1, guest_play=True)
    assert {Client().post("/accounts/guest/").status_code for _ in range(CLASS)} == {302}


def test_no_count_is_forgotten_for_others_nor_for_pictures():
    cache.set("count", 1)
    for i in range(400):
        cache.set(f"other{i}", 1)
        made.cache.set(f"picture{i}", b"")
    assert cache.get("count") == 1


def test_failures_count_by_address_and_successes_do_not(pia, settings):
    settings.ACCOUNT_RATE_LIMITS = {**site.ACCOUNT_RATE_LIMITS, "login_failed": "3/h/ip"}
    for i in range(3):
        assert sign_in("pia").status_code == 302
        sign_in(f"nobody{i}", "wrong")
    page = sign_in("pia").content.decode()
    assert "At most 3 failed sign-ins an hour are possible from one address." in page
    assert "Try again in 60 minutes." in page


def test_people_of_two_ipv4_addresses_are_two_where_the_server_listens_to_ipv6(pia, settings):
    settings.ACCOUNT_RATE_LIMITS = {**site.ACCOUNT_RATE_LIMITS, "login_failed": "1/h/ip"}
    form = {"login": "pia", "password": PASSWORD}
    Client(REMOTE_ADDR="::ffff:1.2.3.4").post("/accounts/login/", {**form, "password": "wrong"})
    ends = (("::ffff:1.2.3.4", 200), ("1.2.3.4", 200), ("::ffff:1.2.3.5", 302))
    for end, code in ends:
        assert Client(REMOTE_ADDR=end).post("/accounts/login/", form).status_code == code


def test_sign_ups_that_fail_are_limited(adam, settings):
    settings.ACCOUNT_RATE_LIMITS = {**site.ACCOUNT_RATE_LIMITS, "signup_failed": "2/h/ip"}
    answers = [Client().post("/accounts/signup/", {"username": f"x{i}"}) for i in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "failed sign-ups" in answers[2].content.decode() and int(answers[2]["Retry-After"]) > 3000


def test_sixty_matches_in_ten_seconds_are_refused_with_a_sentence(pia_client):
    form = {"game": "hanabi", "seat": ["me", "friend"]}
    answers = [pia_client.post("/play/new/", form) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [302] * 20 + [429]
    assert "At most 20 new games a minute are possible by one account." in answers[-1].content.decode()
    assert Match.objects.count() == 20


@pytest.mark.parametrize(
    ("headers", "sentence"),
    [
        ({"accept": "application/json"}, lambda answer: json.loads(answer.content)["error"]),
        ({"hx-request": "true"}, lambda answer: answer.content.decode()),
    ],
)
def test_the_refusal_is_of_the_kind_that_was_asked_for(pia_client, settings, headers, sentence):
    settings.ACCOUNT_RATE_LIMITS = {**site.ACCOUNT_RATE_LIMITS, "any": "1/m/user"}
    pia_client.post("/accounts/", {"first_name": "Pia"})
    answer = pia_client.post("/accounts/", {"first_name": "Pi"}, headers=headers)
    assert answer.status_code == 429
    assert re.fullmatch(
        r"At most 1 changes a minute are possible by one account\. Try again in \d+ seconds\.",
        sentence(answer),
    )
    assert User.objects.get(username="pia").first_name == "Pia"


def names_of(resolver=None, namespace: str = "") -> set[str]:
    found = set()
    for one in (resolver or get_resolver()).url_patterns:
        if isinstance(one, URLPattern):
            found.add(f"{namespace}{one.name}")
        else:
            found |= names_of(one, f"{namespace}{one.namespace}:" if one.namespace else namespace)
    return found


def test_every_limit_is_a_setting_that_the_docs_tell_and_has_a_name():
    docs = (site.BASE_DIR / "docs/production.md").read_text()
    told = dict(re.findall(r"\| `COPLAY_LIMIT_([A-Z_]+)` \| `([^`]+)` \|", docs))
    assert {name.lower(): value for name, value in told.items()} == site.LIMITS
    assert set(limits.CALLED) == set(site.LIMITS)
    assert set(limits.COSTLY) | limits.DOWNLOADS <= names_of()
    assert set(limits.COSTLY.values()) < set(site.LIMITS)


@pytest.mark.parametrize("value", ["many", "5", "5/h", "5/h/game", "0/h/user", "5/w/user", "5/h/ip,"])
def test_a_limit_that_makes_no_sense_is_refused_at_the_start(value):
    from django.core.exceptions import ImproperlyConfigured

    from webapp.config.settings import env_limit

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COPLAY_LIMIT_ODD", value)
        with pytest.raises(ImproperlyConfigured, match="COPLAY_LIMIT_ODD is .*number/period/per"):
            env_limit("odd", "3/h/user")
        patch.setenv("COPLAY_LIMIT_ODD", "7/30s/user, 1/d/user")
        assert env_limit("odd", "3/h/user") == "7/30s/user,1/d/user"
        patch.setenv("COPLAY_LIMIT_ODD", "off")
        assert env_limit("odd", "3/h/user") == ""
