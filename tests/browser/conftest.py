"""The stacks that tests of several games share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.stack import Stack, start_production, start_stack


def running(start: Callable[..., Stack], folder: Path) -> Iterator[Stack]:
    """A stack without pauses, until nobody needs it."""
    stack = start(folder, COPLAY_AGENT_PAUSE_MS="0", COPLAY_COUNTDOWN_SECONDS="1")
    yield stack
    stack.stop()


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All parts as `make up` starts them."""
    yield from running(start_stack, tmp_path_factory.mktemp("stack"))


@pytest.fixture(scope="package")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All parts apart, as in production; each game has rounds of its own on it."""
    yield from running(start_production, tmp_path_factory.mktemp("production"))
