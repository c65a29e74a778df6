"""The production settings run: PostgreSQL, Redis, a real broker, and each part a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from tests import services
from tests.browser.stack import free_port
from webapp.config.guardian import end_all

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.rabbitmq, pytest.mark.slow]


class Site:
    """An empty PostgreSQL database, Redis, RabbitMQ with a virtual host of its own, production settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tag = uuid.uuid4().hex
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.database = f"coplay_{self.tag[:12]}"
        self.admin = psycopg.connect(services.POSTGRES_URL, autocommit=True)
        self.admin.execute(f"CREATE DATABASE {self.database}")
        keep = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
        self.environment = {
            **keep,
            "COPLAY_RUN": self.tag,
            "COPLAY_PRODUCTION": "1",
            "COPLAY_SECRET_KEY": "only for this test " + self.tag,
            "COPLAY_VAR": str(folder / "var"),
            "COPLAY_SITE_URL": self.address,
            "COPLAY_DATABASE_URL": services.POSTGRES_URL.rpartition("/")[0] + "/" + self.database,
            "COPLAY_REDIS_URL": services.REDIS_URL,
            "COPLAY_BROKER_URL": services.RABBITMQ_URL,
            "COPLAY_EPISODE_STORE": "database",
            "OMP_NUM_THREADS": "1",
        }

    def manage(self, *arguments: str, code: int = 0) -> str:
        command = [sys.executable, "manage.py", *arguments]
        answer = subprocess.run(
            command, cwd=settings.BASE_DIR, env=self.environment, capture_output=True, text=True, timeout=300
        )
        assert answer.returncode == code, answer.stderr[-3000:]
        return answer.stdout

    def start(self, name: str, *command: str, **environment: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=settings.BASE_DIR,
                env=self.environment | environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def logs(self) -> str:
        return "\n".join(f"== {path.name}\n{path.read_text()[-3000:]}" for path in self.folder.glob("*.log"))

    def close(self) -> None:
        end_all(self.tag)
        self.admin.execute(f"DROP DATABASE {self.database} WITH (FORCE)")
        self.admin.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("production"))
    try:
        made.manage("prepare")
        made.manage("collectstatic", "--no-input", "-v", "0")
        made.start("web", "uvicorn", "webapp.config.asgi:application", "--port", str(made.port))
        made.start("worker", "celery", "-A", "workers.app", "worker", "--pool", "solo")
        yield made
    finally:
        made.close()


def eventually(what, site: Site, seconds: float = 60.0):
    """The first true answer of `what()`; an assertion with the logs if there is none in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if answer := what():
                return answer
        except OSError:
            pass
        time.sleep(0.3)
    raise AssertionError(site.logs())


def get(address: str):
    with urllib.request.urlopen(address, timeout=5) as response:
        return response.status, response.headers, response.read()


def test_the_web_process_answers_and_reaches_its_database(site):
    status, _, body = eventually(lambda: get(site.address + "/health/"), site)
    assert status == 200 and json.loads(body) == {"status": "ok"}


def test_the_doctor_finds_nothing_wrong_and_the_worker_alive(site):
    eventually(lambda: get(site.address + "/health/"), site)

    def findings() -> dict[str, dict] | None:
        found = json.loads(site.manage("doctor", "--json"))["findings"]
        named = {finding["name"]: finding for finding in found}
        return named if named["Worker"]["state"] == "good" else None

    named = eventually(findings, site)
    assert named["Database"]["text"] == "postgresql, up to date"
    assert named["Broker"]["text"].startswith("amqp://")
    assert named["Redis"]["state"] == "good" and named["Web server"]["state"] == "good"


def test_static_files_are_served_compressed(site):
    eventually(lambda: get(site.address + "/health/"), site)
    request = urllib.request.Request(
        site.address + "/static/css/coplay.css", headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(request, timeout=5) as response:
        assert response.headers["Content-Encoding"] == "gzip"


def test_a_sign_in_link_made_on_the_command_line_opens_the_site(site):
    eventually(lambda: get(site.address + "/health/"), site)
    link = json.loads(site.manage("signin", "admin", "--json"))["link"]
    assert link.startswith(site.address)
    with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(link, timeout=20) as response:
        assert response.geturl() == site.address + "/rounds/"


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
