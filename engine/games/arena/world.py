"""The maps of Arena: made from a seed, the same everywhere, shared by all matches that are played on them.

A map is a row of bytes: the height of every cell (its top, in eighths of a metre), what it is (OPEN,
WATER, …, DOOR + number), then the doors, the spots where supplies may lie and where monsters live. It
never changes; that a door stands open is in the match's record. Signed bytes, because numba makes floats
of unsigned and signed.

`world(options)` gives the maps of a match or batch; the scalar functions read a cell. Not for: drawing.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

import numpy as np

from engine.games.arena.state import CELLS, DOOR, DOORS, MAP, SIDE
from engine.simulation.jit import rule
from engine.simulation.rng import key_from_seed, random32

OPEN, WATER, BUSH, COVER, WALL, ROCK, FLOOR = range(7)
DOOR_CELL = 64  # + the door's number
STEP_HEIGHT = 32  # units in an eighth of a metre
COVER_TOP, BUSH_TOP, WALL_TOP, ROCK_TOP = 8, 11, 24, 20  # eighths of a metre above the ground
BORDER = 2  # cells of rock around the map
SPOTS = 120
DENS = 16

# The row of a map.
TOPS = 0
KINDS = CELLS
DOOR_COUNT = 2 * CELLS
DOOR_SPOTS = DOOR_COUNT + 1  # x, y
SPOT_COUNT = DOOR_SPOTS + 2 * DOORS
SPOT = SPOT_COUNT + 1  # x, y, 1 indoors
DEN = SPOT + 3 * SPOTS  # x, y
WORLD_SIZE = DEN + 2 * DENS
POOL = 16  # maps of a batch without a map seed


@rule
def top(state, world, cell):
    """The height (units) on which one could stand in a cell: ground, or what stands on it."""
    row = int(state[MAP])
    kind = int(world[row, KINDS + cell])
    ground = int(world[row, cell]) * STEP_HEIGHT
    if kind >= DOOR_CELL and int(state[DOOR + kind - DOOR_CELL]) == 0:
        return ground + WALL_TOP * STEP_HEIGHT
    return ground


@rule
def opaque(state, world, cell):
    """The height (units) below which nobody sees through a cell: as `top`, and bushes."""
    row = int(state[MAP])
    kind = int(world[row, KINDS + cell])
    ground = int(world[row, cell]) * STEP_HEIGHT
    if kind == BUSH:
        return ground + BUSH_TOP * STEP_HEIGHT
    if kind >= DOOR_CELL and int(state[DOOR + kind - DOOR_CELL]) == 0:
        return ground + WALL_TOP * STEP_HEIGHT
    return ground


@rule
def kind_at(state, world, x, y):
    """What the cell under a point is."""
    return int(world[int(state[MAP]), KINDS + (y >> 8) * SIDE + (x >> 8)])


class _Draws:
    """Whole numbers from a map's seed."""

    def __init__(self, seed: int) -> None:
        self.key = key_from_seed(seed)
        self.count = 0

    def below(self, bound: int) -> int:
        self.count += 1
        return (int(random32(*self.key, self.count)) * bound) >> 32

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)


def _noise(draws: _Draws, cell: int, amplitude: int) -> np.ndarray:
    """Value noise with a lattice of `cell` cells, bilinear: int (SIDE, SIDE) in 0 .. amplitude * cell**2."""
    size = SIDE // cell + 1
    lattice = np.array([[draws.below(amplitude + 1) for _ in range(size)] for _ in range(size)], np.int64)
    at = np.arange(SIDE)
    low, part = at // cell, at % cell
    rows = lattice[low] * (cell - part)[:, None] + lattice[low + 1] * part[:, None]
    return rows[:, low] * (cell - part)[None, :] + rows[:, low + 1] * part[None, :]


