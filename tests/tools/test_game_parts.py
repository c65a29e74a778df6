"""What a game may bring is written once, in engine/brings.py, from which documents and checks are made."""

from __future__ import annotations

import ast
import re

import pytest

from engine import brings, games
from tests.services import ROOT
from tools import game_parts


def test_the_document_lists_what_the_file_declares():
    document = (ROOT / "docs/adding-a-game.md").read_text()
    listed = re.search(r"<!-- parts -->\n(.*)<!-- /parts -->", document, re.DOTALL)
    assert listed and listed[1] == game_parts.listed()


def test_mypy_checks_all_that_our_games_bring():
    assert (ROOT / "tests/engine/games/typed.py").read_text() == game_parts.typed()
    assert '"tests/engine/games/typed.py"' in (ROOT / "pyproject.toml").read_text()


ELSEWHERE = {"Reader": {"read"}}
"""What games of other packages alone may bring: those that declare no language."""


def test_every_module_that_may_be_brought_is_brought_by_a_game():
    for part in brings.parts():
        found = [part.brought(game) for game in games.names()]
        assert any(found), part.__name__
        used = {name for one in found if one for name in part.names() if hasattr(one.module, name)}
        assert used == set(part.names()) - ELSEWHERE.get(part.__name__, set()), part.__name__


def test_what_is_left_out_is_as_the_file_says():
    assert brings.Story.of("say_select").headline is None
    assert brings.Story.brought("say_select") is None
    assert brings.Story.of("hanabi").headline is games.part("hanabi", "story").headline
    assert brings.Training.of("hanabi").UNIT == (1, "")
    with pytest.raises(AttributeError):
        _ = brings.Habits.of("say_select").habits


def test_it_needs_no_room_but_the_simulation():
    files = sorted((ROOT / "engine").glob("brings*.py"))
    body = [node for path in files for node in ast.parse(path.read_text()).body]
    needed = {node.module for node in body if isinstance(node, ast.ImportFrom) and node.module}
    own = {"engine", *(f"engine.{path.stem}" for path in files)}
    assert {name for name in needed if name.startswith("engine")} - own == {"engine.simulation"}
