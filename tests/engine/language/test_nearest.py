"""Games whose language the model hasn't learned: read from their declaration and some hundred phrasings.

Two hands wrote Say-Select's phrasings and the held-out texts, from the declaration alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import brings
from engine.evaluation import messy
from engine.language import bank, nearest
from engine.language.declared import Clause, parse, values
from engine.language.model import Model, shipped
from tests.engine.language.say_select.declared import DECLARED

GAME, FOLDER = "say_select", Path(__file__).parent / "say_select"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """The model that ships, with a game beside it that it doesn't know."""
    found = shipped()
    lines = (FOLDER / "phrasings.tsv").read_text(encoding="utf-8").splitlines()
    rows = [(text, program, source) for program, text, source in (line.split("\t") for line in lines)]
    declared = classmethod(lambda part, game: SimpleNamespace(DECLARED=DECLARED))
    monkeypatch.setattr(brings.Language, "of", declared)
    monkeypatch.setattr(bank, "programs", lambda game: rows)
    nearest._phrasings.cache_clear()
    yield found
    nearest._phrasings.cache_clear()


def parts(program: list[Clause]) -> set[str]:
    """What a program consists of: each act, and each of its slots."""
    found = set()
    for clause in program:
        act = f"{clause.get('by', '')} {'not' if clause.get('not') else ''} {clause['act']}"
        slots = [name for name in clause if name not in ("act", "by", "not", "then", "rather", "now")]
        found |= {act, *(f"{act} {name}={value}" for name in slots for value in values(clause, name))}
    return found


def test_a_game_is_read_from_its_declaration_and_phrasings(model: Model) -> None:
    hits = read = meant = 0
    for item in messy.load(DECLARED, FOLDER / "held.tsv"):
        got = parts(nearest.programs(model, GAME, item.text)[0])
        right = max(map(parts, item.right), key=lambda one: len(got & one) / (len(got) + len(one)))
        hits, read, meant = hits + len(got & right), read + len(got), meant + len(right)
    assert 2 * hits / (read + meant) > 0.55


def test_numbers_are_those_of_the_text(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank, "programs", lambda game: [("take ball 3 please", "pick ball=3", "written")])
    nearest._phrasings.cache_clear()
    assert nearest.programs(model, GAME, "ball 5, take it") == [parse(DECLARED, "pick ball=5")]
    assert nearest.programs(model, GAME, "take a ball") == [nearest.NOTHING], "it says no number"


def test_without_phrasings_nothing_is_understood(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank, "programs", lambda game: [])
    nearest._phrasings.cache_clear()
    assert nearest.programs(model, GAME, "pick the third ball") == [[{"act": "cannot"}]]
