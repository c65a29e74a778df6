"""What tests of planning share: a language model to be asked, and games in which work is planned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from engine.planning.planners import language
from tests.engine.language.chat_server import Say, Script, talking
from tests.engine.language.conftest import checkpoint, fresh_var, seen, served  # noqa: F401


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, fresh_var: object) -> Callable[..., None]:  # noqa: F811
    """A function: the environment names this endpoint, of which nothing is remembered."""
    monkeypatch.setattr(language, "_silent", {})

    def named(url: str, **more: str) -> None:
        values = {"provider": "endpoint", "model": "planner", "url": url, "seconds": "20", **more}
        for name, value in values.items():
            monkeypatch.setenv(f"COPLAY_LANGUAGE_{name.upper()}", value)

    return named


@pytest.fixture
def chats(model: Callable[..., None]) -> Iterator[Callable[..., Script]]:
    """A function: a server that gives these answers, one after the other, and is the model to be asked."""
    with ExitStack() as stack:

        def start(*answers: Say, opened: bool = True, **more: str) -> Script:
            script = stack.enter_context(talking(*answers, opened=opened))
            model(script.url, **more)
            return script

        yield start
