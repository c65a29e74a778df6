"""Probes of a player who is told a convention: kinds of hints, what to discard, what to play. See
engine.evaluation.probes.

Success is twice what was asked for within the time, and not more than one thing else for every three of
those; progress counts each as a mark up or down, and losing patience.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.evaluation.measures import Measure
from engine.evaluation.probes import IMPATIENT, Probe
from engine.games.hanabi import rules

TICKS = 40
RIGHT, WRONG = 1 / 2, -3 / 2
PATIENCE = 6
"""Moves of a seat without what was asked for after which whoever watches is displeased."""
Judge = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _mover(after: np.ndarray, seats: int) -> np.ndarray:
    """Who moved last: bool (n, seats)."""
    return after[:, rules.LAST_SEAT, None] == np.arange(seats)


def _either(after: np.ndarray, seats: int, right: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """1 where a seat's last move was right (n,), -1 where it was wrong, else 0: (n, seats)."""
    return _mover(after, seats) * (1.0 * right - wrong)[:, None]


def hints_of(kind: int, other: int) -> Judge:
    """Hints of one kind and not of the other."""

    def judge(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        last = after[:, rules.LAST_KIND]
        return _either(after, memory.shape[1], last == kind, last == other)

    return judge


def discards_oldest(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Discards of the oldest card, and of no other."""
    discarded, oldest = after[:, rules.LAST_KIND] == rules.DISCARD, after[:, rules.LAST_SLOT] == 0
    return _either(after, memory.shape[1], discarded & oldest, discarded & ~oldest)


def plays_hinted(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """After a hint by seat 0, playing one of the cards that it touched at the next move. Remembers which
    slots those are, as bits.
    """
    seats, every = memory.shape[1], np.arange(len(after))
    mover, slots = _mover(after, seats), memory[..., 0].astype(int)
    played = after[:, rules.LAST_KIND] == rules.PLAY
    slot = np.where(played, 1 << np.maximum(0, after[:, rules.LAST_SLOT]).astype(int), 0)
    due = mover & (slots > 0)
    gained = np.where(due, np.where(slots & slot[:, None], 1.0, -1.0), 0.0)
    memory[..., 0] = np.where(mover, 0, slots)
    target = after[:, rules.LAST_TARGET].astype(int)
    hinted = (after[:, rules.LAST_SEAT] == 0) & (target >= 0)
    memory[every[hinted], target[hinted], 0] = after[hinted, rules.LAST_TOUCHED]
    return gained


def enough(judge: Judge) -> Measure:
    """Success: adds up to 1 once it was right twice, and three times more for everything wrong."""

    def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        gained = judge(before, after, memory)
        return RIGHT * (gained > 0) + WRONG * (gained < 0)

    return Measure(gains, 1)


def counting(judge: Judge) -> Measure:
    """Progress: what is right and what is wrong, and patience, in the seat's own moves."""

    def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        gained = judge(before, after, memory[..., 1:])
        waited = np.where(gained > 0, 0, memory[..., 0] + _mover(after, memory.shape[1]))
        memory[..., 0] = np.where(waited >= PATIENCE, 0, waited)
        return gained + IMPATIENT * (waited >= PATIENCE)

    return Measure(gains, 2)


def _probe(name: str, text: str, judge: Judge) -> Probe:
    return Probe(name, text, TICKS, enough(judge), counting(judge))


PROBES = (
    _probe("colours", "only hint colours", hints_of(rules.HINT_COLOR, rules.HINT_RANK)),
    _probe("ranks", "only hint ranks", hints_of(rules.HINT_RANK, rules.HINT_COLOR)),
    _probe("oldest", "discard your oldest card", discards_oldest),
    _probe("hinted", "if I hint you a card, play it", plays_hinted),
)
