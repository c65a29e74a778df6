"""The scripted greedy planner: whoever is free first takes what adds most to the world's value now. A control
for `search`, which looks further.
"""

from __future__ import annotations

from engine.games.plans import Wanted
from engine.planning.planners.search import proposal, searched, world
from engine.planning.steps import Proposal
from engine.simulation.simulation import Simulation


def plan(sim: Simulation, wanted: Wanted) -> Proposal:
    first = world(sim, wanted)
    return proposal(first, searched(first, wanted, width=1, each=1))
