"""One kind of refusal: what it says, where, and with what status a program leaves for it."""

from __future__ import annotations

import pickle

import pytest

from engine.command_line import REFUSED, exit_status
from engine.refusal import NotNow, Refusal, Refusals


def test_a_refusal_knows_its_place() -> None:
    assert Refusal("Choose a layout.", "layout").problems == {"layout": "Choose a layout."}
    assert Refusal("Choose a layout.").problems == {}
    both = Refusals(problems={"layout": "Choose a layout.", "seats": "Choose 2."})
    assert str(both) == "Choose a layout. Choose 2." and list(both.problems) == ["layout", "seats"]


@pytest.mark.parametrize("refusal", [Refusal("No.", "seed"), Refusals("No.", {"a": "b"}), NotNow("Later.")])
def test_a_refusal_passes_between_processes(refusal: Refusal) -> None:
    again = pickle.loads(pickle.dumps(refusal))
    assert (type(again), str(again), again.problems) == (type(refusal), str(refusal), refusal.problems)


def test_only_what_another_try_can_not_help_is_refused_for_good() -> None:
    problems = Refusal("No."), Refusals(problems={"a": "No."}), NotNow("Later."), ValueError("What?")
    assert [exit_status(one) for one in problems] == [REFUSED, REFUSED, 1, 1]
