"""FrozenLake-2 (SAMA, arXiv:2305.10865, appendix G.1): FrozenLake for two players, a discrete version of the
Spread task: both keep out of the holes in the ice, and each reaches a target.

From the paper: two players; what each observes is its own coordinates and the other's, and nothing else
(observation.py); the only reward is +1 when a player reaches a target. The map is only drawn there (Figure
14), so ours are Gymnasium's, which the paper names, with a second start and a second target (lakes.py). Where
the paper is silent:

- Both move at once. Actions are FrozenLake's (left, down, right, up), and to stay. A step off the lake does
  nothing. The ice isn't slippery.
- Nobody steps onto another player, and two can't change places; who follows somebody who leaves can. Of two
  who step onto the same cell the first player gets there.
- Which player takes which target is theirs to agree on, as in Spread, and a target can be left again. The
  score is the largest number of targets that were taken at once, so each gives a point once.
- The game ends when both stand on a target, when a player is in a hole, as in FrozenLake, or at the horizon.

Not here: maps and options (lakes.py), what a seat sees (observation.py, view.py).
"""

from __future__ import annotations

from engine.simulation.jit import inner, rule
from engine.simulation.rng import MASK32, below, random32

RULES_VERSION = 1
LEFT, DOWN, RIGHT, UP, STAY = range(5)
NUM_ACTIONS = 5
SEATS = 2
SIDE = 8  # cells of a row in the record, however large the lake is: a cell is y * SIDE + x
CELLS = SIDE * SIDE
ICE, HOLE = 0, 1
NOWHERE = 255  # of how far a target is from a cell from which no way leads there
RUNNING, SOLVED, FELL, TIME_IS_UP = range(4)
STAYED, STEPPED, HELD_UP, IN_HOLE, ON_TARGET = range(5)  # what a player did in the last step

KEY_A, KEY_B, EPISODE = range(3)
SIZE, HORIZON, SIGHT, DRAWN = range(3, 7)  # DRAWN: whether every game has a lake of its own
TICK, SCORE, GAINED, OVER = range(7, 11)
START = 11  # cell, by seat
TARGET = START + SEATS  # cells
AT = TARGET + SEATS  # cell, by seat
ACTION = AT + SEATS  # of the last step, by seat; -1 before the first
DID = ACTION + SEATS
GRID = DID + SEATS  # ICE or HOLE, by cell
FAR = GRID + CELLS  # steps over ice from each cell to the first target, and then to the second
STATE_SIZE = FAR + SEATS * CELLS

ATTEMPTS = 64  # at a lake on which ways lead to both targets
HOLES = 5  # one cell in so many is a hole of a drawn lake, as in Gymnasium's random maps


@rule
def neighbour(state, cell, action):
    """The cell that a step leads to; the same where the lake ends, and for who stays."""
    x, y, last = cell % SIDE, cell // SIDE, int(state[SIZE]) - 1
    if action == LEFT and x > 0:
        return cell - 1
    if action == RIGHT and x < last:
        return cell + 1
    if action == UP and y > 0:
        return cell - SIDE
    if action == DOWN and y < last:
        return cell + SIDE
    return cell


@rule
def far(state, target, cell):
    """Steps over ice from a cell to a target (0 or 1), as if nobody stood in the way; NOWHERE without way."""
    return int(state[FAR + target * CELLS + cell])


@rule
def measure(state):
    """Write how far the targets are."""
    for target in range(SEATS):
        field = FAR + target * CELLS
        for cell in range(CELLS):
            state[field + cell] = NOWHERE
        state[field + int(state[TARGET + target])] = 0
        changed = True
        while changed:
            changed = False
            for cell in range(CELLS):
                x, y = cell % SIDE, cell // SIDE
                outside = x >= int(state[SIZE]) or y >= int(state[SIZE])
                if outside or int(state[GRID + cell]) == HOLE:
                    continue
                for action in range(STAY):
                    beside = int(state[field + neighbour(state, cell, action)]) + 1
                    if beside < int(state[field + cell]):
                        state[field + cell] = beside
                        changed = True


