"""The processes that take sockets, as they are started in production: what the compose file asks of them,
what they answer to a browser that offers compression, and a web process that hosts no matches.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.services import free_port
from tests.waiting import PATIENCE, eventually
from tests.webapp.host.test_kill import Site, prepared  # noqa: F401
from webapp.config import serving
from webapp.matches.models import Match

pytestmark = pytest.mark.slow
COMPOSE = yaml.safe_load((settings.BASE_DIR / "docker-compose.yml").read_text())
IMAGE = (settings.BASE_DIR / "Dockerfile").read_text()


def command_of(service: str) -> list[str]:
    """What the container runs: the service's command, or the image's."""
    command = COMPOSE["services"][service].get("command")
    if command is None:
        words = re.search(r"^CMD (\[.*?\])", IMAGE, re.MULTILINE | re.DOTALL)[1]
        return json.loads(words.replace("\\\n", ""))
    return command.split()


def probe_of(service: str, port: int) -> list[str]:
    """The health check of the compose file, asking at `port`."""
    kind, program, *arguments = COMPOSE["services"][service]["healthcheck"]["test"]
    assert (kind, program) == ("CMD", "python")
    return [sys.executable, *(one.replace(":8000", f":{port}") for one in arguments)]


class Part:
    """A service's process, started as its container would be, but on a port of its own."""

    def __init__(self, site: Site, service: str) -> None:
        self.service, self.port = service, free_port()
        program, *arguments = command_of(service)
        module = [] if program == "python" else ["-m", program]
        arguments = [str(self.port) if one == "8000" else one for one in arguments]
        own = COMPOSE["services"][service]["environment"].get("COPLAY_HOSTS_MATCHES")
        env = site.env | ({} if own is None else {"COPLAY_HOSTS_MATCHES": own})
        self.process = subprocess.Popen(
            [sys.executable, *module, *arguments], cwd=settings.BASE_DIR, env=env, stderr=subprocess.DEVNULL
        )

    def is_healthy(self) -> bool:
        done = subprocess.run(probe_of(self.service, self.port), capture_output=True, env=os.environ)
        return done.returncode == 0

    def upgrade(self, path: str) -> http.client.HTTPResponse:
        """The answer to a browser that would like to open a socket and offers to compress."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
        }
        line.request("GET", path, headers=headers)
        return line.getresponse()


@pytest.fixture(scope="module")
def site(tmp_path_factory, prepared) -> Site:  # noqa: F811
    return Site(tmp_path_factory.mktemp("site"), prepared)


@pytest.fixture(scope="module", params=["web", "matchhost"])
def part(request, site) -> Iterator[Part]:
    running = Part(site, request.param)
    try:
        eventually(running.is_healthy)
        yield running
    finally:
        running.process.terminate()
        running.process.wait(PATIENCE)


def test_the_compose_files_check_is_answered_by_the_process_and_by_nothing_else(part):
    assert part.process.poll() is None and part.is_healthy()
    assert subprocess.run(probe_of(part.service, free_port()), capture_output=True).returncode != 0


def test_frames_are_not_compressed_though_the_browser_offers_it(part, site):
    match, ticket = site.ticket()
    answer = part.upgrade(f"/play/{match}/socket/?ticket={ticket}")
    assert answer.status == 101
    assert answer.getheader("Sec-WebSocket-Extensions") is None


def test_only_the_match_host_takes_a_socket_and_the_match(part, site):
    match, ticket = site.ticket()

    def claim() -> tuple[int, str]:
        file = Path(site.env["COPLAY_VAR"], "coplay.sqlite3")
        with contextlib.closing(sqlite3.connect(file)) as tables:
            return tables.execute(f"SELECT epoch, host FROM {Match._meta.db_table}").fetchone()

    before = claim()
    url = f"ws://127.0.0.1:{part.port}/play/{match}/socket/?ticket={ticket}"
    with connect(url, origin=f"http://127.0.0.1:{part.port}") as line:
        if part.service == "matchhost":
            line.send(json.dumps({"type": "join", "client": match}))
            assert json.loads(line.recv(timeout=PATIENCE))["type"] == "joined"
            assert f"/{part.process.pid}/" in claim()[1]
            return
        told = json.loads(line.recv(timeout=PATIENCE))
        assert (told["type"], told["code"]) == ("error", "no_host")
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=PATIENCE)
        assert closed.value.rcvd.code == 4009
    assert claim() == before


def test_every_recipe_starts_the_web_process_with_the_same_options():
    docs = (settings.BASE_DIR / "docs" / "production.md").read_text()
    for command in (command_of("web"), re.search(r"`.venv/bin/(uvicorn [^`]*)`", docs)[1].split()):
        assert [one for one in command if one in serving.OPTIONS] == list(serving.OPTIONS)
