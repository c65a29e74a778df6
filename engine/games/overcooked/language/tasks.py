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
    item_at,
    lying,
    part,
    resolve,
    some,
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
    clear(k, k.sets[k_.USE])
    clear(k, k.sets[k_.STAND])
    k_.access(k, stations, k.sets[CELLS])
    clear(k, k.sets[NOBODY])
    k_.walk(k, k.sets[CELLS], k.sets[NOBODY], k.fields[0])
    best, free = k_.UNKNOWN, 0
    for index in range(k_.floors(k)):
        cell = k_.floor(k, index)
        free += k_.mine(k, cell) and not k_.needed(k, cell)
    for turn in range(2):
        for index in range(k_.floors(k)):
            cell = k_.floor(k, index)
            if k_.mine(k, cell) and (free == 0 or not k_.needed(k, cell)):
                far = k_.steps_to(k.fields[0], cell)
                if turn == 0:
                    best = min(best, far)
                elif far == best:
                    k.sets[k_.STAND][cell] = 1


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
    cells, avoided = k.sets[CELLS], k.sets[AVOIDED]
    free, left = lying(k, NOTHING, cells), 0
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        left += cells[cell] != 0 and avoided[cell] == 0
    if left:
        for index in range(k_.stations(k)):
            cell = k_.station(k, index)
            if avoided[cell] != 0:
                cells[cell] = 0
    elif free == 0 and holds(k, SOUP):
        k_.where(k, SERVE, cells)
        free = within(k, cells)
    elif free == 0 and not holds(k, DISH):
        k_.where(k, POT, cells)
        within(k, cells)
        free = _open(k, cells)
    if free == 0:
        return cant(k, c.HANDS_FULL, 0, -1, 0)
    return use(k, cells, c.EMPTYING, 1, 0, -1, 0)


@inner
def _open(k, pots):
    """Leave the pots that take another ingredient."""
    found = 0
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        if pots[cell] != 0:
            pots[cell] = rules.pot_open(k.state, cell)
            found += pots[cell]
    return found


@inner
def look_for(k, name):
    """Let SOURCES be the dispensers of a thing, and the counters on which one lies."""
    sources, cells = k.sets[SOURCES], k.sets[CELLS]
    k_.where(k, dispensers(name), sources)
    lying(k, name, cells)
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        if cells[cell] != 0:
            sources[cell] = 1


@inner
def get(k, name):
    """Have a thing in the hand: from one of the SOURCES that aren't AVOIDED."""
    sources, avoided = k.sets[SOURCES], k.sets[AVOIDED]
    found = within(k, sources)
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        if sources[cell] != 0 and avoided[cell] != 0:
            sources[cell] = 0
            found -= 1
    if found == 0:
        return cant(k, c.NO_SOURCE, name, -1, 0)
    if held(k) != NOTHING:
        return put_away(k)
    return use(k, sources, c.FETCHING, 2, name, -1, 0)


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
    found, open_ = 0, 0
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        if shared[cell] != 0 and item_at(k, cell) != NOTHING:
            shared[cell] = 0
        found += shared[cell]
        open_ += shared[cell] != 0 and _free_side(k, cell)
    if found == 0:
        return cant(k, c.NONE_FREE, 0, -1, 0)
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        if open_ and shared[cell] != 0 and not _free_side(k, cell):
            shared[cell] = 0
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
    shared, wait = k.sets[SHARED], 0
    lying(k, name, k.sets[CELLS])
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        wait += k.sets[CELLS][cell] != 0 and shared[cell] != 0
    if wait < SPARE:
        return False
    begin(k, c.MANY_WAIT, 1, name, -1, 0)
    k.step[c.WAITING] = 1
    copy(k, shared, k.sets[k_.KEEP])
    return True


