"""Settings come from the environment, and a bad value is refused with a sentence."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import ConnectionHandler

from tests.services import POSTGRES_URL
from webapp.config.settings import database, email, site_url

SHOW = """
import json
from django.conf import settings
names = ["DEBUG", "SECRET_KEY", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SITE_URL"]
names += [name for name in ["SECURE_HSTS_SECONDS"] if settings.PRODUCTION]
print(json.dumps({name: getattr(settings, name) for name in names}))
"""


def settings_under(tmp_path, **variables: str) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
    environment |= {"COPLAY_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "webapp.config.settings"}
    environment |= variables
    command = [sys.executable, "-c", SHOW]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=settings.BASE_DIR)


def test_production_without_a_secret_key_is_refused(tmp_path):
    answer = settings_under(tmp_path, COPLAY_PRODUCTION="1")
    assert answer.returncode != 0
    assert "set COPLAY_SECRET_KEY to a long random text" in answer.stderr


def test_production_over_https_has_secure_cookies_and_hsts(tmp_path):
    answer = settings_under(
        tmp_path, COPLAY_PRODUCTION="1", COPLAY_SECRET_KEY="x" * 50, COPLAY_SITE_URL="https://play.example/"
    )
    shown = json.loads(answer.stdout)
    assert shown["SESSION_COOKIE_SECURE"] and shown["CSRF_COOKIE_SECURE"] and not shown["DEBUG"]
    assert shown["SECURE_HSTS_SECONDS"] > 0
    assert shown["SITE_URL"] == "https://play.example"


def test_the_secret_key_is_made_once_and_only_the_owner_may_read_it(tmp_path):
    keys = {json.loads(settings_under(tmp_path).stdout)["SECRET_KEY"] for _ in range(2)}
    assert len(keys) == 1 and len(keys.pop()) >= 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


def test_a_switch_that_is_neither_on_nor_off_is_refused(tmp_path):
    answer = settings_under(tmp_path, COPLAY_DEBUG="maybe")
    assert "COPLAY_DEBUG is 'maybe'; allowed are 1, 0, true, false" in answer.stderr
    answer = settings_under(tmp_path, COPLAY_WORKER_DEVICE="tpu")
    assert "COPLAY_WORKER_DEVICE is 'tpu'; allowed are auto, cpu, cuda" in answer.stderr


def test_a_port_that_is_no_number_is_refused(tmp_path):
    assert (
        "COPLAY_PORT: 'eighty' is not a whole number from 1 to 65,535."
        in settings_under(tmp_path, COPLAY_PORT="eighty").stderr
    )


def test_a_database_address_may_have_escaped_characters():
    found = database("postgresql://a%40b:p%2Fw@db.example:5433/coplay")
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("a@b", "p/w", "db.example")
    assert (found["PORT"], found["NAME"]) == ("5433", "coplay")


def test_an_unknown_database_is_refused():
    with pytest.raises(ImproperlyConfigured, match="must start with sqlite:/// or postgresql://"):
        database("mysql://localhost/coplay")


@pytest.mark.postgres
@pytest.mark.django_db
def test_postgresql_compiles_no_query_and_no_pooler_is_asked_for_it():
    given = database(POSTGRES_URL)
    assert "options" not in given.get("OPTIONS", {}), "PgBouncer refuses it"
    line = ConnectionHandler({"default": given})["default"]
    try:
        with line.cursor() as cursor:
            cursor.execute("SHOW jit")
            assert cursor.fetchone() == ("off",)
    finally:
        line.close()


def test_sqlite_waits_for_its_lock_and_writes_ahead():
    options = database("sqlite:////tmp/x.sqlite3")["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE" and "journal_mode=WAL" in options["init_command"]


def test_mail_goes_to_files_unless_there_is_a_server():
    assert email("")["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
    found = email("smtp://me:secret@mail.example:587")
    assert found["EMAIL_HOST"] == "mail.example" and found["EMAIL_USE_TLS"] and not found["EMAIL_USE_SSL"]


def test_a_mail_address_that_is_no_server_is_refused():
    with pytest.raises(ImproperlyConfigured, match="smtp://user:password@host:port"):
        email("me@example.org")


def test_every_variable_that_is_read_is_explained():
    text = (settings.BASE_DIR / "docs" / "production.md").read_text()
    read = set()
    for folder in ("webapp", "workers", "engine"):
        for path in (settings.BASE_DIR / folder).rglob("*.py"):
            source = path.read_text()
            read |= set(re.findall(r"\bCOPLAY_[A-Z_]+\b", source))
            if path.name == "settings.py":
                names = re.findall(r'\benv(?:_bool|_int)?\("([A-Z_]+)"', source)
                read |= {f"COPLAY_{name}" for name in names}
    names = [name for name in sorted(read - {"COPLAY_RUN"}) if not name.endswith("_")]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_a_site_below_a_path_of_another_is_refused():
    assert site_url("https://coplay.example.org/") == "https://coplay.example.org"
    with pytest.raises(ImproperlyConfigured, match="at the root of a host name of its own"):
        site_url("https://example.org/coplay/")
