"""Instructions followed in kitchens: the prior over a cook's six actions, and how far it has got.

A planner over goals: what to do next follows from what the cook holds and what the pots hold (`tasks`), and
every action on a shortest way to it gets the same preference (`ways`), so that a learned policy still chooses
among them and acts by itself whenever nothing is asked. Compiled functions of state records and of what was
done in their games, for one live game and for many at once alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine.games.overcooked import planner, rules
from engine.games.overcooked.language import coded as c
from engine.games.overcooked.language import cook as k_
from engine.games.overcooked.language import counters, places, tasks
from engine.games.overcooked.language.coded import Text
from engine.games.overcooked.language.cook import ANYTHING, NO_ITEM, Cook, plan_of
from engine.games.overcooked.language.ends import CELL, ITEM, KIND, PARTS, SEAT, TICK, done
from engine.games.overcooked.language.programs import Intent
from engine.games.overcooked.language.say import clause
from engine.games.overcooked.language.standing import Goal, bans, settle
from engine.games.overcooked.language.ways import next_cell, write_ways
from engine.games.overcooked.rules import DISH, MAX_CELLS, NOTHING, ONION, POT, SOUP
from engine.games.overcooked.view import EVENTS
from engine.simulation.jit import inner, njit
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Programs = list[dict[str, Any]]
STRENGTH = 100.0
"""Logits of an action that is asked for, and of one that is forbidden (negative). More than what separates
the best and the worst action of any policy here: scripted cooks floor theirs at -60."""
KINDS = {name: kind for kind, name in EVENTS.items()}


def progresses(programs: Programs, sim: Simulation, seat: int) -> list[dict[str, str]]:
    """The same for each of all instructions to a seat, oldest first."""
    told, game, found = settle(programs), Following.of(sim), []
    every = [goal for some in told for goal in some]
    for index, (program, own) in enumerate(zip(programs, told, strict=True)):
        if program["goals"] and not own:
            found.append({"state": State.REPLACED, "text": "replaced by a later instruction"})
            continue
        over, steps = game.look(programs, np.array([0]), np.array([seat]), index)
        left = [goal for goal, is_over in zip(every, over[0], strict=True) if not is_over]
        left = [goal for goal in left if any(goal is one for one in own)]
        found.append(_progress(own, left, steps[0], every))
    return found


def _progress(goals: list[Goal], left: list[Goal], step: np.ndarray, every: list[Goal]) -> dict[str, str]:
    """Of one instruction that has some goals `left`."""
    if not left:
        goes_on = bool(goals) and goals[-1]["intent"] == "continue"
        return {"state": State.DONE, "text": "going on" if goes_on else "done"}
    if step[c.TEXT] >= 0:
        return {"state": State.WAITING if step[c.WAITING] else State.OBEYING, "text": c.text(step, every)}
    told = next((goal for goal in left if bans(goal)), left[0])
    if told["who"] == "me":
        return {"state": State.OBEYING, "text": "leaving that to you"}
    return {"state": State.OBEYING, "text": clause(told).removeprefix("I ").replace("don't", "not to", 1)}


class Following:
    """The same in `n` games (engine.language.following): records, and what was done in each game."""

    def __init__(self, n: int) -> None:
        self.states = np.zeros((n, rules.STATE_SIZE), rules.STATE_DTYPE)
        self.events = np.zeros((n, 64, PARTS), np.int16)
        self.counts = np.zeros(n, np.int64)

    @classmethod
    def of(cls, sim: Simulation) -> Self:
        """One live game, as far as it has come."""
        one, width = cls(1), int(sim.state[rules.WIDTH])
        one.states[0] = sim.state
        events = [
            (e["tick"], e["seat"], KINDS[e["kind"]], e["y"] * width + e["x"], c.ITEMS[e["item"]["kind"]])
            for e in sim.events
        ]
        one.events = np.array(events, np.int16).reshape(1, -1, PARTS)
        one.counts[0] = len(events)
        return one

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        self.states[rows] = states
        self.counts[rows] = 0

    def follow(self, states: np.ndarray, rows: np.ndarray) -> None:
        self.states[rows] = states
        if self.counts.max() + rules.MAX_PLAYERS > self.events.shape[1]:
            self.events = np.concatenate([self.events, np.zeros_like(self.events)], 1)
        _note(self.states, rows, self.events, self.counts)

    def asked(self, programs: Programs, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        out = np.zeros((len(rows), rules.NUM_ACTIONS), np.float32)
        told = c.coded(settle(programs), programs) if programs else ()
        for alike in planner.kitchens(self.states[rows]) if programs else ():
            own = out[alike]
            _write_many(*self._of(rows[alike], seats[alike]), *told, own)
            out[alike] = own
        return out

    def done(self, program: dict[str, Any], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.asarray(self.look([program], rows, seats, 0)[0].all(1))

    def ticks(self, rows: np.ndarray) -> np.ndarray:
        return self.states[rows, rules.TICK]

    def look(
        self, programs: Programs, rows: np.ndarray, seats: np.ndarray, which: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Which goals are over, bool (n, goals), and what to do next for one of the programs, int64
        (n, c.NUMBERS): a TEXT of -1 for nothing.
        """
        goals, step = c.coded(settle(programs), programs)
        over, steps = np.zeros((len(rows), len(goals)), bool), np.zeros((len(rows), c.NUMBERS), np.int64)
        for alike in planner.kitchens(self.states[rows]):
            seen = over[alike], steps[alike]
            _look_many(*self._of(rows[alike], seats[alike]), goals, step, which, *seen)
            over[alike], steps[alike] = seen
        return over, steps

    def _of(self, rows: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, ...]:
        kitchen = plan_of(self.states[rows[0]])
        return self.states, self.events, self.counts, rows, seats.astype(np.int64), *kitchen


