"""Ways through a kitchen: shortest paths on any layout, with the other cooks in the way or out of it.

One state record in, plain numbers out; nothing is kept but tables of layouts. For language and for bots:

- `distances(state)`, `hops(state)`: ticks between floor cells, and from using one station to using another;
- `stations(state, kind)`, `reachable(state, seat, cell)`, `ticks_to(state, seat, cell)`.

A *target* is a cell: to use a station is to stand next to it, look at it and interact; to reach a floor cell
is to stand on it. The ticks of a way count moves and turns; the interaction at its end is one more. Not here:
who does what (`jobs`), who makes way for whom (`traffic`).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.games.overcooked.rules import (
    FACING,
    FLOOR,
    GRID,
    HEIGHT,
    MAX_CELLS,
    POSITION,
    STAY,
    WIDTH,
    neighbour,
    terrain,
)
from engine.simulation.jit import inner, njit, rule

FAR = 9999  # ticks of a way that doesn't exist


@rule
def beside(state, cell, direction):
    """The cell next to any cell in a direction, -1 outside the kitchen."""
    width = int(state[WIDTH])
    column = cell % width
    if direction == 0:
        return cell - width if cell >= width else -1
    if direction == 1:
        return cell + width if cell + width < width * int(state[HEIGHT]) else -1
    if direction == 2:
        return cell + 1 if column < width - 1 else -1
    return cell - 1 if column > 0 else -1


@rule
def opposite(direction):
    """North for south, east for west."""
    return direction ^ 1


@rule
def spread(state, field, blocked, queue, head, tail):
    """Breadth first from the cells in the queue (their `field` set) over floor that isn't blocked."""
    while head < tail:
        cell = int(queue[head])
        head += 1
        for direction in range(4):
            there = neighbour(state, cell, direction)
            if terrain(state, there) == FLOOR and field[there] == FAR and blocked[there] == 0:
                field[there] = field[cell] + 1
                queue[tail] = there
                tail += 1


@rule
def way(state, targets, blocked, field, queue):
    """Fill `field` (cells,): ticks from each floor cell until a target is looked at, or stood on, whatever
    the cook looks at first (`ticks_from` knows better where it looks at a target already). `targets` and
    `blocked` (cells,) are 1 at target cells and at floor cells that can't be entered. `queue` is scratch.
    """
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    tail = 0
    for cell in range(cells):
        field[cell] = FAR
    for cell in range(cells):
        if targets[cell] != 0 and terrain(state, cell) == FLOOR:
            field[cell] = 0
            queue[tail] = cell
            tail += 1
    near = tail
    for cell in range(cells):
        if targets[cell] == 0 or terrain(state, cell) == FLOOR:
            continue
        for direction in range(4):
            access = beside(state, cell, direction)
            if access < 0 or terrain(state, access) != FLOOR or blocked[access] != 0:
                continue
            if field[access] == FAR:  # one turn
                field[access] = 1
                queue[tail] = access
                tail += 1
            behind = neighbour(state, access, direction)
            # Walking on towards the station, a cook looks at it when it arrives.
            if terrain(state, behind) == FLOOR and field[behind] == FAR and blocked[behind] == 0:
                field[behind] = 1
                queue[tail] = behind
                tail += 1
    # Cells at 0 come first in the queue and those at 1 after them, so the order is right.
    _spread_mixed(state, field, blocked, queue, near, tail)


@inner
def _spread_mixed(state, field, blocked, queue, zeros, tail):
    """`spread` from a queue of `zeros` cells at 0 followed by cells at 1."""
    for index in range(zeros):
        cell = int(queue[index])
        for direction in range(4):
            there = neighbour(state, cell, direction)
            if terrain(state, there) == FLOOR and field[there] == FAR and blocked[there] == 0:
                field[there] = 1
                queue[tail] = there
                tail += 1
    spread(state, field, blocked, queue, zeros, tail)


@rule
def reach(state, seat, blocked, field, queue, near):
    """Fill near[cell]: ticks until a cook looks at a station or stands on a floor cell, where it can't enter
    `blocked`. `field` and `queue` are scratch.
    """
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    here = int(state[POSITION + seat])
    for cell in range(cells):
        field[cell] = FAR
    field[here] = 0
    queue[0] = here
    spread(state, field, blocked, queue, 0, 1)
    for cell in range(cells):
        if terrain(state, cell) == FLOOR:
            near[cell] = field[cell]
            continue
        near[cell] = FAR
        for direction in range(4):
            access = beside(state, cell, direction)
            if access < 0 or terrain(state, access) != FLOOR or field[access] >= FAR:
                continue
            behind = neighbour(state, access, direction)
            straight = terrain(state, behind) == FLOOR and field[behind] + 1 == field[access]
            turn = 0 if straight else 1
            if access == here and neighbour(state, here, int(state[FACING + seat])) == cell:
                turn = 0
            near[cell] = min(int(near[cell]), int(field[access]) + turn)


