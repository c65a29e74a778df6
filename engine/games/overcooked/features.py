"""What networks read in a kitchen of one layout: short numbers instead of the 26-channel grid.

`encode_many` writes, for one seat: where every cook stands (one of the floor cells), looks and what it holds,
the seat first and the others in turn; what the seat's interaction would meet; each pot; what lies on each
counter that a cook can reach; the seat's number, which lets cooks with one policy take turns; urgency. All in
0 .. 1. The numbers belong to one layout and number of cooks.

`rated_many` is for reward models, which learn from few marks: what the cooks hold and meet, the pots, how
many things lie about, and what each cook just did, without a number for each cell. Not for pages or language.
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
from engine.simulation.jit import inner, njit, rule

FEATURES_VERSION = 1
THINGS = 4  # onion, tomato, dish, soup
PER_POT = 4 + 1 + 3
MET = 18  # what an interaction would meet


@inner
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


@inner
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


EVENTS = rules.DELIVER + 1


def rated_size(state: np.ndarray) -> int:
    """How many numbers `rated_many` writes for a seat."""
    players, pots = int(state[PLAYERS]), int(state[POT_COUNT])
    return players * (4 + THINGS + 3 + EVENTS) + MET + pots * PER_POT + THINGS + 1


def rated_many(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Fill out (n, rated_size) float32, in 0 .. 1 but for numbers of things: where every cook looks and what
    it holds, the seat first and the others in turn; what the seat's interaction would meet; each pot; how
    many of each thing lie about; the seat's number; of each cook where it stands (x and y as shares) and
    what its interaction just did, one of EVENTS; the share of the time that is left. All records are of one
    layout.
    """
    rows, seats, first = np.arange(len(states)), np.asarray(seats), states[0]
    players, width, height = (int(first[at]) for at in (PLAYERS, WIDTH, HEIGHT))
    wide = np.zeros((len(states), int(input_size(first))), np.float32)
    encode_many(states, seats, wide)
    near = players * (4 + THINGS) + MET + int(first[POT_COUNT]) * PER_POT
    before = players * sum(rules.terrain(first, cell) == FLOOR for cell in range(width * height))
    lying = wide[:, before + near : -players - 1].reshape(len(states), -1, THINGS).sum(1)
    at = near + THINGS + players
    out[:, :near], out[:, near : near + THINGS] = wide[:, before : before + near], lying
    out[:, near + THINGS : at] = wide[:, -players - 1 : -1]
    for turn in range(players):
        who = (seats + turn) % players
        cell = states[rows, POSITION + who]
        out[:, at], out[:, at + 1] = cell % width / width, cell // width / height
        out[rows, at + 2 + states[rows, rules.EVENT + who]] = 1.0
        at += 2 + EVENTS
    out[:, at] = 1.0 - states[:, TICK] / np.maximum(1, states[:, HORIZON])
