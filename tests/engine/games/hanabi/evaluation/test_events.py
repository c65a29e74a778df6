"""Obedience in Hanabi is told from the table and the move alone, each by hand."""

from __future__ import annotations

import pytest

from engine import language
from engine.games.hanabi.evaluation.events import judged
from engine.simulation.simulation import Simulation
from tests.engine.games.hanabi.language.test_following import program

COUNTS = [3, 2, 2, 2, 1]  # cards of each rank in a colour


def deck() -> list[int]:
    """player_0 has R1 to R5, player_1 Y1 to Y5."""
    order, rest = list(range(10)), [card for card in range(25) for _ in range(COUNTS[card % 5])]
    for card in order:
        rest.remove(card)
    return order + rest


def move(sim: Simulation, words: str) -> int:
    """The legal action that is called so, from its place among the moves: "play 0", "hint yellow"."""
    verb, what = words.split()
    first = {"discard": 0, "play": 5}.get(verb)
    if first is not None:
        return first + int(what)
    colors = ("red", "yellow", "green", "white", "blue")
    return 10 + colors.index(what) if what in colors else 15 + int(what) - 1


def verdict(notation: str, *moves: str) -> bool | None:
    """Whether the last of these moves, player_1's, follows an instruction."""
    sim = Simulation("hanabi", deck=deck())
    for words in moves[:-1]:
        sim.act(sim.current, move(sim, words))
    assert sim.current == 1
    before = sim.copy()
    sim.act(1, move(sim, moves[-1]))
    return judged(program(notation), before.view(None), sim.view(None)["last"])


PLAY_COLORS, PLAY_RANKS = "play cards=touched when=hint_color", "play cards=touched when=hint_rank"


@pytest.mark.parametrize(
    ("notation", "moves", "followed"),
    [
        (PLAY_COLORS, ("hint yellow", "play 2"), True),
        (PLAY_COLORS, ("hint yellow", "hint 1"), False),
        (PLAY_COLORS, ("hint 3", "hint 1"), None),
        (PLAY_RANKS, ("hint 1", "play 0"), True),
        (PLAY_RANKS, ("hint 1", "play 1"), False),
        (PLAY_COLORS, ("hint yellow", "discard 0"), False),
        (PLAY_RANKS, ("hint 5", "discard 0"), None),  # which doesn't fit, and both know
        ("play cards=newest", ("hint 3", "hint 1"), None),  # it says which card, not when
        ("play cards=newest", ("hint 3", "play 4"), True),
        ("play cards=newest", ("hint 3", "play 0"), False),
        ("discard cards=oldest", ("hint 3", "hint 1"), None),
        ("discard cards=oldest", ("hint 3", "discard 0"), True),
        ("discard cards=oldest", ("hint 3", "discard 1"), False),
        ("not hint kind_of=rank", ("play 0", "hint 2"), False),
        ("not hint kind_of=rank", ("play 0", "hint red"), True),
        ("not discard rank=5", ("hint 5", "discard 4"), False),
        ("not discard rank=5", ("hint 5", "discard 0"), True),
        ("hint kind_of=color when=discard", ("hint 3", "hint 1", "discard 0", "hint red"), True),
        ("hint kind_of=color when=discard", ("hint 3", "hint 1", "discard 0", "hint 2"), False),
        ("hint about=oldest", ("play 0", "hint 2"), True),
        ("hint about=oldest", ("play 0", "hint 5"), False),
        ("play color=yellow rank=1", ("hint yellow", "hint 1", "hint 1", "play 0"), True),
        ("play color=yellow rank=1", ("hint yellow", "hint 1", "hint 1", "play 1"), False),
        ("play color=yellow rank=1", ("hint yellow", "play 0"), None),
        ("not play cards=sure", ("hint 1", "play 0"), False),
        ("play slot=1 then hint", ("hint yellow", "play 0"), None),  # one table doesn't tell what is next
    ],
)
def test_moves_are_judged_by_what_happened(
    notation: str, moves: tuple[str, ...], followed: bool | None
) -> None:
    assert verdict(notation, *moves) is followed


def test_no_prior_is_asked(monkeypatch) -> None:
    """It is what the agent was pushed by."""

    def pushed(*_: object) -> None:
        raise AssertionError("the prior was asked")

    monkeypatch.setattr(language, "prior", pushed)
    monkeypatch.setattr(language, "priors", pushed)
    assert verdict(PLAY_COLORS, "hint yellow", "play 0") is True
