"""The declared languages: notation there and back, and clear refusals."""

from __future__ import annotations

import pytest

from engine.language.bank import programs
from engine.language.declared import Act, Declared, Slot, explained, notation, parse, same
from engine.language.languages import declared_languages
from engine.language.model import shipped
from engine.refusal import Refusal

LANGUAGES = declared_languages()
TOY = Declared(
    game="toy",
    about="Move things.",
    by={"me": "the speaker"},
    acts={"go": Act("go somewhere", ("at", "steps")), "stop": Act("stop")},
    slots={"at": Slot("where", {"door": "", "hill": ""}), "steps": Slot("how far", number=True)},
    events={"late": "it is late"},
)


def test_a_program_is_written_as_it_was_read() -> None:
    for text in (
        "go at=door steps=3 ; by=me stop then not go at=hill until=late",
        "stop",
        "talk kind=thanks",
    ):
        assert notation(TOY, parse(TOY, text)) == text


def test_words_in_another_order_come_out_in_the_declared_one() -> None:
    program = parse(TOY, "until=late steps=2 not go at=hill at=door by=me")
    assert notation(TOY, program) == "by=me not go at=door at=hill steps=2 until=late"


def test_what_holds_together_may_stand_in_any_order_and_what_follows_may_not() -> None:
    assert same(TOY, parse(TOY, "go at=door ; stop"), parse(TOY, "stop ; go at=door"))
    assert not same(TOY, parse(TOY, "go at=door then stop"), parse(TOY, "stop then go at=door"))
    assert not same(TOY, parse(TOY, "go at=door then stop"), parse(TOY, "go at=door ; stop"))
    assert not same(TOY, parse(TOY, "go at=door"), parse(TOY, "not go at=door"))


def test_a_slot_with_several_values_is_as_good_as_several_clauses() -> None:
    assert same(TOY, parse(TOY, "go at=door at=hill"), parse(TOY, "go at=hill ; go at=door"))
    assert not same(TOY, parse(TOY, "go at=door at=hill"), parse(TOY, "go at=hill then go at=door"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fly", "no act of toy; the acts are go, stop, talk"),
        ("go at=moon", "at may be door, hill"),
        ("go steps=door", "steps may be a whole number"),
        ("go steps=1000", "steps may be"),
        ("stop at=door", "“stop” has no at"),
        ("go ;", "clause without an act"),
        ("go stop", "two acts in one clause"),
        ("", "without an act"),
        (" ; ".join(["go"] * 9), "1 to 8 clauses"),
        ("go when=never", "when may be late"),
        ("talk when=late", "“talk” has no when"),
    ],
)
def test_what_is_not_declared_is_refused_with_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        parse(TOY, text)


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
def test_every_act_has_slots_that_exist_and_is_explained(declared: Declared) -> None:
    for act in declared.acts:
        for slot in declared.slots_of(act):
            assert declared.slot(slot).values or declared.slot(slot).number
    words = explained(declared)
    assert all(f"`{act}`" in words for act in declared.acts)


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
def test_the_material_is_in_the_declared_language_in_its_one_form(declared: Declared) -> None:
    material = programs(declared.game)
    # A game whose language nobody has trained the reader on yet has phrasings to begin with.
    assert len(material) > (6000 if declared.game in shipped().vocabulary.languages else 60)
    for text, program, _ in material:
        first = program.split(" || ")[0]
        assert notation(declared, parse(declared, first)) == first, text


@pytest.mark.parametrize("declared", LANGUAGES, ids=lambda declared: declared.game)
def test_every_act_and_event_has_phrasings(declared: Declared) -> None:
    words = {word for _, program, _ in programs(declared.game) for word in program.split()}
    assert set(declared.acts) <= words
    assert {f"when={event}" for event in declared.events} <= words | {
        word.replace("until=", "when=").replace("unless=", "when=") for word in words
    }
