"""Instructions to squad mates in Arena: read, told back, and turned into a goal that a policy gets as input.

`vocabulary` and `phrases` hold the words, `lexicon` tags them, `clauses` reads what is asked for, `say` tells
it back; `places` finds where and whom it means in a live match, `standing` which instruction stands and how
far it has got, `follow` the goal of a seat. `wishes` reads the sub-goals of Table 7 of OpenContra, `subgoals`
puts them together with the clauses. Reading needs no numba: what plays a match is imported when it is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.games.arena.language.features import NUM_FEATURES, features
from engine.games.arena.language.reader import read
from engine.games.arena.language.subgoals import subgoals
from engine.games.arena.language.table import questions

if TYPE_CHECKING:
    import numpy as np

    from engine.simulation.simulation import Simulation

__all__ = [
    "NUM_FEATURES",
    "features",
    "goals",
    "prior",
    "priors",
    "progress",
    "progresses",
    "questions",
    "read",
    "remaining",
    "subgoals",
]


def goals(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """The goal of a seat under all instructions to it (follow.py)."""
    from engine.games.arena.language import follow

    return follow.goals(programs, sim, seat)


def prior(program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """Nothing: the goal goes into the policy (follow.py)."""
    return priors([program], sim, seat)


def priors(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """The same for all instructions."""
    from engine.games.arena.language import follow

    return follow.priors(programs, sim, seat)


def progress(program: dict[str, Any], sim: Simulation, seat: int) -> dict[str, str]:
    """How far one instruction has got (follow.py)."""
    return progresses([program], sim, seat)[0]


def progresses(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """How far each of all instructions has got (follow.py)."""
    from engine.games.arena.language import follow

    return follow.progresses(programs, sim, seat)


def remaining(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[dict[str, Any] | None]:
    """What is left of each of all instructions (standing.py)."""
    from engine.games.arena.language import standing

    return standing.remaining(programs, sim, seat)
