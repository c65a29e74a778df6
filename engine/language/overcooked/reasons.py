"""Why a cook can't do now what it was asked: nothing to do it with, no way there, or somebody in the way.

From the plan that its instruction is followed by (`sense`). Who waits as told ("when the soup is done, …"),
or has brought what was asked for, isn't kept from anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.overcooked import rules
from engine.language.overcooked import sense

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation


def why_not(
    program: dict[str, Any], sim: Simulation, seat: int, progress: dict[str, str]
) -> tuple[str, bool]:
    """(why an instruction that has this progress can't be obeyed now, "" if it can; whether that is sure at
    once: cooks meet for a moment all the time).
    """
    if progress["state"] == "waiting":
        text = progress["text"]
        return ("" if text.startswith("until") or "are waiting for you" in text else text), True
    if progress["state"] == "obeying" and _meets_somebody(sim.state, seat):
        asked = np.flatnonzero(sense.prior(program, sim, seat) > 0).tolist()
        if asked == [int(sim.state[rules.FACING + seat])]:
            return "somebody is in my way", False
    return "", True


def _meets_somebody(state: np.ndarray, seat: int) -> bool:
    """Whether a cook has just walked and faces another one."""
    walked, faced = int(state[rules.ACTION + seat]), int(rules.faced(state, seat))
    others = [who for who in range(int(state[rules.PLAYERS])) if who != seat]
    return 0 <= walked < rules.STAY and any(int(state[rules.POSITION + who]) == faced for who in others)
