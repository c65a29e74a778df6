"""Programs as labels that readings are scored by: one for each intent, by whom, asked or not."""

from __future__ import annotations

from typing import Any

from engine.games.overcooked.language.programs import Goal


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return list(dict.fromkeys(_label(goal) for goal in row["subgoals"]))


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it; None: nothing was read."""
    return {"subgoals": program["goals"] if program else []}


def group(label: str) -> str:
    """Of the labels of a group only one can be meant."""
    return label.rpartition(" ")[0]


def _label(goal: Goal) -> str:
    return f"{goal['intent']} {goal['who']} {'not' if goal['negated'] else 'do'}"
