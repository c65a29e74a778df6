"""What nobody can ever do in a game with such options: said at once, with the nearest that can be done."""

from __future__ import annotations

from typing import Any

import pytest

from engine import brings, games, language
from engine.language.declared import parse
from engine.language.written import option

KITCHEN = "XXPXX\nT  2T\nX1  X\nXDXSX"


@pytest.mark.parametrize(
    ("game", "options", "text", "why", "instead"),
    [
        ("overcooked", {}, "put a tomato into the pot", "There are no tomatoes in this kitchen.", "onion"),
        ("overcooked", {}, "get a tomato", "There are no tomatoes in this kitchen.", "onion"),
        ("overcooked", {"layout": KITCHEN}, "put an onion in the pot", "There are no onions", "tomato"),
        ("overcooked", {}, "start the pot", "Pots start by themselves at three ingredients", "onions"),
        ("hanabi", {"colors": 3}, "hint blue", "There are no blue cards in this game.", "hint"),
        ("frozen_lake_2", {}, "go to column 7, row 1", "This lake has 4 columns", "column 4, row 1"),
    ],
)
def test_what_can_never_be_done_is_refused_with_what_is_nearest(
    game: str, options: dict[str, Any], text: str, why: str, instead: str
) -> None:
    complete = games.spec(game).validate(options)
    reading = language.read(game, text, {"options": complete})
    assert reading.refused and reading.program is None and reading.sentence.startswith(why)
    assert instead in reading.alternatives[0]["sentence"]
    assert not language.read(game, text).refused  # where it isn't known what game is played


@pytest.mark.parametrize(
    "text", ["don't use tomatoes", "I'll do the tomatoes", "put an onion into the pot", "thanks!"]
)
def test_bans_and_what_others_do_are_taken_as_ever(text: str) -> None:
    options = {"options": games.spec("overcooked").validate({})}
    assert language.read("overcooked", text, options) == language.read("overcooked", text)


def test_the_rest_of_a_text_is_carried_out_but_what_comes_after() -> None:
    options = {"options": games.spec("overcooked").validate({})}
    reading = language.read("overcooked", "get a plate, and put a tomato into the pot", options)
    assert not reading.refused and reading.program is not None
    assert "There are no tomatoes in this kitchen." in reading.sentence and reading.confidence < 0.5
    assert "tomato" not in reading.program["means"]
    for notation, left in (("fill what=tomato ; serve", 1), ("fill what=tomato then serve", 2)):
        clauses = parse(brings.Language.of("overcooked").DECLARED, notation)
        made = option("overcooked", clauses, None, options["options"])
        assert len(made["left"]) == left and bool(made["program"]) == (left == 1)
