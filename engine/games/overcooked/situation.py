"""The tasks in a kitchen and the ways to them: tables that `jobs` fills anew for each record.

`lists` and `counts`: where things are to be had or done. `pots`: what each pot needs. `team`: what each cook
is up to; a kitchen whose parts aren't connected hands things over counters, and a cook's *level* is how many
times a thing in its hand must change hands to get to a pot (or to be served). `near`: ticks from each cook to
each station. All arrays are scratch of the caller.
"""

from __future__ import annotations

from engine.games.overcooked import planner, rules
from engine.games.overcooked.planner import FAR
from engine.games.overcooked.rules import (
    ACTION,
    DISH,
    DYNAMICS,
    EVENT,
    HEIGHT,
    HELD,
    IDLE,
    ITEM,
    MAX_INGREDIENTS,
    NEW,
    NO_EVENT,
    NOTHING,
    ONION,
    PLAYERS,
    POSITION,
    POT_COUNT,
    POTS,
    SOUP,
    STAY,
    TICK,
    TIMER,
    TIMES,
    TOMATO,
    VALUES,
    WIDTH,
)
from engine.simulation.jit import inner, rule
from engine.simulation.rng import hash32

# Rows of `lists`: cells where something can be done; rows ONION, TOMATO and DISH: where that is to be had.
FREE, SOUPS, SERVES, LISTS = 0, 4, 5, 6
# Columns of `pots`.
NEEDS, NEXT = 0, 2  # onions and tomatoes that are missing now, and in the soup after this one
STAGE, LEFT, FILLED, SERVED, PRICE, POT_COLUMNS = 4, 5, 6, 7, 8, 9
OPEN, FULL, COOKING = 0, 1, 2  # stages: takes ingredients, wants to be started, cooks or is done
# Columns of `team`; USE is 1 where the goal can be used now, SKILLS what a cook is willing to do,
# LATER 1 for one that isn't counted on.
GOAL, RANK, USE, TO_POT, TO_SERVE, SKILLS, LATER, TEAM_COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7
FETCHING, DISHING, FILLING = 1, 2, 4  # ingredients; dishes and soups; putting things into pots
ALL_SKILLS = 7
NOBODY = 9  # a level from which no way leads to the goal
HANDLING = 2.0  # ticks that an interaction and its turn take
EARLY = 3  # ticks that a dish may come before its soup is done
# What a job takes out of what is to be done: KINDS * kind + 4 * pot + item.
KINDS = 64
NO_EFFECT, FILLS, NEXT_FILLS, DISHED, STARTS, HANDED, SERVES_SOUP = 0, 64, 128, 192, 256, 320, 384
SOON = 6  # ticks until a pot that is being filled cooks


@inner
def look_round(state, lists, counts):
    """Fill `lists` (LISTS, cells) and their lengths."""
    for row in range(LISTS):
        counts[row] = 0
    for cell in range(int(state[WIDTH]) * int(state[HEIGHT])):
        kind = rules.terrain(state, cell)
        row = -1
        if kind == rules.COUNTER:
            lies = int(state[ITEM + cell])
            row = SOUPS if lies >= SOUP else lies
        elif kind == rules.SERVE:
            row = SERVES
        elif kind == rules.ONIONS:
            row = ONION
        elif kind == rules.TOMATOES:
            row = TOMATO
        elif kind == rules.DISHES:
            row = DISH
        if row >= 0:
            lists[row, counts[row]] = cell
            counts[row] += 1


@rule
def recipe(state, inside, onions, tomatoes):
    """The code of the soup to make of what is in a pot: the best paid for each tick; without one that is
    ordered, the quickest to get rid of. `onions`, `tomatoes`: whether there are any. -1 if there is nothing.
    """
    has_onions = rules.onions_of(inside) if inside >= SOUP else 0
    has_tomatoes = rules.tomatoes_of(inside) if inside >= SOUP else 0
    least = MAX_INGREDIENTS if int(state[DYNAMICS]) != NEW else 1
    best = -1
    best_pay = -1.0
    for more in range(has_onions, MAX_INGREDIENTS + 1):
        if more > has_onions and not onions:
            break
        for others in range(has_tomatoes, MAX_INGREDIENTS + 1 - more):
            if others > has_tomatoes and not tomatoes:
                break
            if more + others < least:
                continue
            code = 4 * more + others
            missing = more + others - has_onions - has_tomatoes
            work = int(state[TIMES + code]) + 8.0 * missing + 12.0
            pay = (int(state[VALUES + code]) + 0.01) / work
            if pay > best_pay:
                best, best_pay = code, pay
    return best


