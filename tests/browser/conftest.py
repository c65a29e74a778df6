"""The stack that the whole loops of several games share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.stack import Stack, start_production


@pytest.fixture(scope="package")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All parts apart, as in production, without pauses; each game has rounds of its own on it."""
    folder = tmp_path_factory.mktemp("production")
    running = start_production(folder, COPLAY_AGENT_PAUSE_MS="0", COPLAY_COUNTDOWN_SECONDS="1")
    yield running
    running.stop()
