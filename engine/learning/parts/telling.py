"""What seats are told while agents and language learn from each other: instructions, as goal vectors that the
language side makes of them in the state at hand, and what windows under them come to (OpenContra, Appendix
K). Not for how either side learns (engine.learning.algorithms.cotrain).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from engine import brings

LEAST = 1e-6


@dataclass
class Draw:
    """Instructions by number (k,), what the language side read (k, I), the goal vectors that it made of them
    (k, sub-goals), and their log-probabilities (k,).
    """

    text: np.ndarray
    inputs: np.ndarray
    wanted: np.ndarray
    logprob: np.ndarray


@dataclass
class Ended(Draw):
    """The same of windows that have ended, and what came of them: `closer`, by how much of the distance at
    the start seats came closer (eq. 7, from -1 to 1); `kept`, for which share of the time the whole goal
    held, by the share of its sub-goals that didn't at the start (eq. 8); whether it was `met` in the end;
    whether it wasn't at the start (`open`); what was in the end (k, sub-goals).
    """

    closer: np.ndarray
    kept: np.ndarray
    met: np.ndarray
    open: np.ndarray
    values: np.ndarray


class Telling:
    """Goals of games (n, seats), as brings.Asking: `tell(hand)` (k, sub-goals) makes goals of instructions
    for a `share` of the windows. Rewards and what windows came to are those of the game's own `asking`.
    """

    def __init__(
        self,
        game: str,
        asking: brings.Asking,
        shape: tuple[int, int],
        share: float,
        tell: Callable[[np.ndarray], Draw],
        read: int,
        rng: np.random.Generator,
    ) -> None:
        self.space, self.asking = brings.GoalSpace.of(game), asking
        self.share, self.tell, self.rng = share, tell, rng
        count, size = shape[0] * shape[1], len(self.space.SUBGOALS)
        self.rows, self.seats = (part.ravel().astype(np.int32) for part in np.indices(shape))
        self.text = np.full(count, -1, np.int32)  # -1: told nothing
        self.inputs = np.zeros((count, read), np.float32)
        self.wanted, self.values = (np.full((count, size), -1, np.int8) for _ in range(2))
        # Log-probability; distance at the start and now; steps, and those in which the goal held; the share
        # of its sub-goals that didn't hold at the start.
        self.numbers = np.zeros((6, count), np.float32)
        self.done: list[Ended] = []

    def renew(self, states: np.ndarray, world: np.ndarray, goals: np.ndarray, count: int) -> None:
        """Note how windows go, and begin others where one has ended."""
        asked, over = goals.reshape(len(self.text), -1), self.space.over(states, goals).ravel()
        self._look(states, world, asked, np.flatnonzero((self.text >= 0) & (over < 2)))
        if len(ended := np.flatnonzero((self.text >= 0) & (over > 0))):
            self.done.append(self._ended(ended))
        self.text[over > 0] = -1
        asked[over > 0] = 0
        if len(new := np.flatnonzero(over == 1)):
            self._begin(states, world, asked, new)

    def _look(self, states: np.ndarray, world: np.ndarray, asked: np.ndarray, at: np.ndarray) -> None:
        values = self.space.measured(states, world, self.rows[at], self.seats[at], asked[at])
        self.values[at] = values
        left = _distance(self.space.gaps(self.wanted[at], values), self.wanted[at])
        self.numbers[2, at] = left
        self.numbers[3, at] += 1
        self.numbers[4, at] += (left == 0) & (self.wanted[at] >= 0).any(1)

    def _ended(self, at: np.ndarray) -> Ended:
        logprob, first, last, steps, held, distinct = self.numbers[:, at]
        some = (self.wanted[at] >= 0).any(1)
        closer = np.clip((first - last) / np.maximum(first, LEAST), -1, 1) * (first > 0)
        drawn = self.text[at].copy(), self.inputs[at].copy(), self.wanted[at].copy(), logprob.copy()
        came = closer, distinct * held / np.maximum(steps, 1), (last == 0) & some, first > 0
        return Ended(*drawn, *came, self.values[at].copy())

    def _begin(self, states: np.ndarray, world: np.ndarray, asked: np.ndarray, new: np.ndarray) -> None:
        wanted = np.full((len(new), self.wanted.shape[1]), -1, np.int8)
        where = self.rows[new], self.seats[new]
        empty = self.space.ask(states, world, *where, wanted, self._word())
        hand = self.space.measured(states, world, *where, empty)
        is_told = self.rng.random(len(new)) < self.share
        told = new[is_told]
        if len(told):
            draw = self.tell(hand[is_told])
            wanted[is_told] = draw.wanted
            self.text[told], self.inputs[told], self.wanted[told] = draw.text, draw.inputs, draw.wanted
            self.numbers[:, told] = 0
            self.numbers[0, told] = draw.logprob
        asked[new] = self.space.ask(states, world, *where, wanted, self._word())
        if len(told):
            values = self.space.measured(states, world, self.rows[told], self.seats[told], asked[told])
            gaps, some = self.space.gaps(self.wanted[told], values), self.wanted[told] >= 0
            self.values[told] = values
            self.numbers[1, told] = self.numbers[2, told] = _distance(gaps, self.wanted[told])
            self.numbers[5, told] = (gaps > 0).sum(1) / np.maximum(1, some.sum(1))

    def _word(self) -> int:
        return int(self.rng.integers(1 << 31))

    def take(self) -> Ended:
        """The windows that have ended since the last time."""
        shape = self.inputs[:0], self.wanted[:0]
        none = np.zeros(0, np.float32)
        empty = Ended(self.text[:0], *shape, none, none, none, none > 0, none > 0, self.values[:0])
        done, self.done = [empty, *self.done], []
        return Ended(*(np.concatenate([getattr(one, own.name) for one in done]) for own in fields(Ended)))

    def reached(self, states: np.ndarray, world: np.ndarray, goals: np.ndarray) -> np.ndarray:
        """Equation 3, as the game has it."""
        return self.asking.reached(states, world, goals)

    def came_to(
        self, starts: np.ndarray, ends: np.ndarray, world: np.ndarray, seats: np.ndarray, word: int
    ) -> np.ndarray:
        """What windows came to, as the game has it."""
        return self.asking.came_to(starts, ends, world, seats, word)

    def figures(self) -> dict[str, float]:
        """None: the training draws what windows came to."""
        return {}

    def kept(self) -> dict[str, np.ndarray]:
        """What a training that goes on needs."""
        names = ("text", "inputs", "wanted", "values", "numbers")
        return {**self.asking.kept(), **{f"told_{name}": getattr(self, name) for name in names}}


def _distance(gaps: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The mean gap of the selected sub-goals, (k,)."""
    return gaps.sum(1) / np.maximum(1, (wanted >= 0).sum(1))


def by_dimensions(ended: Ended) -> dict[str, float]:
    """The share of goals that were met, of those that weren't at the start, by how many sub-goals they have
    ("4": four and more); of those that there were.
    """
    count = np.minimum((ended.wanted >= 0).sum(1), 4)
    found = {"": ended.open & (count > 0), **{f"_{n}": ended.open & (count == n) for n in range(1, 5)}}
    return {f"completion{name}": float(ended.met[some].mean()) for name, some in found.items() if some.any()}