@rule
def draw(state, key_a, key_b, number):
    """Draw a lake of its size: four different cells for players and targets, and holes among the others,
    until ways lead from both players to both targets.
    """
    size, counter = int(state[SIZE]), number * ATTEMPTS * 2 * CELLS
    for attempt in range(ATTEMPTS):
        for place in range(2 * SEATS):
            taken = True
            while taken:
                x = below(random32(key_a, key_b, counter & MASK32), size)
                y = below(random32(key_a, key_b, (counter + 1) & MASK32), size)
                counter += 2
                state[START + place] = y * SIDE + x
                taken = False
                for earlier in range(place):
                    taken = taken or int(state[START + earlier]) == y * SIDE + x
        for cell in range(CELLS):
            hole = below(random32(key_a, key_b, counter & MASK32), HOLES) == 0
            counter += 1
            for place in range(2 * SEATS):
                hole = hole and int(state[START + place]) != cell
            state[GRID + cell] = HOLE if hole and attempt < ATTEMPTS - 1 else ICE
        measure(state)
        linked = True
        for seat in range(SEATS):
            for target in range(SEATS):
                linked = linked and far(state, target, int(state[START + seat])) != NOWHERE
        if linked:
            break


@rule
def new_game(state):
    """The next game of the record's stream."""
    if int(state[DRAWN]) != 0:
        draw(state, int(state[KEY_A]), int(state[KEY_B]), int(state[EPISODE]))
    state[EPISODE] = (int(state[EPISODE]) + 1) & MASK32
    for field in range(TICK, START):
        state[field] = 0
    for seat in range(SEATS):
        state[AT + seat] = state[START + seat]
        state[ACTION + seat] = -1
        state[DID + seat] = STAYED
    _note_targets(state)  # a drawn lake never has a start on a target, a made-up one might


@rule
def legal(state, seat, out):
    """Every action is legal at any time."""
    for action in range(NUM_ACTIONS):
        out[action] = 1


@rule
def current(state):
    """Both act at once."""
    return -1


@rule
def over(state):
    return int(state[OVER])


@rule
def score(state):
    return int(state[SCORE])


@rule
def on_target(state, cell):
    """Which target a cell is, -1 for none."""
    for target in range(SEATS):
        if int(state[TARGET + target]) == cell:
            return target
    return -1


@rule
def met(state, first, second):
    """Where both players come to who want to go to these cells, the present ones included: (cell, cell)."""
    here, there = int(state[AT]), int(state[AT + 1])
    if first == there and second == here:  # they can't change places
        return here, there
    if first == second:
        if second == there:  # the second one stays, or can't step off the lake
            return here, there
        return first, there
    return first, second


@rule
def step(state, actions):
    here, there = int(state[AT]), int(state[AT + 1])
    wanted, also_wanted = (
        neighbour(state, here, int(actions[0])),
        neighbour(state, there, int(actions[1])),
    )
    first, second = met(state, wanted, also_wanted)
    for seat in range(SEATS):
        before, now = int(state[AT + seat]), first if seat == 0 else second
        action = int(actions[seat])
        state[ACTION + seat] = action
        state[AT + seat] = now
        did = STEPPED if now != before else STAYED if action == STAY else HELD_UP
        if now != before and on_target(state, now) >= 0:
            did = ON_TARGET
        if int(state[GRID + now]) == HOLE:
            did = IN_HOLE
            state[OVER] = FELL
        state[DID + seat] = did
    state[TICK] = int(state[TICK]) + 1
    _note_targets(state)
    if int(state[OVER]) == RUNNING and int(state[TICK]) >= int(state[HORIZON]):
        state[OVER] = TIME_IS_UP
    return int(state[GAINED])


@inner
def _note_targets(state):
    """Score the targets that are taken now."""
    taken = 0
    for seat in range(SEATS):
        taken += 1 if on_target(state, int(state[AT + seat])) >= 0 else 0
    state[GAINED] = max(0, taken - int(state[SCORE]))
    state[SCORE] = int(state[SCORE]) + int(state[GAINED])
    if taken == SEATS and int(state[OVER]) == RUNNING:
        state[OVER] = SOLVED
