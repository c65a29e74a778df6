"""A cook who has to do as told, for compiled code: what stands where, who can reach it, how far it is.

Sets of cells are arrays with a number for each cell, 0 where it isn't in the set. Functions that find a set
fill `mask` and return how many are in it. Not for what to do there (`tasks`), nor for scripted cooks
(engine.games.overcooked).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.planner import FAR, spread
from engine.games.overcooked.rules import COUNTER, FLOOR, MAX_CELLS, NOTHING, POT, SOUP, STAY
from engine.simulation.jit import inner

ANYTHING, NO_ITEM = -1, 99  # besides rules.ONION, … and SOUP, which stands for any soup
LEFT, RIGHT, TOP, BOTTOM, MIDDLE = range(1, 6)  # sides; 0: any
# The sets of a cook: what a step is about, then room for others.
USE, STAND, KEEP, STATIONS, SHARED, SOURCES, AVOIDED, CELLS, TAKEN, NEAR, NOBODY, SETS = range(12)


# A plan: for each cell from which parts of the kitchen it can be used, as bits; then lists of the stations
# and of the floor cells, each behind its length. Parts beyond the last bit share it.
STATION_LIST, FLOOR_LIST, PLAN = MAX_CELLS, 2 * MAX_CELLS + 1, 3 * MAX_CELLS + 2
LAST_PART = 62
UNKNOWN = 99  # steps of a way that isn't there


@inner
def part_of(region):
    """The bit of a part of the kitchen."""
    return np.int64(1) << min(region, LAST_PART)


def plan_of(state: np.ndarray) -> np.ndarray:
    """What stands where in the kitchen of a record, int64 (PLAN,)."""
    width, height = int(state[rules.WIDTH]), int(state[rules.HEIGHT])
    return _plan(width, height, state[rules.GRID : rules.GRID + width * height].tobytes())


@lru_cache(maxsize=256)
def _plan(width: int, height: int, grid: bytes) -> np.ndarray:
    found = np.zeros(PLAN, np.int64)
    codes = np.frombuffer(grid, rules.STATE_DTYPE)
    floor_cells = np.flatnonzero(codes & 7 == FLOOR)
    for cell in floor_cells:
        for station_cell in (cell - width, cell + width, cell + 1, cell - 1):
            if codes[station_cell] & 7 != FLOOR:
                found[station_cell] |= 1 << min(int(codes[cell]) >> 3, LAST_PART)
    for start, cells in ((STATION_LIST, np.flatnonzero(found)), (FLOOR_LIST, floor_cells)):
        found[start] = len(cells)
        found[start + 1 : start + 1 + len(cells)] = cells
    return found


class Cook(NamedTuple):
    """One seat of a game, and room to think: `goals` as in coded.py, the `plan` of the kitchen,
    `events` (E, 5) int16 of tick, seat, kind, cell and item. `step` says what to do next, and `sets` have the
    stations to USE for it, the cells to STAND on and the counters to KEEP (tasks.py).
    """

    state: np.ndarray
    seat: int
    goals: np.ndarray
    plan: np.ndarray
    events: np.ndarray
    step: np.ndarray
    sets: np.ndarray
    fields: np.ndarray


@inner
def size(k):
    """Number of cells."""
    return int(k.state[rules.WIDTH]) * int(k.state[rules.HEIGHT])


@inner
def stations(k):
    """Number of stations that can be used from anywhere."""
    return k.plan[STATION_LIST]


@inner
def station(k, index):
    return k.plan[STATION_LIST + 1 + index]


@inner
def floors(k):
    """Number of floor cells."""
    return k.plan[FLOOR_LIST]


@inner
def floor(k, index):
    return k.plan[FLOOR_LIST + 1 + index]


@inner
def place(k, who):
    """Where a cook stands."""
    return int(k.state[rules.POSITION + who])


@inner
def held(k):
    return int(k.state[rules.HELD + k.seat])


@inner
def item_at(k, cell):
    return int(k.state[rules.ITEM + cell])


@inner
def idle(k, pot):
    return int(k.state[rules.TIMER + pot]) == rules.IDLE


@inner
def inside(k, pot):
    """Ingredients in a pot."""
    return rules.ingredients_of(item_at(k, pot))


@inner
def is_old(k):
    return int(k.state[rules.DYNAMICS]) == rules.OLD


@inner
def part(k, who):
    """The part of the kitchen in which a cook is, as a bit."""
    return part_of(rules.region(k.state, place(k, who)))


@inner
def apart(k, one, other):
    """Rows and columns between two cells."""
    width = int(k.state[rules.WIDTH])
    return abs(one % width - other % width) + abs(one // width - other // width)


@inner
def teller(k, said):
    """Who gave an instruction: a seat, by default the other cook who is nearest."""
    players, found = int(k.state[rules.PLAYERS]), -1
    if 0 <= said < players and said != k.seat:
        return said
    for who in range(players):
        if who != k.seat:
            closer = found < 0 or apart(k, place(k, who), place(k, k.seat)) < apart(
                k, place(k, found), place(k, k.seat)
            )
            found = who if closer else found
    return found


@inner
def is_item(item, name):
    """Whether something is an onion, dish, tomato, soup or ANYTHING; an empty place is NOTHING."""
    if name == ANYTHING:
        return item != NOTHING
    return item >= SOUP if name == SOUP else item == name


@inner
def holds(k, name):
    return is_item(held(k), name)


# --- Sets of stations ------------------------------------------------------------------------------------


@inner
def clear(k, mask):
    for cell in range(size(k)):
        mask[cell] = 0


@inner
def copy(k, source, mask):
    for index in range(stations(k)):
        cell = station(k, index)
        mask[cell] = source[cell]


@inner
def some(k, mask):
    """Whether a set has any cell."""
    found = False
    for cell in range(size(k)):
        found = found or mask[cell] != 0
    return found


@inner
def reaches(k, station, parts):
    """Whether a station can be used from one of some parts of the kitchen, which are bits."""
    return k.plan[station] & parts != 0


@inner
def where(k, kind, mask):
    """The stations of a kind that can be used from anywhere."""
    found = 0
    for index in range(stations(k)):
        cell = station(k, index)
        mask[cell] = rules.terrain(k.state, cell) == kind
        found += mask[cell]
    return found


@inner
def within(k, mask):
    """Leave those that the cook can use."""
    mine, found = part(k, k.seat), 0
    for index in range(stations(k)):
        cell = station(k, index)
        if mask[cell] != 0:
            mask[cell] = reaches(k, cell, mine)
            found += mask[cell]
    return found


@inner
def lying(k, name, mask):
    """Counters within reach on which such a thing lies, or NOTHING."""
    mine, found = part(k, k.seat), 0
    for index in range(stations(k)):
        cell = station(k, index)
        mask[cell] = (
            rules.terrain(k.state, cell) == COUNTER
            and is_item(item_at(k, cell), name)
            and reaches(k, cell, mine)
        )
        found += mask[cell]
    return found


@inner
def shared_with(k, parts, mask):
    """Counters within reach that can be reached from one of these parts of the kitchen as well."""
    mine, found = part(k, k.seat), 0
    for index in range(stations(k)):
        cell = station(k, index)
        mask[cell] = (
            rules.terrain(k.state, cell) == COUNTER and reaches(k, cell, mine) and reaches(k, cell, parts)
        )
        found += mask[cell]
    return found


@inner
def resolve(k, kind, side, mask):
    """The stations that a goal means, within reach or not.

    "The left pot" is the leftmost of all pots; of other stations sides are told among those within reach, if
    there are any.
    """
    found = where(k, kind, mask)
    if kind != POT:
        close, mine = 0, part(k, k.seat)
        for index in range(stations(k)):
            cell = station(k, index)
            close += mask[cell] != 0 and reaches(k, cell, mine)
        if close:
            found = within(k, mask)
    return which(k, side, mask) if side and found else found


@inner
def which(k, side, mask):
    """Leave those of some stations that "left", "top", "middle"… means."""
    width, height = int(k.state[rules.WIDTH]), int(k.state[rules.HEIGHT])
    best, found = FAR, 0
    for index in range(stations(k)):
        cell = station(k, index)
        if mask[cell] != 0:
            best = min(best, _rank(cell, side, width, height))
    for index in range(stations(k)):
        cell = station(k, index)
        if mask[cell] != 0:
            mask[cell] = _rank(cell, side, width, height) == best
            found += mask[cell]
    return found


@inner
def _rank(cell, side, width, height):
    """How far a station is from a side; from the middle those that stand free come first, all alike."""
    x, y = cell % width, cell // width
    if side == LEFT:
        return x
    if side == RIGHT:
        return width - x
    if side == TOP:
        return y
    if side == BOTTOM:
        return height - y
    if 0 < x < width - 1 and 0 < y < height - 1:
        return -1
    return abs(2 * x - (width - 1)) + abs(2 * y - (height - 1))


@inner
def ready_somewhere(k):
    """Whether a soup is done in any pot."""
    found = False
    for index in range(stations(k)):
        cell = station(k, index)
        found = found or rules.terrain(k.state, cell) == POT and rules.pot_ready(k.state, cell)
    return found


# --- Sets of floor cells, and ways -----------------------------------------------------------------------


@inner
def access(k, used, mask):
    """The floor cells from which one of some stations can be used."""
    for index in range(floors(k)):
        cell = floor(k, index)
        mask[cell] = 0
        for direction in range(4):
            if used[rules.neighbour(k.state, cell, direction)] != 0:
                mask[cell] = 1


@inner
def needed(k, cell):
    """Whether a floor cell is one from which a pot, a dispenser or the window is used."""
    for direction in range(4):
        kind = rules.terrain(k.state, rules.neighbour(k.state, cell, direction))
        if kind not in (FLOOR, COUNTER):
            return True
    return False


@inner
def mine(k, cell):
    """Whether a floor cell is in the cook's part of the kitchen, and nobody else stands there."""
    return part_of(rules.region(k.state, cell)) == part(k, k.seat) and not taken(k, cell)


