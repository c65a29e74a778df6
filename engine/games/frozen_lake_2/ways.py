"""Where cells are and which ways lead there, in plain Python: for following (language/) and planning.
Scripted players have the same compiled (bots.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

import numpy as np

from . import rules

Cell = int


def ice(state: np.ndarray) -> frozenset[Cell]:
    """The cells that are no holes."""
    size = int(state[rules.SIZE])
    cells = (y * rules.SIDE + x for y in range(size) for x in range(size))
    return frozenset(cell for cell in cells if int(state[rules.GRID + cell]) == rules.ICE)


def beside(cell: Cell, action: int) -> Cell:
    """The cell that a step leads to, off the lake too: -1 where even the record ends."""
    x, y = cell % rules.SIDE, cell // rules.SIDE
    x += (action == rules.RIGHT) - (action == rules.LEFT)
    y += (action == rules.DOWN) - (action == rules.UP)
    return y * rules.SIDE + x if 0 <= x < rules.SIDE and 0 <= y < rules.SIDE else -1


def distances(goals: Iterable[Cell], free: Collection[Cell]) -> dict[Cell, int]:
    """Steps to the nearest goal from each of the `free` cells from which a way leads there."""
    found = {goal: 0 for goal in goals if goal in free}
    waiting = deque(found)
    while waiting:
        cell = waiting.popleft()
        for action in range(rules.STAY):
            other = beside(cell, action)
            if other in free and other not in found:
                found[other] = found[cell] + 1
                waiting.append(other)
    return found


def way(start: Cell, goals: Iterable[Cell], free: Collection[Cell]) -> list[Cell] | None:
    """The cells of a shortest way, without its start; None where there is none."""
    far = distances(goals, {*free, start})
    if start not in far:
        return None
    cells: list[Cell] = []
    here = start
    while far[here]:
        here = next(
            other for action in range(rules.STAY) if far.get(other := beside(here, action)) == far[here] - 1
        )
        cells.append(here)
    return cells
