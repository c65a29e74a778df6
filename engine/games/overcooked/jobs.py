"""Jobs for all cooks of a kitchen, assigned by points for each tick that they take.

Every cook works out the plan of the whole team and follows its own part, so cooks that plan alike need no
words. A job ends at one cell, the goal: a station to use or to wait at. Points for each tick: an ingredient
counts as a share of its soup, a dish and a delivery as the soup. Where the kitchen is divided, things are
handed over counters. Not here: what there is to do (`situation`), ways (`planner`), who gives way
(`traffic`), styles of cooks (`bots`).
"""

from __future__ import annotations

from engine.games.overcooked import rules
from engine.games.overcooked.planner import FAR
from engine.games.overcooked.rules import (
    DISH,
    HELD,
    NOTHING,
    ONION,
    PLAYERS,
    POSITION,
    POT_COUNT,
    POTS,
    SOUP,
    TOMATO,
)
from engine.games.overcooked.situation import (
    COOKING,
    DISHED,
    DISHING,
    EARLY,
    FETCHING,
    FILLED,
    FILLING,
    FILLS,
    FREE,
    FULL,
    GOAL,
    HANDED,
    HANDLING,
    KINDS,
    LATER,
    LEFT,
    LISTS,
    NEEDS,
    NEXT,
    NEXT_FILLS,
    NO_EFFECT,
    NOBODY,
    OPEN,
    PRICE,
    RANK,
    SERVED,
    SERVES,
    SERVES_SOUP,
    SKILLS,
    SOON,
    SOUPS,
    STAGE,
    STARTS,
    TO_POT,
    TO_SERVE,
    USE,
    bridge,
    count_demand,
    helps,
    keeps_to_plan,
    look_round,
    measure_ways,
    nearest,
    read_levels,
    read_pots,
    serving,
    source,
    ticks,
)
from engine.simulation.jit import inner, rule


@rule
def share(pots, pot):
    """Points that one more ingredient in a pot is worth: the fuller the pot, the more."""
    return pots[pot, PRICE] / 3.0 * (1.0 + 0.5 * pots[pot, FILLED])


@inner
def dish_worth(state, hops, pot, travel, pots, lists, counts):
    """Points a tick of having a dish at a pot after `travel` ticks; a dish that comes too early is worth
    little, since the cook could do something else first.
    """
    left = pots[pot, LEFT]
    if pots[pot, STAGE] == OPEN:
        left += SOON
    early = left - travel
    after = 2.0 + serving(state, hops, pot, lists, counts)
    if early > EARLY:
        return 0.5 * pots[pot, PRICE] / (left + after)
    return 2.0 * pots[pot, PRICE] / (max(travel, 1.0 * left) + after)


@inner
def _wants_dish(pots, pot):
    """Whether a pot has all that it needs, at least on its way, and nobody brings a dish."""
    return pots[pot, SERVED] == 0 and (
        pots[pot, STAGE] != OPEN or (pots[pot, NEEDS] + pots[pot, NEEDS + 1] == 0 and pots[pot, FILLED] > 0)
    )


@inner
def with_soup(state, hops, near, seat, lists, counts, team):
    """(points a tick, goal, effect) of the best that a cook with a soup can do."""
    cell = nearest(near, seat, lists[SERVES], counts[SERVES])
    if cell < 0:
        cell, _ = bridge(state, hops, near, seat, int(state[POSITION + seat]), TO_SERVE, lists, counts, team)
    if cell < 0:
        return 0.0, -1, NO_EFFECT
    return 80.0 / (ticks(near, seat, cell) + HANDLING), cell, NO_EFFECT


@inner
def with_dish(state, hops, near, seat, lists, counts, pots, team):
    """The same for a cook with a dish."""
    best, goal, effect = 0.0, -1, NO_EFFECT
    away = nearest(near, seat, lists[FREE], counts[FREE])
    waits = False
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        travel = ticks(near, seat, cell)
        if travel >= FAR or not team[seat, SKILLS] & FILLING:
            continue
        if team[seat, SKILLS] & DISHING and _wants_dish(pots, pot):
            # Having the dish already, there is nothing else to do first.
            left = pots[pot, LEFT] + (SOON if pots[pot, STAGE] == OPEN else 0)
            after = 2.0 + serving(state, hops, pot, lists, counts)
            points = 2.0 * pots[pot, PRICE] / (max(travel, left) + after)
            if points > best:
                best, goal, effect = points, cell, DISHED + pot * 4
                waits = True
    if team[seat, TO_POT] > 0:
        over, _ = bridge(state, hops, near, seat, int(state[POSITION + seat]), TO_POT, lists, counts, team)
        if over >= 0:
            points = 20.0 / (ticks(near, seat, over) + HANDLING)
            if points > best:
                best, goal, effect = points, over, HANDED + DISH
    if away >= 0 and not waits:
        # Put it away, in order to fill a pot.
        drop = ticks(near, seat, away) + HANDLING
        if best <= 0.0:
            best, goal, effect = 0.001 / drop, away, NO_EFFECT
        for pot in range(int(state[POT_COUNT])):
            for item in range(ONION, TOMATO + 1):
                if pots[pot, NEEDS + item - ONION] > 0 and team[seat, SKILLS] & FETCHING:
                    _, rest = source(state, hops, near, seat, item, int(state[POTS + pot]), lists, counts)
                    points = share(pots, pot) / (drop + rest + HANDLING)
                    if rest < FAR and points > best:
                        best, goal, effect = points, away, FILLS + pot * 4 + item
    return best, goal, effect


