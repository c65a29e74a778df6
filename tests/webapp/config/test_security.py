"""Headers, cookies and error pages of the site."""

from __future__ import annotations

import re
import resource

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import AsyncClient, Client

from tests.services import SERVED
from webapp.common import health

PAGES = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nothing-here/"]


@pytest.mark.parametrize("address", PAGES)
def test_every_page_carries_the_security_headers(db, address):
    headers = Client().get(address).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy and "unsafe-eval" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_no_template_has_inline_scripts_or_styles():
    found = []
    for path in [path for folder in SERVED for path in folder.rglob("*.html")]:
        text = path.read_text()
        scripts = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", text)
        if scripts or re.search(r"\sstyle=|<style|\son[a-z]+=|\shx-on", text):
            found.append(str(path.relative_to(settings.BASE_DIR)))
    assert found == []


def test_an_unknown_page_is_a_page_with_an_id_that_is_in_the_log(db, caplog):
    response = Client().get("/nothing-here/")
    assert response.status_code == 404
    error_id = re.search(r"<code>([0-9a-f]{8})</code>", response.content.decode())[1]
    assert error_id in caplog.text


def test_an_unexpected_failure_is_a_page_with_an_id_and_no_details(pia_client, monkeypatch, caplog):
    def broken(*args, **kwargs):
        raise RuntimeError("the secret detail")

    monkeypatch.setattr("webapp.accounts.profile.ProfileForm", broken)
    pia_client.raise_request_exception = False
    response = pia_client.get("/accounts/")
    assert response.status_code == 500
    assert "secret detail" not in response.content.decode()
    assert re.search(r"<code>[0-9a-f]{8}</code>", response.content.decode())


@pytest.mark.parametrize("address", ["/play/", "/accounts/login/", "/replays/marks/"])
def test_a_database_that_is_away_is_said_on_pages_and_to_scripts(address, monkeypatch, settings):
    def away(*_):
        raise OperationalError("connection refused")

    for name in ("ensure_connection", "cursor"):
        monkeypatch.setattr(BaseDatabaseWrapper, name, away)
    one, other = Client(raise_request_exception=False), AsyncClient(raise_request_exception=False)
    for client, get in ((one, one.get), (other, async_to_sync(other.get))):
        client.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
        for accept in ("text/html", "application/json"):
            answer = get(address, headers={"Accept": accept})
            assert answer.status_code == 503 and b"database is busy or away; try again" in answer.content
            assert answer.headers["Content-Type"].startswith(accept)


def test_a_post_without_the_token_is_refused_with_a_page(pia, signed_in):
    client = signed_in(pia, enforce_csrf_checks=True)
    response = client.post("/accounts/", {"first_name": "x"})
    assert response.status_code == 403
    assert "Error 403" in response.content.decode()


def test_a_foreign_host_name_is_refused(db, settings):
    settings.ALLOWED_HOSTS = ["play.example"]
    assert Client().get("/accounts/login/", headers={"host": "evil.example"}).status_code == 400


def test_the_session_cookie_is_out_of_reach_for_scripts(pia_client):
    cookie = pia_client.cookies["sessionid"]
    pia_client.get("/accounts/")
    assert settings.SESSION_COOKIE_HTTPONLY and settings.SESSION_COOKIE_SAMESITE == "Lax"
    assert cookie.value


def test_passwords_are_hashed_with_argon2(pia):
    assert pia.password.startswith("argon2")


def test_the_health_page_says_that_all_is_well(db):
    response = Client().get("/health/")
    assert response.status_code == 200 and response.json() == {"status": "ok"}


def test_the_health_page_says_when_the_database_is_gone(db, monkeypatch):
    class Gone:
        def cursor(self):
            raise OperationalError("gone")

    monkeypatch.setattr("webapp.common.health.connection", Gone())
    assert Client().get("/health/").status_code == 503


def test_the_health_page_says_when_nothing_can_be_written(db):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))  # as on a full disk: writing fails
    try:
        response = health.health()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert response.status_code == 503 and b"disk is full" in response.content
