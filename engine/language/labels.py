"""What a text is labelled with beside its program, which the model finds (model.py): labels that a game
declares (Arena's sub-goals of Table 7 of the OpenContra paper); and programs as labels.
"""

from __future__ import annotations

from typing import Any

from engine import brings
from engine.language.model import shipped


def labels(game: str, text: str) -> list[str]:
    """The labels of a text, the likeliest first; none in games that declare none."""
    return shipped().labels(game, text)


def labelled(game: str, text: str) -> dict[str, Any] | None:
    """The labels of a text as the bank writes them; None where it has none."""
    found = labels(game, text)
    return labels_module(game).row(found) if found else None


def labels_of(game: str, row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return labels_module(game).labels(row)


def row_of(game: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """A program in the form of the bank; None: nothing was read."""
    return labels_module(game).row_of(program)


def labels_module(game: str) -> brings.Labels:
    """A game's labels.py; raises ValueError if there is none."""
    module = brings.Labels.brought(game)
    if module is None:
        raise ValueError(f"The readings of {game!r} have no labels.")
    return module
