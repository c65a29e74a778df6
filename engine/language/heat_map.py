"""A table of yes/no questions as text: a row for each thing to do, a column for each thing that happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHADES = "·░▒▓█"
"""From a certain no to a certain yes."""
WIDTH = 100  # characters for the columns of a band


def heat_map(questions: Sequence[dict[str, Any]], probabilities: Sequence[float]) -> str:
    """Lines of text. Each question has "observation_key", "action_key" and "action"; columns stand in the
    order of the observations, those whose keys begin alike (`hint_color:red`) under one title.
    """
    actions = {row["action_key"]: row["action"] for row in questions}
    yes = {(q["observation_key"], q["action_key"]): p for q, p in zip(questions, probabilities, strict=True)}
    groups: dict[str, list[str]] = {}
    for key in dict.fromkeys(row["observation_key"] for row in questions):
        groups.setdefault(key.rpartition(":")[0] or key, []).append(key)
    margin = max(len(text) for text in actions.values())
    lines: list[str] = []
    for band in _bands(groups):
        titles = "  ".join(title.ljust(_width(title, groups[title])) for title in band)
        lines.append(" " * margin + "  " + titles.rstrip())
        for key, text in actions.items():
            cells = (
                "".join(_shade(yes[seen, key]) for seen in groups[title]).ljust(_width(title, groups[title]))
                for title in band
            )
            lines.append(text.ljust(margin) + "  " + "  ".join(cells).rstrip())
        lines.append("")
    return "\n".join(lines).rstrip()


def _width(title: str, keys: list[str]) -> int:
    return max(len(title), len(keys))


def _bands(groups: dict[str, list[str]]) -> list[list[str]]:
    """The titles that stand side by side."""
    bands: list[list[str]] = []
    room = 0
    for title, keys in groups.items():
        needed = _width(title, keys) + 2
        if not bands or needed > room:
            bands.append([])
            room = WIDTH
        bands[-1].append(title)
        room -= needed
    return bands


def _shade(probability: float) -> str:
    return SHADES[min(len(SHADES) - 1, int(probability * len(SHADES)))]