@inner
def read_pots(state, counts, pots):
    """Fill `pots` (MAX_POTS, POT_COLUMNS): what each pot needs."""
    onions = counts[ONION] > 0
    tomatoes = counts[TOMATO] > 0
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        inside = int(state[ITEM + cell])
        timer = int(state[TIMER + cell])
        for column in range(POT_COLUMNS):
            pots[pot, column] = 0
        empty = recipe(state, NOTHING, onions, tomatoes)
        code = empty
        if timer == IDLE:
            code = recipe(state, inside, onions, tomatoes)
            pots[pot, FILLED] = rules.ingredients_of(inside)
            if code < 0:
                continue
            pots[pot, NEEDS] = (code >> 2) - (rules.onions_of(inside) if inside >= SOUP else 0)
            pots[pot, NEEDS + 1] = (code & 3) - (rules.tomatoes_of(inside) if inside >= SOUP else 0)
            pots[pot, LEFT] = int(state[TIMES + code])
            if pots[pot, NEEDS] + pots[pot, NEEDS + 1] == 0:
                pots[pot, STAGE] = FULL
            pots[pot, PRICE] = int(state[VALUES + code])
        else:
            pots[pot, STAGE] = COOKING
            pots[pot, FILLED] = MAX_INGREDIENTS
            pots[pot, LEFT] = max(0, rules.cook_time(state, inside) - timer)
            pots[pot, PRICE] = int(state[VALUES + inside - SOUP])
        if pots[pot, STAGE] != OPEN and empty >= 0:
            pots[pot, NEXT] = empty >> 2
            pots[pot, NEXT + 1] = empty & 3
        pots[pot, PRICE] = max(pots[pot, PRICE], 1)


@inner
def measure_ways(state, hops, seat, near, fields):
    """Fill near[who, cell]: ticks until each cook looks at each station, in a kitchen without others; for
    `seat`, round those who stand still (FAR where they block the only way). `fields` is scratch.
    """
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    blocked, field, queue = fields[0], fields[1], fields[2]
    for cell in range(cells):
        blocked[cell] = 0
    still = False
    for who in range(int(state[PLAYERS])):
        here = int(state[POSITION + who])
        for cell in range(cells):
            near[who, cell] = hops[here, cell]
        ahead = rules.faced(state, who)
        if rules.terrain(state, ahead) != rules.FLOOR:
            near[who, ahead] = 0
        if who != seat and int(state[ACTION + who]) == STAY:
            blocked[here] = 1
            still = True
    if still:
        planner.reach(state, seat, blocked, field, queue, near[seat])


@rule
def ticks(near, seat, cell):
    """Ticks until a cook looks at a station."""
    return int(near[seat, cell])


@inner
def _held_up(state, who):
    """Whether a cook stands next to another one, and so perhaps waits for it; now and then, no excuse."""
    if hash32(int(state[TICK]) >> 4) % 4 == 0:
        return False
    here = int(state[POSITION + who])
    for direction in range(4):
        beside = rules.neighbour(state, here, direction)
        for other in range(int(state[PLAYERS])):
            if int(state[POSITION + other]) == beside:
                return True
    return False


@inner
def keeps_to_plan(state, hops, near, team, who):
    """Whether a cook's last action went towards the goal that the plan gives it."""
    action = int(state[ACTION + who])
    goal = int(team[who, GOAL])
    if action < 0 or goal < 0 or int(state[EVENT + who]) != NO_EVENT:
        return True
    if action >= STAY:
        return False
    if near[who, goal] == 0 or _held_up(state, who):
        return True
    before = rules.neighbour(state, int(state[POSITION + who]), planner.opposite(action))
    return rules.terrain(state, before) == rules.FLOOR and near[who, goal] < hops[before, goal]


@rule
def nearest(near, seat, cells, count):
    """The one of `cells` that a cook gets to first, -1 if none."""
    best, least = -1, FAR
    for index in range(count):
        far = ticks(near, seat, int(cells[index]))
        if far < least:
            best, least = int(cells[index]), far
    return best


