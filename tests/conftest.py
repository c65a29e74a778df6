"""What all tests share: the standing cast of people, and what is skipped by name where it isn't installed.

The cast: pia plays, anna annotates, adam is an admin, otto plays too but nothing of the others is his.

With `COPLAY_FORBID_SKIPS=1` every skip is a failure: the machine is meant to have everything (`.ci/run`).
Tests marked `gpu` are left out, by name, where there is no CUDA GPU.

Every test gets one try. What waits for a clock, another process or a browser waits for what it wants to see,
with the patience of the slowest machine, never for a time.

`make test` runs three workers (pytest-xdist). A file's tests run on one of them, and those of all files that
start a whole stack of processes do too: never two stacks at work at a time.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.contenttypes.management import create_contenttypes
from django.core import serializers
from django.db import connection
from django.db.models.signals import post_migrate
from django.test import Client
from django.utils import timezone

from tests import services
from tests.waiting import PATIENCE

PATIENCE_MS = 1000 * PATIENCE  # Playwright counts milliseconds
# Without a graphics card the processor draws every frame, and takes all of its time for that.
FEW_FRAMES = """
window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 100);
window.cancelAnimationFrame = clearTimeout;
"""
FORBID_SKIPS = os.environ.get("COPLAY_FORBID_SKIPS") == "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Playwright's sync API runs an event loop in the test's own thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
# A test client would look through all static files before its first request.
settings.WHITENOISE_AUTOREFRESH = True
# Thousands of passwords are hashed here, and nobody is to be kept from guessing one.
Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 8, 1


# Files whose tests start a whole stack of processes.
STACKS = re.compile(
    r"tests/(browser/test_(no_move|first_|plan|the_|\w+_table)|webapp/(config/test_(up|production)|host/test_kill))"
)
# Files whose tests take long and play nothing.
WITHOUT_GAMES = ("tests/workers/", "tests/engine/learning/test_new_game", "tests/engine/learning/reading/")

WHITE = re.compile(r"(<(?:textarea|pre|script)\b.*?</(?:textarea|pre|script)>)|\s+", re.DOTALL)


def pytest_configure(config: pytest.Config) -> None:
    if services.SHARED not in os.environ:  # else this is a worker of the process that has set it
        folder = os.environ[services.SHARED] = tempfile.mkdtemp(prefix="coplay-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    if services.missing("gpu"):
        gpu = [item for item in items if item.get_closest_marker("gpu")]
        config.hook.pytest_deselected(items=gpu)
        items[:] = [item for item in items if item not in gpu]
    yield
    # What takes long comes first, so that no worker waits for the others in the end. While the first stack
    # compiles the games, the other workers test what needs none, or all would compile the same. Then come
    # those that share a browser.
    if "PYTEST_XDIST_WORKER" in os.environ:
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        drawn = {item.path for item in items if item.get_closest_marker("browser")}
        items.sort(
            key=lambda item: (
                not STACKS.match(item.nodeid),
                not item.nodeid.startswith(WITHOUT_GAMES),
                item.path not in drawn,
                item.path not in slow,
            )
        )


def pytest_collection() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    # What is imported by now never goes: garbage is looked for in what tests make, and less often.
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """Units of work are files; those that start stacks are one unit together."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "stacks" if STACKS.match(nodeid) else nodeid.partition("::")[0]

    return ByFile(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if Kept.idle and "browser" not in item.fixturenames:
        Kept.close()
    for name in services.NAMES:
        if item.get_closest_marker(name) and (reason := services.missing(name)):
            pytest.skip(f"{name}: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if FORBID_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Skipped, and COPLAY_FORBID_SKIPS=1 forbids it: {report.longrepr}"
    return report


def pytest_sessionfinish() -> None:
    Kept.close()


def pytest_unconfigure(config: pytest.Config) -> None:
    if "COPLAY_VAR" not in os.environ:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


def person(username: str, *roles: str):
    from webapp.accounts.models import User

    user = User.objects.create_user(username, f"{username}@example.org", "correct horse battery")
    user.set_roles(set(roles))
    return user


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb, django_db_modify_db_settings) -> Iterator[bool]:
    """Migrations run once for all workers."""
    if connection.vendor != "sqlite":
        yield django_db_keepdb
        return
    database = Path(connection.settings_dict["TEST"]["NAME"])
    services.tables(database)
    yield True
    database.unlink()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> None:
    """What migrations wrote comes back after every test that commits, which empties all tables; but Django's
    permissions, which nothing here asks for, take longer than most such tests.
    """
    from webapp.studies.models import Study

    with django_db_blocker.unblock():
        rows = serializers.serialize("json", Study.objects.all())

    def write_again(**_) -> None:
        for row in serializers.deserialize("json", rows):
            row.save()

    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    config = apps.get_app_config("studies")
    post_migrate.connect(write_again, sender=config, weak=False)


@pytest.fixture
def pia(db):
    """A player."""
    return person("pia", "player")


@pytest.fixture
def anna(db):
    """An annotator."""
    return person("anna", "annotator")


@pytest.fixture
def adam(db):
    """An admin."""
    return person("adam", "admin")


@pytest.fixture
def otto(db):
    """A player to whom nothing of the others belongs."""
    return person("otto", "player")


@pytest.fixture
def signed_in(db) -> Callable[..., Client]:
    """A function: a browser (test client) in which `user` is signed in; extra arguments go to the client."""

    def make(user, **kwargs) -> Client:
        client = Client(**kwargs)
        client.force_login(user)
        return client

    return make


@pytest.fixture
def pia_client(pia, signed_in) -> Client:
    return signed_in(pia)


@pytest.fixture
def anna_client(anna, signed_in) -> Client:
    return signed_in(anna)


@pytest.fixture
def adam_client(adam, signed_in) -> Client:
    return signed_in(adam)


@pytest.fixture
def otto_client(otto, signed_in) -> Client:
    return signed_in(otto)


@pytest.fixture(scope="session", autouse=True)
def pages_as_they_read() -> Iterator[None]:
    """Test clients get pages as browsers show them: white space is one space, however a template's lines are
    broken (but in what keeps it).
    """
    with pytest.MonkeyPatch.context() as patch:
        request = Client.request

        def read(client: Client, **environment):
            response = request(client, **environment)
            if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
                text = response.content.decode(response.charset)
                response.content = WHITE.sub(lambda found: found[1] or " ", text)
            return response

        patch.setattr(Client, "request", read)
        yield


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Rate limits live in the cache: no test inherits another's."""
    from django.core.cache import caches

    for cache in caches.all():
        cache.clear()
    yield


def patient(browser):
    """The browser; its contexts wait as long as the slowest machine takes, and draw few frames.

    `new_page` makes a context of its own, without `new_context`: both are told.
    """
    new_context, new_page = browser.new_context, browser.new_page

    def told(context):
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(FEW_FRAMES)
        return context

    def new_patient_page(**settings):
        page = new_page(**settings)
        told(page.context)
        return page

    browser.new_context = lambda **settings: told(new_context(**settings))
    browser.new_page = new_patient_page
    return browser


def chromium():
    """Headless Chromium (Playwright, driving the installed one) until the generator goes on."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=services.chromium_path(small=True),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield patient(launched)
        launched.close()


class Kept:
    """Chromium between two modules that use it. It goes before a test that doesn't: while Playwright's sync
    API is open, asynchronous code can't run in this thread.
    """

    idle = False
    running: Iterator | None = None
    browser = None

    @classmethod
    def close(cls) -> None:
        running, cls.idle, cls.running = cls.running, False, None
        if running:
            next(running, None)


@pytest.fixture(scope="module")
def browser():
    """Chromium; pages come from `browser.new_page()`, and go with the module."""
    if Kept.running is not None and not Kept.browser.is_connected():  # it crashed
        Kept.close()
    if Kept.running is None:
        Kept.running = chromium()
        Kept.browser = next(Kept.running)
    Kept.idle = False
    yield Kept.browser
    for context in Kept.browser.contexts:
        context.close()
    Kept.idle = True


@pytest.fixture
def visit(browser, live_server, signed_in):
    """A function: a browser context in which `user` is signed in, and a page at `path` that is ready."""
    contexts = []

    def open_page(user, path, context=None, **settings):
        if context is None:
            context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
            session = signed_in(user).cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
            contexts.append(context)
        page = context.new_page()
        page.goto(live_server.url + path)
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def hand(db):
    """A function: hand an episode to an annotator, as the queue of its game does."""
    from webapp.annotation.models import Assignment
    from webapp.studies.models import Study

    def handed(episode, user):
        study = Study.objects.filter(game=episode.game).first() or Study.objects.create(
            name=episode.game, game=episode.game
        )
        until = timezone.now() + timedelta(hours=1)
        return Assignment.objects.create(study=study, episode=episode, annotator=user, expires_at=until)

    return handed
