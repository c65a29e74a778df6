"""What human proxies read in any kitchen of two cooks: what each direction leads to, and what they did
lately.

`remember_many` keeps a seat's memory: recent actions of its own and of the other cook, how long ago things
happened, running rates. `encode_many` writes `CONTEXT` numbers and then `SIDED` numbers for each of the four
directions, alike under turning and mirroring a kitchen, so that a network may share weights among directions.
Not for agents that learn by reinforcement (`features`), whose numbers belong to one layout.
"""

from __future__ import annotations

import numpy as np

from engine.games.overcooked import planner, rules
from engine.games.overcooked.features import MET, _met
from engine.games.overcooked.planner import FAR
from engine.games.overcooked.rules import (
    ACTION,
    COUNTER,
    DISH,
    DISHES,
    EVENT,
    FACING,
    FLOOR,
    HEIGHT,
    HELD,
    IDLE,
    INTERACT,
    ITEM,
    NO_EVENT,
    NOTHING,
    NUM_ACTIONS,
    ONIONS,
    POSITION,
    POT_COUNT,
    POTS,
    SERVE,
    SOUP,
    STAY,
    TICK,
    TIMER,
    WIDTH,
)
from engine.simulation.jit import inner, njit, rule

FEATURES_VERSION = 1
OWN, OTHER, MOVES = 8, 4, 3  # how many own actions, the other's, and own ones that weren't stay are kept
AGES = 5  # ticks since: moved, interacted, own hands changed, the other moved, its hands changed
SLOW, QUICK = 0.98, 0.9  # what is left of a running rate after a tick
# The memory of a seat: the tick it knows (1 and more), the lists of actions (+ 1, newest first), ages, where
# and with what both cooks were, own rates at two paces, the other's rate of staying.
KNOWN, OWN_AT, OTHER_AT = 0, 1, 1 + OWN
MOVES_AT = OTHER_AT + OTHER
AGES_AT = MOVES_AT + MOVES
BEFORE_AT = AGES_AT + AGES
RATES_AT = BEFORE_AT + 4
MEMORY = RATES_AT + 2 * NUM_ACTIONS + 1

# What there may be to go to. Pots by distance.
(
    NEAR_POT,
    FAR_POT,
    TO_ONIONS,
    TO_DISHES,
    TO_SERVE,
    LYING_ONION,
    LYING_DISH,
    LYING_SOUP,
    FREE_COUNTER,
    BRIDGE,
    TARGETS,
) = range(11)
KINDS = 12  # of what is beside a cook: floor, the other cook, free counter, onion, dish, soup on it, stations
PER_POT = 7
PER_TARGET = 4
HANDS = 4
STEP = 3  # numbers of a direction and target: nearer, as near, farther

CONTEXT = (
    2 * HANDS  # held
    + MET
    + 2 * PER_POT
    + TARGETS * PER_TARGET
    + 2 * (OWN + OTHER + MOVES)  # of each remembered action: stayed, interacted
    + 2 * AGES
    + 2 * 3 + 1  # rates of staying, interacting, moving; the other's of staying
    + 4  # how far the other cook is, the seat, the time
)  # fmt: skip
SIDED = 2 + KINDS + TARGETS * STEP + (OWN + OTHER + MOVES) + 2 + 2
SIZE = CONTEXT + 4 * SIDED
# How engine.agents.people reads them: the moves are alike, a move reads its own direction, the opposite one
# and the two beside; staying and interacting come after them.
ALIKE, EACH, EXTRAS = 4, SIDED, 2
RELATED = (((0, 1, 2, 3),), ((1, 0, 3, 2),), ((2, 2, 0, 0), (3, 3, 1, 1)))
PERSONAS: tuple[str, ...] = ()


def persona(survey: dict[str, str]) -> str:
    """Which of PERSONAS a person is by the answers to a survey; "" if nobody asked."""
    return ""


@rule
def _hand(item):
    """0 nothing, 1 an ingredient, 2 a dish, 3 a soup."""
    if item >= SOUP:
        return 3
    return 2 if item == DISH else min(item, 1)


@inner
def _push(memory, at, count, action):
    for index in range(at + count - 1, at, -1):
        memory[index] = memory[index - 1]
    memory[at] = action + 1


