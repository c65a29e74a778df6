"""The production settings run: PostgreSQL, Redis, RabbitMQ, and each part a process of its own."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from django.conf import settings

from engine.client.line import Site
from tests import services
from tests.browser.stack import Stack, start_production
from tests.waiting import PATIENCE, eventually

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.rabbitmq, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("production")
    stack = start_production(folder, COPLAY_BROKER_URL=services.RABBITMQ_URL)
    yield stack
    stack.stop()


def get(address: str):
    with urllib.request.urlopen(address, timeout=PATIENCE) as response:
        return response.status, response.headers, response.read()


def test_the_web_process_answers_and_reaches_its_database(site):
    status, _, body = get(site.address + "/health/")
    assert status == 200 and json.loads(body) == {"status": "ok"}


def test_the_doctor_finds_nothing_wrong_and_the_worker_alive(site):
    def findings() -> dict[str, dict] | None:
        command = [sys.executable, "manage.py", "doctor", "--json"]
        answer = subprocess.run(command, cwd=settings.BASE_DIR, env=site.env, capture_output=True, text=True)
        named = {finding["name"]: finding for finding in json.loads(answer.stdout)["findings"]}
        return named if named["Worker"]["state"] == "good" else None

    named = eventually(findings)
    assert [finding for finding in named.values() if finding["state"] == "bad"] == []
    assert named["Database"]["text"] == "postgresql, up to date"
    assert named["Broker"]["text"].startswith("amqp://")
    assert named["Redis"]["state"] == "good" and named["Web server"]["state"] == "good"


def test_static_files_are_served_compressed(site):
    request = urllib.request.Request(
        site.address + "/static/css/coplay.css", headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        assert response.headers["Content-Encoding"] == "gzip"


def test_a_sign_in_link_made_on_the_command_line_opens_the_site(site):
    link = site.link("admin")
    assert link.startswith(site.address)
    assert Site(site.address, link).open("/")[0] == site.address + "/rounds/"


def test_two_people_cannot_use_one_place_of_an_invitation(site):
    code = """
import threading
from datetime import timedelta
from django.db import connection
from django.utils import timezone
from webapp.accounts import invitations
from webapp.accounts.links import house_person
from webapp.accounts.models import Invitation, User
admin = house_person("admin")
invitation = Invitation.objects.create(
    roles=["player"], created_by=admin, uses_left=3, expires_at=timezone.now() + timedelta(days=1)
)
people = [User.objects.create_user(f"racer{i}") for i in range(12)]
taken = []
def take(person):
    taken.append(invitations.use(invitation, person))
    connection.close()
threads = [threading.Thread(target=take, args=(person,)) for person in people]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sorted(taken).count(True), Invitation.objects.get(pk=invitation.pk).uses_left)
"""
    assert site.manage("shell", "-v", "0", "-c", code).split()[-2:] == ["3", "0"]


def test_what_is_taken_of_an_episode_is_counted_right_whoever_counts_at_once(site):
    code = """
import threading
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from tests.waiting import PATIENCE, eventually
from webapp.accounts.models import User
from webapp.annotation.models import Assignment, InQueue
from webapp.episodes.models import Episode
from webapp.studies.models import Study
episode = Episode.objects.create(game="hanabi", rules_version="1", status="finished", ticks=3)
study = Study.objects.create(name="Raced", game="hanabi", overlap=3)
until = timezone.now() + timedelta(hours=1)
def hand(name):
    who = User.objects.create_user(name)
    return Assignment.objects.create(study=study, episode=episode, annotator=who, expires_at=until)
first = Assignment.objects.filter(pk=hand("taker0").pk)
def is_waiting():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0]
def change(values):
    first.update(**values)
    connection.close()
for number, values in enumerate(({"expires_at": until}, {"status": "expired"}), 1):
    thread = threading.Thread(target=change, args=(values,))
    with transaction.atomic():
        hand(f"taker{number}")
        thread.start()
        eventually(lambda: is_waiting() or not thread.is_alive())
    thread.join()
    print(InQueue.objects.get(study=study, episode=episode).taken)
"""
    assert site.manage("shell", "-v", "0", "-c", code).split()[-2:] == ["2", "2"]


def test_a_backup_of_the_running_site_is_restored_elsewhere_and_its_round_goes_on(site, tmp_path):
    begin = "from tests.webapp.config import midway as m; m.begin(); m.call_command('backup', 'FOLDER')"
    finish = """
from tests.webapp.config import midway as m
m.call_command('restore', 'FOLDER')
m.call_command('restore', 'FOLDER', replace=True)  # with tables and functions there
m.finish()
"""
    name = f"coplay_{secrets.token_hex(6)}"
    url = services.POSTGRES_URL.rpartition("/")[0] + "/" + name
    folder = str(tmp_path / "backup")
    site.manage("shell", "-v", "0", "-c", begin.replace("FOLDER", folder))
    with psycopg.connect(services.POSTGRES_URL, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            with psycopg.connect(url) as other:  # a table of a later version, which points at what goes
                other.execute("CREATE TABLE rounds_round (id int PRIMARY KEY)")
                other.execute("CREATE TABLE rounds_later (id int REFERENCES rounds_round)")
            elsewhere = {"COPLAY_DATABASE_URL": url, "COPLAY_VAR": str(tmp_path / "var")}
            moved = replace(site, env=site.env | elsewhere)
            moved.manage("shell", "-v", "0", "-c", finish.replace("FOLDER", folder))
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    refused = subprocess.run(
        [sys.executable, "manage.py", "restore", folder, "--replace"],
        cwd=settings.BASE_DIR, env=site.env, capture_output=True, text=True,
    )  # fmt: skip
    assert refused.returncode == 1 and "Coplay runs on" in refused.stderr
