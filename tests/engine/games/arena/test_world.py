"""The maps of Arena: the same from the same seed, sound, open and varied."""

from __future__ import annotations

import hashlib
from collections import deque

import numpy as np
import pytest

from engine.games.arena import world as w
from engine.games.arena.state import CELLS, DOORS, SIDE

SEEDS = (0, 1, 7, 12345, 2**31 - 1)


def kinds(seed: int) -> np.ndarray:
    return w.make_map(seed)[w.KINDS : w.KINDS + CELLS].reshape(SIDE, SIDE)


def tops(seed: int) -> np.ndarray:
    return w.make_map(seed)[:CELLS].reshape(SIDE, SIDE).astype(int)


def test_a_seed_gives_the_same_map_always() -> None:
    assert hashlib.sha256(w.make_map.__wrapped__(7).tobytes()).digest() == (
        hashlib.sha256(w.make_map(7).tobytes()).digest()
    )
    assert len({w.make_map(seed).tobytes() for seed in SEEDS}) == len(SEEDS)
    with pytest.raises(ValueError, match="read-only"):
        w.make_map(7)[0] = 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_map_has_everything_within_its_bounds(seed: int) -> None:
    row, ground = w.make_map(seed), kinds(seed)
    assert row.dtype == np.int8 and row.shape == (w.WORLD_SIZE,)
    assert tops(seed).min() >= 0
    for kind in (w.OPEN, w.WATER, w.BUSH, w.COVER, w.WALL, w.ROCK, w.FLOOR):
        assert (ground == kind).any()
    edge = np.ones((SIDE, SIDE), bool)
    edge[w.BORDER : -w.BORDER, w.BORDER : -w.BORDER] = False
    assert (ground[edge] == w.ROCK).all() and tops(seed)[edge].min() > 90
    doors = int(row[w.DOOR_COUNT])
    assert 8 <= doors <= DOORS
    for door in range(doors):
        x, y = row[w.DOOR_SPOTS + 2 * door : w.DOOR_SPOTS + 2 * door + 2]
        assert ground[y, x] == w.DOOR_CELL + door
    spots = row[w.SPOT : w.SPOT + 3 * int(row[w.SPOT_COUNT])].reshape(-1, 3)
    assert len(spots) > 80 and all(ground[y, x] in (w.OPEN, w.FLOOR) for x, y, _ in spots)
    dens = row[w.DEN : w.DEN + 2 * w.DENS].reshape(-1, 2)
    assert all(ground[y, x] == w.OPEN for x, y in dens)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_spot_can_be_reached_on_foot(seed: int) -> None:
    ground, height = kinds(seed), tops(seed)
    walkable = ~np.isin(ground, (w.WALL, w.ROCK, w.COVER))
    row = w.make_map(seed)
    spots = row[w.SPOT : w.SPOT + 3 * int(row[w.SPOT_COUNT])].reshape(-1, 3)
    reached = np.zeros((SIDE, SIDE), bool)
    queue = deque([(int(spots[-1][1]), int(spots[-1][0]))])
    reached[queue[0]] = True
    while queue:
        j, i = queue.popleft()
        for b, a in ((j + 1, i), (j - 1, i), (j, i + 1), (j, i - 1)):
            if walkable[b, a] and not reached[b, a] and abs(height[b, a] - height[j, i]) <= 3:
                reached[b, a] = True
                queue.append((b, a))
    assert all(reached[y, x] for x, y, _ in spots)
    assert reached.sum() > 0.6 * CELLS
