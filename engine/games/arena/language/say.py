"""Clauses told back as one sentence in the agent's first person, so that a player can confirm or correct it.

Written from the program alone, never from what was typed: the sentence says what the agent will do, and which
of the sub-goals that it understood no agent follows yet.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena.language import saying
from engine.games.arena.language.carried import of_step
from engine.games.arena.language.subgoals import of_clauses
from engine.games.arena.subgoal_table import sentence as subgoal

PARTS = "clauses"  # what a program consists of, each of which can be told alone

CAN_READ = (
    "follow me, hold here, go somewhere, attack somebody, cover me, take cover, loot, heal, help somebody "
    "up, lie down, hold fire, go into the zone, regroup, retreat, keep apart or look somewhere; for example "
    "“cover me”, “go there and wait” or “player 3, hold here”"
)


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program."""
    clauses = program["clauses"]
    asked = of_clauses(clauses)
    left = {name: value for name, value in program.get("subgoals", {}).items() if name not in asked}
    if not clauses:
        return f"I understand: {_asked(left)}. But I can't follow that yet."
    parts = [clause(one) for one in clauses]
    told = parts[0]
    for before, one, part in zip(clauses, clauses[1:], parts[1:], strict=False):
        follows = before["to"] == one["to"] and before.get("beside") == one.get("beside")
        told += f", then {part}" if follows else f"; {part}"
    more = f" I also understand, but can't follow yet: {_asked(left)}." if left else ""
    return told[0].upper() + told[1:] + "." + more


def clause(one: dict[str, Any]) -> str:
    """A clause in words, without capital or stop."""
    if "wants" in one:
        return f"{one['to']}: {_asked(one['wants'])}" if one["to"] else _asked(one["wants"])
    return "; ".join(saying.clause(part) for part in of_step(one))


def _asked(goals: dict[str, str]) -> str:
    """Sub-goals in words: "I lie prone and a mate sees me"."""
    said = [subgoal(name, value).rstrip(".") for name, value in goals.items()]
    return " and ".join(words if words.startswith("I ") else words[0].lower() + words[1:] for words in said)
