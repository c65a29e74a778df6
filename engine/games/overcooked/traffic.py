"""The next step of all cooks together, chosen so that no two cooks block each other.

Each cook has a goal (`jobs`) and therefore a price for each action: how many ticks are left afterwards. Of
all joint actions that the rules would carry out, the cheapest is taken, where cooks with a better job count
twice as much as those after them: those are pushed aside. Now and then the order is turned round, which
lets cooks out of dead ends. Cooks that don't play along are walked round: see `stands`.
"""

from __future__ import annotations

from engine.games.overcooked.planner import FAR, after, ticks_from, way
from engine.games.overcooked.rules import (
    ACTION,
    FACING,
    FLOOR,
    HEIGHT,
    INTERACT,
    NUM_ACTIONS,
    PLAYERS,
    POSITION,
    STAY,
    TICK,
    WIDTH,
    neighbour,
    terrain,
)
from engine.games.overcooked.situation import GOAL, RANK, USE
from engine.simulation.jit import inner, rule
from engine.simulation.rng import hash32

IDLE_STEP = 0.1  # what moving costs a cook that has nothing to do, in ticks
DETOUR = 8  # ticks that a cook rather goes round somebody who stands than waits


@rule
def stands(state, seat, other):
    """Whether a cook takes another one for one that stays where it is: it chose to stay in the last step, or
    both ran into each other, or nothing but this would end a quarrel (now and then, never both at once).
    """
    if int(state[ACTION + other]) == STAY:
        return True
    turn = hash32(int(state[TICK]) >> 3) >> 4
    clash = (
        int(state[ACTION + seat]) < STAY
        and int(state[ACTION + other]) < STAY
        and int(state[ACTION + seat]) >= 0
        and _meet(state, seat, other)
    )
    if clash:
        turn = hash32(int(state[TICK]) + 77) >> 4
        return turn % 4 == (0 if seat < other else 2)
    return turn % 16 == (0 if seat < other else 8)


@inner
def _meet(state, seat, other):
    """Whether two cooks look at one floor cell, or at each other."""
    mine = neighbour(state, int(state[POSITION + seat]), int(state[FACING + seat]))
    theirs = neighbour(state, int(state[POSITION + other]), int(state[FACING + other]))
    if terrain(state, mine) != FLOOR:
        return False
    return mine == theirs or (mine == int(state[POSITION + other]) and theirs == int(state[POSITION + seat]))


@inner
def price(state, seat, who, team, fields, prices):
    """Fill prices[who] (NUM_ACTIONS,): ticks left after each action of a cook, as `seat` expects them.
    `fields` (4, cells) is scratch.
    """
    targets, blocked, field, queue = fields[0], fields[1], fields[2], fields[3]
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    cell = int(state[POSITION + who])
    goal = int(team[who, GOAL])
    if goal < 0:
        for action in range(NUM_ACTIONS):
            prices[who, action] = IDLE_STEP if action < STAY else 0.0
        prices[who, INTERACT] = FAR
        return
    for other in range(cells):
        targets[other] = 0
        blocked[other] = 0
    targets[goal] = 1
    facing = int(state[FACING + who])
    way(state, targets, blocked, field, queue)
    direct = ticks_from(state, field, targets, cell, facing)
    if who == seat:
        for other in range(int(state[PLAYERS])):
            if other != seat and stands(state, seat, other):
                blocked[int(state[POSITION + other])] = 1
        way(state, targets, blocked, field, queue)
    for other in range(cells):
        blocked[other] = 0
    if ticks_from(state, field, targets, cell, facing) > direct + DETOUR:
        way(state, targets, blocked, field, queue)
    for action in range(STAY):
        there = after(state, cell, action, blocked)
        prices[who, action] = ticks_from(state, field, targets, there, action)
    prices[who, STAY] = ticks_from(state, field, targets, cell, facing)
    prices[who, INTERACT] = FAR
    if team[who, USE] != 0 and neighbour(state, cell, facing) == goal and terrain(state, goal) != FLOOR:
        prices[who, INTERACT] = -2.0


@rule
def _options(state, seat, who, prices, options):
    """Write the actions worth thinking of into options[who]; returns how many they are."""
    if who != seat and stands(state, seat, who):
        options[who, 0] = STAY
        return 1
    options[who, 0] = STAY
    count = 1
    here = int(state[POSITION + who])
    for action in range(NUM_ACTIONS):
        moved = action < STAY and terrain(state, neighbour(state, here, action)) == FLOOR
        if (
            action != STAY
            and prices[who, action] < FAR
            and (moved or prices[who, action] < prices[who, STAY])
        ):
            options[who, count] = action
            count += 1
    return count


@rule
def choose(state, seat, team, prices, options, notes):
    """The action of a cook in the cheapest joint action; `options` and `notes` (3, players) are scratch."""
    counts, current, ranks = notes[0], notes[1], notes[2]
    players = int(state[PLAYERS])
    turned = hash32((int(state[TICK]) >> 3) + 12345) % 4 == 0
    for who in range(players):
        counts[who] = _options(state, seat, who, prices, options)
        current[who] = 0
        ranks[who] = players if team[who, GOAL] < 0 else int(team[who, RANK])
        if turned and team[who, GOAL] >= 0:
            ranks[who] = players - 1 - ranks[who]
    if hash32(int(state[TICK]) + 999) % 2 == 0:
        for who in range(players):
            for other in range(players):
                # Somebody who pushes is let through half of the time.
                if _pushes(state, who, other) and ranks[who] > ranks[other]:
                    ranks[who], ranks[other] = ranks[other], ranks[who]
    best_action = STAY
    best = 1e18
    while True:
        total = 0.0
        for who in range(players):
            total += prices[who, options[who, current[who]]] * 4.0 ** (players - ranks[who])
        if total < best - 1e-9 and not _clash(state, players, options, current):
            best = total
            best_action = int(options[seat, current[seat]])
        who = 0
        while who < players:
            current[who] += 1
            if current[who] < counts[who]:
                break
            current[who] = 0
            who += 1
        if who == players:
            return best_action


@inner
def _pushes(state, who, other):
    """Whether a cook's last action was to walk against the cell of another one."""
    return (
        who != other
        and int(state[ACTION + who]) == int(state[FACING + who])
        and neighbour(state, int(state[POSITION + who]), int(state[FACING + who]))
        == int(state[POSITION + other])
    )


@rule
def _clash(state, players, options, current):
    """Whether the rules would stop these moves: two cooks want one cell, or want to swap."""
    for who in range(players):
        mine = _lands(state, who, options[who, current[who]])
        for other in range(who):
            theirs = _lands(state, other, options[other, current[other]])
            if mine == theirs:
                return True
            if mine == int(state[POSITION + other]) and theirs == int(state[POSITION + who]):
                return True
    return False


@inner
def _lands(state, who, action):
    here = int(state[POSITION + who])
    if action >= STAY:
        return here
    there = neighbour(state, here, action)
    return there if terrain(state, there) == FLOOR else here
