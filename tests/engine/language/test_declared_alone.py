"""A game that brings a declaration and nothing that carries it out: every text is refused in a sentence."""

from __future__ import annotations

import pytest

from engine import brings, language
from engine.simulation import registry
from tests.engine.language.say_select import declared


@pytest.mark.parametrize(
    "text", ["pick the ball i said", "quit after two", "thx", "!!", "forget that", "🙂 3"]
)
def test_what_nobody_can_follow_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    kept = registry.part

    def part(game: str, name: str, room: str = "games"):
        here = (game, name, room) == ("say_select", brings.Language.MODULE, brings.Language.ROOM)
        return declared if here else kept(game, name, room)

    language.warm()  # the games' own languages are known before there is another one
    monkeypatch.setattr(registry, "part", part)
    reading = language.read("say_select", text)
    assert reading.refused and reading.sentence and reading.program is None
