"""A program as a vector of fixed length, for networks that are told what the instruction is."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.overcooked.language.programs import INTENTS, KINDS, SIDES

_ROWS = [(intent, who, no) for intent in INTENTS for who in ("you", "me", "both") for no in (False, True)]
_PLACES = [(kind, which) for kind in KINDS for which in (None, *SIDES)]
_MANNER = 3  # a number of times, lasting, handed over to the player

FEATURES_VERSION = 1  # raised when a number comes to mean something else
NUM_FEATURES = len(_ROWS) + len(_PLACES) + _MANNER


def features(program: dict[str, Any] | None) -> np.ndarray:
    """1 for each (intent, who, negated), (station, side) and manner that the program names, float32
    (NUM_FEATURES,); zeros for no program.
    """
    rows = np.zeros(len(_ROWS), np.float32)
    places = np.zeros(len(_PLACES), np.float32)
    manner = np.zeros(_MANNER, np.float32)
    for goal in (program or {}).get("goals", []):
        rows[_ROWS.index((goal["intent"], goal.get("who", "you"), bool(goal.get("negated"))))] = 1
        if target := goal.get("target"):
            places[_PLACES.index((target["kind"], target.get("which")))] = 1
        manner[0 if goal.get("count") is not None else 1] = 1
        manner[2] = max(manner[2], float(goal.get("to") == "me"))
    return np.concatenate([rows, places, manner])
