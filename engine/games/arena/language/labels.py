"""A reading as labels that a model can be sure of, and back: one label for each sub-goal of Table 7 and
value.
"""

from __future__ import annotations

import re
from typing import Any

from engine.games.arena.language import say
from engine.games.arena.language.reader import VERSION
from engine.games.arena.language.subgoals import clauses_for, fulfilled, subgoals
from engine.games.arena.language.wishes.names import in_order
from engine.language import exceptions

_NAMED = re.compile(r"\bplayer (\d{1,2})\b", re.IGNORECASE)
MEASURED = {
    "Health level",
    "Whether have bullets",
    "Number of enemies have ever seen",
    "Enemy’s position relative to agent",
}
"""Sub-goals that are reached at some point: "until your health is full", "until you have no bullets"."""


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return [f"{name}={value}" for name, value in row["goals"].items()]


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it; None: nothing was read."""
    return {"goals": subgoals(program) if program else {}}


def carries(program: dict[str, Any], exception: str) -> bool:
    """Whether a sub-goal is what an exception says: "heal until your health is full"."""
    return exceptions.is_time(exception) and bool(set(program.get("subgoals", ())) & MEASURED)


def group(label: str) -> str:
    """Of the labels of a group only one can be meant."""
    return label.split("=")[0]


def option(chosen: list[str], text: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """{"sentence", "program"} of labels; from `program`, what a grammar read, clauses that are about them."""
    wanted = in_order(dict(label.split("=") for label in chosen))
    clauses = program["clauses"] if program else []
    if not fulfilled(clauses) & wanted.keys():
        named = _NAMED.search(text)
        clauses = clauses_for(wanted, f"player {named[1]}" if named else "me")
    found: dict[str, Any] = {"game": "arena", "version": VERSION, "clauses": clauses, "subgoals": wanted}
    found["reading"] = say.sentence(found)
    return {"sentence": found["reading"], "program": found}
