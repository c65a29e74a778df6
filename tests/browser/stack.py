"""The real stack in its own processes, on a free port and an empty var folder, for tests that use a browser.

`manage.py up` starts it as it does for a person: web process with its match host and inference child, and a
Celery worker. Not for: tests that need less than all of it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from playwright.sync_api import Page, StorageState, expect

from engine.simulation.code_cache import CACHE_FOLDER
from tests import services
from tests.browser import loop
from webapp.config.prepare import engine_hash
from webapp.config.serving import web_command

ROOT = Path(__file__).resolve().parent.parent.parent
COMPILED: set[str] = set()
"""The engine's hash, once a stack of this run has compiled all games: the next ones find their code."""


@dataclass
class Stack:
    """A running stack: its address, the sign-in links that `up` printed, and the environment for `manage`."""

    processes: list[subprocess.Popen]
    address: str
    links: dict[str, str]
    env: dict[str, str]
    clean_up: ExitStack = field(default_factory=ExitStack)
    sessions: dict[str, StorageState] = field(default_factory=dict)

    def manage(self, *arguments: str, timeout: float = 900) -> str:
        """Standard output of a `manage.py` command on this stack's data; fails loudly."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=timeout,
        )  # fmt: skip
        assert done.returncode == 0, f"manage.py {' '.join(arguments)}: {done.stderr[-2000:]}"
        return done.stdout

    def link(self, name: str) -> str:
        """A fresh sign-in link, for a role or a user name, at first the one of `up`: each signs in once."""
        return self.links.pop(name, "") or json.loads(self.manage("signin", name, "--json"))["link"]

    def sign_in(self, page: Page, name: str) -> None:
        """Sign a page in with a link, or into the session that an earlier page began with one: a command that
        makes a link takes two seconds of the processor.
        """
        if name in self.sessions:
            page.context.add_cookies(self.sessions[name]["cookies"])
            page.goto(self.address)
            expect(page.locator("details.person")).to_be_visible()
        else:
            loop.sign_in(page, self.link(name))
            self.sessions[name] = page.context.storage_state()

    def stop(self) -> None:
        for process in self.processes:
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.clean_up.close()


def note_compiled(folder: Path, own_games: bool) -> None:
    """Note in a stack's folder that all games are compiled, if they are, as its own first start would."""
    (folder / "var").mkdir(exist_ok=True)
    if engine_hash() in COMPILED and not own_games:
        (folder / "var" / f"noted-{engine_hash()}").touch()


def start_stack(folder: Path, seconds: float = 900, empty: bool = False, **extra: str) -> Stack:
    """Start `manage.py up` with its data in `folder`, tables without rows or `empty` at first; returns when
    it has printed its links and answers, and all games are compiled: the first stack of a test run compiles
    them.
    """
    if not empty:
        services.tables(folder / "var" / "coplay.sqlite3")
    note_compiled(folder, "PYTHONPATH" in extra)
    port = services.free_port()
    address = f"http://127.0.0.1:{port}"
    env = {
        **os.environ,
        "COPLAY_VAR": str(folder / "var"),
        "COPLAY_PORT": str(port),
        "COPLAY_SITE_URL": address,
        "OMP_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
        # The kernels are compiled once for all stacks of a test run.
        "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
        **extra,
    }
    env.pop("DJANGO_SETTINGS_MODULE", None)
    log = folder / "up.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
        )
    stack = Stack([process], address, {}, env)
    deadline = time.monotonic() + seconds
    try:
        # On a slow machine `up` prints its links before the server answers.
        compiling = (folder / "var").glob
        while len(stack.links) < 3 or not services.answers(address) or [*compiling("compile-*")]:
            text = log.read_text()
            assert process.poll() is None, f"`./manage.py up` ended early:\n{text[-4000:]}"
            assert time.monotonic() < deadline, f"`./manage.py up` took over {seconds} s:\n{text[-4000:]}"
            time.sleep(0.2)
            stack.links = dict(re.findall(r"(player|annotator|admin)\D*?(http://\S+)", log.read_text()))
    except BaseException:
        stack.stop()
        raise
    COMPILED.add(engine_hash())
    return stack


def start_production(folder: Path, seconds: float = 900, **extra: str) -> Stack:
    """The parts as in docker-compose.yml: web, match host and worker apart, PostgreSQL, Redis.

    The PostgreSQL database is made for this stack and dropped when it stops; those of Redis are its own too.
    """
    web, host = services.free_port(), services.free_port()
    name = f"coplay_{secrets.token_hex(6)}"
    server = psycopg.connect(services.POSTGRES_URL, autocommit=True)
    server.execute(f"CREATE DATABASE {name}")
    clean_up = ExitStack()
    clean_up.callback(server.close)
    clean_up.callback(server.execute, f"DROP DATABASE {name} WITH (FORCE)")
    redis, broker = clean_up.enter_context(services.redis_databases(2))
    address, socket_address = f"http://127.0.0.1:{web}", f"ws://127.0.0.1:{host}"
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("COPLAY_", "DJANGO_"))},
        "COPLAY_PRODUCTION": "1",
        "COPLAY_SECRET_KEY": secrets.token_urlsafe(40),
        "COPLAY_VAR": str(folder / "var"),
        "COPLAY_SITE_URL": address,
        "COPLAY_DATABASE_URL": services.POSTGRES_URL.rpartition("/")[0] + "/" + name,
        "COPLAY_REDIS_URL": redis,
        "COPLAY_BROKER_URL": broker,
        "COPLAY_EPISODE_STORE": "database",
        "COPLAY_WORKER_DEVICE": "cpu",  # "auto" starts a process that asks torch
        "COPLAY_MATCH_HOST_ORIGINS": socket_address,
        "OMP_NUM_THREADS": "1",
        "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
        **extra,
    }
    stack = Stack([], address, {}, env, clean_up)
    note_compiled(folder, own_games=False)
    try:
        _start_parts(stack, folder, web, host, socket_address, seconds)
    except BaseException:
        stack.stop()
        raise
    COMPILED.add(engine_hash())
    return stack


def _start_parts(
    stack: Stack, folder: Path, web: int, host: int, socket_address: str, seconds: float
) -> None:
    stack.manage("prepare")
    stack.manage("collectstatic", "--no-input", "-v", "0")
    parts = {
        "web": (web_command(web)[1:], {"COPLAY_HOSTS_MATCHES": "0"}),
        "host": (["manage.py", "matchhost", "--port", str(host)], {"COPLAY_MATCH_HOST_URL": socket_address}),
        "worker": (["-m", "celery", "-A", "workers.app", "worker", "--pool", "solo"], {}),
    }
    for part, (command, own) in parts.items():
        with (folder / f"{part}.log").open("w") as out:
            stack.processes.append(
                subprocess.Popen(
                    [sys.executable, *command],
                    cwd=ROOT,
                    env=stack.env | own,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                )
            )
    deadline = time.monotonic() + seconds
    for port in (web, host):
        while not services.answers(f"http://127.0.0.1:{port}"):
            assert time.monotonic() < deadline, (folder / "host.log").read_text()[-3000:]
            time.sleep(0.2)
