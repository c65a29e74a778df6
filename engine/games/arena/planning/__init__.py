"""What a squad can do next in Arena, for planners (engine.games.plans): who looks for enemies, who covers
whom, who looks for things, where to meet.

What stays as it is while a plan is made is in `ground`, what changes in `squad`. Not for how agents carry
steps out (arena/language), nor for what they do of their own accord (tactics.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.arena import state as s
from engine.games.arena.language import places
from engine.games.arena.planning.ground import Ground
from engine.games.arena.planning.squad import Squad, begin
from engine.games.arena.view import metres
from engine.games.plans import Things, Wanted

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

GOAL = "Be the last squad in the match."


def world(sim: Simulation, wanted: Wanted) -> Squad:
    """The squad of the seats whose work is planned, as far as it can know how things are."""
    return begin(Ground(sim, wanted))


def things(sim: Simulation) -> Things:
    """What every squad knows of: the white circle and the houses. What lies about or who was seen where only
    some know.
    """
    state = sim.state
    x, y, radius = (round(metres(state[s.WHITE_X + field])) for field in range(3))
    left = int(state[s.PHASE_LEFT]) // s.TICKS_PER_SECOND
    when = "the blue one is closing in on it" if int(state[s.SHRINKING]) else f"it counts in {left} seconds"
    circle = {"name": "white circle", "place": [x, y], "now": f"{radius} metres wide to each side; {when}"}
    houses = [
        {"name": "house", "place": [round(metres(x)), round(metres(y))], "now": ""}
        for x, y in places.houses(sim)
    ]
    return [circle, *houses]
