"""Scripted measures of progress, for many games at once: what simulated annotators go by, and what stands in
for a reward model where the truth is to be known (controls of experiments).

A game brings `progress.py` to this room, with MEASURES: {name: Measure}; "progress" is the usual one. A
measure may remember what happened to a seat before, so that no single state says what it will add. Every game
has "score", what all have scored, and "clock", U = t. Not what people think.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine import games

USUAL, SCORE, CLOCK = "progress", "score", "clock"
PREFIX = "measure:"


@dataclass(frozen=True)
class Measure:
    """`gains(before, after, memory)`: what the tick from records `before` to `after`, each (n, state_size),
    added for every seat, float (n, seats); it may change `memory` (n, seats, numbers), zeros where a game
    begins. The records are neighbours in time.

    One that depends on what seats are told says by `told` which number the features of that (…, F) stand for,
    (…); that is the first number of a seat's memory, which begins anew whenever it is told something else.
    """

    gains: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    memory: int = 0
    told: Callable[[np.ndarray], np.ndarray] | None = None


def measures(game: str) -> dict[str, Measure]:
    """The measures of a game by name."""
    score = games.spec(game).score

    def scored(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        found = [int(score(new)) - int(score(old)) for old, new in zip(before, after, strict=True)]
        return np.repeat(np.array(found, float)[:, None], memory.shape[1], axis=1)

    known = {SCORE: Measure(scored), CLOCK: Measure(lambda before, after, memory: np.ones(memory.shape[:2]))}
    return {
        USUAL: known[SCORE],
        **known,
        **getattr(games.part(game, "progress", "evaluation"), "MEASURES", {}),
    }


def measure(game: str, name: str = USUAL) -> Measure:
    """One of them; raises ValueError with a sentence for a name that the game doesn't have."""
    known = measures(game)
    if name not in known:
        raise ValueError(f"{game} has no measure {name!r}; it has {', '.join(known)}.")
    return known[name]


def named(text: str) -> str:
    """The measure that a setting "measure:progress" names; "" where it names none."""
    return text.removeprefix(PREFIX) if text.startswith(PREFIX) else ""


class MeasuredGames:
    """A measure in n games as they are played, read as a reward model is (engine.agents.utility). `told`: the
    features of what all seats, (F,), or each of them, (n, seats, F), is told.
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
        """From now on the seats of games `rows` are told something else: features (len(rows), seats, F)."""
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
        """What the ticks since the last call added for each seat: (len(rows), seats)."""
        found, self.sums[rows] = self.sums[rows], 0
        return found


def rated(
    known: Measure,
    states: Sequence[np.ndarray],
    seats: int,
    told: Sequence[tuple[int, np.ndarray]] = (),
) -> np.ndarray:
    """True progress (T+1, seats) of one game's records in order, 0 at first; float. `told`: (tick, features
    (F,) of what all seats are told from then on), in order.
    """
    only, found, coming = np.array([0]), [np.zeros(seats)], list(told)
    game = MeasuredGames(known, 1, seats, states[0])
    game.begin(states[0][None], only)
    for tick, state in enumerate(states[1:]):
        while coming and coming[0][0] <= tick:
            game.tell(only, np.broadcast_to(coming.pop(0)[1], (1, seats, len(told[0][1]))))
        game.tick(state[None], only)
        found.append(game.add(state[None], only)[0])
    return np.cumsum(found, axis=0)
