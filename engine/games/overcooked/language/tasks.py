"""What a cook does next for a goal: which station to use, where to stand, or why it can't.

Each task is a chain ("get a plate, fill it, serve it") whose next link follows from what the cook holds and
what the pots hold, so it works from any state. Compiled; tasks write a step and return what it is worth. Not
for the way there (`ways`).

A step (`k.step`, columns in coded.py) has stations of which one is to be used (USE), or cells of which one is
to be stood on (STAND); neither where there is nothing to do. Its worth tells apart, among several roles, what
can be done now (4 with what is in the hand, 3 a soup that is done, 2 with empty hands), what is only being
got ready (1), and what can't be done (0). Stations that are used EARLY are only looked at, until they can be
used; the NEAREST are those that are near to the player as well. From the counters in KEEP nothing is to be
taken, because it lies there for somebody. `goal` is the row of the goal whose target is meant, -1 for none.
"""

from __future__ import annotations

from engine.games.overcooked import planner, rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language.coded import Text
from engine.games.overcooked.language.cook import (
    AVOIDED,
    CELLS,
    NEAR,
    NOBODY,
    SHARED,
    SOURCES,
    STATIONS,
    clear,
    copy,
    held,
    holds,
    lying,
    part,
    resolve,
    within,
)
from engine.games.overcooked.rules import (
    DISH,
    DISHES,
    FLOOR,
    NOTHING,
    ONION,
    POT,
    SERVE,
    SOUP,
    TOMATO,
)
from engine.simulation.jit import inner

SPARE = 2  # of a thing wait on counters for others before who brings or passes on such things pauses


@inner
def begin(k, text, worth, thing, goal, at):
    """A step that says so, with nothing to use yet."""
    clear(k, k.sets[k_.USE])
    clear(k, k.sets[k_.STAND])
    clear(k, k.sets[k_.KEEP])
    k.step[c.TEXT] = text
    k.step[c.THING] = thing
    k.step[c.OF] = goal
    k.step[c.AT] = at
    k.step[c.WORTH] = worth
    k.step[c.WAITING] = 0
    k.step[c.EARLY] = 0
    k.step[c.NEAREST] = 0
    return worth


@inner
def cant(k, text, thing, goal, at):
    begin(k, text, 0, thing, goal, at)
    k.step[c.WAITING] = 1
    return 0


@inner
def use(k, stations, text, worth, thing, goal, at):
    begin(k, text, worth, thing, goal, at)
    copy(k, stations, k.sets[k_.USE])
    return worth


@inner
def worth(k, value):
    """Another worth of the step."""
    k.step[c.WORTH] = value
    return value


@inner
def side_of(k, goal, kind):
    """The side that a goal names of stations of a kind; 0: none."""
    if goal < 0 or k.goals[goal, c.TARGET] != kind:
        return 0
    return int(k.goals[goal, c.SIDE])


@inner
def meant(k, goal, kind, mask):
    """The stations of a kind that a goal means."""
    return resolve(k, kind, side_of(k, goal, kind), mask)


@inner
def dispensers(name):
    return rules.ONIONS if name == ONION else rules.TOMATOES if name == TOMATO else DISHES


@inner
def wait_near(k, stations):
    """Stand close to some stations, on no cell that anybody needs for a pot, a dispenser or the window."""
    stand = k.sets[k_.STAND]
    clear(k, k.sets[k_.USE])
    k_.access(k, stations, k.sets[CELLS])
    clear(k, k.sets[NOBODY])
    k_.walk(k, k.sets[CELLS], k.sets[NOBODY], k.fields[k_.WAY])
    free = 0
    for cell in k.floors:
        free += k_.mine(k, cell) and not k_.needed(k, cell)
        k.fields[k_.RANK][cell] = k_.steps_to(k.fields[k_.WAY], cell)
    for cell in k.floors:
        stand[cell] = k_.mine(k, cell) and (free == 0 or not k_.needed(k, cell))
    k_.least(k, k.floors, stand)


@inner
def waiting(k, stations, text, goal, at):
    """Wait near stations, saying so."""
    begin(k, text, 1, 0, goal, at)
    wait_near(k, stations)
    return 1


@inner
def waiting_for(k, stations):
    """Wait near stations because of what the step says can't be done."""
    wait_near(k, stations)
    k.step[c.WAITING] = 1
    return worth(k, 0)


