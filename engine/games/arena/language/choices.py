"""What a language model is asked to read an instruction to a squad: one choice for each sub-goal of Table 7
of OpenContra (its section 4.3), among the sub-goal's values.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.games.arena.language.labels import option
from engine.games.arena.language.wishes.names import CODES

__all__ = ["ABOUT", "MOST", "NOT_ASKED", "choices", "labels", "option", "said"]

ABOUT = (
    "A squad plays a shooter on an island: guns, ammunition, medical kits, enemies, a safe zone that "
    "shrinks. A teammate typed the instruction to the agent, a soldier of the squad. Sub-goals say what the "
    "agent is to bring about; most instructions ask for one to three of them."
)
NOT_ASKED = "not asked for"
MOST = 8
"""More labels than any instruction of the bank has."""


@cache
def choices() -> tuple[dict[str, Any], ...]:
    """({"question", "choices", "key"}, …): `key` is the name of the sub-goal."""
    return tuple(
        {
            "question": f"Which value of “{name}” does the instruction ask the agent to bring about?",
            "choices": [NOT_ASKED, *values.values()],
            "key": name,
        }
        for name, values in CODES.values()
    )


def labels(said: dict[str, str]) -> list[str]:
    """The labels (labels.py) of answers, {key: choice}."""
    return [f"{name}={value}" for name, value in said.items() if value != NOT_ASKED]


def said(row: dict[str, Any]) -> dict[str, str]:
    """The answers that say what a row of a bank does; what it doesn't name is not asked for."""
    return dict(row["goals"])
