"""The rules of Overcooked: scalar functions over one state record.

As in overcooked_ai (`OvercookedMDP`), in both dynamics: "old", where a pot starts to cook by itself at three
ingredients, and "new", where a cook with empty hands starts it. One joint step is (1) interactions, seat 0
first, in the direction faced before the step; (2) movement and turning; (3) the clock and the pots.

All functions are plain Python that `engine.simulation.jit.rule` compiles: they allocate nothing and write
into the record, a row of int16. A cell is y * width + x; (0, 0) is the top left corner, north is up. Not
here: what a seat sees (`observation`), layouts and options (`layouts`, `options`), scripted cooks (`bots`).
"""

from __future__ import annotations

import numpy as np

from engine.simulation.jit import inner, rule
from engine.simulation.rng import below, get32, put32, random32

RULES_VERSION = 1

NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)
NUM_ACTIONS = 6
FLOOR, COUNTER, POT, ONIONS, TOMATOES, DISHES, SERVE = range(7)
# What a hand, a counter or a pot holds: nothing, an onion, a tomato, a dish, or SOUP + code of a soup, which
# is 4 * onions + tomatoes.
NOTHING, ONION, TOMATO, DISH = range(4)
SOUP = 16
OLD, NEW = 0, 1
MAX_PLAYERS = 4
MAX_CELLS = 256
MAX_POTS = 8
MAX_INGREDIENTS = 3
IDLE = -1  # a pot's timer before it cooks; then the ticks that it has cooked
(
    NO_EVENT,
    PICK,
    PICK_COUNTER,
    PLACE_COUNTER,
    PUT_POT,
    START_POT,
    PICK_SOUP,
    DELIVER,
) = range(8)

# The record.
KEY_A, KEY_B, EPISODE = 0, 2, 4  # two fields each
WIDTH, HEIGHT, PLAYERS, DYNAMICS, HORIZON, RANDOM_START, POT_COUNT = range(6, 13)
PLACEMENT_REWARD, DISH_REWARD, SOUP_REWARD = range(13, 16)  # points of the shaping
TICK, SCORE, OVER, COUNTER_DISHES = range(16, 20)
SHAPED = 20  # of the last step, by seat
POSITION = 24  # cell, by seat
FACING = 28  # NORTH … WEST, by seat
HELD = 32  # item, by seat
START = 36  # cell, by seat
EVENT = 40  # what the seat's interaction did in the last step
EVENT_CELL = 44
EVENT_ITEM = 48
ACTION = 52  # of the last step, by seat; -1 before the first
POTS = 56  # cells of the pots
TIMES = 64  # ticks to cook, by soup code
VALUES = 80  # points for delivering, by soup code, bonus included; 0 where nobody ordered it
ORDERED = 96  # 0, 1, or 2 for a bonus order, by soup code
GRID = 112  # terrain + 8 * region (floor cells that can reach each other share a region, from 0)
ITEM = GRID + MAX_CELLS  # what lies on a counter or is in a pot
TIMER = ITEM + MAX_CELLS  # of a pot
STATE_SIZE = TIMER + MAX_CELLS
STATE_DTYPE = np.int16


@rule
def terrain(state, cell):
    """FLOOR, COUNTER, … of a cell."""
    return int(state[GRID + cell]) & 7


@rule
def region(state, cell):
    """Which part of the kitchen a floor cell belongs to; no way leads from one part to another."""
    return int(state[GRID + cell]) >> 3


@rule
def neighbour(state, cell, direction):
    """The cell next to a cell. Floor never touches the edge, so from floor there always is one."""
    if direction == NORTH:
        return cell - int(state[WIDTH])
    if direction == SOUTH:
        return cell + int(state[WIDTH])
    if direction == EAST:
        return cell + 1
    return cell - 1


@rule
def faced(state, seat):
    """The cell that a cook looks at."""
    return neighbour(state, int(state[POSITION + seat]), int(state[FACING + seat]))


@rule
def onions_of(item):
    """Onions in a soup."""
    return (item - SOUP) >> 2


@rule
def tomatoes_of(item):
    """Tomatoes in a soup."""
    return (item - SOUP) & 3


@rule
def ingredients_of(item):
    """Ingredients in a soup, or in a pot's item; 0 for NOTHING."""
    return 0 if item < SOUP else ((item - SOUP) >> 2) + ((item - SOUP) & 3)


@rule
def cook_time(state, item):
    """Ticks that a soup with these ingredients cooks."""
    return int(state[TIMES + item - SOUP])


@rule
def pot_ready(state, cell):
    """Whether the soup in a pot is done."""
    item = int(state[ITEM + cell])
    timer = int(state[TIMER + cell])
    return item >= SOUP and timer >= 0 and timer >= cook_time(state, item)


@rule
def pot_open(state, cell):
    """Whether a pot takes another ingredient: idle, and fewer than three in it."""
    return int(state[TIMER + cell]) == IDLE and ingredients_of(int(state[ITEM + cell])) < MAX_INGREDIENTS


