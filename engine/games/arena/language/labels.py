"""A program as labels that a model can be sure of: one for each sub-goal of Table 7 and value."""

from __future__ import annotations

from typing import Any

from engine.games.arena.language.subgoals import in_order, subgoals


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return [f"{name}={value}" for name, value in row["goals"].items()]


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it; None: nothing was read."""
    return {"goals": subgoals(program) if program else {}}


def group(label: str) -> str:
    """Of the labels of a group only one can be meant."""
    return label.split("=")[0]


def row(chosen: list[str]) -> dict[str, Any]:
    """Labels as the bank writes them."""
    return {"goals": in_order(dict(label.split("=") for label in chosen))}