@inner
def with_ingredient(state, hops, near, seat, lists, counts, pots, team):
    """The same for a cook with an onion or a tomato."""
    best, goal, effect = 0.0, -1, NO_EFFECT
    item = int(state[HELD + seat])
    for pot in range(int(state[POT_COUNT])):
        cell = int(state[POTS + pot])
        travel = ticks(near, seat, cell)
        if travel >= FAR or not team[seat, SKILLS] & FILLING:
            continue
        if pots[pot, NEEDS + item - ONION] > 0:
            points = share(pots, pot) / (travel + HANDLING)
            if points > best:
                best, goal, effect = points, cell, FILLS + pot * 4 + item
        elif pots[pot, NEXT + item - ONION] > 0:
            points = 0.4 * share(pots, pot) / (max(travel, pots[pot, LEFT]) + 6.0)
            if points > best:
                best, goal, effect = points, cell, NEXT_FILLS + pot * 4 + item
    if team[seat, TO_POT] > 0:
        over, _ = bridge(state, hops, near, seat, int(state[POSITION + seat]), TO_POT, lists, counts, team)
        if over >= 0:
            points = 6.0 / (ticks(near, seat, over) + HANDLING)
            if points > best:
                best, goal, effect = points, over, HANDED + item
    away = nearest(near, seat, lists[FREE], counts[FREE])
    if away >= 0:
        drop = ticks(near, seat, away) + HANDLING
        if best <= 0.0:
            best, goal, effect = 0.001 / drop, away, NO_EFFECT
        for pot in range(int(state[POT_COUNT])):
            if team[seat, SKILLS] & DISHING and _wants_dish(pots, pot):
                _, rest = source(state, hops, near, seat, DISH, int(state[POTS + pot]), lists, counts)
                points = dish_worth(state, hops, pot, drop + rest, pots, lists, counts)
                if rest < FAR and points > best:
                    best, goal, effect = points, away, DISHED + pot * 4
    return best, goal, effect


@inner
def with_nothing(state, hops, near, seat, lists, counts, pots, team):
    """The same for a cook with empty hands."""
    best, goal, effect = 0.0, -1, NO_EFFECT
    for pot in range(int(state[POT_COUNT])):
        last = int(state[POTS + pot])
        direct = ticks(near, seat, last)
        if direct >= FAR or not team[seat, SKILLS] & FILLING:
            continue
        if pots[pot, STAGE] == FULL:
            points = 2.0 * pots[pot, PRICE] / (direct + HANDLING)
            if points > best:
                best, goal, effect = points, last, STARTS + pot * 4
        if team[seat, SKILLS] & DISHING and _wants_dish(pots, pot):
            first, travel = source(state, hops, near, seat, DISH, last, lists, counts)
            points = dish_worth(state, hops, pot, travel, pots, lists, counts)
            if first >= 0 and points > best:
                best, goal, effect = points, first, DISHED + pot * 4
        for item in range(ONION, TOMATO + 1):
            if pots[pot, NEEDS + item - ONION] + pots[pot, NEXT + item - ONION] == 0:
                continue
            if not team[seat, SKILLS] & FETCHING:
                break
            first, travel = source(state, hops, near, seat, item, last, lists, counts)
            if first < 0:
                continue
            now = pots[pot, NEEDS + item - ONION] > 0
            points = share(pots, pot) / (travel + HANDLING)
            if not now:
                points = 0.4 * share(pots, pot) / (max(travel, 1.0 * pots[pot, LEFT]) + 6.0)
            if points > best:
                best, goal = points, first
                effect = (FILLS if now else NEXT_FILLS) + pot * 4 + item
    for index in range(counts[SOUPS]):
        cell = int(lists[SOUPS, index])
        travel = ticks(near, seat, cell)
        if (
            travel < FAR
            and team[seat, SKILLS] & DISHING
            and not helps(state, hops, seat, cell, TO_SERVE, team)
        ):
            points = 40.0 / (travel + 10.0)
            if points > best:
                best, goal, effect = points, cell, SERVES_SOUP + index * 4
    if team[seat, TO_POT] > 0:
        for item in range(ONION, DISH + 1):
            skill = DISHING if item == DISH else FETCHING
            if counts[LISTS + item] <= 0 or not team[seat, SKILLS] & skill:
                continue
            for index in range(counts[item]):
                cell = int(lists[item, index])
                travel = ticks(near, seat, cell)
                if travel >= FAR or (
                    rules.terrain(state, cell) == rules.COUNTER
                    and helps(state, hops, seat, cell, TO_POT, team)
                ):
                    continue
                over, number = bridge(state, hops, near, seat, cell, TO_POT, lists, counts, team)
                # The last free counter is kept for a dish that is still to come.
                if over < 0 or (number < 2 and item != DISH and counts[LISTS + DISH] > 0):
                    continue
                points = (20.0 if item == DISH else 6.0) / (travel + hops[cell, over] + 2 * HANDLING)
                if points > best:
                    best, goal, effect = points, cell, HANDED + item
    return best, goal, effect