# --- Compiled ---------------------------------------------------------------------------------------------


@njit
def _note(states, rows, events, counts):
    """Add what the last step of games did."""
    for row in rows:
        state = states[row]
        for seat in range(int(state[rules.PLAYERS])):
            if int(state[rules.EVENT + seat]) != rules.NO_EVENT:
                event = events[row, counts[row]]
                event[TICK], event[SEAT] = state[rules.TICK], seat
                event[KIND], event[CELL] = state[rules.EVENT + seat], state[rules.EVENT_CELL + seat]
                event[ITEM] = state[rules.EVENT_ITEM + seat]
                counts[row] += 1


@njit
def _write_many(states, events, counts, rows, seats, parts, stations, floors, goals, step, out):
    """Write the prior of programs for a seat of each of these games."""
    sets, fields = np.zeros((k_.SETS, MAX_CELLS), np.uint8), np.zeros((k_.FIELDS, MAX_CELLS), np.int16)
    for index in range(len(rows)):
        row = rows[index]
        if int(states[row, rules.OVER]) == 0:
            before = events[row, : counts[row]]
            k = Cook(states[row], seats[index], goals, parts, stations, floors, before, step, sets, fields)
            _write(k, np.float32(STRENGTH), out[index])


@njit
def _look_many(
    states, events, counts, rows, seats, parts, stations, floors, goals, step, program, over, steps
):
    """See `Following.look`."""
    sets, fields = np.zeros((k_.SETS, MAX_CELLS), np.uint8), np.zeros((k_.FIELDS, MAX_CELLS), np.int16)
    for index in range(len(rows)):
        row = rows[index]
        before = events[row, : counts[row]]
        k = Cook(states[row], seats[index], goals, parts, stations, floors, before, step, sets, fields)
        _see(k)
        for goal in range(len(goals)):
            over[index, goal] = goals[goal, c.IS_OVER] != 0
        if not _wished(k, program) and not _left_over(k, program):
            step[c.TEXT] = -1
        steps[index] = step[: c.NUMBERS]


@inner
def _listen(k, program):
    """Think of who gave a program."""
    k.step[c.TELLER] = k_.teller(k, k.step[c.NUMBERS + program])


@inner
def _see(k):
    """Note which goals have come to their end."""
    for goal in range(len(k.goals)):
        _listen(k, k.goals[goal, c.PROGRAM])
        k.goals[goal, c.IS_OVER] = done(k, goal)


@inner
def _write(k, strength, logits):
    """Write the prior of all programs together."""
    _see(k)
    driven, kept, wishes, last = False, False, False, len(k.step) - c.NUMBERS - 1
    for index in range(last + 2):
        asks = _left_over(k, last) if index > last else _wished(k, last - index)
        if asks and (k_.some(k, k.sets[k_.USE]) or k_.some(k, k.sets[k_.STAND])):
            write_ways(k, strength, logits)
            driven = True
            break
        if asks and k.sets[k_.KEEP][rules.faced(k.state, k.seat)] != 0:
            kept = True
    if kept and not driven and k_.held(k) == NOTHING:
        logits[rules.INTERACT] = -strength
    for goal in range(len(k.goals)):
        if k.goals[goal, c.IS_MINE] != 0:
            wishes = True
    for goal in range(len(k.goals)):
        if _binds(k, goal):
            _forbid(k, goal, wishes, strength, logits)


