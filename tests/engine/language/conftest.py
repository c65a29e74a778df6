"""What tests of the door to language models share: a real server, and a var folder of their own."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.engine.language import server
from tests.waiting import PATIENCE


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """The folder with the tiny model that the server made; there once `served` runs."""
    return tmp_path_factory.mktemp("checkpoint")


@pytest.fixture(scope="session")
def served(checkpoint) -> Iterator[str]:
    """A language model server's address, up to the kind of server (`tests.engine.language.server.KINDS`)."""
    with server.running(checkpoint) as address:
        yield address


@pytest.fixture
def seen(served) -> Callable[[], dict[str, Any]]:
    """A function: how often each kind of server was asked, and what it was asked last."""

    def look() -> dict[str, Any]:
        with urllib.request.urlopen(f"{served}/seen", timeout=PATIENCE) as answer:
            return json.load(answer)

    return look


@pytest.fixture
def fresh_var(tmp_path, monkeypatch):
    """A var folder in which nothing is remembered."""
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))
    return tmp_path
