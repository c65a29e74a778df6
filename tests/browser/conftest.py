"""The browser and the stacks that tests of several games share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.stack import Stack, start_production, start_stack
from tests.conftest import chromium


def running(start: Callable[..., Stack], folder: Path) -> Iterator[Stack]:
    """A stack without pauses, until nobody needs it."""
    stack = start(folder, COPLAY_AGENT_PAUSE_MS="0", COPLAY_COUNTDOWN_SECONDS="1")
    yield stack
    stack.stop()


@pytest.fixture(scope="package")
def shared_browser() -> Iterator[Browser]:
    """One for all modules: none of their tests is asynchronous."""
    yield from chromium()


@pytest.fixture(scope="module")
def browser(shared_browser: Browser) -> Iterator[Browser]:
    """The browser, whose pages go with the module."""
    yield shared_browser
    for context in shared_browser.contexts:
        context.close()


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All parts as `make up` starts them."""
    yield from running(start_stack, tmp_path_factory.mktemp("stack"))


@pytest.fixture(scope="package")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All parts apart, as in production; each game has rounds of its own on it."""
    yield from running(start_production, tmp_path_factory.mktemp("production"))
