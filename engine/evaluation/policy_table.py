"""What an agent does in every situation of a game, as a table, for games small enough to list all situations.

The game's policy_table.py lists them (`policy_table`). Not for larger games (action matrices,
engine.evaluation.card; habits, engine.evaluation.habits).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import brings
from engine.agents.policy import Policy
from engine.simulation.simulation import Simulation


def policy_table(policy: Policy, options: dict[str, Any]) -> dict[str, Any] | None:
    """{"title", "corner", "columns": [text], "rows": [{"label", "cells": [{"text", "level": 0 to 10}]}],
    "sentence", "intuitive": whether it agrees with the words of its convention}; None for games without such
    a table. The agent's best moves are shown, without chance.
    """
    brought = brings.PolicyTable.brought(policy.game)
    if brought is None:
        return None

    def act(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        sims = [Simulation.at(policy.game, options, state) for state in states]
        return policy.logits(sims, seats.tolist()).argmax(1)

    return brought.policy_table(act)