@rule
def legal(state, seat, out):
    """Every action is legal for every cook at any time."""
    for action in range(NUM_ACTIONS):
        out[action] = 1


@rule
def current(state):
    """All cooks act at once."""
    return -1


@rule
def over(state):
    """1 once the horizon is reached."""
    return int(state[OVER])


@rule
def score(state):
    """Points of the soups delivered (the sparse return)."""
    return int(state[SCORE])


@rule
def shaped(state, seat):
    """The shaped reward of a seat for the last step; deliveries are not in it."""
    return int(state[SHAPED + seat])


@rule
def new_game(state):
    """Begin the next episode of the record's stream: same layout and options, everything put away."""
    episode = get32(state, EPISODE)
    put32(state, EPISODE, episode + 1)
    for index in range(TICK, POSITION):
        state[index] = 0
    for seat in range(int(state[PLAYERS])):
        state[POSITION + seat] = state[START + seat]
        state[FACING + seat] = NORTH
        state[HELD + seat] = NOTHING
        state[EVENT + seat] = NO_EVENT
        state[EVENT_CELL + seat] = 0
        state[EVENT_ITEM + seat] = 0
        state[ACTION + seat] = -1
    for cell in range(int(state[WIDTH]) * int(state[HEIGHT])):
        state[ITEM + cell] = NOTHING
        state[TIMER + cell] = IDLE
    if int(state[RANDOM_START]) != 0:
        _scatter(state, episode)


@inner
def _within_reach(state, cell):
    """Whether a cook can stand next to a cell: a dish that nobody can fetch would end the dish reward."""
    width = int(state[WIDTH])
    row = cell // width
    column = cell - row * width
    for direction in range(4):
        if (
            (direction == NORTH and row == 0)
            or (direction == SOUTH and row == int(state[HEIGHT]) - 1)
            or (direction == EAST and column == width - 1)
            or (direction == WEST and column == 0)
        ):
            continue
        there = neighbour(state, cell, direction)
        if terrain(state, there) == FLOOR:
            for seat in range(int(state[PLAYERS])):
                if region(state, there) == region(state, int(state[START + seat])):
                    return True
    return False


@inner
def _scatter(state, episode):
    """A random start: cooks anywhere in their part of the kitchen, things in hands, pots and on counters."""
    key_a = get32(state, KEY_A)
    key_b = get32(state, KEY_B)
    count = episode * 256
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    players = int(state[PLAYERS])
    onions = 0
    tomatoes = 0
    for cell in range(cells):
        if terrain(state, cell) == ONIONS:
            onions = 1
        elif terrain(state, cell) == TOMATOES:
            tomatoes = 1
    # Where there are no onions, tomatoes take their place.
    ingredient = TOMATO if onions == 0 else ONION
    unit = 1 if onions == 0 else 4
    soup = SOUP + unit * MAX_INGREDIENTS
    for seat in range(players):
        home = region(state, int(state[START + seat]))
        for _ in range(32):
            count += 1
            cell = below(random32(key_a, key_b, count), cells)
            free = terrain(state, cell) == FLOOR and region(state, cell) == home
            for other in range(players):
                if other != seat and int(state[POSITION + other]) == cell:
                    free = False
            if free:
                state[POSITION + seat] = cell
                break
        count += 1
        state[FACING + seat] = below(random32(key_a, key_b, count), 4)
        count += 1
        draw = below(random32(key_a, key_b, count), 8)
        if draw == 0:
            state[HELD + seat] = ingredient
        elif draw == 1:
            state[HELD + seat] = DISH
        elif draw == 2:
            state[HELD + seat] = soup
        elif draw == 3 and tomatoes != 0:
            state[HELD + seat] = TOMATO
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        count += 1
        filled = below(random32(key_a, key_b, count), 8) - 4  # empty in half of the cases
        if filled == MAX_INGREDIENTS:
            state[ITEM + cell] = soup
            count += 1
            state[TIMER + cell] = below(random32(key_a, key_b, count), cook_time(state, soup) + 1)
        elif filled > 0:
            state[ITEM + cell] = SOUP + unit * filled
    for _ in range(3):
        count += 1
        cell = below(random32(key_a, key_b, count), cells)
        empty = terrain(state, cell) == COUNTER and int(state[ITEM + cell]) == NOTHING
        if empty and _within_reach(state, cell):
            count += 1
            draw = below(random32(key_a, key_b, count), 4)
            if draw == 0:
                state[ITEM + cell] = ingredient
            elif draw == 1:
                state[ITEM + cell] = DISH
                state[COUNTER_DISHES] += 1


