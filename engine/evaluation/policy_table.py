"""What an agent does in every situation of a game that is small enough to list them, as a table to see.

The game says which (`policy_table` of its policy_table.py). Not for games that are too large for that (action
matrices, engine.evaluation.card; habits, engine.evaluation.habits).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import games
from engine.agents.policy import Policy
from engine.simulation.simulation import Simulation


def policy_table(policy: Policy, options: dict[str, Any]) -> dict[str, Any] | None:
    """{"title", "corner", "columns": [text], "rows": [{"label", "cells": [{"text", "level": 0 to 10}]}],
    "sentence", "intuitive": whether it is what its convention's words say}; None for games that have none.
    The best move counts, without chance.
    """
    own = games.part(policy.game, "policy_table")
    if own is None:
        return None

    def act(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        sims = [Simulation.at(policy.game, options, state) for state in states]
        return policy.logits(sims, seats.tolist()).argmax(1)

    found: dict[str, Any] = own.policy_table(act)
    return found