@inner
def _binds(k, goal):
    """Whether it is a ban or a claim that holds now."""
    return k.goals[goal, c.BANS] != 0 and not k.goals[goal, c.IS_OVER]


@inner
def _claimed(k, intent):
    """Whether a ban or a claim of such goals holds now."""
    found = False
    for goal in range(len(k.goals)):
        found = found or k.goals[goal, c.INTENT] == intent and _binds(k, goal)
    return found


@inner
def _wished(k, program):
    """The next step of one instruction, if it asks for any: its first goal with an end, else the role that is
    of use now.
    """
    _listen(k, program)
    best, last, most = -1, -1, -1
    for goal in range(len(k.goals)):
        order = k.goals[goal]
        if order[c.PROGRAM] != program or order[c.IS_MINE] == 0 or k.goals[goal, c.IS_OVER]:
            continue
        intent = order[c.INTENT]
        ends = order[c.COUNT] != c.FOREVER or order[c.UNTIL] != 0
        if ends or intent == Intent.GO_TO or intent == Intent.CLEAR_THE_WAY:
            _step(k, goal)
            return True
    for goal in range(len(k.goals)):
        order = k.goals[goal]
        if order[c.PROGRAM] == program and order[c.IS_MINE] != 0 and not k.goals[goal, c.IS_OVER]:
            worth, last = _step(k, goal), goal
            if worth > most:
                best, most = goal, worth
    if best != last:
        _step(k, best)
    return best >= 0


@inner
def _step(k, goal):
    """What to do now for one goal; returns its worth."""
    order, here = k.goals[goal], k_.place(k, k.seat)
    intent, when, forever = order[c.INTENT], order[c.WHEN], order[c.COUNT] == c.FOREVER
    if when != 0 and k_.held(k) == NOTHING and not k_.any_pot(k, when):
        until = (
            Text.UNTIL_READY if when == k_.READY else Text.UNTIL_FULL if when == k_.FULL else Text.UNTIL_EMPTY
        )
        return tasks.cant(k, until, 0, -1, 0)
    if intent == Intent.STOP:
        tasks.begin(k, Text.STANDING, 2, 0, -1, 0)
        k.sets[k_.STAND][here] = 1
        return 2
    if intent in (Intent.WAIT_AT, Intent.GO_TO):
        return places.be_at(k, goal)
    if intent == Intent.CLEAR_THE_WAY:
        return places.clear_way(k)
    if intent in (Intent.DIVIDE_ROLES, Intent.SWAP_ROLES):
        return _role(k, goal)
    if intent <= Intent.FETCH_TOMATO:
        return _fetch(k, int(order[c.NAME]), goal)
    if intent <= Intent.PUT_TOMATO_IN_POT:
        return tasks.cook(k, int(order[c.NAME]), goal, forever)
    if intent == Intent.PUT_ON_COUNTER:
        return counters.on_counter(k, goal)
    if intent == Intent.TAKE_FROM_COUNTER:
        return counters.take(k, goal)
    if intent == Intent.START_POT:
        return tasks.start(k, goal)
    plates = not _claimed(k, Intent.FETCH_DISH)
    if intent != Intent.PICK_UP_SOUP:
        return tasks.serve(k, goal, plates)
    if order[c.TO_ME] != 0 or forever and _claimed(k, Intent.SERVE_SOUP):
        return tasks.bring(k, SOUP, goal, order[c.COUNT])
    if k_.holds(k, SOUP):
        if forever:
            return tasks.serve(k, -1, True)
        tasks.avoid_nothing(k)
        return tasks.put_away(k)
    return tasks.plate(k, goal, plates)


@inner
def _fetch(k, name, goal):
    """Get a thing; as a role ("you do the plates") it goes where it is needed, or to a player who serves."""
    order = k.goals[goal]
    if order[c.TO_ME] != 0:
        return tasks.bring(k, name, goal, order[c.COUNT])
    if order[c.COUNT] != c.FOREVER:
        tasks.avoid_nothing(k)
        if k_.holds(k, name):
            return tasks.put_away(k)
        tasks.look_for(k, name)
        if order[c.TARGET] != 0:
            tasks.meant(k, goal, order[c.TARGET], k.sets[k_.SOURCES])
        return tasks.get(k, name)
    if name != DISH:
        return tasks.cook(k, name, -1, True)
    if _claimed(k, Intent.SERVE_SOUP) or _claimed(k, Intent.PICK_UP_SOUP):
        return tasks.bring(k, DISH, goal, c.FOREVER)
    return tasks.serve(k, -1, True)