@inner
def ticks_from(state, field, targets, cell, facing):
    """Ticks from a pose until a target is looked at or stood on; `field` as `way` fills it."""
    if targets[neighbour(state, cell, facing)] != 0:
        ahead = neighbour(state, cell, facing)
        if terrain(state, ahead) != FLOOR:
            return 0
    return int(field[cell])


@rule
def after(state, cell, action, blocked):
    """The cell where a cook stands after an action, others standing where `blocked` is 1."""
    if action >= STAY:
        return cell
    there = neighbour(state, cell, action)
    return there if terrain(state, there) == FLOOR and blocked[there] == 0 else cell


@njit
def _distances(state, table):
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    nobody = np.zeros(MAX_CELLS, np.uint8)
    queue = np.empty(MAX_CELLS, np.int16)
    for first in range(cells):
        for cell in range(cells):
            table[first, cell] = FAR
        if terrain(state, first) == FLOOR:
            table[first, first] = 0
            queue[0] = first
            spread(state, table[first], nobody, queue, 0, 1)


@njit
def _hops(state, table):
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    nobody = np.zeros(MAX_CELLS, np.uint8)
    targets = np.zeros(MAX_CELLS, np.uint8)
    queue = np.empty(MAX_CELLS, np.int16)
    field = np.empty(MAX_CELLS, np.int16)
    for last in range(cells):
        targets[last] = 1
        way(state, targets, nobody, field, queue)
        for first in range(cells):
            table[first, last] = FAR
            if terrain(state, first) == FLOOR:
                table[first, last] = field[first]
                continue
            for direction in range(4):
                access = beside(state, first, direction)
                if access >= 0 and terrain(state, access) == FLOOR:
                    ticks = ticks_from(state, field, targets, access, opposite(direction))
                    table[first, last] = min(int(table[first, last]), ticks)
        targets[last] = 0


@lru_cache(maxsize=256)
def _tables(head: bytes, grid: bytes) -> tuple[np.ndarray, np.ndarray]:
    width, height = np.frombuffer(head, np.int16)
    state = np.zeros(GRID + MAX_CELLS, np.int16)
    state[WIDTH], state[HEIGHT] = width, height
    state[GRID : GRID + len(grid) // 2] = np.frombuffer(grid, np.int16)
    cells = int(width) * int(height)
    tables = np.empty((cells, cells), np.int16), np.empty((cells, cells), np.int16)
    _distances(state, tables[0])
    _hops(state, tables[1])
    for table in tables:
        table.flags.writeable = False
    return tables


def tables(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(`distances`, `hops`) of the layout of a record; cached by layout."""
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    head = np.asarray(state[WIDTH : HEIGHT + 1], np.int16).tobytes()
    return _tables(head, np.asarray(state[GRID : GRID + cells], np.int16).tobytes())


def kitchens(states: np.ndarray) -> list[np.ndarray]:
    """The rows of each layout among records; nearly always there is one."""
    if len(states) == 1:
        return [np.arange(1)]
    plans = np.ascontiguousarray(states[:, [WIDTH, HEIGHT, *range(GRID, GRID + MAX_CELLS)]])
    if (plans == plans[:1]).all():
        return [np.arange(len(states))] if len(states) else []
    rows_of: dict[bytes, list[int]] = {}
    for row, plan in enumerate(plans):
        rows_of.setdefault(plan.tobytes(), []).append(row)
    return [np.array(rows) for rows in rows_of.values()]


def distances(state: np.ndarray) -> np.ndarray:
    """(cells, cells) int16: moves from floor cell to floor cell in an empty kitchen; FAR if there's none."""
    return tables(state)[0]


def hops(state: np.ndarray) -> np.ndarray:
    """(cells, cells) int16: ticks from having used one station (or standing on a floor cell) until looking at
    another one (standing on another) in an empty kitchen; FAR if there's no way.
    """
    return tables(state)[1]


def stations(state: np.ndarray, kind: int) -> list[int]:
    """The cells of a kind (rules.POT, …), from left to right and then from top to bottom."""
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    stations_of = np.flatnonzero((np.asarray(state[GRID : GRID + cells]) & 7) == kind)
    return sorted(stations_of.tolist(), key=lambda cell: (cell % int(state[WIDTH]), cell))


def ticks_to(state: np.ndarray, seat: int, cell: int) -> int:
    """Ticks until a cook looks at a station, or stands on a floor cell, in a kitchen without others; FAR."""
    here, facing = int(state[POSITION + seat]), int(state[FACING + seat])
    if neighbour(state, here, facing) == cell and terrain(state, cell) != FLOOR:
        return 0
    return int(hops(state)[here, cell])


def reachable(state: np.ndarray, seat: int, cell: int) -> bool:
    """Whether a cook can ever stand on a floor cell or use a station."""
    return ticks_to(state, seat, cell) < FAR
