"""An instruction that many games are learned under: its prior over the moves of every row.

Readers work on one game in Python, so here is a loop over games; it runs only for those who are told
something. Not for instructions that become goals (engine.learning.rollouts draws those).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import games, language
from engine.learning.reporting import BadConfig
from engine.learning.rollouts import View
from engine.simulation.simulation import Simulation


class Told:
    """An instruction, and one game beside each of the batch's. Raises BadConfig for what isn't understood."""

    def __init__(self, game: str, options: dict[str, Any], text: str) -> None:
        reading = language.read(game, text)
        if reading.refused or reading.program is None:
            raise BadConfig(f"The instruction can't be followed: {reading.sentence}")
        if games.spec(game).goal_size:
            raise BadConfig("Instructions are goals in this game; set goal_share to teach those.")
        self.game, self.options, self.program = game, options, reading.program
        self.sims: dict[int, Simulation] = {}

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` begin at `states` (len(rows), state_size): it looks at what happens from here on."""
        for row, state in zip(rows.tolist(), states, strict=True):
            self.sims[row] = Simulation.at(self.game, self.options, state)

    def follow(self, states: np.ndarray) -> None:
        """See the next state of every game."""
        for row, state in enumerate(states):
            self.sims[row].follow(state)

    def priors(self, view: View) -> np.ndarray:
        """Its preference in every row, float32 (B, A), in logit units."""
        each = len(view.seats) // len(self.sims)
        rows = [
            language.prior(self.game, self.program, self.sims[i // each], int(seat))
            for i, seat in enumerate(view.seats)
        ]
        return np.stack(rows).astype(np.float32)