@inner
def put_away(k):
    """Empty the hands: on a free counter that isn't AVOIDED if there is one, or where the thing belongs if no
    counter is free.
    """
    cells = k.sets[CELLS]
    free = lying(k, NOTHING, cells)
    if k_.only(k, cells, k_.OUT, AVOIDED) == 0:
        free = lying(k, NOTHING, cells)
    if free == 0 and holds(k, SOUP):
        k_.where(k, SERVE, cells)
        free = within(k, cells)
    elif free == 0 and not holds(k, DISH):
        k_.where(k, POT, cells)
        within(k, cells)
        free = k_.only(k, cells, k_.OPEN, 0)
    if free == 0:
        return cant(k, Text.HANDS_FULL, 0, -1, 0)
    return use(k, cells, Text.EMPTYING, 1, 0, -1, 0)


@inner
def look_for(k, name):
    """Let SOURCES be the dispensers of a thing, and the counters on which one lies."""
    sources, cells = k.sets[SOURCES], k.sets[CELLS]
    k_.where(k, dispensers(name), sources)
    lying(k, name, cells)
    for cell in k.stations:
        if cells[cell] != 0:
            sources[cell] = 1


@inner
def get(k, name):
    """Have a thing in the hand: from one of the SOURCES that aren't AVOIDED."""
    sources = k.sets[SOURCES]
    within(k, sources)
    if k_.only(k, sources, k_.OUT, AVOIDED) == 0:
        return cant(k, Text.NO_SOURCE, name, -1, 0)
    if held(k) != NOTHING:
        return put_away(k)
    return use(k, sources, Text.FETCHING, 2, name, -1, 0)


@inner
def get_any(k, name):
    """Have a thing in the hand, from anywhere."""
    avoid_nothing(k)
    look_for(k, name)
    return get(k, name)


@inner
def avoid_nothing(k):
    clear(k, k.sets[AVOIDED])


@inner
def with_teller(k):
    """The counters that are shared with the part of the kitchen that the player is in."""
    return k_.shared_with(k, part(k, k.step[c.TELLER]), k.sets[SHARED])


@inner
def hand_over(k, parts, text, name, goal, at):
    """Put what is held on a free counter that these parts of the kitchen share; on the NEAREST to the player
    as well if theirs is one of them.
    """
    shared, nobody = k.sets[SHARED], k.sets[NOBODY]
    clear(k, nobody)
    k_.shared_with(k, parts, shared)
    if k_.only(k, shared, k_.LADEN, NOTHING) == 0:
        return cant(k, Text.NONE_FREE, 0, -1, 0)
    open_ = 0
    for cell in k.stations:
        open_ += shared[cell] != 0 and _free_side(k, cell)
    for cell in k.stations:
        shared[cell] = shared[cell] != 0 and (open_ == 0 or _free_side(k, cell))
    use(k, shared, text, 4, name, goal, at)
    if parts & part(k, k.step[c.TELLER]) != 0:
        k.step[c.NEAREST] = 1
    return 4


@inner
def _free_side(k, station):
    """Whether a station can be used from a cell where no other cook stands."""
    for direction in range(4):
        cell = planner.beside(k.state, station, direction)
        if cell >= 0 and rules.terrain(k.state, cell) == FLOOR and not k_.taken(k, cell):
            return True
    return False


@inner
def _many(k, name):
    """Whether enough of a thing lies on the SHARED counters: then what lies there is left to others."""
    shared, there = k.sets[SHARED], k.sets[CELLS]
    lying(k, name, there)
    if k_.only(k, there, k_.IN, SHARED) < SPARE:
        return False
    begin(k, Text.MANY_WAIT, 1, name, -1, 0)
    k.step[c.WAITING] = 1
    copy(k, shared, k.sets[k_.KEEP])
    return True


@inner
def bring(k, name, goal, count):
    """Fetch a thing for the player and put it where they can take it."""
    if with_teller(k) == 0:
        return cant(k, Text.NONE_SHARED, 0, -1, 0)
    shared, avoided = k.sets[SHARED], k.sets[AVOIDED]
    if holds(k, name):
        return hand_over(k, part(k, k.step[c.TELLER]), Text.BRINGING, name, -1, 0)
    copy(k, shared, avoided)
    if count == c.FOREVER and _many(k, name):
        return 1
    if name == SOUP:
        value = plate(k, goal, True)
        k.step[c.TEXT] = Text.FETCHING_SOUP
        return value
    if goal >= 0 and k.goals[goal, c.TARGET] != 0:
        meant(k, goal, dispensers(name), k.sets[SOURCES])
    else:
        look_for(k, name)
    return get(k, name)


