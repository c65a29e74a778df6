"""Planners, a file each, found by name: `plan(sim, wanted) -> Proposal`, or None while it still thinks.

A planner knows what a game says of itself (engine.games.plans) and nothing else of it. It takes its time: no
tick waits for one.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Protocol

from engine.refusal import Refusal

if TYPE_CHECKING:
    from engine.games.plans import Wanted
    from engine.planning.steps import Proposal
    from engine.simulation.simulation import Simulation


class Planner(Protocol):
    def __call__(self, sim: Simulation, wanted: Wanted) -> Proposal | None: ...


DEFAULT = "search"


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def planner(name: str, waits: bool = False) -> Planner:
    """`waits`: for games that stand still until there is a plan, as in experiments. Raises Refusal for a name
    that is none.
    """
    if name not in names():
        raise Refusal(f"There is no planner “{name}”; there are {', '.join(names())}.")
    module = importlib.import_module(f"{__name__}.{name}")
    made: Planner = getattr(module, "waited", module.plan) if waits else module.plan
    return made
