"""How many play."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.simulation.spec import Option

from . import rules

OPTIONS = {"players": Option(2, (2, 3), "number of players")}


def prepare(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    state[:] = 0
    state[rules.KEY_A], state[rules.KEY_B], state[rules.PLAYERS] = key_a, key_b, options["players"]
