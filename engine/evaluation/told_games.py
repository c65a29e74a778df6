"""Games of a batch in which somebody is told something, as in live play: said once, heard until it is done.

The player in seat 0 says it at the start to the others of its side (engine.simulation.told says who that is);
what it asks of them is noted down and ended as in a match (engine.language.standings). The batch steps the
games; this follows. Not for what comes of it: engine.evaluation.obedience.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import language
from engine.language import standings
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

SPEAKER = 0


class ToldGames:
    """n games that begin at `states` (n, state_size) with the same words; raises ValueError for words that
    ask for nothing, and where nobody could be told.
    """

    def __init__(self, game: str, options: dict[str, Any], states: np.ndarray, instruction: str) -> None:
        reading = language.read(game, instruction)
        if reading.refused or reading.program is None:
            raise ValueError(f"The instruction can't be followed: {reading.sentence}")
        self.features = language.features(game, reading.program)
        self.sims = [Simulation.at(game, options, state) for state in states]
        self.told: list[Told] = []
        for sim in self.sims:
            told = Told({"game": game, "options": sim.options, "seats": [{}] * sim.seats})
            said = {"tick": 0, "seat": SPEAKER, "target_seat": None, "id": "told", "text": instruction}
            told.note({"type": "instruction", **said, "status": "confirmed", "reading": reading.as_json()})
            standings.settled(told, sim)
            self.told.append(told)
        # Who was told, whatever comes of it.
        self.audience = self.told[0].audience(SPEAKER, None)
        if not self.audience:
            raise ValueError("Nobody can be told anything: the player in seat 0 has no one on its side.")

    def programs(self, rows: np.ndarray, seats: np.ndarray) -> list[list[dict[str, Any]]]:
        """What is in force for a seat of each game."""
        return [self.told[row].programs(int(seat)) for row, seat in zip(rows, seats, strict=True)]

    def follow(self, rows: np.ndarray, states: np.ndarray) -> None:
        """Games `rows` have come to `states` by a step."""
        for row, state in zip(rows, states, strict=True):
            sim, told = self.sims[row], self.told[row]
            sim.follow(state)
            told.note({"type": "step", "tick": sim.tick - 1})
            if any(told.of(seat) for seat in self.audience):
                standings.done(told, sim)