@inner
def _role(k, goal):
    """The agent's part when the work is divided (it cooks), or when roles are swapped (what it did less)."""
    put, served = 0, 0
    if k.goals[goal, c.INTENT] == Intent.SWAP_ROLES:
        for index in range(len(k.events)):
            event = k.events[index]
            if event[SEAT] == k.seat and event[TICK] <= k.goals[goal, c.SINCE]:
                put += event[KIND] == rules.PUT_POT
                served += event[KIND] == rules.PICK_SOUP or event[KIND] == rules.DELIVER
        if put >= served:
            return tasks.serve(k, -1, True)
    worth = tasks.cook(k, ONION, -1, True)
    return worth if worth else tasks.serve(k, -1, True)


@inner
def _left_over(k, program):
    """Whether bans and claims alone leave work over: who must not serve cooks, who must not cook serves."""
    _listen(k, program)
    serving, cooking = False, False
    for goal in range(len(k.goals)):
        order = k.goals[goal]
        if (
            order[c.INTENT] == Intent.GO_TO
            and order[c.TARGET] != 0
            and _binds(k, goal)
            and places.keep_away(k, goal)
        ):
            return True
    for goal in range(len(k.goals)):
        if _binds(k, goal) and k.goals[goal, c.NAMED] == 0:
            intent = k.goals[goal, c.INTENT]
            serving = serving or intent in (Intent.SERVE_SOUP, Intent.PICK_UP_SOUP, Intent.FETCH_DISH)
            cooking = cooking or intent in (Intent.PUT_ONION_IN_POT, Intent.FETCH_ONION)
    if serving == cooking:
        return False
    return (tasks.cook(k, ONION, -1, True) if serving else tasks.serve(k, -1, True)) != 0


@inner
def _forbid(k, goal, wishes, strength, logits):
    """Take away an interaction that a ban or a claim covers, and steps to a place to stay away from."""
    here, near = k_.place(k, k.seat), k.sets[k_.NEAR]
    if k.goals[goal, c.INTENT] != Intent.GO_TO:
        if logits[rules.INTERACT] <= 0 and _covers(k, goal, wishes):
            logits[rules.INTERACT] = -strength
    elif k.goals[goal, c.TARGET] != 0:
        places.near_cells(k, goal, near)
        for action in range(rules.STAY):
            if near[here] == 0 and near[next_cell(k, here, action)] != 0:
                logits[action] = -strength


@inner
def _handles(k, name):
    """Whether anything is asked for that takes such an ingredient in the hand, as far as one can tell."""
    found = False
    for goal in range(len(k.goals)):
        order = k.goals[goal]
        other = order[c.NAME] not in (name, ANYTHING, NO_ITEM)
        other = other or order[c.INTENT] in (Intent.PICK_UP_SOUP, Intent.SERVE_SOUP)
        found = found or order[c.IS_MINE] != 0 and not other
    return found


@inner
def _covers(k, goal, wishes):
    """Whether to interact now would do what a goal bans."""
    order, cell = k.goals[goal], rules.faced(k.state, k.seat)
    kind, free = rules.terrain(k.state, cell), k_.held(k) == NOTHING
    intent = order[c.INTENT]
    if order[c.NAMED] != 0:
        tasks.meant(k, goal, order[c.TARGET], k.sets[k_.STATIONS])
        if k.sets[k_.STATIONS][cell] == 0:
            return False
    name = int(order[c.NAME])
    if intent <= Intent.FETCH_TOMATO:
        return free and kind == tasks.dispensers(name)
    if intent <= Intent.PUT_TOMATO_IN_POT:
        picks = free and kind == tasks.dispensers(name) and order[c.TARGET] == 0
        return picks and not _handles(k, name) or kind == POT and k_.holds(k, name)
    if intent == Intent.PUT_ON_COUNTER:
        return kind == rules.COUNTER and k_.holds(k, order[c.ITEM]) and k_.item_at(k, cell) == NOTHING
    if intent == Intent.TAKE_FROM_COUNTER:
        return kind == rules.COUNTER and free and k_.item_at(k, cell) != NOTHING
    if intent == Intent.START_POT:
        return kind == POT and free and not k_.is_old(k)
    if intent == Intent.PICK_UP_SOUP:
        return kind == POT and k_.holds(k, DISH)
    # Who does not serve would be left with the soup, so it takes none and no plate for one, unless told to.
    chain = kind == POT and k_.holds(k, DISH) or kind == rules.DISHES and free
    return kind == rules.SERVE and k_.holds(k, SOUP) or chain and not wishes