class _Plan:
    """A map while it is made."""

    def __init__(self, seed: int) -> None:
        self.draws = _Draws(seed)
        hills = _noise(self.draws, 32, 40) // 32**2 + _noise(self.draws, 16, 14) // 16**2
        self.ground = np.clip(hills, 8, 60)
        self.kind = np.full((SIDE, SIDE), OPEN, np.int64)
        self.added = np.zeros((SIDE, SIDE), np.int64)
        self.doors: list[tuple[int, int]] = []
        self.indoors: list[tuple[int, int, int, int]] = []
        self.lakes()
        for _ in range(60):
            if len(self.indoors) < 16:
                self.house()
        self.rocks()
        self.covers()
        self.bushes()
        self.border()
        self.open_up()

    def lakes(self) -> None:
        """Water lies in the hollows, level."""
        level = int(np.sort(self.ground, axis=None)[CELLS // 14])
        wet = self.ground <= level
        self.kind[wet] = WATER
        self.ground[wet] = level

    def free(self, x: int, y: int, width: int, height: int) -> bool:
        """Whether a rectangle lies inside the map on open, dry ground."""
        if x < 5 or y < 5 or x + width > SIDE - 5 or y + height > SIDE - 5:
            return False
        return bool((self.kind[y : y + height, x : x + width] == OPEN).all())

    def put(self, x: int, y: int, kind: int, height: int) -> None:
        self.kind[y, x] = kind
        self.added[y, x] = height

    def house(self) -> None:
        """Four walls with windows, doors on two or three sides and perhaps a wall inside; no roof."""
        draws = self.draws
        width, height = draws.between(7, 12), draws.between(6, 10)
        x, y = draws.below(SIDE - width), draws.below(SIDE - height)
        if not self.free(x - 2, y - 2, width + 4, height + 4):
            return
        level = int(np.median(self.ground[y : y + height, x : x + width]))
        self.ground[y - 1 : y + height + 1, x - 1 : x + width + 1] = level
        self.kind[y : y + height, x : x + width] = FLOOR
        for i in range(width):
            for j in (0, height - 1):
                self.put(x + i, y + j, WALL, WALL_TOP)
        for j in range(height):
            for i in (0, width - 1):
                self.put(x + i, y + j, WALL, WALL_TOP)
        sides = [
            (x + 2 + draws.below(width - 4), y),
            (x + 2 + draws.below(width - 4), y + height - 1),
            (x, y + 2 + draws.below(height - 4)),
            (x + width - 1, y + 2 + draws.below(height - 4)),
        ]
        first = draws.below(4)
        for number in range(2 + draws.below(2)):
            self.door(*sides[(first + number) % 4])
        if width >= 9:
            middle = x + width // 2
            for j in range(1, height - 1):
                if self.kind[y + j, middle] == FLOOR:
                    self.put(middle, y + j, WALL, WALL_TOP)
            gap = y + 1 + draws.below(height - 2)
            self.put(middle, gap, FLOOR, 0)
        for i in range(2, width - 2, 3):
            for j in (0, height - 1):
                if self.kind[y + j, x + i] == WALL and draws.below(2):
                    self.put(x + i, y + j, COVER, COVER_TOP)  # a window, one may shoot and climb through it
        self.indoors.append((x, y, width, height))

    def door(self, x: int, y: int) -> None:
        if len(self.doors) < DOORS:
            self.put(x, y, DOOR_CELL + len(self.doors), 0)
            self.doors.append((x, y))

    def rocks(self) -> None:
        for _ in range(110):
            x, y = self.draws.below(SIDE), self.draws.below(SIDE)
            width, height = self.draws.between(1, 3), self.draws.between(1, 3)
            if self.free(x - 1, y - 1, width + 2, height + 2):
                for i in range(width):
                    for j in range(height):
                        self.put(x + i, y + j, ROCK, ROCK_TOP)

    def covers(self) -> None:
        """Low walls, two to five metres long."""
        for _ in range(160):
            x, y, long = self.draws.below(SIDE), self.draws.below(SIDE), self.draws.between(2, 5)
            along = self.draws.below(2)
            width, height = (long, 1) if along else (1, long)
            if self.free(x - 1, y - 1, width + 2, height + 2):
                for i in range(width):
                    for j in range(height):
                        self.put(x + i, y + j, COVER, COVER_TOP)

    def bushes(self) -> None:
        for _ in range(120):
            x, y = self.draws.below(SIDE), self.draws.below(SIDE)
            for _ in range(self.draws.between(3, 9)):
                i = x + self.draws.below(4)
                j = y + self.draws.below(4)
                if self.free(i, j, 1, 1):
                    self.kind[j, i] = BUSH

    def border(self) -> None:
        edge = np.ones((SIDE, SIDE), bool)
        edge[BORDER:-BORDER, BORDER:-BORDER] = False
        self.kind[edge] = ROCK
        self.added[edge] = 4 * WALL_TOP

    def open_up(self) -> None:
        """What can't be reached on foot from the largest walkable part becomes rock."""
        walkable = self.kind != WALL
        walkable &= self.kind != ROCK
        walkable &= self.kind != COVER
        part = np.zeros((SIDE, SIDE), np.int64)
        sizes = [0]
        for y, x in np.argwhere(walkable):
            if part[y, x]:
                continue
            number = len(sizes)
            part[y, x] = number
            queue, size = deque([(y, x)]), 0
            while queue:
                j, i = queue.popleft()
                size += 1
                for b, a in ((j + 1, i), (j - 1, i), (j, i + 1), (j, i - 1)):
                    step = abs(int(self.ground[b, a]) - int(self.ground[j, i]))
                    if walkable[b, a] and not part[b, a] and step <= 3:
                        part[b, a] = number
                        queue.append((b, a))
            sizes.append(size)
        lost = walkable & (part != int(np.argmax(sizes)))
        lost &= self.kind < DOOR_CELL
        self.kind[lost] = ROCK
        self.added[lost] = ROCK_TOP

    def row(self) -> np.ndarray:
        """The map as bytes (WORLD_SIZE,)."""
        row = np.zeros(WORLD_SIZE, np.int8)
        row[TOPS:CELLS] = np.clip(self.ground + self.added, 0, 127).reshape(-1)
        row[KINDS : 2 * CELLS] = self.kind.reshape(-1)
        row[DOOR_COUNT] = len(self.doors)
        for number, (x, y) in enumerate(self.doors):
            row[DOOR_SPOTS + 2 * number : DOOR_SPOTS + 2 * number + 2] = x, y
        spots = []
        for x, y, width, height in self.indoors:
            for _ in range(6):
                spots.append((x + 1 + self.draws.below(width - 2), y + 1 + self.draws.below(height - 2), 1))
        for _ in range(2000):
            spots.append((self.draws.between(4, SIDE - 5), self.draws.between(4, SIDE - 5), 0))
        taken: dict[tuple[int, int], int] = {}
        for x, y, inside in spots:
            if self.kind[y, x] in (OPEN, FLOOR) and len(taken) < SPOTS:
                taken.setdefault((x, y), inside)
        row[SPOT_COUNT] = len(taken)
        for number, ((x, y), inside) in enumerate(taken.items()):
            row[SPOT + 3 * number : SPOT + 3 * number + 3] = x, y, inside
        dens = 0
        while dens < DENS:
            x, y = self.draws.between(6, SIDE - 7), self.draws.between(6, SIDE - 7)
            if self.kind[y, x] == OPEN:
                row[DEN + 2 * dens : DEN + 2 * dens + 2] = x, y
                dens += 1
        return row


@lru_cache(maxsize=64)
def make_map(seed: int) -> np.ndarray:
    """The map of a seed (0 .. 2**31 - 1): int8 (WORLD_SIZE,), read-only."""
    row = _Plan(seed).row()
    row.flags.writeable = False
    return row


@lru_cache(maxsize=8)
def world_of(seeds: tuple[int, ...]) -> np.ndarray:
    """The maps of these seeds, a row each: int8 (maps, WORLD_SIZE), read-only."""
    rows = np.stack([make_map(seed) for seed in seeds])
    rows.flags.writeable = False
    return rows
