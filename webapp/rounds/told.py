"""Rounds that train a partner to an instruction. Such a round learns from words, so it freezes no marks and
makes no reward model. Not for starting it (launch), nor for its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import language
from engine.learning.run.settings import Role
from webapp.rounds import budgets, kinds, programs


def unread(game: str, text: str, number: Any = 0) -> str:
    """Why a text can't be followed by the reading of this number, in a sentence; "" if it can."""
    try:
        language.meant(game, text, number if isinstance(number, int) else 0)
    except ValueError as problem:
        return str(problem)
    return ""


def settings_of(
    game: str,
    text: str,
    number: int = 0,
    algorithm: str = "",
    budget: str = "medium",
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Settings of a round for `launch.create`, by the reading of this number; `more`: of the agent. Raises
    Refusal.
    """
    reading = "" if unread(game, text, number) else language.meant(game, text, number).sentence
    about = {kinds.TOLD: {"instruction": text, "reading": reading}}
    settings = budgets.sized(game, about, algorithm, budget)
    for part in ("agent", "evaluation"):
        given = {Role.INSTRUCTION: text, Role.READING: number}
        settings[part] |= programs.handed(kinds.chosen(part, settings, game), given)
    settings["agent"] |= dict(more or {})
    return settings