@rule
def step(state, actions):
    """One joint step; returns the shared sparse reward. `shaped` has what each seat earned besides."""
    players = int(state[PLAYERS])
    # The shaping looks at the pots as they were before both interactions.
    busy_pots = 0
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        inside = ingredients_of(int(state[ITEM + cell]))
        if inside > 0 and (inside < MAX_INGREDIENTS or int(state[TIMER + cell]) != IDLE):
            busy_pots += 1
    reward = 0
    for seat in range(players):
        action = int(actions[seat])
        state[ACTION + seat] = action
        state[SHAPED + seat] = 0
        state[EVENT + seat] = NO_EVENT
        if action == INTERACT:
            reward += _interact(state, seat, busy_pots)
    _move(state, actions, players)
    tick = int(state[TICK]) + 1
    state[TICK] = tick
    if tick >= int(state[HORIZON]):
        state[OVER] = 1
    for pot in range(int(state[POT_COUNT])):
        _cook(state, int(state[POTS + pot]))
    state[SCORE] += reward
    return reward


@rule
def _cook(state, cell):
    item = int(state[ITEM + cell])
    if item < SOUP:
        return
    timer = int(state[TIMER + cell])
    if timer == IDLE and int(state[DYNAMICS]) == OLD and ingredients_of(item) == MAX_INGREDIENTS:
        timer = 0
    if timer != IDLE and timer < cook_time(state, item):
        timer += 1
    state[TIMER + cell] = timer


@rule
def _note(state, seat, event, cell, item):
    state[EVENT + seat] = event
    state[EVENT_CELL + seat] = cell
    state[EVENT_ITEM + seat] = item


@inner
def _interact(state, seat, busy_pots):
    """What one cook's interaction does; returns the points of a delivery."""
    cell = faced(state, seat)
    kind = terrain(state, cell)
    held = int(state[HELD + seat])
    if kind == FLOOR:
        return 0
    if kind == COUNTER:
        _use_counter(state, seat, cell, held)
    elif kind == POT:
        _use_pot(state, seat, cell, held)
    elif kind == SERVE:
        if held >= SOUP:
            state[HELD + seat] = NOTHING
            _note(state, seat, DELIVER, cell, held)
            return int(state[VALUES + held - SOUP])
    elif held == NOTHING:
        item = ONION
        if kind == TOMATOES:
            item = TOMATO
        elif kind == DISHES:
            item = DISH
            dishes = 0
            for other in range(int(state[PLAYERS])):
                if int(state[HELD + other]) == DISH:
                    dishes += 1
            if int(state[COUNTER_DISHES]) == 0 and dishes < busy_pots:
                state[SHAPED + seat] = state[DISH_REWARD]
        state[HELD + seat] = item
        _note(state, seat, PICK, cell, item)
    return 0


@inner
def _use_counter(state, seat, cell, held):
    lies = int(state[ITEM + cell])
    if held != NOTHING and lies == NOTHING:
        state[ITEM + cell] = held
        state[HELD + seat] = NOTHING
        if held == DISH:
            state[COUNTER_DISHES] += 1
        _note(state, seat, PLACE_COUNTER, cell, held)
    elif held == NOTHING and lies != NOTHING:
        state[ITEM + cell] = NOTHING
        state[HELD + seat] = lies
        if lies == DISH:
            state[COUNTER_DISHES] -= 1
        _note(state, seat, PICK_COUNTER, cell, lies)


@inner
def _use_pot(state, seat, cell, held):
    inside = int(state[ITEM + cell])
    if held == NOTHING:
        if int(state[DYNAMICS]) == NEW and inside >= SOUP and int(state[TIMER + cell]) == IDLE:
            state[TIMER + cell] = 0
            _note(state, seat, START_POT, cell, inside)
    elif held == DISH:
        if pot_ready(state, cell):
            state[ITEM + cell] = NOTHING
            state[TIMER + cell] = IDLE
            state[HELD + seat] = inside
            state[SHAPED + seat] = state[SOUP_REWARD]
            _note(state, seat, PICK_SOUP, cell, inside)
    elif held < SOUP and pot_open(state, cell):
        if inside == NOTHING:
            inside = SOUP
        state[ITEM + cell] = inside + (4 if held == ONION else 1)
        state[HELD + seat] = NOTHING
        state[SHAPED + seat] = state[PLACEMENT_REWARD]
        _note(state, seat, PUT_POT, cell, held)


@inner
def _target(state, seat, action):
    """Where a cook wants to be: the next floor cell in the direction of a move, else where it is."""
    here = int(state[POSITION + seat])
    if action >= STAY:
        return here
    there = neighbour(state, here, action)
    return there if terrain(state, there) == FLOOR else here


@rule
def _move(state, actions, players):
    """Turn everybody; then move everybody, or nobody if two want one cell or want to swap."""
    clash = False
    for seat in range(players):
        action = int(actions[seat])
        if action < STAY:
            state[FACING + seat] = action
        mine = _target(state, seat, action)
        for other in range(seat):
            theirs = _target(state, other, int(actions[other]))
            if mine == theirs or (
                mine == int(state[POSITION + other]) and theirs == int(state[POSITION + seat])
            ):
                clash = True
    if clash:
        return
    for seat in range(players):
        state[POSITION + seat] = _target(state, seat, int(actions[seat]))
