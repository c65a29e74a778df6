"""What all tests share: the standing cast of people, and what is skipped by name where it isn't installed.

The cast: pia plays, anna annotates, adam is an admin, otto plays too but nothing of the others is his.

With `COPLAY_FORBID_SKIPS=1` every skip is a failure: the machine is meant to have everything (`.ci/run`).
Tests marked `gpu` are left out, by name, where there is no CUDA GPU.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.test import Client

from tests import services

FORBID_SKIPS = os.environ.get("COPLAY_FORBID_SKIPS") == "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Playwright's sync API runs an event loop in the test's own thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if services.missing("gpu") is None:
        return
    gpu = [item for item in items if item.get_closest_marker("gpu")]
    if gpu:
        config.hook.pytest_deselected(items=gpu)
        items[:] = [item for item in items if item not in gpu]


def pytest_runtest_setup(item: pytest.Item) -> None:
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


def pytest_unconfigure(config: pytest.Config) -> None:
    if "COPLAY_VAR" not in os.environ:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


def person(username: str, *roles: str):
    from webapp.accounts.models import User

    user = User.objects.create_user(username, f"{username}@example.org", "correct horse battery")
    user.set_roles(set(roles))
    return user


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


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Rate limits live in the cache: no test inherits another's."""
    from django.core.cache import cache

    cache.clear()
    yield


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium (Playwright, driving the installed one); pages come from `browser.new_page()`.

    For one module only: while Playwright's sync API is open, asynchronous tests can't run in this thread.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=services.chromium_path(),
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
        yield chromium
        chromium.close()