@rule
def _remember(state, seat, memory):
    """Bring a seat's memory up to the record's tick; once a tick."""
    tick = int(state[TICK])
    if tick == 0:
        for index in range(MEMORY):
            memory[index] = 0.0
    if int(memory[KNOWN]) == tick + 1:
        return
    other = 1 - seat
    before = BEFORE_AT
    for index in range(AGES):
        memory[AGES_AT + index] += 1.0
    if tick > 0:
        last_action = int(state[ACTION + seat])
        _push(memory, OWN_AT, OWN, last_action)
        _push(memory, OTHER_AT, OTHER, int(state[ACTION + other]))
        if last_action != STAY:
            _push(memory, MOVES_AT, MOVES, last_action)
        for action in range(NUM_ACTIONS):
            did = 1.0 if action == last_action else 0.0
            quick, slow = RATES_AT + action, RATES_AT + NUM_ACTIONS + action
            memory[quick] = QUICK * memory[quick] + (1.0 - QUICK) * did
            memory[slow] = SLOW * memory[slow] + (1.0 - SLOW) * did
        stayed = 1.0 if int(state[ACTION + other]) == STAY else 0.0
        last = RATES_AT + 2 * NUM_ACTIONS
        memory[last] = SLOW * memory[last] + (1.0 - SLOW) * stayed
        if memory[before] != state[POSITION + seat]:
            memory[AGES_AT] = 0.0
        if last_action == INTERACT:
            memory[AGES_AT + 1] = 0.0
        if memory[before + 1] != state[HELD + seat] or int(state[EVENT + seat]) != NO_EVENT:
            memory[AGES_AT + 2] = 0.0
        if memory[before + 2] != state[POSITION + other]:
            memory[AGES_AT + 3] = 0.0
        if memory[before + 3] != state[HELD + other]:
            memory[AGES_AT + 4] = 0.0
    memory[before] = state[POSITION + seat]
    memory[before + 1] = state[HELD + seat]
    memory[before + 2] = state[POSITION + other]
    memory[before + 3] = state[HELD + other]
    memory[KNOWN] = tick + 1


@inner
def _ticks(state, hops, seat, cell):
    """Ticks until a cook looks at a station in an empty kitchen."""
    return 0 if rules.faced(state, seat) == cell else int(hops[int(state[POSITION + seat]), cell])


@rule
def _take(targets, ticks, target, cell, far):
    if far < ticks[target]:
        targets[target] = cell
        ticks[target] = far


@inner
def _find(state, hops, seat, targets, ticks):
    """The nearest cell of each target, -1 where there is none within reach, and the ticks to it."""
    for target in range(TARGETS):
        targets[target] = -1
        ticks[target] = FAR
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        far = _ticks(state, hops, seat, cell)
        if far < ticks[NEAR_POT]:
            targets[FAR_POT] = targets[NEAR_POT]
            ticks[FAR_POT] = ticks[NEAR_POT]
            targets[NEAR_POT] = cell
            ticks[NEAR_POT] = far
        elif far < ticks[FAR_POT]:
            targets[FAR_POT] = cell
            ticks[FAR_POT] = far
    if targets[NEAR_POT] < 0:  # out of reach, but worth looking at
        targets[NEAR_POT] = int(state[POTS])
        if int(state[POT_COUNT]) > 1:
            targets[FAR_POT] = int(state[POTS + 1])
    for cell in range(int(state[WIDTH]) * int(state[HEIGHT])):
        kind = rules.terrain(state, cell)
        if kind == FLOOR or kind == rules.POT:
            continue
        far = _ticks(state, hops, seat, cell)
        if far >= FAR:
            continue
        if kind == ONIONS or kind == rules.TOMATOES:
            _take(targets, ticks, TO_ONIONS, cell, far)
        elif kind == DISHES:
            _take(targets, ticks, TO_DISHES, cell, far)
        elif kind == SERVE:
            _take(targets, ticks, TO_SERVE, cell, far)
        elif kind == COUNTER:
            item = int(state[ITEM + cell])
            if item == NOTHING:
                _take(targets, ticks, FREE_COUNTER, cell, far)
                theirs = int(hops[int(state[POSITION + 1 - seat]), cell])
                if theirs < FAR and far + theirs < ticks[BRIDGE]:
                    targets[BRIDGE] = cell
                    ticks[BRIDGE] = far + theirs
            else:
                _take(targets, ticks, LYING_ONION + _hand(item) - 1, cell, far)
    if targets[BRIDGE] >= 0:
        ticks[BRIDGE] = _ticks(state, hops, seat, int(targets[BRIDGE]))


@rule
def _kind(state, seat, cell):
    """What is beside a cook, 0 .. KINDS - 1."""
    kind = rules.terrain(state, cell)
    if kind == FLOOR:
        return 1 if int(state[POSITION + 1 - seat]) == cell else 0
    if kind == COUNTER:
        return 2 + _hand(int(state[ITEM + cell]))
    return 6 + kind - rules.POT


@inner
def _seldom(ticks):
    """A time, 0 .. 1, finer where it is short."""
    return 1.0 - 1.0 / (1.0 + 0.2 * ticks)


