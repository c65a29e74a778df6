"""What the agent may be asked for, as yes/no questions: one for each kind of goal."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.games.overcooked.language.programs import INTENTS
from engine.games.overcooked.language.say import clause
from engine.games.overcooked.language.standing import mine


def observations() -> tuple[tuple[str, str], ...]:
    """(key, text) of what may be the case: what is asked for does not depend on it."""
    return (("any", "I am in a kitchen."),)


@cache
def actions() -> tuple[tuple[str, str], ...]:
    """(key, text) of what an agent may be asked to do."""
    found = []
    for intent in INTENTS:
        target = {"kind": "pot", "which": None} if intent in ("wait_at", "go_to") else None
        goal = {"intent": intent, "target": target, "count": None, "who": "you", "negated": False}
        found.append((intent, clause(goal).removeprefix("I ").removeprefix("we ")))
    return tuple(found)


def answer(program: dict[str, Any], observation_key: str, action_key: str) -> bool:
    """Whether `program` asks the agent for a kind of goal; raises ValueError for an unknown key."""
    if action_key not in INTENTS:
        raise ValueError(f"{action_key!r} is no goal; the goals are {', '.join(INTENTS)}.")
    return any(goal["intent"] == action_key and mine(goal) for goal in program["goals"])
