"""An instruction that many games are learned under: its prior over the moves of every row.

Not for instructions that become goals (engine.learning.rollouts draws those).
"""

from __future__ import annotations

import numpy as np

from engine import games, language
from engine.language.following import following
from engine.learning.reporting import BadConfig
from engine.learning.rollouts import Collector, View


class Told:
    """An instruction in a collector's games. Raises BadConfig for what isn't understood."""

    def __init__(self, collector: Collector, text: str) -> None:
        game, batch = collector.game, collector.batch
        reading = language.read(game, text)
        if reading.refused or reading.program is None:
            raise BadConfig(f"The instruction can't be followed: {reading.sentence}")
        if games.spec(game).goal_size:
            raise BadConfig("Instructions are goals in this game; set goal_share to teach those.")
        self.program, self.every = reading.program, np.arange(batch.n)
        self.following = following(game, batch.options, batch.n)
        self.begin = self.following.begin

    def follow(self, states: np.ndarray) -> None:
        """See the next state of every game."""
        self.following.follow(states, self.every)

    def priors(self, view: View) -> np.ndarray:
        """Its preference in every row, float32 (B, A), in logit units."""
        rows = np.repeat(self.every, len(view.seats) // len(self.every))
        return self.following.asked([self.program], rows, view.seats)
