"""The language of the lake: what is carried out, how it is told back, and the phrasings that are known."""

from __future__ import annotations

import pytest

from engine import language
from engine.games.frozen_lake_2.language.carried import of_version_1
from engine.games.frozen_lake_2.language.declared import DECLARED
from engine.language import bank
from engine.language.declared import notation, parse, same
from engine.language.written import option
from tests.engine.games.frozen_lake_2.lakes_of import GAME

PROGRAMS = bank.programs(GAME)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("go at=goal side=top", "I go to the upper goal."),
        (
            "go column=3 row=2 then wait until=i_there",
            "I go to column 3, row 2, then I wait where I am until you stand on a goal.",
        ),
        ("by=me first", "you go first and I wait until you stand on a goal."),
        (
            "by=me go at=goal side=left ; go at=goal side=right",
            "you go to the left goal, which I leave to you, and I go to the right goal.",
        ),
        ("not go at=hole", "I keep off the holes."),
        ("step way=down times=2", "I step down 2 steps."),
        ("follow", "I walk behind you."),
    ],
)
def test_programs_are_told_back(said: str, sentence: str) -> None:
    assert option(GAME, parse(DECLARED, said), None)["sentence"] == sentence


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("go", "I can't tell where"),
        ("step", "I can't tell which way"),
        ("go at=hole", "I keep out of the holes"),
        ("go column=0 row=1", "Columns and rows count from 1"),
        ("go side=left side=right", "I can't do that for several at once"),
        ("not wait", "I can't keep from that"),
        ("by=me wait", "That asks nothing of me"),
        ("wait then go at=goal", "I can't tell when to go on to this"),
        ("go at=me side=nearest", "I can't tell which one that is"),
        ("wait times=0", "I can't count that"),
    ],
)
def test_what_is_not_carried_out_is_said(said: str, why: str) -> None:
    made = option(GAME, parse(DECLARED, said), None)
    assert any(why in one for one in made["left"])


def test_programs_that_differ_are_told_differently() -> None:
    told: dict[str, str] = {}
    for _, program, _ in PROGRAMS:
        sentence = option(GAME, parse(DECLARED, program), None)["sentence"]
        assert not sentence or told.setdefault(sentence, program) == program


def test_every_phrasing_is_read_as_its_program() -> None:
    assert len(PROGRAMS) > 200 and len({text for text, _, _ in PROGRAMS}) == len(PROGRAMS)
    for text, program, source in PROGRAMS:
        assert source == "written" and notation(DECLARED, parse(DECLARED, program)) == program
        reading = language.read(GAME, f" {text.capitalize()}. ")
        if reading.program:
            assert reading.program["means"] == program and not reading.refused
            assert same(DECLARED, of_version_1(reading.program), parse(DECLARED, program))
        else:
            assert program.split()[0] in ("talk", "cannot", "cancel", "undo", "redirect"), text


def test_the_buttons_of_the_pages_are_read() -> None:
    ready = bank.ready(GAME)
    assert len(ready) == 6 and not any(language.read(GAME, text).refused for text in ready)


def test_a_text_that_nobody_has_written_down_is_refused_in_a_sentence() -> None:
    reading = language.read(GAME, "perhaps you might consider the south-west")
    assert reading.refused and reading.sentence
