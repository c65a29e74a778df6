"""Texts with the readings that a test needs, whatever the reader makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from engine import language
from engine.language.reading import Reading
from tests.engine.language.test_second import option


def read_as(
    monkeypatch: pytest.MonkeyPatch, start: str, notations: tuple[str, ...], confidence: float
) -> None:
    """Texts of Hanabi that begin with `start` mean the first of these programs, and the others beside it."""
    kept = language.read

    def read(game: str, text: str, context: dict[str, Any] | None = None) -> Reading:
        if game != "hanabi" or not text.startswith(start):
            return kept(game, text, context)
        first, *others = map(option, notations)
        return Reading(text, False, **first, confidence=confidence, alternatives=others)

    monkeypatch.setattr("engine.language.read", read)
