"""Every address of the site, walked: without a role it is refused, but for a short list of public ones."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.conftest import person
from tests.webapp.cast import small_network
from webapp.host.consumer import admit
from webapp.matches.models import Match

# What anybody may open, by name; the pages of signing in and up are allauth's.
PUBLIC = {"health", "accounts:sign_in_link", "accounts:invitation", "accounts:guest"}
# What strangers get by a link that they were sent.
BY_LINK = {"play:invitation", "play:take_seat_as_guest", "play:copilot"}
OWN = {"accounts:account", "accounts:keys", "accounts:save_keys", "accounts:become", "accounts:close"}
VALUES = {
    "UUIDConverter": uuid.UUID(int=7),
    "IntConverter": 7,
    "StringConverter": "something",
    "SlugConverter": "something",
}
REFUSED = (401, 403)


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """(name, pattern) of every address below."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from patterns(one, f"{before}{one.namespace}:" if one.namespace else before)
        else:
            yield f"{before}{one.name}", one


def address_of(name: str, pattern: URLPattern) -> str:
    """An address that the pattern takes."""
    converters = getattr(pattern.pattern, "converters", {})
    if name == "account_reset_password_from_key":
        return reverse(name, kwargs={"uidb36": "1", "key": "x-y"})
    values = {one: VALUES[type(converter).__name__] for one, converter in converters.items()}
    if not values and pattern.pattern.regex.groups:
        values = {group: "x" for group in pattern.pattern.regex.groupindex}
    return reverse(name, kwargs=values)


def test_every_pattern_has_a_name_and_an_address():
    found = list(patterns(get_resolver()))
    assert len(found) > 80
    for name, pattern in found:
        assert pattern.name, pattern
        assert address_of(name, pattern).startswith("/")


@pytest.mark.parametrize("who", ["nobody", "no role", "closed"])
@pytest.mark.parametrize("how", ["get", "post"])
@pytest.mark.parametrize("asks_for", ["text/html", "application/json"])
def test_everything_but_a_short_list_is_refused_without_a_role(signed_in, db, who, how, asks_for):
    user = person("rolf", "player", "annotator", "admin")
    client = Client() if who == "nobody" else signed_in(user)
    user.set_roles(set())
    if who == "closed":
        user.is_active = False
        user.save()
    for name, pattern in patterns(get_resolver()):
        address = address_of(name, pattern)
        if who != "nobody":  # or a post to the page of signing out would be the last
            client.force_login(user)
        answer = getattr(client, how)(address, headers={"accept": asks_for})
        is_sign_in = answer.status_code == 302 and answer.url.startswith("/accounts/login/")
        refused = answer.status_code in REFUSED or is_sign_in
        if name in PUBLIC or name.startswith("account_") or (name in BY_LINK and who != "no role"):
            continue
        if name in OWN and who == "no role":
            assert not refused, f"{name} is one's own"
            if name == "accounts:close":
                assert answer.status_code == 200
            continue
        assert refused, f"{name} answers {answer.status_code} to {who}"
        if asks_for == "application/json" and answer.status_code in REFUSED and who == "no role":
            assert "no role" in answer.json()["error"]


def test_a_page_says_why_and_what_to_do(signed_in, db):
    rolf = person("rolf", "annotator")
    client = signed_in(rolf)
    rolf.set_roles(set())
    page = client.get("/").content.decode()
    assert "Your account has no role now" in page and "An admin can give it one." in page


def test_roles_that_are_taken_away_count_at_once(signed_in, db, make_role_pages):
    rolf = person("rolf", "player")
    client = signed_in(rolf)
    for address in make_role_pages:
        assert client.get(address).status_code == 200, address
    rolf.set_roles(set())
    for address in make_role_pages:
        assert client.get(address).status_code == 403, address
    rolf.set_roles({"player"})
    for address in make_role_pages:
        assert client.get(address).status_code == 200, address


@pytest.fixture
def make_role_pages(db) -> list[str]:
    """Replays, lists and weights: addresses that a player may read."""
    agent = small_network()
    return [
        reverse("replays:list"),
        reverse("replays:guidelines"),
        reverse("agents:gallery"),
        reverse("agents:agent", args=[agent.game, agent.slug]),
        reverse("agents:download", args=[agent.game, agent.slug, "weights.safetensors"]),
        reverse("agents:download", args=[agent.game, agent.slug, "card.json"]),
        reverse("play:lobby"),
    ]


def test_admins_pages_are_for_admins(pia_client, anna_client):
    closed = {"rounds", "studies", "datasets", "language"}
    for name, pattern in patterns(get_resolver()):
        if name.split(":")[0] in closed or name in ("replays:agreement", "accounts:people", "accounts:audit"):
            address = address_of(name, pattern)
            for client in (pia_client, anna_client):
                assert client.get(address).status_code in (403, 405), name
                assert client.post(address).status_code in (403, 405), name


def test_a_socket_is_closed_to_an_account_without_a_role(pia, otto):
    match = Match.objects.create(game="hanabi", seed=1, status=Match.PLAYING)
    assert admit(otto.pk, match.pk)[0] == ""
    otto.set_roles(set())
    assert admit(otto.pk, match.pk)[0] == "no_role"
    pia.is_active = False
    pia.save()
    assert admit(pia.pk, match.pk)[0] == "no_role"


def test_files_that_are_served_lie_in_no_folder_of_data(settings):
    """What the static files' server gives without asking for a role holds no weights, logs or marks."""
    of_data = (settings.AGENTS_DIR, settings.EPISODES_DIR, settings.SNAPSHOTS_DIR, settings.JOBS_DIR)
    for folder in (settings.STATIC_ROOT, *settings.STATICFILES_DIRS):
        for private in of_data:
            assert not Path(private).is_relative_to(folder)
            assert not Path(folder).is_relative_to(private)
