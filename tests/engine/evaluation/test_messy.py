"""How messy texts are scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.evaluation import messy
from engine.evaluation.messy import Answer
from engine.language.declared import parse
from engine.language.languages import declared_languages
from engine.language.model import shipped
from engine.refusal import Refusal

LEARNED = [own for own in declared_languages() if own.game in shipped().vocabulary.languages]
KITCHEN = next(declared for declared in LEARNED if declared.game == "overcooked")


def program(text: str) -> list[dict]:
    return parse(KITCHEN, text)


def item(programs: str, kind: str = "simple") -> messy.Item:
    return messy.Item("…", [program(one) for one in programs.split(" || ")], kind)


@pytest.mark.parametrize("declared", LEARNED, ids=lambda declared: declared.game)
def test_each_game_has_150_held_out_texts_of_every_kind(declared) -> None:
    items = messy.load(declared)
    assert len(items) >= 150
    assert {one.kind for one in items} == set(messy.KINDS)
    assert all(one.asks == (one.kind not in ("talk",)) for one in items if one.kind in ("simple", "talk"))


def test_an_answer_is_right_asked_about_wrong_or_refused() -> None:
    wish = item("serve || plate")
    say = lambda text, **more: messy.outcome(KITCHEN, wish, Answer(text and program(text), **more))  # noqa: E731
    assert say("serve") == say("plate") == "right"
    assert say("not serve") == say("serve ; go at=pot") == "wrong"
    assert say("go at=pot", at_once=False) == "asked"
    assert say("go at=pot", at_once=False, others=(program("serve"),)) == "offered"
    assert say("serve", at_once=False) == "offered"
    assert say(None) == say("talk kind=chat") == say("cannot") == "refused"


def test_any_refusal_of_talk_is_right_and_obeying_it_is_counted() -> None:
    items = [item("talk kind=chat", "talk"), item("cannot", "cannot"), item("serve")]
    scored = messy.scored(KITCHEN, items, lambda text: Answer(None))
    assert scored["right"] == pytest.approx(2 / 3, abs=1e-3)
    obeyed = messy.scored(KITCHEN, items, lambda text: Answer(program("serve"), chance=0.9))
    assert (obeyed["talk_obeyed"], obeyed["cannot_obeyed"]) == (1, 1)
    assert obeyed["wrong_at_once"] == pytest.approx(2 / 3, abs=1e-3)


def test_what_harms_and_what_is_lost_unsaid_is_counted() -> None:
    items = [item("serve ; not fill"), item("by=me serve || not serve"), item("serve then stop")]
    scored = messy.scored(KITCHEN, items, lambda text: Answer(program("serve")))
    assert scored["harmful"] == pytest.approx(1 / 3, abs=1e-3), "the second one asks it of somebody else"
    assert scored["unsaid"] == pytest.approx(2 / 3, abs=1e-3), "the first and the last lack an act"
    said = messy.scored(KITCHEN, items, lambda text: Answer(program("serve"), left_out=("…",)))
    assert said["unsaid"] == 0
    asked = messy.scored(KITCHEN, items, lambda text: Answer(program("serve"), at_once=False))
    assert asked["harmful"] == asked["unsaid"] == 0


def test_texts_of_several_clauses_or_limits_are_held_against_their_parts() -> None:
    items = [item("serve ; fill what=onion", "several"), item("serve when=ready", "limits"), item("stop")]
    scored = messy.scored(KITCHEN, items, lambda text: Answer(program("serve when=ready")))
    assert scored["composed"]["exact"] == 0.5
    assert scored["composed"]["f1"] == pytest.approx(2 * 3 / (4 + 5), abs=1e-3)


def test_a_bad_line_of_a_set_is_named(tmp_path: Path) -> None:
    path = tmp_path / "messy.tsv"
    path.write_text("serve\tserve it\tsimple\nfly\tfly away\tsimple\n")
    with pytest.raises(Refusal, match="line 2.*no act of overcooked"):
        messy.load(KITCHEN, path)
    path.write_text("serve\tserve it\n")
    with pytest.raises(Refusal, match="line 1: the kind is simple"):
        messy.load(KITCHEN, path)
