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


def made_of(game: str, options: dict[str, Any], notation: str) -> tuple[str, list[str]]:
    """What is carried out of a program with these options, and what is left."""
    clauses = parse(brings.Language.of(game).DECLARED, notation)
    made = option(game, clauses, None, games.spec(game).validate(options))
    return (made["program"] or {}).get("means", ""), made["left"]


@pytest.mark.parametrize(
    ("game", "options", "notation", "rest"),
    [
        ("overcooked", {}, "fill what=onion what=tomato", "fill what=onion"),
        ("hanabi", {"colors": 3}, "play color=red color=blue when=hint", "play color=red when=hint"),
        ("hanabi", {"ranks": 4}, "hint rank=1 rank=2 rank=5", "hint rank=1 rank=2"),
        ("hanabi", {}, "keep slot=1 slot=6", "keep slot=1"),
    ],
)
def test_of_several_the_one_that_cannot_be_done_is_said_and_the_rest_offered(
    game: str, options: dict[str, Any], notation: str, rest: str
) -> None:
    means, left = made_of(game, options, notation)
    assert means == "" and len(left) == 1
    [clause] = parse(brings.Language.of(game).DECLARED, notation)
    complete = games.spec(game).validate(options)
    assert [brings.CarriedOut.of(game).never(clause, complete)[1]] == parse(
        brings.Language.of(game).DECLARED, rest
    )


def test_what_happens_by_itself_keeps_nobody_from_what_comes_after() -> None:
    means, left = made_of("overcooked", {}, "fill what=onion times=3 then start then serve")
    assert means == "fill what=onion times=3 then serve"
    assert len(left) == 1 and left[0].startswith("Pots start by themselves")
    means, left = made_of("overcooked", {}, "start then serve")
    assert means == "" and len(left) == 2


def test_what_is_offered_instead_keeps_its_order_and_repeats_nothing() -> None:
    options = {"options": games.spec("overcooked").validate({})}
    reading = language.read(
        "overcooked", "put three onions in the pot, start it, then serve the soup", options
    )
    assert reading.program is not None and "serve" in reading.program["means"]
    assert all(one["program"]["means"].count("fill") == 1 for one in reading.alternatives)
    tomatoes = {"options": games.spec("overcooked").validate({"layout": KITCHEN})}
    reading = language.read("overcooked", "start the pot", tomatoes)
    assert reading.refused and "tomato" in reading.alternatives[0]["sentence"]
