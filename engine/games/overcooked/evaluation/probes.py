"""Probes of a cook who is told one thing: go, bring, place, and a sequence of two. See
engine.evaluation.probes.

Success is read off the events and places of the record; progress, what simulated annotators go by, off what
the cook holds and has done.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.evaluation.measures import Measure
from engine.evaluation.probes import Probe, climbing
from engine.games.overcooked import planner, rules

STANDS = 8
"""Ticks in one place that count as having gone there."""
PATIENCE = 30
"""Ticks without getting further after which whoever watches is displeased."""
HELD_FIRST, HELD_WRONG = 0.5, -0.5


def _fields(states: np.ndarray, first: int, seats: int) -> np.ndarray:
    """(n, seats) of a field by seat."""
    return states[:, first : first + seats].astype(int)


def did(after: np.ndarray, seats: int, event: int, item: int | None = None) -> np.ndarray:
    """Which seats did this in the last tick, with such a thing: bool (n, seats)."""
    happened = _fields(after, rules.EVENT, seats) == event
    return happened if item is None else happened & (_fields(after, rules.EVENT_ITEM, seats) == item)


def beside(after: np.ndarray, seats: int, kind: int) -> np.ndarray:
    """Which seats stand next to a station of a kind: bool (n, seats)."""
    places, width = _fields(after, rules.POSITION, seats), after[:, rules.WIDTH].astype(int)[:, None]
    rows = np.arange(len(after))[:, None]
    near = [after[rows, rules.GRID + places + step] & 7 == kind for step in (1, -1, width, -width)]
    return np.logical_or.reduce(near)


def stayed(after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """For how many ticks on end each seat has stood by the dishes; the first number of its memory."""
    memory[..., 0] = np.where(beside(after, memory.shape[1], rules.DISHES), memory[..., 0] + 1, 0)
    return memory[..., 0]


def went(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Success: it has stayed by the dishes."""
    return 1.0 * (stayed(after, memory) == STANDS)


def placed(item: int) -> Measure:
    """Success: it has put one on a counter."""
    return Measure(lambda before, after, memory: 1.0 * did(after, memory.shape[1], rules.PLACE_COUNTER, item))


def both(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Success: an onion put in a pot, and after that a plate on a counter. Remembers how many are done."""
    seats, part = memory.shape[1], memory[..., 0]
    was = part.copy()
    part += (was == 0) & did(after, seats, rules.PUT_POT, rules.ONION)
    part += (was == 1) & did(after, seats, rules.PLACE_COUNTER, rules.DISH)
    return 1.0 * ((part == 2) & (was < part))


def going(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """How far: 1 by the dishes, up to 2 for staying."""
    stays = stayed(after, memory)
    return np.minimum(2.0, (stays > 0) + stays / STANDS)


def placing(item: int) -> Measure:
    """How far with putting one on a counter: having it, then having done it; anything else in hand is a
    mistake.
    """

    def level(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        seats = memory.shape[1]
        held = _fields(after, rules.HELD, seats)
        memory[..., 0] += did(after, seats, rules.PLACE_COUNTER, item)
        having = np.where(held == item, HELD_FIRST, np.where(held == rules.NOTHING, 0.0, HELD_WRONG))
        return np.where(memory[..., 0] > 0, 1.5, having)

    return climbing(level, 1.5, PATIENCE, 1)


def sequencing(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """How far with one after the other: a mark for each that is done, half of one for having the next."""
    both(before, after, memory)
    part, held = memory[..., 0], _fields(after, rules.HELD, memory.shape[1])
    following = np.where(part == 0, rules.ONION, rules.DISH)
    having = np.where(held == following, HELD_FIRST, np.where(held == rules.NOTHING, 0.0, HELD_WRONG))
    return part + np.where(part < 2, having, 0.0)


def reaches(*kinds: int) -> Callable[[np.ndarray, int], bool]:
    """Whether a seat can stand next to stations of all these kinds."""

    def able(state: np.ndarray, seat: int) -> bool:
        return all(
            any(planner.reachable(state, seat, cell) for cell in planner.stations(state, kind))
            for kind in kinds
        )

    return able


PROBES = (
    Probe(
        "go",
        "go to the plates",
        60,
        Measure(went, 1),
        climbing(going, 2.0, PATIENCE, 1),
        able=reaches(rules.DISHES),
    ),
    Probe(
        "bring",
        "put an onion on a counter",
        60,
        placed(rules.ONION),
        placing(rules.ONION),
        able=reaches(rules.ONIONS),
    ),
    Probe(
        "place",
        "get a plate and put it on a counter",
        60,
        placed(rules.DISH),
        placing(rules.DISH),
        able=reaches(rules.DISHES),
    ),
    Probe(
        "sequence",
        "put an onion in the pot, then put a plate on a counter",
        100,
        Measure(both, 1),
        climbing(sequencing, 2.0, PATIENCE, 1),
        able=reaches(rules.ONIONS, rules.POT, rules.DISHES),
    ),
)
