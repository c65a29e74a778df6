"""Local maps of Arena, made when somebody asks for them: 3 x 64 x 64 bytes around a seat, north up.

The first layer is altitude, the second what the ground is from above, the third who and what the seat knows
to be there. Stored with every step they would be 12 kB each; instead a rollout keeps x, y and the map's
number, from which `crops` gathers the two layers that never change. Not part of what observation.py writes.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import observation_ground as ground
from engine.games.arena import sight
from engine.games.arena import state as s
from engine.games.arena.world import CELLS, DOOR_CELL, KINDS, SIDE, TOPS

MAP_SIDE = 64  # cells of 1 m; the seat stands in cell (32, 32)
HALF = MAP_SIDE // 2
LAYERS = ("altitude", "aerial", "known")
OUTSIDE = 127  # the altitude beyond the map
KIND_STEP = 32  # between two kinds in the aerial layer; a door is the last kind
LAST_KIND = 7
# The third layer: what is drawn over what comes later in this list.
OWN, MATE, ENEMY, REMEMBERED, MONSTER, SUPPLY, WHITE, BLUE = 255, 224, 192, 160, 144, 128, 96, 64


def crops(world: np.ndarray, maps: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Altitude (eighths of a metre) and ground from above for many rows: uint8 (n, 2, 64, 64).

    `world` (maps, size); `maps` (n,) its rows, `x`, `y` (n,) positions in units.
    """
    maps, x, y = (np.asarray(values, np.int64) for values in (maps, x, y))
    steps = np.arange(MAP_SIDE) - HALF
    rows = (y >> 8)[:, None] + steps
    columns = (x >> 8)[:, None] + steps
    within = ((rows >= 0) & (rows < SIDE))[:, :, None] & ((columns >= 0) & (columns < SIDE))[:, None, :]
    cells = np.clip(rows, 0, SIDE - 1)[:, :, None] * SIDE + np.clip(columns, 0, SIDE - 1)[:, None, :]
    tops = world[maps[:, None, None], TOPS + cells]
    kinds = np.minimum(world[maps[:, None, None], KINDS + cells], LAST_KIND)
    layers = np.stack([np.where(within, tops, OUTSIDE), np.where(within, kinds, 0) * KIND_STEP], axis=1)
    return layers.astype(np.uint8)


def local_maps(state: np.ndarray, world: np.ndarray, seat: int) -> np.ndarray:
    """The maps around a seat: uint8 (3, 64, 64). Closed doors stand as high as walls.

    The third layer holds nothing that the seat's observation couldn't: its team, enemies in view, remembered
    places, monsters it sees or hears, supplies in the open within 25 m, and the edges of both circles.
    """
    me = s.player(seat)
    x, y = int(state[me + s.X]), int(state[me + s.Y])
    maps = np.zeros((3, MAP_SIDE, MAP_SIDE), np.uint8)
    maps[:2] = crops(world, np.array([state[s.MAP]]), np.array([x]), np.array([y]))[0]
    known = maps[2]
    corner_x, corner_y = (x >> 8) - HALF, (y >> 8) - HALF

    def mark(at_x: int, at_y: int, value: int) -> None:
        i, j = (at_x >> 8) - corner_x, (at_y >> 8) - corner_y
        if 0 <= i < MAP_SIDE and 0 <= j < MAP_SIDE:
            known[j, i] = max(int(known[j, i]), value)

    centres = (np.arange(MAP_SIDE) * 256 + 128)[None, :]
    across, down = centres + corner_x * 256, centres.T + corner_y * 256
    for circle, value in ((s.BLUE_X, BLUE), (s.WHITE_X, WHITE)):
        far = np.hypot(across - int(state[circle]), down - int(state[circle + 1]))
        known[np.abs(far - int(state[circle + 2])) <= 181] = value
    team = int(state[me + s.TEAM])
    for number in range(s.SUPPLIES):
        at = s.SUPPLY + 4 * number
        if int(state[at]) and _shown(state, world, seat, int(state[at + 2]), int(state[at + 3])):
            mark(int(state[at + 2]), int(state[at + 3]), SUPPLY)
    monster = int(ground.nearest_monster(state, world, seat))
    if monster >= 0:
        at = s.MONSTER + s.MONSTER_SIZE * monster
        mark(int(state[at + s.M_X]), int(state[at + s.M_Y]), MONSTER)
    for other in range(int(state[s.SEATS])):
        at = s.player(other)
        if int(state[at + s.LIFE]) == s.OUT:
            continue
        if int(state[at + s.TEAM]) == team:
            mark(int(state[at + s.X]), int(state[at + s.Y]), OWN if other == seat else MATE)
        elif s.sees(state, seat, other):
            mark(int(state[at + s.X]), int(state[at + s.Y]), ENEMY)
        elif sight.knows(state, team, other) < sight.FORGOTTEN:
            entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
            mark(int(state[entry + 1]), int(state[entry + 2]), REMEMBERED)
    _close_doors(state, world, maps[0], corner_x, corner_y)
    return maps


def _shown(state: np.ndarray, world: np.ndarray, seat: int, x: int, y: int) -> bool:
    me = s.player(seat)
    far = (x - int(state[me + s.X])) ** 2 + (y - int(state[me + s.Y])) ** 2
    if far > ground.SUPPLY_SEEN**2:
        return False
    z = int(ground.top(state, world, (y >> 8) * SIDE + (x >> 8)))
    return far <= ground.SUPPLY_NEAR**2 or bool(ground.clear(state, world, seat, x, y, z + 60))


def _close_doors(
    state: np.ndarray, world: np.ndarray, altitude: np.ndarray, corner_x: int, corner_y: int
) -> None:
    """Raise the doors that are closed, as far as the seat hears of doors."""
    row = world[int(state[s.MAP])]
    kinds = row[KINDS : KINDS + CELLS].reshape(SIDE, SIDE)
    for j, i in np.argwhere(kinds >= DOOR_CELL):
        if abs(i - corner_x - HALF) < 15 and abs(j - corner_y - HALF) < 15:
            altitude[j - corner_y, i - corner_x] = ground.top(state, world, j * SIDE + i) // 32
