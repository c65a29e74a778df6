"""What is installed, reachable and compiled here, and what to do about what is not (`manage.py doctor`).

Each check is a function that returns one `Finding`; none changes anything. Not for: mending (`manage.py
prepare`).
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from importlib import metadata
from pathlib import Path

from django.conf import settings
from django.core import checks as django_checks
from django.db import DatabaseError, connection
from django.utils import timezone
from packaging.requirements import Requirement

from engine import games
from engine.agents.catalogue import agents_of
from engine.refusal import Refusal
from webapp.common import compiling
from webapp.config import prepare

GOOD, NOTE, BAD = "good", "note", "bad"
WORKER_IS_ALIVE = timedelta(seconds=20)
LEAST_DISK_BYTES = 2_000_000_000


@dataclass(frozen=True)
class Finding:
    """`state` is good, note (works, but something optional is missing) or bad; `cure` says what to do."""

    name: str
    state: str
    text: str
    cure: str = ""


def python() -> Finding:
    return Finding("Python", GOOD, f"{sys.version.split()[0]} at {sys.executable}")


def packages() -> Finding:
    locked = (settings.BASE_DIR / "requirements.lock").read_text().splitlines()
    needed = [Requirement(line) for line in locked if "==" in line]
    wanted = [
        requirement for requirement in needed if requirement.marker is None or requirement.marker.evaluate()
    ]
    wrong = []
    for requirement in wanted:
        name, version = requirement.name, str(requirement.specifier).removeprefix("==")
        try:
            installed = metadata.version(name).partition("+")[0]
        except metadata.PackageNotFoundError:
            installed = "missing"
        if installed != version:
            wrong.append(f"{name} {installed} (the lock file says {version})")
    if wrong:
        cure = "Run `.venv/bin/pip install -r requirements.lock`."
        return Finding("Packages", BAD, "; ".join(wrong), cure)
    return Finding("Packages", GOOD, f"all {len(wanted)} as in requirements.lock")


def django() -> Finding:
    messages = django_checks.run_checks(include_deployment_checks=settings.PRODUCTION)
    serious = [first_sentence(message.msg) for message in messages if message.is_serious()]
    notes = [first_sentence(message.msg) for message in messages if not message.is_serious()]
    kind = "production" if settings.PRODUCTION else "one machine"
    if settings.PRODUCTION and not (settings.STATIC_ROOT / "css" / "coplay.css").exists():
        cure = "Run `./manage.py collectstatic --no-input`."
        return Finding("Settings", BAD, f"no static files in {settings.STATIC_ROOT}", cure)
    if serious:
        return Finding("Settings", BAD, "; ".join(serious), "See docs/production.md for the variables.")
    if notes and settings.PRODUCTION:
        return Finding("Settings", NOTE, "; ".join(notes), "See docs/production.md for the variables.")
    if settings.DEBUG:
        cure = "Unset COPLAY_DEBUG where others play."
        return Finding("Settings", NOTE, f"{kind}, COPLAY_DEBUG is on", cure)
    return Finding("Settings", GOOD, kind)


def first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".")


def database() -> Finding:
    kind = connection.vendor
    try:
        pending = prepare.pending_migrations()
    except DatabaseError as error:
        text = f"{kind}: {str(error).splitlines()[0]}"
        return Finding("Database", BAD, text, "Start the database or correct COPLAY_DATABASE_URL.")
    if pending:
        text = f"{kind}, {len(pending)} migrations pending"
        return Finding("Database", BAD, text, "Run `./manage.py migrate`.")
    return Finding("Database", GOOD, f"{kind}, up to date")


def broker() -> Finding:
    from kombu import Connection

    from webapp.jobs.broker import app

    shown = re.sub(r"//[^@/]*@", "//…@", settings.BROKER_URL)
    try:
        with Connection(
            settings.BROKER_URL, connect_timeout=3, transport_options=app.conf.broker_transport_options
        ) as link:
            link.ensure_connection(max_retries=1, timeout=3)
    except Exception as error:  # every transport has errors of its own
        text = f"{shown}: {type(error).__name__} {error}"
        return Finding("Broker", BAD, text, "Start the broker or correct COPLAY_BROKER_URL.")
    return Finding("Broker", GOOD, f"{shown} answers")


def redis() -> Finding:
    if not settings.REDIS_URL:
        return Finding("Redis", GOOD, "not used: channels and cache are in memory (one web process)")
    import redis as client

    try:
        client.Redis.from_url(settings.REDIS_URL, socket_timeout=3).ping()
    except client.RedisError as error:
        return Finding("Redis", BAD, str(error), "Start Redis or correct COPLAY_REDIS_URL.")
    return Finding("Redis", GOOD, "answers")


def web() -> Finding:
    url = settings.SITE_URL + "/health/"
    try:
        with urllib.request.urlopen(url, timeout=3) as response:
            response.read()
    except (urllib.error.URLError, OSError) as error:
        return Finding("Web server", NOTE, f"{url}: {error}", "Start it with `make up`.")
    return Finding("Web server", GOOD, f"{settings.SITE_URL} answers")


def worker() -> Finding:
    from webapp.jobs.models import WorkerHeartbeat

    try:
        alive = list(WorkerHeartbeat.objects.filter(at__gt=timezone.now() - WORKER_IS_ALIVE))
    except DatabaseError:
        return Finding("Worker", NOTE, "unknown, because the tables don't exist", "Mend the database first.")
    if not alive:
        cure = "`make up` starts one; alone: `.venv/bin/celery -A workers.app worker --pool solo`."
        return Finding("Worker", NOTE, "none running: rounds and exports wait", cure)
    names = [f"{row.name}{', with a GPU' if row.has_gpu else ''}" for row in alive]
    return Finding("Worker", GOOD, f"{len(alive)} running ({'; '.join(names)})")


def kernels() -> Finding:
    if left := compiling.left_to_compile():
        text = f"not yet: {', '.join(games.spec(game).title for game in left)}; their matches wait"
        return Finding(
            "Compiled games", NOTE, text, "`make up` compiles beside; alone: `./manage.py warm --left`."
        )
    if prepare.stamp().exists():
        return Finding("Compiled games", GOOD, "yes")
    return Finding(
        "Compiled games", NOTE, "not compiled yet: the first move would wait", "Run `./manage.py prepare`."
    )


def shipped_agents() -> Finding:
    wrong = []
    cards = [path for game in games.names() for path in sorted(agents_of(game).glob("*/card.json"))]
    for path in cards:
        weights = path.with_name("weights.safetensors")
        wanted = json.loads(path.read_text()).get("sha256")
        digest = hashlib.sha256(weights.read_bytes()).hexdigest() if weights.exists() else None
        if wanted and digest != wanted:
            wrong.append(f"{path.parent.name} {'is changed' if digest else 'has none'}")
    if wrong:
        cure = "Restore the files from the repository: `git checkout engine/games`."
        return Finding("Shipped agents", BAD, f"weights: {', '.join(wrong)}", cure)
    return Finding("Shipped agents", GOOD, f"{len(cards)} with weights as their cards say")


def disk() -> Finding:
    free = shutil.disk_usage(settings.VAR_DIR).free
    text = f"{free / 1e9:.1f} GB free in {settings.VAR_DIR}"
    if free < LEAST_DISK_BYTES:
        return Finding("Disk", BAD, text, "Free some, or move the folder: COPLAY_VAR=/other/folder.")
    return Finding("Disk", GOOD, text)


def mail() -> Finding:
    if settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        cure = "For real mail set COPLAY_EMAIL_URL (docs/production.md)."
        return Finding("Mail", NOTE, f"written to files in {settings.EMAIL_FILE_PATH}", cure)
    return Finding("Mail", GOOD, f"sent through {settings.EMAIL_HOST}:{settings.EMAIL_PORT}")


def reader() -> Finding:
    from engine.language import languages, model

    if new := languages.unlearned(model.shipped().vocabulary):
        text = f"hasn't learned what is said in {', '.join(games.spec(game).title for game in new)}"
        return Finding("Reader", NOTE, text, "Run `./manage.py reader train` (minutes).")
    return Finding("Reader", GOOD, "knows what is said in every game that declares it")


def language_model() -> Finding:
    from engine.language.decisions.checkpoint import revision
    from engine.language.decisions.settings import check
    from webapp.language import site

    name, cure = "Language model", "Change it on the admins' page Language model, or see docs/language.md."
    try:
        chosen = check(site.current())
    except DatabaseError:
        return Finding(name, NOTE, "unknown, because the tables don't exist", "Mend the database first.")
    except ValueError as problem:
        return Finding(name, BAD, str(problem), cure)
    if chosen.provider == "endpoint":
        address = urllib.parse.urlsplit(chosen.url)
        port = address.port or (443 if address.scheme == "https" else 80)
        try:
            socket.create_connection((address.hostname, port), timeout=3).close()
        except OSError as error:
            return Finding(name, NOTE, f"{chosen.url}: {error}; the embedded one stands in", cure)
        return Finding(name, GOOD, f"{chosen.model}, and {chosen.url} can be reached")
    if chosen.provider == "checkpoint":
        if importlib.util.find_spec("transformers") is None:
            text = "the package transformers is missing; the embedded one stands in"
            return Finding(name, NOTE, text, "Run `.venv/bin/pip install 'transformers~=5.23'`.")
        try:
            return Finding(name, GOOD, f"checkpoint {chosen.model} ({revision(Path(chosen.model))})")
        except Refusal as trouble:
            return Finding(name, NOTE, f"{trouble} The embedded one stands in", cure)
    return Finding(name, GOOD, "embedded, offline")


def gpu() -> Finding:
    from webapp.jobs import gpu

    used = gpu.usual_device()
    if not used.startswith("cuda"):
        return Finding("GPU", NOTE, "no CUDA GPU: trainings run on the CPU", "Nothing needs one.")
    if not gpu.is_here():
        text = f"{used}, which workers started from here leave alone"
        return Finding("GPU", NOTE, text, "Unset COPLAY_WORKER_DEVICE to use it.")
    return Finding("GPU", GOOD, f"trainings run on {used}")


def for_tests() -> Finding:
    programs = {"Chromium": ("chromium", "chromium-browser", "google-chrome"), "Node": ("node",)}
    missing = [name for name, names in programs.items() if not any(map(shutil.which, names))]
    if importlib.util.find_spec("hanabi_learning_environment") is None:
        missing.append("hanabi-learning-environment")
    if missing:
        cure = (
            "Only tests need them; without them these tests are skipped and listed by name. `.ci/run` "
            "shows how to install them."
        )
        return Finding("For tests", NOTE, f"missing: {', '.join(missing)}", cure)
    return Finding("For tests", GOOD, "Chromium, Node and the Hanabi Learning Environment are installed")


CHECKS: tuple[Callable[[], Finding], ...] = (
    python,
    packages,
    django,
    database,
    broker,
    redis,
    web,
    worker,
    kernels,
    shipped_agents,
    disk,
    mail,
    reader,
    language_model,
    gpu,
    for_tests,
)


def examine() -> list[Finding]:
    return [attempt(check) for check in CHECKS]


def attempt(check: Callable[[], Finding]) -> Finding:
    """The check's finding; a check that breaks is a finding too."""
    try:
        return check()
    except Exception as error:  # whatever is wrong with this installation, the other checks go on
        name = check.__name__.replace("_", " ").capitalize()
        text = f"the check itself failed: {type(error).__name__}: {error}"
        return Finding(name, BAD, text, "Run `make setup`; if that doesn't help, report this line.")
