"""Why a cook can't do now what it was asked: nothing to do it with, no way there, or somebody in the way.

From the plan that its instruction is followed by (`sense`). Who waits as told ("when the soup is done, …"),
or has brought what was asked for, isn't kept from anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.language import sense
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation


def why_not(
    program: dict[str, Any], sim: Simulation, seat: int, progress: dict[str, str]
) -> tuple[str, bool]:
    """(why an instruction that has this progress can't be obeyed now, "" if it can; whether that is sure at
    once: cooks meet for a moment all the time).
    """
    if progress["state"] == State.WAITING:
        text = progress["text"]
        return ("" if text.startswith("until") or "are waiting for you" in text else text), True
    if progress["state"] == State.OBEYING and _stands_in_the_way(program, sim, seat):
        return "somebody is in my way", False
    return "", True


def _stands_in_the_way(program: dict[str, Any], sim: Simulation, seat: int) -> bool:
    """Whether another cook stands wherever a cook is asked to step now, whether it tries to or waits."""
    state = sim.state
    asked = np.flatnonzero(sense.prior(program, sim, seat) > 0).tolist()
    others = {int(state[rules.POSITION + who]) for who in range(int(state[rules.PLAYERS])) if who != seat}
    here = int(state[rules.POSITION + seat])
    return bool(asked) and all(
        action < rules.STAY and int(rules.neighbour(state, here, action)) in others for action in asked
    )
