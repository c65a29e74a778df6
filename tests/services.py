"""What a test may need beyond Python, and whether this machine has it.

Not for: installing or starting anything (`.ci/run` does).
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
from functools import cache
from urllib.parse import urlparse

NAMES = ("browser", "postgres", "redis", "rabbitmq", "hle", "node", "compose")

# Where the tests look for services; the defaults are what the ordinary Debian packages listen on.
POSTGRES_URL = os.environ.get("COPLAY_TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS_URL = os.environ.get("COPLAY_TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
RABBITMQ_URL = os.environ.get("COPLAY_TEST_RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672//")


def chromium_path() -> str | None:
    for name in ("chromium", "chromium-browser", "google-chrome"):
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
