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


# What may be so of a pot; the first three are what goals wait for (coded.py). WHOLE: full, not started yet.
READY, FULL, EMPTY, OPEN, COOKING, WHOLE, BEGUN = range(1, 8)
KIND, REACHED, LADEN, IN, OUT = range(8, 13)  # what may be so of any station
# Fields of a number for each cell: ways, and the room that finding them takes; by what cells are chosen.
WAY, BACK, QUEUE, RANK, FIELDS = range(5)
LAST_PART = 62  # parts of the kitchen beyond the last bit share it
UNKNOWN = 99  # steps of a way that isn't there


@inner
def part_of(region):
    """The bit of a part of the kitchen."""
    return np.int64(1) << min(region, LAST_PART)


def plan_of(state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What stands where in the kitchen of a record: `parts`, `stations` and `floors` of a Cook."""
    width, height = int(state[rules.WIDTH]), int(state[rules.HEIGHT])
    return _plan(width, height, state[rules.GRID : rules.GRID + width * height].tobytes())


@lru_cache(maxsize=256)
def _plan(width: int, height: int, grid: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    parts = np.zeros(MAX_CELLS, np.int64)
    codes = np.frombuffer(grid, rules.STATE_DTYPE)
    floors = np.flatnonzero(codes & 7 == FLOOR)
    for cell in floors:
        for station in (cell - width, cell + width, cell + 1, cell - 1):
            if codes[station] & 7 != FLOOR:
                parts[station] |= 1 << min(int(codes[cell]) >> 3, LAST_PART)
    return parts, np.flatnonzero(parts), floors


class Cook(NamedTuple):
    """One seat of a game, and room to think: `goals` as in coded.py; for each cell from which `parts` of the
    kitchen it can be used, as bits; the cells of all `stations` that can be used from anywhere and of all
    `floors`; `events` (E, 5) int16 of tick, seat, kind, cell and item. `step` says what to do next, and
    `sets` have the stations to USE for it, the cells to STAND on and the counters to KEEP (tasks.py).
    """

    state: np.ndarray
    seat: int
    goals: np.ndarray
    parts: np.ndarray
    stations: np.ndarray
    floors: np.ndarray
    events: np.ndarray
    step: np.ndarray
    sets: np.ndarray
    fields: np.ndarray


@inner
def size(k):
    """Number of cells."""
    return int(k.state[rules.WIDTH]) * int(k.state[rules.HEIGHT])


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
    for cell in k.stations:
        mask[cell] = source[cell]


@inner
def some(k, mask):
    """Whether a set has any cell."""
    found = False
    for cell in range(size(k)):
        found = found or mask[cell] != 0
    return found


@inner
def fits(k, cell, how, of):
    """Whether a station is of a KIND, REACHED from parts of the kitchen, LADEN with a thing or NOTHING,
    IN a set or OUT of it (its number); or, of a pot, whether it is READY, FULL, …
    """
    if how == KIND:
        return rules.terrain(k.state, cell) == of
    if how == REACHED:
        return k.parts[cell] & of != 0
    if how == LADEN:
        return is_item(item_at(k, cell), of)
    if how in (IN, OUT):
        return (k.sets[of][cell] != 0) == (how == IN)
    if how == READY:
        return rules.pot_ready(k.state, cell)
    if how in (FULL, OPEN):
        return rules.pot_open(k.state, cell) == (how == OPEN)
    if how == EMPTY:
        return inside(k, cell) == 0
    if how == COOKING:
        return not idle(k, cell)
    return idle(k, cell) and inside(k, cell) >= (3 if how == WHOLE else 1)


@inner
def count(k, mask, how, of):
    """How many stations of a set fit."""
    found = 0
    for cell in k.stations:
        found += mask[cell] != 0 and fits(k, cell, how, of)
    return found


@inner
def only(k, mask, how, of):
    """Leave the stations of a set that fit."""
    found = 0
    for cell in k.stations:
        mask[cell] = mask[cell] != 0 and fits(k, cell, how, of)
        found += mask[cell]
    return found


@inner
def where(k, kind, mask):
    """The stations of a kind that can be used from anywhere."""
    for cell in k.stations:
        mask[cell] = 1
    return only(k, mask, KIND, kind)


@inner
def within(k, mask):
    """Leave those that the cook can use."""
    return only(k, mask, REACHED, part(k, k.seat))


@inner
def lying(k, name, mask):
    """Counters within reach on which such a thing lies, or NOTHING."""
    where(k, COUNTER, mask)
    within(k, mask)
    return only(k, mask, LADEN, name)


@inner
def shared_with(k, parts, mask):
    """Counters within reach that can be reached from one of these parts of the kitchen as well."""
    where(k, COUNTER, mask)
    within(k, mask)
    return only(k, mask, REACHED, parts)


@inner
def any_pot(k, how):
    """Whether any pot that can be used from anywhere is READY, FULL, …"""
    where(k, POT, k.sets[CELLS])
    return count(k, k.sets[CELLS], how, 0) > 0


@inner
def least(k, cells, mask):
    """Leave those of some cells in a set whose RANK is the lowest."""
    best, found = FAR, 0
    for cell in cells:
        if mask[cell] != 0:
            best = min(best, int(k.fields[RANK][cell]))
    for cell in cells:
        mask[cell] = mask[cell] != 0 and int(k.fields[RANK][cell]) == best
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
        close = count(k, mask, REACHED, part(k, k.seat))
        if close:
            found = within(k, mask)
    return which(k, side, mask) if side and found else found


@inner
def which(k, side, mask):
    """Leave those of some stations that "left", "top", "middle"… means."""
    for cell in k.stations:
        k.fields[RANK][cell] = _rank(cell, side, int(k.state[rules.WIDTH]), int(k.state[rules.HEIGHT]))
    return least(k, k.stations, mask)


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


# --- Sets of floor cells, and ways -----------------------------------------------------------------------


@inner
def access(k, used, mask):
    """The floor cells from which one of some stations can be used."""
    for cell in k.floors:
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
    for cell in k.floors:
        field[cell] = FAR
        if cells[cell] != 0 and blocked[cell] == 0:
            field[cell] = 0
            k.fields[QUEUE][tail] = cell
            tail += 1
    spread(k.state, field, blocked, k.fields[QUEUE], 0, tail)


@inner
def walk_from(k, cell, blocked, field):
    """The same to one cell."""
    for floor in k.floors:
        field[floor] = FAR
    if blocked[cell] == 0:
        field[cell] = 0
        k.fields[QUEUE][0] = cell
        spread(k.state, field, blocked, k.fields[QUEUE], 0, 1)


@inner
def steps_to(field, cell):
    """What a field has for a cell, UNKNOWN where there is no way."""
    return UNKNOWN if field[cell] == FAR else int(field[cell])
