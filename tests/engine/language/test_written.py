"""Readings made of the programs that the model writes."""

from __future__ import annotations

import pytest

from engine import brings
from engine.language import bank, written
from engine.language.languages import declared_languages
from engine.language.model import shipped

GAMES = [declared.game for declared in declared_languages()]


def test_what_is_carried_out_comes_with_its_sentence_and_its_notation() -> None:
    reading = written.read("overcooked", "you do onions, i serve")
    assert not reading.refused and reading.program is not None
    assert reading.program["means"] == "fill what=onion ; by=me serve"
    assert reading.sentence == "I put onions into a pot; you serve soup."
    assert 0 < reading.confidence <= 1


def test_a_phrasing_of_the_material_is_known() -> None:
    text, program, _ = next(row for row in bank.programs("hanabi") if row[2] == "written" and ";" in row[1])
    reading = written.read("hanabi", f"  {text.upper()}!")
    assert reading.program is not None and reading.program["means"] == program
    assert reading.confidence == written.KNOWN


@pytest.mark.parametrize(
    ("program", "does", "refused"),
    [
        ([{"act": "cancel"}], "cancel", True),
        ([{"act": "undo"}, {"act": "serve"}], "undo", False),
        ([{"act": "redirect"}], "redirect", True),
        ([{"act": "serve"}], "", False),
    ],
)
def test_what_is_said_about_earlier_instructions_is_no_instruction(
    monkeypatch: pytest.MonkeyPatch, program: list[dict], does: str, refused: bool
) -> None:
    _writes(monkeypatch, program)
    reading = written.read("overcooked", "whatever it was")
    assert (reading.does, reading.refused, reading.talk) == (does, refused, refused)
    assert reading.sentence.startswith(written.DOES.get(does, "I serve"))


def test_a_ban_is_no_wish() -> None:
    reading = written.read("overcooked", "dont serve")
    assert reading.program is not None and reading.program["goals"][0]["negated"]


@pytest.mark.parametrize(
    ("text", "said"), [("thx!!", "talk"), ("was soll das, hilf mir mal", "only understand English")]
)
def test_talk_gets_a_short_answer_and_changes_nothing(text: str, said: str) -> None:
    for game in set(GAMES) & set(shipped().vocabulary.languages):
        reading = written.read(game, text)
        assert reading.refused and reading.talk and reading.program is None
        assert said in reading.sentence


def test_what_is_said_about_earlier_instructions_is_in_every_reading_or_in_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _writes(monkeypatch, [{"act": "undo"}, {"act": "cannot"}])
    reading = written.read("overcooked", "no wait, dance")
    assert reading.refused and not reading.does and "forget" not in reading.sentence
    _writes(
        monkeypatch, [{"act": "undo"}, {"act": "serve"}, {"act": "fill", "what": "onion", "side": "other"}]
    )
    reading = written.read("overcooked", "no wait, serve, and onions in the other pot")
    told = [reading.sentence, *(other["sentence"] for other in reading.alternatives)]
    assert reading.does == "undo" and len(told) > 1
    assert all(sentence.startswith(written.DOES["undo"]) for sentence in told)


@pytest.mark.parametrize("game", GAMES)
def test_what_no_act_expresses_is_refused_in_a_sentence(game: str) -> None:
    reading = written.read(game, "please pause the game for a minute")
    assert reading.refused and not reading.talk and reading.sentence


def _writes(monkeypatch: pytest.MonkeyPatch, *programs: list[dict]) -> None:
    monkeypatch.setattr(written, "_programs", lambda *_: (list(programs), 0.9, []))


def test_a_reading_of_which_a_part_is_left_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    _writes(monkeypatch, [{"act": "serve"}, {"act": "cannot"}])
    reading = written.read("overcooked", "serve and dance")
    assert reading.program is not None and "no move for" in reading.sentence
    assert reading.confidence <= written.LEFT


def test_the_nearest_that_can_be_done_is_offered_and_never_without_its_condition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _writes(monkeypatch, [{"act": "fill", "what": "onion", "side": "other"}])
    reading = written.read("overcooked", "onions into the other pot")
    assert reading.refused
    assert [option["sentence"] for option in reading.alternatives] == ["I put onions into a pot."]
    _writes(monkeypatch, [{"act": "serve", "when": "signal"}])
    reading = written.read("overcooked", "serve when i say so")
    assert reading.refused and not reading.alternatives
    assert reading.sentence


@pytest.mark.parametrize(
    ("game", "text", "means"),
    [
        ("arena", "freeze till i tell you", "hold"),
        ("arena", "dont shoot until i say so", "hold_fire"),
        ("hanabi", "don't discard until i say so", "not discard"),
        ("overcooked", "keep doing onions until i say stop", "fill what=onion"),
    ],
)
def test_until_i_say_so_is_until_it_is_withdrawn(game: str, text: str, means: str) -> None:
    reading = written.read(game, text)
    assert reading.program is not None and reading.program["means"] == means
    assert reading.sentence.endswith(written.WITHDRAW) and reading.confidence > 0.8


@pytest.mark.parametrize("text", ["wait for my signal, then serve", "serve when i tell you"])
def test_nobody_waits_for_a_word_after_which_something_is_to_be_done(text: str) -> None:
    reading = written.read("overcooked", text)
    assert reading.refused and "your signal" in reading.sentence


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", ["", "!!", "🙂", "a", "x" * 5000, "<b>{}</b>", "\x00"])
def test_no_text_makes_it_raise(game: str, text: str) -> None:
    reading = written.read(game, text)
    assert reading.refused or brings.Say.of(game).sentence(reading.program)


def test_what_speakers_keep_from_asks_nothing_of_agents_and_is_a_wish_for_a_plan() -> None:
    reading = written.read("overcooked", "i wont scoop before its finished")
    assert (reading.refused, reading.program, reading.sentence) == (True, None, written.WISH)
    assert reading.wish == "by=me not plate until=ready" and reading.confidence > 0.9


@pytest.mark.parametrize("text", ["I'd rather not carry plates", "I don't want to do plates."])
def test_what_speakers_would_rather_not_do_is_about_themselves(text: str) -> None:
    reading = written.read("overcooked", text)
    assert reading.sentence == "You don't fetch plates." and not reading.wish


def test_a_wish_beside_a_request_is_read_with_it() -> None:
    both = written.read("overcooked", "let's get three soups out, I'd rather not do plates")
    assert both.sentence == "We both serve three soups; you don't fetch plates."


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("if I hint you a colour, play those cards", []),
        ("if I hint you a rank, discard those cards", []),
        ("play those cards, and hint my ones", []),
    ],
)
def test_a_condition_that_is_carried_out_is_not_said_to_be_left_out(text: str, unread: list[str]) -> None:
    assert written.read("hanabi", text).unread == unread
