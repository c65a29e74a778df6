"""The reader of games that bring none: it reads nothing from any text, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.language.reading import Reading

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

SENTENCE = "This game's agents can't be told things yet."
FEATURES_VERSION = 0
NUM_FEATURES = 0


def read(text: str) -> Reading:
    """Refuses any text."""
    return Reading(text if isinstance(text, str) else "", refused=True, sentence=SENTENCE)


def prior(program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """No preference: float32 (num_actions,) of zeros."""
    return np.zeros(sim.num_actions, np.float32)


def features(program: dict[str, Any] | None) -> np.ndarray:
    """float32 (0,)."""
    return np.zeros(NUM_FEATURES, np.float32)
