"""What networks read in a kitchen of one layout: short numbers instead of the 26-channel grid.

`encode_many` writes, for one seat: where every cook stands (one of the floor cells), looks and what it holds,
the seat first and the others in turn; what the seat's interaction would meet; each pot; what lies on each
counter that a cook can reach; the seat's number, which lets cooks with one policy take turns; urgency. All in
0 .. 1. The numbers belong to one layout and number of cooks.

`rated_many` writes the lossless encoding itself (see `observation`) without the numbers that are constant in
that layout, and what it can't tell: which cook is whom, and the clock. For reward models. Not for pages or
language.
"""

from __future__ import annotations

import numpy as np

from engine.games.overcooked import observation, rules
from engine.games.overcooked.rules import (
    COUNTER,
    FACING,
    FLOOR,
    HEIGHT,
    HELD,
    HORIZON,
    IDLE,
    ITEM,
    MAX_INGREDIENTS,
    NOTHING,
    PLAYERS,
    POSITION,
    POT,
    POT_COUNT,
    POTS,
    SOUP,
    TICK,
    TIMER,
    WIDTH,
)
from engine.simulation.jit import njit, rule

FEATURES_VERSION = 1
THINGS = 4  # onion, tomato, dish, soup
PER_POT = 4 + 1 + 3
MET = 18  # what an interaction would meet
# What can change in the grid at a cell of each kind.
FLOOR_CHANNELS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 18, 19, 21, 22, 23, 24)
COUNTER_CHANNELS = (18, 19, 21, 22, 23, 24)
POT_CHANNELS = (16, 17, 18, 19, 20, 21)


@rule
def _used(state, cell):
    """Whether a cook can reach this counter from a floor cell."""
    width = int(state[WIDTH])
    cells = width * int(state[HEIGHT])
    if rules.terrain(state, cell) != COUNTER:
        return False
    x = cell % width
    if x > 0 and rules.terrain(state, cell - 1) == FLOOR:
        return True
    if x < width - 1 and rules.terrain(state, cell + 1) == FLOOR:
        return True
    if cell >= width and rules.terrain(state, cell - width) == FLOOR:
        return True
    return cell + width < cells and rules.terrain(state, cell + width) == FLOOR


@rule
def input_size(state):
    """How many numbers `encode_many` writes for a seat."""
    players = int(state[PLAYERS])
    floor = 0
    counters = 0
    for cell in range(int(state[WIDTH]) * int(state[HEIGHT])):
        if rules.terrain(state, cell) == FLOOR:
            floor += 1
        elif _used(state, cell):
            counters += 1
    pots = int(state[POT_COUNT]) * PER_POT
    return players * (floor + 4 + THINGS) + MET + pots + counters * THINGS + players + 1


@rule
def _thing(item):
    """Which of the four things an item is, from 0."""
    if item >= SOUP:
        return 3
    return item - 1


@rule
def _met(state, seat):
    """What the seat's interaction would meet, 0 .. MET - 1: the kind of station and the state it is in."""
    cell = rules.faced(state, seat)
    kind = rules.terrain(state, cell)
    item = int(state[ITEM + cell])
    if kind == FLOOR:
        for other in range(int(state[PLAYERS])):
            if int(state[POSITION + other]) == cell:
                return 1
        return 0
    if kind == COUNTER:
        if item == NOTHING:
            return 2
        return 3 + _thing(item)
    if kind == POT:
        if item == NOTHING:
            return 7
        if int(state[TIMER + cell]) == IDLE:
            return 7 + rules.ingredients_of(item)
        if rules.pot_ready(state, cell):
            return 12
        return 11
    return 13 + kind - rules.ONIONS


@njit
def encode_many(states, seats, out):
    """Fill out (n, input_size) float32 from records (n, state_size) and seats (n,)."""
    for i in range(states.shape[0]):
        _encode(states[i], int(seats[i]), out[i])


