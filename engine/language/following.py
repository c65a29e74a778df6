"""Instructions followed in many games at once, as learners and evaluations play them.

A game's reader may bring a `Following` that works on all rows at once. Other games have no batched follower:
one `Simulation` runs beside each game of the batch. Not for one live game (`engine.language.priors`), nor for
which instructions are in force (`engine.language.standings`).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from engine import brings, games, language
from engine.language import standings
from engine.simulation.simulation import Simulation

Programs = list[dict[str, Any]]


class Following(Protocol):
    """Follows what programs need to know in `n` games, `rows` of them at a time. `Following(n)` makes a
    game's own.
    """

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` begin at `states` (len(rows), state_size); they are followed from here on."""

    def follow(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` have reached `states` by a step."""

    def asked(self, programs: Programs, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """What programs, oldest first, ask of a seat in each of these games: their prior in logits, float32
        (n, num_actions), or in games with goals the goal, int16 (n, goal_size).
        """
        ...

    def done(self, program: dict[str, Any], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """In which games a single program has come to its end, bool (n,)."""
        ...

    def ticks(self, rows: np.ndarray) -> np.ndarray:
        """The tick of each of these games, int (n,): the "since_tick" of a program that begins now."""
        ...


def following(game: str, options: dict[str, Any], n: int) -> Following:
    """The follower of instructions in `n` games."""
    batched = brings.Reader.of(game).Following
    return batched(n) if batched else Beside(game, options)


class Beside:
    """One Simulation beside each game, asked one after the other."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        self.ask = language.goals if games.spec(game).goal_size else language.priors
        self.sims: dict[int, Simulation] = {}

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        for row, state in zip(rows.tolist(), states, strict=True):
            self.sims[row] = Simulation.at(self.game, self.options, state)

    def follow(self, states: np.ndarray, rows: np.ndarray) -> None:
        for row, state in zip(rows.tolist(), states, strict=True):
            self.sims[row].follow(state)

    def asked(self, programs: Programs, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.stack([self.ask(self.game, programs, *game) for game in self._each(rows, seats)])

    def done(self, program: dict[str, Any], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        states = [language.progress(self.game, program, *state) for state in self._each(rows, seats)]
        return np.array([state["state"] in standings.ENDED for state in states], bool)

    def ticks(self, rows: np.ndarray) -> np.ndarray:
        return np.array([self.sims[row].tick for row in rows.tolist()], int)

    def _each(self, rows: np.ndarray, seats: np.ndarray) -> list[tuple[Simulation, int]]:
        return [(self.sims[row], seat) for row, seat in zip(rows.tolist(), seats.tolist(), strict=True)]
