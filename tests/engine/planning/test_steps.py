"""Steps, made and checked, and what an instruction to all comes to."""

from __future__ import annotations

import pytest

from engine import brings
from engine.language.declared import parse
from engine.planning.steps import Proposed, asked_of_all, carried, made, named
from engine.refusal import Refusal

GAME = "overcooked"
DECLARED = brings.Language.of(GAME).DECLARED


def test_a_notation_is_carried_out_and_told_back() -> None:
    program = carried(GAME, "fill what=onion times=2 side=left")
    assert program["means"] == "fill what=onion side=left times=2" and program["goals"]
    assert program["says"] == "I put two onions into the left pot."


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("dance", "“dance” is no act of overcooked; the acts are"),
        ("fill what=cheese", "what=cheese is not allowed; what may be"),
        ("", "a clause without an act"),
        ("thanks", "is no act"),
        ("cancel", "asks for nothing that a seat can do"),
        ("fetch what=held", "can't be carried out: I can't tell what that is"),
        ("serve ; fetch what=held", "can't be carried out"),
    ],
)
def test_what_is_no_order_or_cannot_be_carried_out_whole_is_refused(notation: str, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        carried(GAME, notation)
    assert reason in str(refused.value)


def test_a_step_is_what_logs_have() -> None:
    step = made(GAME, "0.2.1", Proposed(1, "serve times=1", 12.34, (2, 3), (0,)), ["0.1.4"])
    program = step.pop("program")
    assert program["means"] == "serve times=1" and "says" not in program
    assert step == {
        "id": "0.2.1",
        "seat": 1,
        "says": "I serve a soup.",
        "after": ["0.1.4"],
        "place": [2, 3],
        "ticks": 12.3,
        "by": None,
    }
    assert named(3) == "{3}"


@pytest.mark.parametrize(
    ("notation", "goal", "banned"),
    [
        ("serve times=3", "serve times=3", {}),
        ("by=both serve times=3", "serve times=3", {}),
        ("by=me not fetch what=dish", "", {1: "fetch what=dish"}),
        ("by=both not fetch what=dish", "", dict.fromkeys((0, 1, 2), "fetch what=dish")),
        ("not fetch what=dish", "", dict.fromkeys((0, 2), "fetch what=dish")),
        ("serve ; by=me fill what=onion", "serve", dict.fromkeys((0, 2), "fill what=onion")),
        ("serve then now start", "serve ; start", {}),
        ("talk kind=thanks", "", {}),
    ],
)
def test_an_instruction_to_all_is_a_goal_and_what_each_seat_is_not_to_do(
    notation: str, goal: str, banned: dict[int, str]
) -> None:
    clauses, bans = asked_of_all(parse(DECLARED, notation), 1, (0, 1, 2))
    assert list(clauses) == (parse(DECLARED, goal) if goal else [])
    assert bans == {seat: tuple(parse(DECLARED, one)) for seat, one in banned.items()}