@inner
def read_levels(state, hops, near, lists, counts, team):
    """How many times a thing in each cook's hand must change hands to get to a pot and to be served."""
    players = int(state[PLAYERS])
    for seat in range(players):
        team[seat, TO_POT] = NOBODY
        team[seat, TO_SERVE] = NOBODY
        for pot in range(int(state[POT_COUNT])):
            if team[seat, SKILLS] & FILLING and ticks(near, seat, int(state[POTS + pot])) < FAR:
                team[seat, TO_POT] = 0
        if nearest(near, seat, lists[SERVES], counts[SERVES]) >= 0:
            team[seat, TO_SERVE] = 0
    for column in range(TO_POT, TO_SERVE + 1):
        for _ in range(players - 1):
            for seat in range(players):
                for other in range(players):
                    if team[seat, column] > team[other, column] + 1 and _share(
                        state, hops, seat, other, lists, counts
                    ):
                        team[seat, column] = team[other, column] + 1


@rule
def _share(state, hops, seat, other, lists, counts):
    """Whether two cooks share a counter, whatever lies on it."""
    for row in range(SERVES):
        for index in range(counts[row]):
            cell = int(lists[row, index])
            if (
                rules.terrain(state, cell) == rules.COUNTER
                and hops[int(state[POSITION + seat]), cell] < FAR
                and hops[int(state[POSITION + other]), cell] < FAR
            ):
                return True
    return False


@inner
def bridge(state, hops, near, seat, first, column, lists, counts, team):
    """(counter, how many there are): the free counter over which a cook coming from `first` (a cell) hands
    something on to a cook nearer to the goal (`column` of team), with the shortest way in all; -1 if none.
    """
    best, least, number = -1, FAR, 0
    for index in range(counts[FREE]):
        cell = int(lists[FREE, index])
        mine = int(hops[first, cell])
        if first == int(state[POSITION + seat]):
            mine = ticks(near, seat, cell)
        if mine >= FAR or not helps(state, hops, seat, cell, column, team):
            continue
        number += 1
        theirs = FAR
        if column == TO_POT:
            for pot in range(int(state[POT_COUNT])):
                theirs = min(theirs, int(hops[cell, int(state[POTS + pot])]))
        else:
            for serve in range(counts[SERVES]):
                theirs = min(theirs, int(hops[cell, int(lists[SERVES, serve])]))
        if mine + min(theirs, 20) < least:
            best, least = cell, mine + min(theirs, 20)
    return best, number


@inner
def helps(state, hops, seat, cell, column, team):
    """Whether a cook nearer to the goal than this one can use a counter."""
    for other in range(int(state[PLAYERS])):
        if team[other, column] < team[seat, column] and hops[int(state[POSITION + other]), cell] < FAR:
            return True
    return False


@inner
def count_demand(state, hops, lists, counts, pots, team):
    """Put into counts[LISTS + item] how many of an item are still to be handed over to cooks at pots."""
    for item in range(LISTS, LISTS + 4):
        counts[item] = 0
    for pot in range(int(state[POT_COUNT])):
        for item in range(ONION, TOMATO + 1):
            counts[LISTS + item] += pots[pot, NEEDS + item - ONION] + pots[pot, NEXT + item - ONION]
        if pots[pot, STAGE] != OPEN or pots[pot, FILLED] >= 2:
            counts[LISTS + DISH] += 1
    for seat in range(int(state[PLAYERS])):
        held = int(state[HELD + seat])
        if team[seat, TO_POT] == 0 and NOTHING < held < SOUP:
            counts[LISTS + held] -= 1
    for item in range(ONION, DISH + 1):
        for index in range(counts[item]):
            cell = int(lists[item, index])
            for seat in range(int(state[PLAYERS])):
                near = hops[int(state[POSITION + seat]), cell] < FAR
                if near and team[seat, TO_POT] == 0 and rules.terrain(state, cell) == rules.COUNTER:
                    counts[LISTS + item] -= 1
                    break


@rule
def source(state, hops, near, seat, item, last, lists, counts):
    """(cell, ticks): where to fetch an item on the way to the station `last`, and how long that takes."""
    best, least = -1, FAR
    for index in range(counts[item]):
        cell = int(lists[item, index])
        first = ticks(near, seat, cell)
        rest = int(hops[cell, last])
        if first >= FAR or rest >= FAR:
            continue
        # The short way from a counter may begin on its other side; no way is shorter than the direct one.
        total = max(first + rest, int(near[seat, last]))
        if total < least:
            best, least = cell, total
    return best, least + 2.0


@rule
def serving(state, hops, pot, lists, counts):
    """Ticks from a pot to the nearest serving window; 10 where somebody else must bring it there."""
    least = FAR
    for index in range(counts[SERVES]):
        least = min(least, int(hops[int(state[POTS + pot]), int(lists[SERVES, index])]))
    return 10 if least >= FAR else least