@inner
def bring(k, name, goal, count):
    """Fetch a thing for the player and put it where they can take it."""
    if with_teller(k) == 0:
        return cant(k, c.NONE_SHARED, 0, -1, 0)
    shared, avoided = k.sets[SHARED], k.sets[AVOIDED]
    if holds(k, name):
        return hand_over(k, part(k, k.step[c.TELLER]), c.BRINGING, name, -1, 0)
    copy(k, shared, avoided)
    if count == c.FOREVER and _many(k, name):
        return 1
    if name == SOUP:
        value = plate(k, goal, True)
        k.step[c.TEXT] = c.FETCHING_SOUP
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
        return cant(k, c.NO_WAY, 0, goal, POT)
    opened, full = 0, 0
    for index in range(k_.stations(k)):
        pot = k_.station(k, index)
        if pots[pot] != 0:
            opened += rules.pot_open(k.state, pot)
            full += k_.idle(k, pot) and k_.inside(k, pot) == 3
    if holds(k, name):
        if opened:
            _open(k, pots)
            return use(k, pots, c.PUTTING_IN, 4, name, goal, POT)
        return waiting(k, pots, c.WAITING_FREE, goal, POT)
    if lasting and not k_.is_old(k) and full and held(k) == NOTHING:
        for index in range(k_.stations(k)):
            pot = k_.station(k, index)
            pots[pot] = pots[pot] != 0 and k_.idle(k, pot) and k_.inside(k, pot) == 3
        return use(k, pots, c.STARTING, 2, 0, -1, 0)
    if get_any(k, name) == 0:
        return waiting_for(k, pots)
    return int(k.step[c.WORTH]) if opened else worth(k, 1)


@inner
def _pass_on(k, name, stations, goal, at):
    """Leave a thing on a counter for those who reach the stations."""
    shared, avoided, parts = k.sets[SHARED], k.sets[AVOIDED], 0
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        if stations[cell] != 0:
            parts |= k.plan[cell]
    if k_.shared_with(k, parts, shared) == 0:
        return cant(k, c.NO_WAY, 0, goal, at)
    copy(k, shared, avoided)
    if holds(k, name):
        value = hand_over(k, parts, c.PASSING, name, goal, at)
        if value == 0:
            k.step[c.TEXT] = c.COUNTERS_FULL
        return value
    free = 0
    for index in range(k_.stations(k)):
        cell = k_.station(k, index)
        free += shared[cell] != 0 and item_at(k, cell) == NOTHING
    if free == 0:
        cant(k, c.NO_WAY_FULL, 0, goal, at)
        copy(k, shared, k.sets[k_.KEEP])
        return 0
    if _many(k, name):
        return 1
    look_for(k, name)
    value = get(k, name)
    return value if value else cant(k, c.NO_WAY, 0, goal, at)


@inner
def plate(k, goal, from_dispensers):
    """A dish filled with soup."""
    pots = k.sets[STATIONS]
    meant(k, goal, POT, pots)
    copy(k, pots, k.sets[NEAR])
    if within(k, pots) == 0:
        return _pass_on(k, DISH, k.sets[NEAR], goal, POT)
    done, cooking = 0, 0
    for index in range(k_.stations(k)):
        pot = k_.station(k, index)
        if pots[pot] != 0:
            done += rules.pot_ready(k.state, pot)
            cooking += not k_.idle(k, pot)
    if holds(k, DISH):
        if done == 0 and cooking == 0:
            return waiting(k, pots, c.WAITING_SOUP, -1, 0)
        for index in range(k_.stations(k)):
            pot = k_.station(k, index)
            if pots[pot] != 0:
                pots[pot] = rules.pot_ready(k.state, pot) if done else not k_.idle(k, pot)
        if done:
            return use(k, pots, c.FILLING, 4, 0, -1, 0)
        use(k, pots, c.WAITING_SOUP, 1, 0, -1, 0)
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
            return use(k, windows, c.SERVING, 4, 0, -1, 0)
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
        return cant(k, c.STARTS_ITSELF, 0, -1, 0)
    if reach == 0:
        return cant(k, c.NO_WAY, 0, goal, POT)
    for index in range(k_.stations(k)):
        pot = k_.station(k, index)
        pots[pot] = pots[pot] != 0 and k_.idle(k, pot) and k_.inside(k, pot) > 0
    if not some(k, pots):
        return cant(k, c.NOT_STARTED, 0, goal, POT)
    if held(k) != NOTHING:
        avoid_nothing(k)
        return put_away(k)
    return use(k, pots, c.STARTING_IT, 2, 0, goal, POT)
