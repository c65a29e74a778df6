"""Programs as tokens."""

from __future__ import annotations

import random

import pytest

from engine.language.bank import programs
from engine.language.declared import Declared, checked, parse, same
from engine.language.languages import declared_languages
from engine.language.text import clean
from engine.language.vocabulary import COPIES, Vocabulary, numbers

LANGUAGES = declared_languages()
VOCABULARY = Vocabulary(LANGUAGES)


def test_numbers_are_found_in_digits_and_words() -> None:
    found = [number.value for number in numbers("put two onions, then 3 more at the 4th pot")]
    assert found == [2, 3, 4]
    assert [number.value for number in numbers("wait twenty five, then thirty-one seconds")] == [25, 31]
    assert len(numbers("1 2 3 4 5 6 7 8")) == COPIES


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
def test_what_is_written_is_allowed_and_reads_back(declared: Declared) -> None:
    every = programs(declared.game)
    material = random.Random(0).sample(every, min(400, len(every)))
    tried = 0
    for text, program, _ in material:
        clauses = parse(declared, program.split(" || ")[0])
        ids = VOCABULARY.written(declared.game, clauses, clean(text))
        if ids is None:
            continue
        tried += 1
        copies = len(numbers(clean(text)))
        for at, token in enumerate(ids):
            assert token in VOCABULARY.allowed(declared.game, ids[:at], copies), (text, program, at)
        assert same(declared, parse(declared, VOCABULARY.read(ids[:-1], clean(text))), clauses)
    assert tried > 0.97 * len(material)


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
def test_whatever_is_drawn_from_what_is_allowed_is_a_program(declared: Declared) -> None:
    rng = random.Random(1)
    end = VOCABULARY.ids["<end>"]
    for _ in range(200):
        ids: list[int] = []
        while not ids or ids[-1] != end:
            allowed = VOCABULARY.allowed(declared.game, ids, 2)
            stops = end in allowed and rng.random() < 0.4
            ids.append(end if stops else rng.choice(allowed))
        text = "take 2 of the 7"
        clauses = parse(declared, VOCABULARY.read(ids[:-1], text))
        assert checked(declared, clauses) == clauses
