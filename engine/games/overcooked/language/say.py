"""Programs of version 1 told back in the agent's first person, as the clauses that they stand for
(saying.py): what the agent will do, whatever was typed.
"""

from __future__ import annotations

from typing import Any

from engine.games.overcooked.language import saying
from engine.games.overcooked.language.carried import clauses_of
from engine.games.overcooked.language.programs import Goal

PARTS = "goals"  # what a program consists of, each of which can be told alone

CAN_READ = (
    "what to fetch (onions, plates, tomatoes, soup), where to put it (pots, counters, the serving window), "
    "who does what, where to stand or wait, and stop, go on, swap or make way"
)


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program."""
    return saying.sentence(clauses_of(program["goals"]))


def clause(goal: Goal) -> str:
    """A goal in words, without capital or stop."""
    return saying.clause(*clauses_of([goal]))