@inner
def taken(k, cell):
    """Whether another cook stands on a cell."""
    found = False
    for who in range(int(k.state[rules.PLAYERS])):
        found = found or who != k.seat and place(k, who) == cell
    return found


@inner
def block(k, standing_only, mask):
    """The cells of other cooks, or of those who chose to stay where they are or come towards this one."""
    clear(k, mask)
    for who in range(int(k.state[rules.PLAYERS])):
        stands = int(k.state[rules.ACTION + who]) == STAY
        if who != k.seat and (not standing_only or stands or rules.faced(k.state, who) == place(k, k.seat)):
            mask[place(k, who)] = 1


@inner
def walk(k, cells, blocked, field):
    """field[cell]: steps from each floor cell to the nearest of some; FAR where there is no way."""
    tail = 0
    for index in range(floors(k)):
        cell = floor(k, index)
        field[cell] = FAR
        if cells[cell] != 0 and blocked[cell] == 0:
            field[cell] = 0
            k.fields[2][tail] = cell
            tail += 1
    spread(k.state, field, blocked, k.fields[2], 0, tail)


@inner
def walk_from(k, cell, blocked, field):
    """The same to one cell."""
    for index in range(floors(k)):
        field[floor(k, index)] = FAR
    if blocked[cell] == 0:
        field[cell] = 0
        k.fields[2][0] = cell
        spread(k.state, field, blocked, k.fields[2], 0, 1)


@inner
def steps_to(field, cell):
    """What a field has for a cell, UNKNOWN where there is no way."""
    return UNKNOWN if field[cell] == FAR else int(field[cell])