@inner
def cook(k, name, goal, lasting):
    """An ingredient into a pot; passed on over a counter where the pots are out of reach."""
    pots = k.sets[STATIONS]
    meant(k, goal, POT, pots)
    copy(k, pots, k.sets[NEAR])
    if within(k, pots) == 0:
        if lasting:
            return _pass_on(k, name, k.sets[NEAR], goal, POT)
        return cant(k, Text.NO_WAY, 0, goal, POT)
    opened = k_.count(k, pots, k_.OPEN, 0)
    if holds(k, name):
        if opened:
            k_.only(k, pots, k_.OPEN, 0)
            return use(k, pots, Text.PUTTING_IN, 4, name, goal, POT)
        return waiting(k, pots, Text.WAITING_FREE, goal, POT)
    if lasting and not k_.is_old(k) and held(k) == NOTHING and k_.count(k, pots, k_.WHOLE, 0):
        k_.only(k, pots, k_.WHOLE, 0)
        return use(k, pots, Text.STARTING, 2, 0, -1, 0)
    if get_any(k, name) == 0:
        return waiting_for(k, pots)
    return int(k.step[c.WORTH]) if opened else worth(k, 1)


@inner
def _pass_on(k, name, stations, goal, at):
    """Leave a thing on a counter for those who reach the stations."""
    shared, avoided, parts = k.sets[SHARED], k.sets[AVOIDED], 0
    for cell in k.stations:
        if stations[cell] != 0:
            parts |= k.parts[cell]
    if k_.shared_with(k, parts, shared) == 0:
        return cant(k, Text.NO_WAY, 0, goal, at)
    copy(k, shared, avoided)
    if holds(k, name):
        value = hand_over(k, parts, Text.PASSING, name, goal, at)
        if value == 0:
            k.step[c.TEXT] = Text.COUNTERS_FULL
        return value
    free = k.sets[NOBODY]
    copy(k, shared, free)
    if k_.only(k, free, k_.LADEN, NOTHING) == 0:
        cant(k, Text.NO_WAY_FULL, 0, goal, at)
        copy(k, shared, k.sets[k_.KEEP])
        return 0
    if _many(k, name):
        return 1
    look_for(k, name)
    value = get(k, name)
    return value if value else cant(k, Text.NO_WAY, 0, goal, at)


@inner
def plate(k, goal, from_dispensers):
    """A dish filled with soup."""
    pots = k.sets[STATIONS]
    meant(k, goal, POT, pots)
    copy(k, pots, k.sets[NEAR])
    if within(k, pots) == 0:
        return _pass_on(k, DISH, k.sets[NEAR], goal, POT)
    done, cooking = k_.count(k, pots, k_.READY, 0), k_.count(k, pots, k_.COOKING, 0)
    if holds(k, DISH):
        if done == 0 and cooking == 0:
            return waiting(k, pots, Text.WAITING_SOUP, -1, 0)
        k_.only(k, pots, k_.READY if done else k_.COOKING, 0)
        if done:
            return use(k, pots, Text.FILLING, 4, 0, -1, 0)
        use(k, pots, Text.WAITING_SOUP, 1, 0, -1, 0)
        k.step[c.EARLY] = 1
        return 1
    avoid_nothing(k)
    look_for(k, DISH)
    if not from_dispensers:
        lying(k, DISH, k.sets[SOURCES])
    if get(k, DISH) == 0:
        return waiting_for(k, pots)
    return worth(k, 3 if done else 2 if cooking else 1)


@inner
def serve(k, goal, from_dispensers):
    """A soup served: taken from a pot or a counter, carried to the window."""
    windows, sources = k.sets[STATIONS], k.sets[SOURCES]
    meant(k, goal, SERVE, windows)
    copy(k, windows, k.sets[NEAR])
    reach = within(k, windows)
    if holds(k, SOUP):
        if reach:
            return use(k, windows, Text.SERVING, 4, 0, -1, 0)
        return _pass_on(k, SOUP, k.sets[NEAR], -1, SERVE)
    if reach and lying(k, SOUP, sources):
        avoid_nothing(k)
        get(k, SOUP)
        return worth(k, 3)
    return plate(k, -1, from_dispensers)


@inner
def start(k, goal):
    pots = k.sets[STATIONS]
    meant(k, goal, POT, pots)
    reach = within(k, pots)
    if k_.is_old(k):
        return cant(k, Text.STARTS_ITSELF, 0, -1, 0)
    if reach == 0:
        return cant(k, Text.NO_WAY, 0, goal, POT)
    if k_.only(k, pots, k_.BEGUN, 0) == 0:
        return cant(k, Text.NOT_STARTED, 0, goal, POT)
    if held(k) != NOTHING:
        avoid_nothing(k)
        return put_away(k)
    return use(k, pots, Text.STARTING_IT, 2, 0, goal, POT)