@rule
def _encode(state, seat, out):
    players = int(state[PLAYERS])
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    for index in range(out.shape[0]):
        out[index] = 0.0
    floor = 0
    for cell in range(cells):
        if rules.terrain(state, cell) == FLOOR:
            floor += 1
    number = 0
    for cell in range(cells):
        if rules.terrain(state, cell) == FLOOR:
            for who in range(players):
                if int(state[POSITION + who]) == cell:
                    turn = who - seat if who >= seat else who - seat + players
                    out[turn * floor + number] = 1.0
            number += 1
    at = players * floor
    for turn in range(players):
        who = (seat + turn) % players
        out[at + int(state[FACING + who])] = 1.0
        held = int(state[HELD + who])
        if held != NOTHING:
            out[at + 4 + _thing(held)] = 1.0
        at += 4 + THINGS
    out[at + _met(state, seat)] = 1.0
    at += MET
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        item = int(state[ITEM + cell])
        timer = int(state[TIMER + cell])
        out[at + rules.ingredients_of(item)] = 1.0
        if item != NOTHING:
            out[at + 4] = rules.tomatoes_of(item) / MAX_INGREDIENTS
            if timer != IDLE:
                time = rules.cook_time(state, item)
                out[at + 5] = 1.0 if timer < time else 0.0
                out[at + 6] = 1.0 if timer >= time else 0.0
                out[at + 7] = (time - timer) / time
        at += PER_POT
    for cell in range(cells):
        if rules.terrain(state, cell) == COUNTER and _used(state, cell):
            item = int(state[ITEM + cell])
            if item != NOTHING:
                out[at + _thing(item)] = 1.0
            at += THINGS
    out[at + seat] = 1.0
    at += players
    if int(state[HORIZON]) - int(state[TICK]) < observation.URGENT:
        out[at] = 1.0


def grid_columns(state: np.ndarray) -> np.ndarray:
    """The numbers of the grid that can change in the layout of a record: indices into the flat encoding."""
    width, height = int(state[WIDTH]), int(state[HEIGHT])
    columns = []
    for cell in range(width * height):
        kind = rules.terrain(state, cell)
        channels: tuple[int, ...] = ()
        if kind == FLOOR:
            channels = FLOOR_CHANNELS
        elif kind == POT:
            channels = POT_CHANNELS
        elif _used(state, cell):
            channels = COUNTER_CHANNELS
        columns += [cell * observation.CHANNELS + channel for channel in channels]
    # Urgency is the same everywhere.
    return np.array([*columns, observation.URGENCY], np.int64)


EVENTS = rules.DELIVER + 1


def rated_size(state: np.ndarray) -> int:
    """How many numbers `rated_many` writes for a seat."""
    players = int(state[PLAYERS])
    return len(grid_columns(state)) + (3 + EVENTS) * players + 1


def rated_many(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Fill out (n, rated_size) float32: what changes of the lossless encoding, in 0 .. 1 (ticks left and
    ingredients as shares); the seat's number; where each cook stands (x and y as shares, the seat first, the
    others in turn); the share of the time that is left; what each cook's interaction just did, one of EVENTS.
    All records are of one layout.
    """
    columns = grid_columns(states[0])
    scale = np.ones(observation.CHANNELS, np.float32)
    scale[[16, 17, 18, 19]] = 1 / MAX_INGREDIENTS
    times = states[0, rules.TIMES : rules.TIMES + 16]
    scale[20] = 1 / max(1, int(times.max()))
    _grid(states, np.asarray(seats), columns, scale[columns % observation.CHANNELS], out)
    rows, players = np.arange(len(states)), int(states[0, PLAYERS])
    for turn in range(players):
        done = states[rows, rules.EVENT + (seats + turn) % players]
        out[rows, out.shape[1] - EVENTS * (players - turn) + done] = 1.0


@njit
def _grid(states, seats, columns, scale, out):
    grid = np.empty(observation.observation_size(states[0]), np.float32)
    for i in range(states.shape[0]):
        observation.encode(states[i], int(seats[i]), grid)
        for j in range(columns.shape[0]):
            out[i, j] = grid[columns[j]] * scale[j]
        at = columns.shape[0]
        seat, players, width = int(seats[i]), int(states[i, PLAYERS]), int(states[i, WIDTH])
        for turn in range(players):
            cell = int(states[i, POSITION + (seat + turn) % players])
            out[i, at + turn] = 1.0 if turn == seat else 0.0
            out[i, at + players + 2 * turn] = (cell % width) / width
            out[i, at + players + 2 * turn + 1] = (cell // width) / int(states[i, HEIGHT])
        horizon = int(states[i, HORIZON])
        out[i, at + 3 * players] = (horizon - int(states[i, TICK])) / horizon
