"""What an agent may be asked for, as yes/no questions: one for each kind of goal."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.games.arena import GOALS
from engine.games.arena.language.programs import clause
from engine.games.arena.language.say import clause as say


def observations() -> tuple[tuple[str, str], ...]:
    """(key, text) of what may be the case: what is asked for does not depend on it."""
    return (("any", "I am in a match with my squad."),)


@cache
def actions() -> tuple[tuple[str, str], ...]:
    """(key, text) of what an agent may be asked to do."""
    about = {"follow": "me", "cover": "me"}
    return tuple(
        (kind, say(clause(kind, who=about.get(kind))).removeprefix("I "))  # "follow you"
        for kind in GOALS
    )


def answer(program: dict[str, Any], observation_key: str, action_key: str) -> bool:
    """Whether `program` asks for a kind of goal; raises ValueError for an unknown key."""
    if action_key not in GOALS:
        raise ValueError(f"{action_key!r} is no goal; the goals are {', '.join(GOALS)}.")
    return any(one["kind"] == action_key and not one["negated"] for one in program["clauses"])