@rule
def plan(state, hops, seat, near, lists, counts, pots, team, fields):
    """Give every cook its goal (-1: nothing to do) and rank (0 goes first) in `team`, where their skills are
    already. If somebody doesn't keep to the plan, `seat` takes a goal as if that cook came last; ranks stay,
    so that cooks that plan alike agree on who gives way.
    """
    measure_ways(state, hops, seat, near, fields)
    for who in range(int(state[PLAYERS])):
        team[who, LATER] = 0
    _deal(state, hops, near, lists, counts, pots, team)
    again = False
    for who in range(int(state[PLAYERS])):
        if who != seat and not keeps_to_plan(state, hops, near, team, who):
            team[who, LATER] = 1
            again = True
    if again:
        for who in range(int(state[PLAYERS])):
            fields[3, 3 * who] = team[who, GOAL]
            fields[3, 3 * who + 1] = team[who, RANK]
            fields[3, 3 * who + 2] = team[who, USE]
        _deal(state, hops, near, lists, counts, pots, team)
        for who in range(int(state[PLAYERS])):
            team[who, RANK] = fields[3, 3 * who + 1]
            if who != seat:
                team[who, GOAL] = fields[3, 3 * who]
                team[who, USE] = fields[3, 3 * who + 2]


@inner
def _deal(state, hops, near, lists, counts, pots, team):
    """Deal out the jobs, the best pair of cook and job first."""
    look_round(state, lists, counts)
    read_pots(state, counts, pots)
    read_levels(state, hops, near, lists, counts, team)
    count_demand(state, hops, lists, counts, pots, team)
    players = int(state[PLAYERS])
    for seat in range(players):
        team[seat, GOAL] = -1
        team[seat, RANK] = NOBODY
    for rank in range(players):
        chosen, goal, effect = -1, -1, NO_EFFECT
        best = -1.0
        later = True
        for seat in range(players):
            if team[seat, RANK] == NOBODY and team[seat, LATER] == 0:
                later = False
        for seat in range(players):
            if team[seat, RANK] != NOBODY or (team[seat, LATER] != 0 and not later):
                continue
            held = int(state[HELD + seat])
            if held >= SOUP:
                job = with_soup(state, hops, near, seat, lists, counts, team)
            elif held == DISH:
                job = with_dish(state, hops, near, seat, lists, counts, pots, team)
            elif held != NOTHING:
                job = with_ingredient(state, hops, near, seat, lists, counts, pots, team)
            else:
                job = with_nothing(state, hops, near, seat, lists, counts, pots, team)
            if job[0] > best:
                best, chosen = job[0], seat
                goal, effect = job[1], job[2]
        team[chosen, GOAL] = goal
        team[chosen, RANK] = rank
        team[chosen, USE] = 1
        if goal >= 0 and rules.terrain(state, goal) == rules.POT:
            kind = effect - effect % KINDS
            if kind == NEXT_FILLS or (kind == DISHED and not rules.pot_ready(state, goal)):
                team[chosen, USE] = 0
        _reserve(state, effect, goal, lists, counts, pots)


@inner
def _reserve(state, effect, goal, lists, counts, pots):
    """Take what a job does out of what is to be done, and the thing on a counter out of what is there."""
    pot = (effect % KINDS) // 4
    item = effect % 4
    kind = effect - effect % KINDS
    if kind == FILLS:
        pots[pot, NEEDS + item - ONION] -= 1
    elif kind == NEXT_FILLS:
        pots[pot, NEXT + item - ONION] -= 1
    elif kind == DISHED:
        pots[pot, SERVED] = 1
    elif kind == STARTS:
        pots[pot, STAGE] = COOKING
    elif kind == HANDED:
        counts[LISTS + item] -= 1
    if goal >= 0 and rules.terrain(state, goal) == rules.COUNTER:
        for row in range(SERVES):
            for index in range(counts[row]):
                if int(lists[row, index]) == goal:
                    counts[row] -= 1
                    lists[row, index] = lists[row, counts[row]]
                    break
