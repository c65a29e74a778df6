"""Scripted measures of progress, for many games at once. Simulated annotators mark by them, and controls of
experiments use them in place of a reward model, because they are true progress by definition.

A game brings `progress.py` to this room, with MEASURES: {name: Measure}; "progress" is the usual one. A
measure may depend on what happened to a seat before, so that its gain doesn't follow from single states.
Every game has "score", the score of all, and "clock", U = t. No measure says what people think.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine import brings, games

USUAL, SCORE, CLOCK = "progress", "score", "clock"
PREFIX = "measure:"


@dataclass(frozen=True)
class Measure:
    """`gains(before, after, memory)`: what the tick from records `before` to `after`, each (n, state_size),
    adds for every seat, float (n, seats). It may change `memory` (n, seats, numbers), which is zero at the
    beginning of a game. The records are consecutive. For a measure that depends on instructions, `told` turns
    their features (…, F) into one number (…), which is the first number of a seat's memory; the rest of that
    memory is reset when it changes. A `costly` one takes seconds a game: snapshots keep what it counted.
    """

    gains: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    memory: int = 0
    told: Callable[[np.ndarray], np.ndarray] | None = None
    costly: bool = False


def measures(game: str) -> dict[str, Measure]:
    """The measures of a game by name."""
    score = games.spec(game).score

    def scored(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        gains = [int(score(new)) - int(score(old)) for old, new in zip(before, after, strict=True)]
        return np.repeat(np.array(gains, float)[:, None], memory.shape[1], axis=1)

    known = {SCORE: Measure(scored), CLOCK: Measure(lambda before, after, memory: np.ones(memory.shape[:2]))}
    return {
        USUAL: known[SCORE],
        **known,
        **brings.Progress.of(game).MEASURES,
    }


def measure(game: str, name: str = USUAL) -> Measure:
    """One of them; raises ValueError with a sentence for a name that the game doesn't have."""
    known = measures(game)
    if name not in known:
        raise ValueError(f"{game} has no measure {name!r}; it has {', '.join(known)}.")
    return known[name]


def named(text: str) -> str:
    """The measure that a setting "measure:progress" names; "" if it names none."""
    return text.removeprefix(PREFIX) if text.startswith(PREFIX) else ""


class MeasuredGames:
    """A measure in n games while they are played, with the interface of a reward model
    (engine.agents.utility). `told`: features of the instruction of all seats, (F,), or of each, (n, seats,
    F).
    """

    skill = 1.0

    def __init__(
        self, known: Measure, n: int, seats: int, state: np.ndarray, told: np.ndarray | None = None
    ) -> None:
        self.measure = known
        self.told = np.zeros((n, seats))  # as the measure counts it
        if known.told is not None and told is not None:
            self.told[...] = known.told(told)
        self.before = np.zeros((n, len(state)), state.dtype)
        self.memory = np.zeros((n, seats, known.memory))
        self.sums = np.zeros((n, seats))  # of ticks that nobody has asked for yet

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` (indices) begin at `states` (len(rows), state_size)."""
        self.before[rows], self.memory[rows], self.sums[rows] = states, 0, 0
        if self.measure.told is not None:
            self.memory[rows, :, 0] = self.told[rows]

    def tell(self, rows: np.ndarray, told: np.ndarray) -> None:
        """The seats of games `rows` now have other instructions: features (len(rows), seats, F)."""
        if self.measure.told is not None:
            self.told[rows] = self.measure.told(told)
            self.memory[rows] = 0
            self.memory[rows, :, 0] = self.told[rows]

    def tick(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` have come to `states` by a tick."""
        memory = self.memory[rows]
        self.sums[rows] += self.measure.gains(self.before[rows], states, memory)
        self.memory[rows], self.before[rows] = memory, states

    def add(self, states: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """What the ticks since the last call have added for each seat: (len(rows), seats)."""
        sums, self.sums[rows] = self.sums[rows], 0
        return sums


def rated(
    known: Measure,
    states: Sequence[np.ndarray],
    seats: int,
    told: Sequence[tuple[int, np.ndarray]] = (),
) -> np.ndarray:
    """True progress (T+1, seats) over the records of one game, 0 at first; float. `told`: (tick, features
    (F,) of the instruction of all seats from then on), in order.
    """
    only, totals, coming = np.array([0]), [np.zeros(seats)], list(told)
    game = MeasuredGames(known, 1, seats, states[0])
    game.begin(states[0][None], only)
    for tick, state in enumerate(states[1:]):
        while coming and coming[0][0] <= tick:
            game.tell(only, np.broadcast_to(coming.pop(0)[1], (1, seats, len(told[0][1]))))
        game.tick(state[None], only)
        totals.append(game.add(state[None], only)[0])
    return np.cumsum(totals, axis=0)
