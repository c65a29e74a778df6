"""The model that writes programs: what it ships with, and that it reads texts of other hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.evaluation import messy
from engine.language import chance
from engine.language.declared import Act, Declared, checked
from engine.language.languages import declared_languages
from engine.language.model import FILE, GRAPHS, Model, shipped
from engine.learning.reading.chance import development

LANGUAGES = [own for own in declared_languages() if own.game in shipped().vocabulary.languages]
NONSENSE = (
    "",
    " ",
    "?!",
    "🙂🙂🙂",
    "x" * 3000,
    "\x00\u202e{}",
    "123 456 789 " * 30,
    "then then not not",
    "غيرها",
)


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
def test_three_quarters_of_the_texts_of_other_hands_are_read_right_to_the_last_slot(
    declared: Declared,
) -> None:
    items = messy.load(declared, development(declared.game))[::2]
    right = [
        messy.is_right(declared, item, shipped().read(declared.game, item.text)[0].clauses) for item in items
    ]
    assert sum(right) / len(items) > 0.75


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
@pytest.mark.parametrize("text", NONSENSE, ids=range(len(NONSENSE)))
def test_whatever_is_typed_becomes_programs_of_the_language(declared: Declared, text: str) -> None:
    programs = shipped().read(declared.game, text)
    assert programs
    for written in programs:
        assert checked(declared, written.clauses) == written.clauses
        assert written.odds <= 0
    assert 0 <= chance.of(declared.game, text, programs, []) <= 1


def test_the_first_program_is_followed_by_others_that_differ_where_it_is_unsure() -> None:
    declared = next(declared for declared in LANGUAGES if declared.game == "overcooked")
    texts = [item.text for item in messy.load(declared, development("overcooked"))[:20]]
    several = [programs for text in texts if len(programs := shipped().read("overcooked", text)) > 1]
    assert 5 < len(several) < 20
    for programs in several:
        assert all(other.clauses != programs[0].clauses for other in programs[1:])
        assert [one.odds for one in programs] == sorted((one.odds for one in programs), reverse=True)


def test_numbers_are_copied_from_the_text() -> None:
    for number in (7, 13, 45):
        clause = shipped().read("arena", f"wait here for {number} seconds")[0].clauses[0]
        assert clause["seconds"] == number, clause


def test_a_program_that_contradicts_another_is_seen() -> None:
    kitchen = [{"act": "serve"}], [{"act": "serve", "not": True}], [{"act": "serve", "by": "me"}]
    assert chance.contradict(kitchen[0], kitchen[1]) and chance.contradict(kitchen[0], kitchen[2])
    assert not chance.contradict(kitchen[0], [{"act": "plate", "not": True}])


def test_weights_of_other_languages_are_refused() -> None:
    acts = {**LANGUAGES[0].acts, "dance": Act("dance")}
    with pytest.raises(ValueError, match=f"{FILE} was trained for other languages"):
        Model([replace(LANGUAGES[0], acts=acts), *LANGUAGES[1:]])


def test_a_folder_without_weights_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match="no safetensors file"):
        Model(LANGUAGES, tmp_path)
    assert len(GRAPHS) == 2