@rule
def _encode(state, hops, seat, memory, targets, ticks, out):
    for index in range(out.shape[0]):
        out[index] = 0.0
    other = 1 - seat
    here = int(state[POSITION + seat])
    width = int(state[WIDTH])
    out[_hand(int(state[HELD + seat]))] = 1.0
    out[HANDS + _hand(int(state[HELD + other]))] = 1.0
    out[2 * HANDS + _met(state, seat)] = 1.0
    at = 2 * HANDS + MET
    _find(state, hops, seat, targets, ticks)
    for target in range(NEAR_POT, FAR_POT + 1):
        cell = int(targets[target])
        if cell >= 0:
            item = int(state[ITEM + cell])
            out[at + rules.ingredients_of(item)] = 1.0
            timer = int(state[TIMER + cell])
            if timer != IDLE:
                left = max(0, rules.cook_time(state, item) - timer)
                out[at + 4] = 1.0
                out[at + 5] = 1.0 if left == 0 else 0.0
                out[at + 6] = 0.05 * left
        at += PER_POT
    for target in range(TARGETS):
        cell = int(targets[target])
        if cell >= 0:
            theirs = _ticks(state, hops, other, cell)
            out[at] = 1.0 if ticks[target] < FAR else 0.0
            out[at + 1] = 1.0 - _seldom(min(ticks[target], 30))
            out[at + 2] = 1.0 - _seldom(min(theirs, 30))
            out[at + 3] = 1.0 if ticks[target] == 0 else 0.0
        at += PER_TARGET
    sided = CONTEXT
    for index in range(OWN + OTHER + MOVES):
        action = int(memory[OWN_AT + index]) - 1
        if action == STAY:
            out[at] = 1.0
        elif action == INTERACT:
            out[at + 1] = 1.0
        elif action >= 0:
            out[sided + SIDED * action + 2 + KINDS + TARGETS * STEP + index] = 1.0
        at += 2
    for index in range(AGES):
        out[at] = _seldom(memory[AGES_AT + index])
        out[at + 1] = min(1.0, 0.02 * memory[AGES_AT + index])
        at += 2
    for pace in range(2):
        rates = RATES_AT + pace * NUM_ACTIONS
        out[at] = memory[rates + STAY]
        out[at + 1] = memory[rates + INTERACT]
        for direction in range(4):
            out[at + 2] += memory[rates + direction]
            out[sided + SIDED * direction + SIDED - 4 + pace] = memory[rates + direction]
        at += 3
    out[at] = memory[RATES_AT + 2 * NUM_ACTIONS]
    at += 1
    there = int(state[POSITION + other])
    across, down = there % width - here % width, there // width - here // width
    out[at] = 1.0 - _seldom(abs(across) + abs(down))
    out[at + 1] = 1.0 - _seldom(min(30, int(hops[here, there])))
    out[at + 2] = float(seat)
    out[at + 3] = _seldom(0.05 * int(state[TICK]))
    for direction in range(4):
        at = sided + SIDED * direction
        beside = rules.neighbour(state, here, direction)
        out[at] = 1.0 if int(state[FACING + seat]) == direction else 0.0
        out[at + 1] = 1.0 if int(state[FACING + other]) == direction else 0.0
        out[at + 2 + _kind(state, seat, beside)] = 1.0
        goes = beside if rules.terrain(state, beside) == FLOOR else here
        at += 2 + KINDS
        for target in range(TARGETS):
            cell = int(targets[target])
            if cell >= 0 and ticks[target] < FAR:
                after = int(hops[goes, cell])
                if rules.neighbour(state, goes, direction) == cell:
                    after = 0
                longer = after - int(ticks[target])
                if longer < 0:
                    out[at] = 1.0
                elif longer == 0:
                    out[at + 1] = 1.0
                else:
                    out[at + 2] = 1.0
            at += STEP
        at = sided + SIDED * direction + SIDED - 2
        along = down if direction < 2 else across
        towards = -along if direction == 0 or direction == 3 else along
        out[at] = min(1.0, 0.2 * max(0, towards))
        out[at + 1] = 1.0 if towards > 0 and abs(across) + abs(down) == towards else 0.0


@njit
def _remember_many(states, seats, memory):
    for row in range(states.shape[0]):
        _remember(states[row], int(seats[row]), memory[row])


@njit
def _encode_many(states, hops, seats, memory, out):
    targets = np.zeros(TARGETS, np.int32)
    ticks = np.zeros(TARGETS, np.int32)
    for row in range(states.shape[0]):
        _encode(states[row], hops, int(seats[row]), memory[row], targets, ticks, out[row])


def encode_many(states: np.ndarray, seats: np.ndarray, memory: np.ndarray, out: np.ndarray) -> None:
    """Fill out (n, SIZE) float32, and bring memory (n, MEMORY) up to the records (n, state_size)."""
    seats = np.asarray(seats, np.int32)
    _remember_many(states, seats, memory)
    see_many(states, seats, memory, out)


def see_many(states: np.ndarray, seats: np.ndarray, memory: np.ndarray, out: np.ndarray) -> None:
    """The same with memory as it is."""
    for rows in planner.kitchens(states):
        features = np.zeros((len(rows), SIZE), np.float32)
        _encode_many(states[rows], planner.hops(states[rows[0]]), seats[rows], memory[rows], features)
        out[rows] = features
