"""Exceptions: carried where a game's programs can say them, else told as left out and never read surely."""

from __future__ import annotations

import numpy as np
import pytest

from engine import language
from engine.games.hanabi.language.table import answer
from engine.language import exceptions, sureness
from tests.engine.games.hanabi.language.test_following import COLOR, DISCARD, PLAY, RANK, added, game

COLOURED = "When you hint a colour, I"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "throw away whatever I just coloured unless it's a five",
            f"{COLOURED} discard the cards it touches, unless I know that they are 5s.",
        ),
        (
            "Play anything I coloured if it isn't a one or a two.",
            f"{COLOURED} play the cards it touches, unless I know that they are 1s or 2s.",
        ),
        (
            "don't discard what I coloured unless it's a one",
            f"{COLOURED} do not discard the cards it touches, unless I know that they are 1s.",
        ),
        (
            "keep whatever I number unless it's red",
            "When you hint a rank, I keep the cards it touches, unless I know that they are red.",
        ),
        (
            "discard your oldest card unless it's a five",
            "When I discard, I discard my oldest card, unless I know that it is a 5.",
        ),
        (
            "play your newest card only if it's a one",
            "I do not play my newest card, unless I know that it is a 1.",
        ),
        (
            "when I number something, bin it, but not if it's a 5",
            "When you hint a rank, I discard the cards it touches; "
            "when you hint 5s, I do not discard the cards it touches.",
        ),
        ("hint me ranks except fives", "I hint ranks rather than colours; I do not hint 5s."),
        ("hint colours but not red", "I hint colours rather than ranks; I do not hint red."),
        (
            "Unless I hint a five, throw your oldest.",
            "When I discard, I discard my oldest card; when you hint 5s, I do not discard my oldest card.",
        ),
    ],
)
def test_hanabi_carries_what_is_left_out(text, sentence):
    found = language.read("hanabi", text)
    assert found.sentence == sentence
    assert found.unread == []


def test_a_five_is_kept_once_it_is_known_to_be_one():
    text = "throw away whatever I just coloured unless it's a five"
    sim = game()
    sim.act(0, COLOR + 2)
    sim.act(1, COLOR + 4)  # blue: the five in slot 4 of player_0
    assert np.flatnonzero(added(text, sim, 0)).tolist() == [DISCARD + 4]
    sim.act(0, PLAY + 0)
    sim.act(1, RANK + 4)  # now it is known, in slot 3
    assert not added(text, sim, 0).any()
    assert added("throw away whatever I just coloured", sim, 0)[DISCARD + 3] > 0


def test_the_table_of_answers_knows_it_too():
    program = language.read("hanabi", "discard your oldest card unless it's a five").program
    assert answer(program, "hint_rank:4:A", "discard:A")
    assert answer(program, "hint_rank:5:E", "discard:A")
    assert not answer(program, "hint_rank:5:A", "discard:A")


@pytest.mark.parametrize(
    ("game", "text", "left_out"),
    [
        ("overcooked", "bring onions unless the pot is full", "unless the pot is full"),
        ("overcooked", "serve every soup except the last one", "except the last one"),
        ("overcooked", "don't touch the plates until both pots are cooking", "until both pots are cooking"),
        ("overcooked", "Do onions, but not when I'm at the pot!", "but not when i'm at the pot"),
        ("arena", "hold your fire until they shoot", "until they shoot"),
        ("arena", "follow me unless I'm down", "unless i'm down"),
        ("arena", "attack everyone except the one behind the rock", "except the one behind the rock"),
        ("arena", "no shooting unless two of them show up", "unless two of them show up"),
    ],
)
def test_elsewhere_it_is_told_as_left_out_and_asked_about(game, text, left_out):
    found = language.read(game, text)
    assert found.unread[-1] == left_out
    assert 0 < found.confidence <= sureness.LEFT_OUT < sureness.ENOUGH


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bring onions unless the pot is full", "I bring you onions."),
        ("bring onions until the pot is full", "I bring you onions."),
        ("fetch a plate once the soup is ready", "When a soup is done, I fetch a plate."),
        ("stand at the hatch till the soup is done", "I wait by the serving window until the soup is done."),
    ],
)
def test_what_ends_a_wish_is_not_read_as_what_it_waits_for(text, sentence):
    assert language.read("overcooked", text).sentence == sentence


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("overcooked", "wait by the pot until the soup is done"),
        ("overcooked", "put onions in the pot until it's full"),
        ("overcooked", "don't serve unless I say so"),
        ("arena", "hold here until I come back"),
        ("arena", "hold your fire until I say"),
        ("arena", "hold your fire until my signal"),
    ],
)
def test_what_programs_can_say_and_what_they_wait_for_anyway_is_no_exception(game, text):
    found = language.read(game, text)
    assert not any(exceptions.found(word) for word in found.unread)
    assert found.confidence >= sureness.ENOUGH


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("you do everything except serving", "you do everything"),
        ("Bring plates, unless I have one; serve", "bring plates,  ; serve"),
        ("wait until it's done", "wait until it's done"),
        ("touch nothing except plates", "touch nothing except plates"),
        ("unless the pot is full add onions", "unless the pot is full add onions"),
        ("", ""),
    ],
)
def test_grammars_see_the_text_without_its_exceptions(text, kept):
    assert exceptions.cut(text).strip() == kept
