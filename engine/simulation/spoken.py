"""What a seat sees in the words of its game: a text, and what the text leaves out as a short table.

A game's `words.py` may have `details(start, now, seat)`, [(name, value)] for a window of WINDOW seconds that
ends now (`start` is its first state). Not for: the words themselves (engine/games/<game>/words.py), who may
read them (webapp.play, webapp.replays).
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from engine.simulation.spec import GameSpec

WINDOW = 5  # seconds


def window(ticks_per_second: float | None) -> int:
    """The ticks of the window of a game played by this clock; 0 without a clock."""
    return round(WINDOW * (ticks_per_second or 0))


def details(spec: GameSpec, start: np.ndarray, now: np.ndarray, seat: int) -> list[tuple[str, str]]:
    """The table of a seat; [] in games that have none."""
    found = getattr(importlib.import_module(f"engine.games.{spec.name}.words"), "details", None)
    return [] if found is None else found(start, now, seat)


def spoken(spec: GameSpec, start: np.ndarray, now: np.ndarray, seat: int) -> dict[str, Any]:
    """{"sees": text, "details": [(name, value)]} of a seat, whoever asks."""
    return {"sees": spec.observation_text(now, seat), "details": details(spec, start, now, seat)}
