"""What a test may need beyond Python, and whether this machine has it; ports and databases that are its own.

Not for: installing or starting anything (`.ci/run` does).
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlparse

ROOT = Path(__file__).resolve().parents[1]
NODE = ("node", "--import", str(ROOT / "tests/js/served.mjs"))
"""Node, which finds the pages' modules where the site serves them."""
SERVED = [
    path for name in ("static", "templates") for path in (ROOT / name, *ROOT.glob(f"engine/games/*/{name}"))
]
"""The folders of the pages' scripts, styles and templates."""
NAMES = ("browser", "postgres", "redis", "rabbitmq", "hle", "overcooked_ai", "node", "compose")

# Where the tests look for services; the defaults are what the ordinary Debian packages listen on.
POSTGRES_URL = os.environ.get("COPLAY_TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS_URL = os.environ.get("COPLAY_TEST_REDIS_URL", "redis://127.0.0.1:6379/0")
RABBITMQ_URL = os.environ.get("COPLAY_TEST_RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672//")

SHARED = "COPLAY_TESTS"
"""The variable that names the folder of what is made once for all workers of a run."""


def chromium_path(small: bool = False) -> str | None:
    """Chromium; or, where there is one, the small one without windows: each page takes a third of the
    processor's time in it, and a locked pointer doesn't move.
    """
    small_ones = ("chromium-headless-shell",) if small else ()
    for name in (*small_ones, "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def compose_command() -> list[str] | None:
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            if subprocess.run([*command, "version"], capture_output=True).returncode == 0:
                return command
    return None


def answers(url: str) -> bool:
    parts = urlparse(url)
    try:
        with socket.create_connection((parts.hostname, parts.port), timeout=2):
            return True
    except OSError:
        return False


def free_port() -> int:
    """A port that nothing uses, and that nothing takes until the caller's server does.

    Below those that the system hands out for outgoing connections, and apart for each worker of pytest-xdist.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4
    while True:
        port = 20_000 + 3_000 * worker + random.SystemRandom().randrange(3_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def tables(database: Path) -> None:
    """Write an SQLite database with all tables, as migrations leave it: they run once for all workers."""
    folder = Path(os.environ[SHARED])
    made = folder / "tables.sqlite3"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            env = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
            command = [sys.executable, "manage.py", "migrate", "-v", "0"]
            subprocess.run(command, cwd=ROOT, env=env | {"COPLAY_VAR": str(folder)}, check=True)
            with closing(sqlite3.connect(folder / "coplay.sqlite3")) as source:
                source.execute("VACUUM INTO ?", [str(made)])
    database.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(made, database)


@contextmanager
def redis_databases(count: int) -> Iterator[list[str]]:
    """Addresses of `count` empty databases of the Redis server that no other test uses meanwhile.

    Only those that are empty or that a test left behind are taken, and they are emptied afterwards.
    """
    import redis

    ours = "coplay:tests"
    found: list[str] = []
    with ExitStack() as taken:
        for number in range(1, 16):
            lock = taken.enter_context(
                (Path(tempfile.gettempdir()) / f"coplay-redis-{number}.lock").open("w")
            )
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            url = f"{REDIS_URL.rpartition('/')[0]}/{number}"
            database = taken.enter_context(redis.Redis.from_url(url))
            if database.dbsize() and not database.exists(ours):
                continue
            database.flushdb()
            database.set(ours, 1)
            taken.callback(database.flushdb)
            found.append(url)
            if len(found) == count:
                break
        assert len(found) == count, f"{count} of the databases 1 to 15 at {REDIS_URL} have to be empty."
        yield found


def _postgres() -> str | None:
    import psycopg

    try:
        psycopg.connect(POSTGRES_URL, connect_timeout=2).close()
    except psycopg.OperationalError as error:
        return f"no PostgreSQL at {POSTGRES_URL} ({str(error).splitlines()[0]})"
    return None


def _redis() -> str | None:
    import redis

    try:
        redis.Redis.from_url(REDIS_URL, socket_timeout=2).ping()
    except redis.RedisError as error:
        return f"no Redis at {REDIS_URL} ({error})"
    return None


def _gpu() -> str | None:
    import torch

    return None if torch.cuda.is_available() else "no CUDA GPU"


@cache
def missing(name: str) -> str | None:
    """Why the service `name` can't be used here, or None when it can."""
    if name == "browser":
        return None if chromium_path() else "no Chromium on the path"
    if name == "postgres":
        return _postgres()
    if name == "redis":
        return _redis()
    if name == "rabbitmq":
        return None if answers(RABBITMQ_URL) else f"no RabbitMQ at {RABBITMQ_URL}"
    if name == "overcooked_ai":
        from tools.peers import program

        try:
            program("overcooked-ai")
        except ImportError as error:
            return str(error)
        return None
    if name == "hle":
        found = importlib.util.find_spec("hanabi_learning_environment")
        return None if found else "the hanabi-learning-environment package is not installed"
    if name == "node":
        return None if shutil.which("node") else "no Node on the path"
    if name == "compose":
        return None if compose_command() else "neither `docker compose` nor `docker-compose` is there"
    if name == "gpu":
        return _gpu()
    raise ValueError(f"Unknown service {name!r}; known are gpu, {', '.join(NAMES)}.")
