"""What a seat sees in the words of its game: a text, and what the text leaves out as a short table.

A game's `words.py` may have `details(start, now, seat)`, [(name, value)] for a window of WINDOW seconds that
ends now (`start` is its first state). Not for: the words themselves (a game's words.py), who may
read them (webapp.host, webapp.episodes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import brings
from engine.simulation.spec import GameSpec

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

WINDOW = 5  # seconds


def window(ticks_per_second: float | None) -> int:
    """The ticks of the window of a game played by this clock; 0 without a clock."""
    return round(WINDOW * (ticks_per_second or 0))


def details(spec: GameSpec, start: np.ndarray, now: np.ndarray, seat: int) -> list[tuple[str, str]]:
    """The table of a seat; [] in games that have none."""
    brought = brings.Words.of(spec.name).details
    return [] if brought is None else brought(start, now, seat)


def spoken(spec: GameSpec, start: np.ndarray, now: np.ndarray, seat: int) -> dict[str, Any]:
    """{"sees": text, "details": [(name, value)]} of a seat, whoever asks."""
    return {"sees": spec.observation_text(now, seat), "details": details(spec, start, now, seat)}


def last_move(sim: Simulation, view: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the last step did: as the game's open view (`view`, if it is at hand) tells it under "last", else
    {"seat", "kind": None, "text"}, where `seat` is None if all moved at once; {} before the first step.
    """
    view = sim.view(None) if view is None else view
    if "last" in view or not sim.actions:
        return view.get("last") or {}
    seat = None
    if sim.spec.turn_based:  # whoever isn't to move can do nothing else
        seat = next((other for other, action in enumerate(sim.actions[-1]) if action != sim.no_op), None)
    return {"seat": seat, "kind": None, "text": sim.last_move_text(None)}
