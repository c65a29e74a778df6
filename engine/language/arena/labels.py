"""A reading as labels that a model can be sure of, and back: one label for each sub-goal of Table 7 and
value.
"""

from __future__ import annotations

from typing import Any

from engine.language.arena import say
from engine.language.arena.clauses import clause
from engine.language.arena.reader import VERSION
from engine.language.arena.subgoals import WANTED, fulfilled, subgoals
from engine.language.arena.wishes.names import goals, in_order

_CARRIED_OUT = (
    *("follow", "hold", "attack", "cover", "take_cover", "loot", "heal", "rescue"),
    *("prone", "hold_fire", "retreat", "crouch", "fire", "stand"),
)
"""Kinds of clause that today's squads carry out and that need no place."""


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return [f"{name}={value}" for name, value in row["goals"].items()]


def row_of(program: dict[str, Any]) -> dict[str, Any]:
    """A program as the bank writes it."""
    return {"goals": subgoals(program)}


def group(label: str) -> str:
    """Of the labels of a group only one can be meant."""
    return label.split("=")[0]


def option(chosen: list[str], text: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """{"sentence", "program"} of labels; from `program`, what a grammar read, clauses that are about them."""
    wanted = in_order(dict(label.split("=") for label in chosen))
    clauses = program["clauses"] if program else []
    if not fulfilled(clauses) & wanted.keys():
        clauses = _clauses(wanted)
    found: dict[str, Any] = {"game": "arena", "version": VERSION, "clauses": clauses, "subgoals": wanted}
    found["reading"] = say.sentence(found)
    return {"sentence": found["reading"], "program": found}


def _clauses(wanted: dict[str, str]) -> list[dict[str, Any]]:
    """The clause that asks for most of what is wanted and for nothing else."""
    fitting = [kind for kind in _CARRIED_OUT if goals(WANTED[kind]).items() <= wanted.items()]
    if not fitting:
        return []
    kind = max(fitting, key=lambda one: len(goals(WANTED[one])))
    return [clause(kind, who="me" if kind in ("follow", "cover") else None)]
