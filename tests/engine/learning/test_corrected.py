"""The model that reads learns from corrections, and is replaced only by one that reads no worse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import brings
from engine.language.declared import notation, parse
from engine.learning import corrected

PRONE = "prone"


def meant(means: str, game: str = "arena") -> dict[str, Any]:
    declared = brings.Language.of(game).DECLARED
    carried = brings.CarriedOut.of(game).carried(parse(declared, means), None)
    return {"refused": False, "sentence": "I do that.", "program": {**carried.program, "means": means}}


def corrections(texts: list[str]) -> list[dict[str, Any]]:
    row = {"game": "arena", "meant_text": "Pancake!", "meant": meant(PRONE)}
    return [{**row, "text": text} for text in texts]


def test_corrections_become_texts_with_programs() -> None:
    [one] = corrections(["Flat  like a\tpancake."])
    refused = {**one, "text": "x", "meant": {"refused": True, "sentence": "?", "program": None}}
    silent = {**one, "game": "say_select"}
    found = corrected.rows([one, one, refused, silent])
    assert found["arena"] == {"flat like a pancake": PRONE, "pancake": PRONE}
    assert corrected.lines(found) == f"arena\t{PRONE}\tflat like a pancake\narena\t{PRONE}\tpancake\n"


def test_the_last_correction_of_a_text_holds() -> None:
    first, second = corrections(["pancake", "pancake"])
    assert corrected.rows([first, {**second, "meant": meant("crouch")}])["arena"] == {"pancake": "crouch"}


@pytest.mark.parametrize(
    ("game", "means"), [("arena", PRONE), ("overcooked", "serve"), ("hanabi", "play cards=newest")]
)
def test_programs_of_older_versions_say_what_they_mean_too(game: str, means: str) -> None:
    program = {key: value for key, value in meant(means, game)["program"].items() if key != "means"}
    told = {"refused": False, "sentence": "I do that.", "program": program}
    one = {"game": game, "text": "zorp", "meant_text": "zorp", "meant": told}
    declared = brings.Language.of(game).DECLARED
    expected = notation(declared, brings.CarriedOut.of(game).of_version_1(program))
    assert corrected.rows([one])[game] == {"zorp": expected}


@pytest.mark.parametrize("program", [{"means": "dance wildly"}, {"means": 7}, [3]])
def test_what_is_no_correction_is_refused_with_its_number(program: Any) -> None:
    [one] = corrections(["pancake"])
    wrong = {**one, "meant": {**one["meant"], "program": program}}
    for other in (wrong, {"game": "arena"}):
        with pytest.raises(ValueError, match="Correction 2 is no correction"):
            corrected.rows([one, other])


def test_corrections_that_leave_nothing_to_test_on_are_too_few(tmp_path: Path) -> None:
    own = [text for text in (f"flop {number}" for number in range(99)) if not corrected.is_kept_out(text)]
    rows = [{**one, "meant_text": one["text"]} for one in corrections(own[:6])]
    with pytest.raises(ValueError, match="too few to learn from some of them"):
        corrected.train(rows, tmp_path / "own.safetensors")


def test_a_model_that_reads_worse_does_not_replace_the_one_in_use() -> None:
    before = {"development": {"arena": 0.7, "hanabi": 0.9}, "corrections": {"arena": 0.5}}
    same = {"development": {"arena": 0.695, "hanabi": 0.9}, "corrections": {"arena": 0.5}}
    assert corrected.is_better(before, same)
    assert not corrected.is_better(before, {**same, "corrections": {"arena": 0.4}})
    assert not corrected.is_better(before, {**same, "development": {"arena": 0.7, "hanabi": 0.87}})
