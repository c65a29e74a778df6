"""`manage.py up`: everything starts, says how to get in, and ends together."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from engine.client.line import Site
from engine.refusal import Refusal
from engine.simulation.code_cache import CACHE_FOLDER
from tests.browser.stack import Stack, start_stack
from tests.services import free_port
from tests.waiting import PATIENCE, eventually
from webapp.config.guardian import tagged

pytestmark = pytest.mark.slow


def tag_of(pid: int) -> str:
    """The run to which the supervisor's children belong, read from one of them."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for child in children:
        found = re.search(rb"COPLAY_RUN=(\w+)", Path(f"/proc/{child}/environ").read_bytes())
        if found:
            return found[1].decode()
    raise AssertionError("no child carries a tag")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("up")


@pytest.fixture(scope="module")
def stacks() -> Iterator[list[Stack]]:
    """Those that were started here; the last one may still run."""
    started: list[Stack] = []
    yield started
    for one in started:
        one.stop()


@pytest.fixture
def stack(folder, stacks) -> Stack:
    """A running stack: the one of the test before, if that left it running."""
    if not stacks or stacks[-1].processes[0].poll() is not None:
        # "auto" starts a process that asks torch for a GPU.
        stacks.append(start_stack(folder, empty=True, COPLAY_WORKER_DEVICE="cpu"))
    return stacks[-1]


def sign_in(link: str) -> str:
    """The page on which the link ends."""
    return Site(link, link).open("/")[0]


def test_the_three_links_sign_in_once_each_and_lead_where_the_work_is(stack):
    assert sign_in(stack.links["player"]) == f"{stack.address}/play/"
    assert sign_in(stack.links["admin"]) == f"{stack.address}/rounds/"
    assert "/replays/" in sign_in(stack.links["annotator"])
    with pytest.raises(Refusal, match="410"):
        sign_in(stack.links["player"])


def test_a_second_start_on_the_same_folder_is_refused_with_a_sentence(stack):
    environment = {**stack.env, "COPLAY_PORT": str(free_port())}
    command = [sys.executable, "manage.py", "up"]
    second = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True)
    assert second.returncode != 0
    assert "already running" in second.stderr


def test_the_web_server_comes_back_after_a_crash(stack, folder):
    tag = tag_of(stack.processes[0].pid)
    web = [pid for pid in tagged(tag) if b"uvicorn" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(web[0], signal.SIGKILL)

    def answers() -> bool:
        try:
            with urllib.request.urlopen(f"{stack.address}/health/", timeout=30) as response:
                return response.status == 200
        except OSError:
            return False

    eventually(answers)
    assert "web server was killed by signal 9" in (folder / "up.log").read_text()


def test_ctrl_c_stops_all_of_it(stack, folder):
    tag = tag_of(stack.processes[0].pid)
    assert len(tagged(tag)) >= 2
    stack.processes[0].send_signal(signal.SIGINT)
    assert stack.processes[0].wait(PATIENCE) == 0
    assert tagged(tag) == []
    assert "nothing is left running" in (folder / "up.log").read_text()


def test_killing_the_supervisor_leaves_nothing_running(stack):
    tag = tag_of(stack.processes[0].pid)
    stack.processes[0].kill()
    eventually(lambda: not tagged(tag))


def test_killing_make_leaves_nothing_running(folder):
    port = free_port()
    environment = {**os.environ, "COPLAY_VAR": str(folder / "var"), "COPLAY_PORT": str(port)}
    environment |= {"NUMBA_CACHE_DIR": str(CACHE_FOLDER), "COPLAY_WORKER_DEVICE": "cpu"}
    with (folder / "make.log").open("wb") as log:
        make = subprocess.Popen(
            ["make", "up"], cwd=settings.BASE_DIR, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    eventually(lambda: "Each link" in (folder / "make.log").read_text(), seconds=900)
    supervisor = int(Path(f"/proc/{make.pid}/task/{make.pid}/children").read_text().split()[0])
    tag = tag_of(supervisor)
    make.kill()
    eventually(lambda: not tagged(tag))
    make.wait()


def test_a_taken_port_is_said_in_a_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = {**os.environ, "COPLAY_VAR": str(tmp_path), "COPLAY_PORT": str(port)}
        answer = subprocess.run(
            [sys.executable, "manage.py", "up"],
            cwd=settings.BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
        )
    assert answer.returncode != 0
    assert f"Port {port} of 127.0.0.1 can't be used" in answer.stderr
    assert f"COPLAY_PORT={port + 1} make up" in answer.stderr
