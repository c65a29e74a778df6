"""Why a player can't do now what it was told: no way leads there, or the other one stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.games.frozen_lake_2 import rules
from engine.games.frozen_lake_2.language import follow
from engine.games.frozen_lake_2.ways import beside
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation


def why_not(
    program: dict[str, Any], sim: Simulation, seat: int, progress: dict[str, str]
) -> tuple[str, bool]:
    """(why an instruction that has this progress can't be obeyed now, "" if it can; whether that is sure at
    once: players meet for a moment all the time).
    """
    if progress["state"] == State.UNABLE:
        return progress["text"], True
    if progress["state"] == State.OBEYING:
        asked = follow.prior(program, sim, seat)
        here, there = (int(sim.state[rules.AT + who]) for who in (seat, 1 - seat))
        steps = [action for action in range(rules.STAY) if asked[action] > 0]
        if steps and all(beside(here, action) == there for action in steps):
            return "somebody is in my way", False
    return "", True
