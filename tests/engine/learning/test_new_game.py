"""A game whose language the model hasn't learned: it is read after a training on its declaration and some
hundred phrasings, without code.

Two hands wrote Say-Select's phrasings and the held-out texts, from the declaration alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import language
from engine.evaluation import messy
from engine.language import bank, encoder, languages, written
from engine.language.declared import Declared
from engine.language.model import Model, shipped
from engine.learning import corrected
from engine.learning.reading import exported, heads, material
from engine.simulation import registry
from tests.engine.language.say_select import declared

GAME, FOLDER = "say_select", Path(__file__).parents[1] / "language" / "say_select"


load = messy.load


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> list[Declared]:
    """The declared languages, with Say-Select's among them and its phrasings."""
    lines = (FOLDER / "phrasings.tsv").read_text(encoding="utf-8").splitlines()
    rows = [(text, program, source) for program, text, source in (line.split("\t") for line in lines)]
    part, programs = registry.part, bank.programs

    def brought(game: str, name: str, room: str = "games") -> Any:
        return declared if (game, name) == (GAME, "declared") else part(game, name, room)

    monkeypatch.setattr(registry, "part", brought)
    monkeypatch.setattr(bank, "programs", lambda game: rows if game == GAME else programs(game))
    # Ours that nobody has taught it either would be learned, too.
    alone = [
        own for own in languages.declared_languages() if own.game in (GAME, *shipped().vocabulary.languages)
    ]
    monkeypatch.setattr(languages, "declared_languages", lambda: alone)
    return alone


@pytest.mark.slow
def test_a_game_is_read_after_a_training_on_its_phrasings(
    known: list[Declared], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert languages.unlearned(Model(known).vocabulary) == [GAME]
    # Arena's labels, which nothing here asks for, are learned from few texts, and shortly; and of the other
    # games' texts, which it knows, a third is repeated and every other one is asked.
    whole = material.of(known)
    monkeypatch.setattr(material, "of", lambda _: replace(whole, labelled=whole.labelled[:100]))
    monkeypatch.setattr(heads, "STEPS", 20)
    monkeypatch.setattr(corrected, "BESIDE", 500)
    monkeypatch.setattr(messy, "load", lambda game, file: load(game, file)[::2])
    own = tmp_path / "own.safetensors"
    done = corrected.train([], own)
    assert done["learned"] == [GAME]
    before, after = (done[name]["development"] for name in ("before", "after"))
    assert all(after[game] > share - 0.04 for game, share in before.items()), "the others are read as before"
    reads = Model(known, weights=own)
    held = load(declared.DECLARED, FOLDER / "held.tsv")
    found = messy.f1((item, reads.read(GAME, item.text)[0].clauses) for item in held)
    print(f"F1 {found:.3f}")
    assert found >= 0.75
    assert [one["ball"] for one in reads.read(GAME, "please pick ball 3")[0].clauses] == [3]
    monkeypatch.setattr(written, "shipped", lambda: reads)
    reading = language.read(GAME, "take the ball that i named")
    assert "Nobody in this game" in reading.sentence, "it is understood, but nobody follows it"
    assert languages.unlearned(reads.vocabulary) == []


def test_until_then_it_says_what_to_do(known: list[Declared]) -> None:
    assert "reader train" in language.read(GAME, "take the ball that i named").sentence
    shipped = exported.taken_up(encoder.FOLDER)
    assert shipped.vocabulary.names.index(f"<{GAME}>") < shipped.vocabulary.copied
