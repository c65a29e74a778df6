"""Scripted cooks for any kitchen, by name: first partners of people, and partners that nobody trained with.

`greedy` plans for the whole team (`jobs`, `traffic`) and does its own part. The zoo is greedy cooks with a
habit each: some only do part of the work, some are slow, clumsy or stubborn, some stay in one half. A bot is
`bot_many(states, seats, values, actions)`: for records (n, STATE_SIZE) and seats (n,) it fills `values`
(n, NUM_ACTIONS), how much it likes each action in points, and `actions` (n,), the one that it likes best.

Bots keep nothing between calls; what looks random depends on the record alone, so games can be repeated. What
a person should know about a bot is in its card (agents/).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.games.overcooked import jobs, planner, situation, traffic
from engine.games.overcooked.rules import (
    EPISODE,
    FACING,
    FLOOR,
    GRID,
    HEIGHT,
    KEY_A,
    MAX_CELLS,
    MAX_PLAYERS,
    MAX_POTS,
    NUM_ACTIONS,
    PLAYERS,
    POSITION,
    STAY,
    TICK,
    WIDTH,
    neighbour,
    terrain,
)
from engine.simulation.jit import inner, njit, rule
from engine.simulation.rng import MASK32, below, get32, hash32

OUT_OF_BOUNDS = 7  # in place of the terrain of floor that a cook doesn't enter
LAZY_TICKS = 3  # a lazy cook acts once in so many ticks
PAUSE = 5  # a pausing cook rests for 32 ticks, works for 32, and so on
WALK = 3  # a wanderer changes its mind every 8 ticks
SLIPS = 0.3  # how often a clumsy cook does something else than it wants
RESTLESS = 16  # a cook that is held up takes a random step once in so many ticks
GREEDY, LAZY, PAUSING, WANDERING, CLUMSY, STUBBORN = range(6)  # manners


@inner
def luck(state, seat, salt):
    """A random word (32 bits) that depends on game, tick, seat and positions."""
    word = hash32((get32(state, KEY_A) + salt) & MASK32)
    word = hash32((word + get32(state, EPISODE)) & MASK32)
    word = hash32((word + int(state[TICK]) * MAX_PLAYERS + seat) & MASK32)
    for who in range(int(state[PLAYERS])):
        word = hash32((word + int(state[POSITION + who])) & MASK32)
    return word


@rule
def wait(state, seat):
    """An action that changes nothing: to look at the wall that one looks at, or at another one.

    Not to stay: that tells other greedy cooks that this one doesn't give way (`traffic.stands`).
    """
    here = int(state[POSITION + seat])
    facing = int(state[FACING + seat])
    for turn in range(4):
        direction = (facing + turn) % 4
        if terrain(state, neighbour(state, here, direction)) != FLOOR:
            return direction
    return STAY


@inner
def _mannered(state, seat, manner, wanted):
    """The action that a cook with a manner takes instead of its best one."""
    tick = int(state[TICK])
    word = luck(state, seat, manner)
    if manner == LAZY and (tick + seat) % LAZY_TICKS != 0:
        return STAY
    if manner == PAUSING and ((tick >> PAUSE) + seat) % 2 != 0:
        return STAY
    if manner == WANDERING and hash32((get32(state, KEY_A) + (tick >> WALK) * 8 + seat) & MASK32) % 2 != 0:
        return below(word, STAY)
    if manner == CLUMSY and word < SLIPS * MASK32:
        return below(hash32(word), NUM_ACTIONS)
    return wanted


@njit
def cook_many(states, seats, hops, skills, manner, values, actions):
    """A greedy cook with `skills` (see `situation`) and a manner, in kitchens of one layout."""
    lists = np.empty((situation.LISTS, MAX_CELLS), np.int16)
    counts = np.zeros(situation.LISTS + 4, np.int32)
    pots = np.zeros((MAX_POTS, situation.POT_COLUMNS), np.int32)
    team = np.zeros((MAX_PLAYERS, situation.TEAM_COLUMNS), np.int32)
    near = np.zeros((MAX_PLAYERS, MAX_CELLS), np.int16)
    fields = np.zeros((4, MAX_CELLS), np.int16)
    prices = np.zeros((MAX_PLAYERS, NUM_ACTIONS))
    options = np.zeros((MAX_PLAYERS, NUM_ACTIONS), np.int32)
    notes = np.zeros((3, MAX_PLAYERS), np.int32)
    for row in range(states.shape[0]):
        state = states[row]
        seat = int(seats[row])
        players = int(state[PLAYERS])
        for who in range(players):
            team[who, situation.SKILLS] = skills if who == seat else situation.ALL_SKILLS
        jobs.plan(state, hops, seat, near, lists, counts, pots, team, fields)
        for who in range(players):
            traffic.price(state, seat, who, team, fields, prices)
        if manner == STUBBORN:
            action = STAY
            for other in range(NUM_ACTIONS):
                if prices[seat, other] < prices[seat, action]:
                    action = other
        else:
            action = traffic.choose(state, seat, team, prices, options, notes)
        if action == STAY:
            action = wait(state, seat)
            word = luck(state, seat, RESTLESS)
            # Held up on its way, a cook now and then takes a step anywhere, in case nobody else ever would.
            if prices[seat, STAY] > 0 and word % RESTLESS == 0:
                action = below(hash32(word), STAY)
        action = _mannered(state, seat, manner, action)
        for other in range(NUM_ACTIONS):
            longer = prices[seat, other] - prices[seat, action]
            values[row, other] = -1.0 - 2.0 * min(3.0, max(0.0, longer))
        values[row, action] = 0.0
        actions[row] = action


@njit
def random_many(states, seats, values, actions):
    """Any action, each as likely as the others."""
    for row in range(states.shape[0]):
        word = luck(states[row], int(seats[row]), 0)
        best = 0
        for action in range(NUM_ACTIONS):
            word = hash32(word)
            values[row, action] = word / MASK32
            if values[row, action] > values[row, best]:
                best = action
        actions[row] = best


@njit
def stay_many(states, seats, values, actions):
    """Nothing, ever."""
    for row in range(states.shape[0]):
        for action in range(NUM_ACTIONS):
            values[row, action] = -8.0
        values[row, STAY] = 0.0
        actions[row] = STAY


BotMany = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


def _cook(skills: int = situation.ALL_SKILLS, manner: int = GREEDY) -> BotMany:
    def bot_many(states: np.ndarray, seats: np.ndarray, values: np.ndarray, actions: np.ndarray) -> None:
        for rows in planner.kitchens(states):
            if len(rows) == len(states):
                cook_many(states, seats, planner.hops(states[0]), skills, manner, values, actions)
            else:
                some_values, chosen = np.zeros((len(rows), NUM_ACTIONS)), np.zeros(len(rows), np.int32)
                hops = planner.hops(states[rows[0]])
                cook_many(states[rows], seats[rows], hops, skills, manner, some_values, chosen)
                values[rows], actions[rows] = some_values, chosen

    return bot_many


def _half(side: int) -> BotMany:
    """A greedy cook to which the other half of the kitchen (0: left of the middle) is out of bounds."""
    greedy = _cook()

    def bot_many(states: np.ndarray, seats: np.ndarray, values: np.ndarray, actions: np.ndarray) -> None:
        fenced = np.array(states)
        cells = np.arange(MAX_CELLS)
        for row, seat in enumerate(seats):
            state = fenced[row]
            width = int(state[WIDTH])
            twice = 2 * (cells % width) + 1  # the middle column belongs to both halves
            beyond = twice < width if side else twice > width
            if not beyond[state[POSITION + seat]]:
                grid = state[GRID : GRID + MAX_CELLS]
                grid[beyond & (grid & 7 == FLOOR) & (cells < width * int(state[HEIGHT]))] = OUT_OF_BOUNDS
        greedy(fenced, seats, values, actions)

    return bot_many


BOTS_MANY: dict[str, BotMany] = {
    "random": random_many,
    "stay": stay_many,
    "greedy": _cook(),
    "zoo-onion-only": _cook(situation.FETCHING | situation.FILLING),
    "zoo-dish-only": _cook(situation.DISHING | situation.FILLING),
    "zoo-counter-passer": _cook(situation.FETCHING | situation.DISHING),
    "zoo-lazy": _cook(manner=LAZY),
    "zoo-pausing": _cook(manner=PAUSING),
    "zoo-wanderer": _cook(manner=WANDERING),
    "zoo-clumsy": _cook(manner=CLUMSY),
    "zoo-stubborn": _cook(manner=STUBBORN),
    "zoo-left-side": _half(0),
    "zoo-right-side": _half(1),
}
