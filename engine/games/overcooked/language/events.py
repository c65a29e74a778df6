"""The events that conditions are about: whether one holds now, and when it happened. Plain Python.

A game's record and what was done in it tell most; a `Memory` has where the cooks stood since a program with
conditions was first followed in a match: before that nobody came or left. `signal` isn't here: the speaker
says it, and games don't know what is said. Not for what conditions do to goals (`conditions`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.games.overcooked import planner, rules
from engine.games.overcooked.language.coded import ITEMS, KINDS
from engine.games.overcooked.language.ends import ITEM, KIND, SEAT, TICK
from engine.games.overcooked.language.standing import CHAINS, Goal

NEAR = 2  # cells between cooks who are close, and by how many that changes when one comes or leaves
LATE = 60  # ticks left when the time is nearly over, ten seconds: enough to serve what is done
_PLACES = {"put_onion_in_pot": "pot", "put_tomato_in_pot": "pot", "pick_up_soup": "pot", "start_pot": "pot"}


@dataclass
class Memory:
    """Of a match: where its cooks stood, by tick, and when something that was asked about was so first."""

    places: list[tuple[int, list[int]]] = field(default_factory=list)
    first: dict[Hashable, int] = field(default_factory=dict)

    def note(self, state: np.ndarray) -> None:
        """Look at a record; any number of times a tick, and not at each."""
        tick, cooks = int(state[rules.TICK]), int(state[rules.PLAYERS])
        if self.places and self.places[-1][0] > tick:
            self.places, self.first = [], {}
        if not self.places or self.places[-1][0] < tick:
            self.places.append((tick, state[rules.POSITION : rules.POSITION + cooks].tolist()))


class Seen(NamedTuple):
    """A game as a cook sees it for a goal: its record, what was done so far (E, PARTS) as in `ends`."""

    state: np.ndarray
    did: np.ndarray
    memory: Memory
    seat: int
    speaker: int
    goal: Goal

    def apart(self, one: int, other: int) -> int:
        """Rows and columns between two cells."""
        width = int(self.state[rules.WIDTH])
        return abs(one % width - other % width) + abs(one // width - other // width)

    def cell(self, who: int) -> int:
        return int(self.state[rules.POSITION + who])

    def holds(self, who: int, *things: int) -> bool:
        """Whether a cook holds one of these, rules.SOUP for any soup."""
        return min(int(self.state[rules.HELD + who]), rules.SOUP) in things


def speaker(state: np.ndarray, seat: int, said: int | None) -> int:
    """Who gave an instruction (`said`), by default the other cook who is nearest, as for `cook.teller`."""
    look = Seen(state, state, Memory(), seat, seat, {})
    cooks = [who for who in range(int(state[rules.PLAYERS])) if who != seat]
    nearest = min(cooks, key=lambda who: look.apart(look.cell(who), look.cell(seat)), default=seat)
    return said if said in cooks else nearest


def _pots(seen: Seen) -> list[tuple[int, bool, int, int]]:
    """(ingredients, whether it takes more, ticks that it has cooked or rules.IDLE, ticks to cook) of each."""
    pots = seen.state[rules.POTS : rules.POTS + int(seen.state[rules.POT_COUNT])].tolist()
    soups = [max(int(seen.state[rules.ITEM + pot]) - rules.SOUP, 0) for pot in pots]
    inside = [(soup >> 2) + (soup & 3) for soup in soups]
    timers = [int(seen.state[rules.TIMER + pot]) for pot in pots]
    takes = [one < rules.MAX_INGREDIENTS and at == rules.IDLE for one, at in zip(inside, timers, strict=True)]
    return list(zip(inside, takes, timers, seen.state[rules.TIMES :][soups].tolist(), strict=True))


def _laid(seen: Seen) -> bool:
    cells = int(seen.state[rules.WIDTH]) * int(seen.state[rules.HEIGHT])
    counters = seen.state[rules.GRID : rules.GRID + cells] & 7 == rules.COUNTER
    return bool(seen.state[rules.ITEM : rules.ITEM + cells][counters].any())


def _free(seen: Seen) -> bool:
    """Whether the hands are empty, or hold what the agent began to do for the goal."""
    names = {CHAINS.get(seen.goal["intent"]), seen.goal.get("item")}
    names |= {"dish", "soup"} if names & {"dish", "soup"} else set()
    return seen.holds(seen.seat, rules.NOTHING, *(ITEMS[name] for name in names if name))


def _way_free(seen: Seen) -> bool:
    """Whether no other cook makes the way longer to where the goal is done; without a place, is nearby."""
    goal, here, width = seen.goal, seen.cell(seen.seat), int(seen.state[rules.WIDTH])
    name = _PLACES.get(goal["intent"], goal["intent"].removeprefix("fetch_").removesuffix("_soup"))
    others = {seen.cell(who) for who in range(int(seen.state[rules.PLAYERS])) if who != seen.seat}
    kind = KINDS.get(goal["target"]["kind"] if goal["target"] else name)
    if kind is None:
        return all(seen.apart(here, other) > 1 for other in others)
    steps, sides, reach = planner.distances(seen.state), (-width, width, 1, -1), {here}
    beside = [cell + by for cell in planner.stations(seen.state, kind) for by in sides]
    left = steps[:, [cell for cell in beside if 0 <= cell < len(steps)]].min(axis=1, initial=planner.FAR)
    for off in reversed(range(left[here] % planner.FAR)):
        reach = {cell + by for cell in reach for by in sides if left[cell + by] == off} - others
    return bool(reach) and left[here] < planner.FAR


HOLDS: dict[str, Callable[[Seen], bool]] = {
    "ready": lambda seen: any(timer >= time for *_, timer, time in _pots(seen)),
    "cooking": lambda seen: any(rules.IDLE < timer < time for *_, timer, time in _pots(seen)),
    "full": lambda seen: any(not takes for _, takes, *_ in _pots(seen)),
    "empty": lambda seen: any(inside == 0 for inside, *_ in _pots(seen)),
    "room": lambda seen: any(takes for _, takes, *_ in _pots(seen)),
    "i_fill": lambda seen: seen.holds(seen.speaker, rules.ONION, rules.TOMATO),
    "i_plate": lambda seen: seen.holds(seen.speaker, rules.DISH, rules.SOUP),
    "i_serve": lambda seen: seen.holds(seen.speaker, rules.SOUP),
    "i_bring": lambda seen: not seen.holds(seen.speaker, rules.NOTHING),
    "i_come": lambda seen: seen.apart(seen.cell(seen.speaker), seen.cell(seen.seat)) <= NEAR,
    "i_leave": lambda seen: seen.apart(seen.cell(seen.speaker), seen.cell(seen.seat)) > NEAR,
    "i_busy": lambda seen: not seen.holds(seen.speaker, rules.NOTHING),
    "you_free": _free,
    "you_served": lambda seen: bool(happened("you_served", seen, seen.goal["since_tick"])),
    "laid": _laid,
    "way_free": _way_free,
    "late": lambda seen: int(seen.state[rules.HORIZON]) - int(seen.state[rules.TICK]) <= LATE,
}
_DOES = {
    "i_fill": rules.PUT_POT, "i_plate": rules.PICK_SOUP, "i_serve": rules.DELIVER,
    "i_bring": rules.PLACE_COUNTER, "you_served": rules.DELIVER,
}  # fmt: skip
HAPPENS = (*_DOES, "i_come", "i_leave")
_PROOFS = {  # what nobody does unless the event holds just before or after
    **dict.fromkeys(("ready", "full", "empty"), (rules.PICK_SOUP,)),
    "room": (rules.PUT_POT, rules.PICK_SOUP), "laid": (rules.PLACE_COUNTER, rules.PICK_COUNTER),
}  # fmt: skip


def happened(event: str, seen: Seen, since: int) -> list[int]:
    """The ticks after `since` in which an event of HAPPENS did."""
    if event not in _DOES:
        return _ways(seen, since)[event == "i_leave"]
    did, who = seen.did, seen.seat if event == "you_served" else seen.speaker
    found = did[:, KIND] == _DOES[event]
    if event == "i_plate":
        found |= (did[:, KIND] <= rules.PICK_COUNTER) & (did[:, ITEM] == rules.DISH)
    return did[found & (did[:, SEAT] == who) & (did[:, TICK] > since), TICK].tolist()


def _ways(seen: Seen, since: int) -> tuple[list[int], list[int]]:
    """When the speaker came, by a way of their own from further off, and when they left."""
    came, left, width = [], [], int(seen.state[rules.WIDTH])
    far, far_cell, close, close_cell = -1, -1, planner.FAR, -1
    for tick, places in [one for one in seen.memory.places if one[0] >= since]:
        cell, mine = places[seen.speaker], places[seen.seat]
        off = abs(cell % width - mine % width) + abs(cell // width - mine // width)
        if off > far:
            far, far_cell = off, cell
        if off < close:
            close, close_cell = off, cell
        if off <= min(NEAR, far - NEAR) and cell != far_cell:
            came, far, far_cell = [*came, tick], off, cell
        elif off >= close + NEAR and cell != close_cell:
            left, close, close_cell = [*left, tick], off, cell
    return came, left


def has_been(event: str, seen: Seen, since: int) -> bool:
    """Whether an event has happened since a tick, or has been so at any time since."""
    if event in HAPPENS:
        return bool(happened(event, seen, since))
    key, kinds = (event, since, seen.seat, seen.speaker, repr(seen.goal)), _PROOFS.get(event, ())
    did = seen.did[seen.did[:, TICK] > since, KIND].tolist()
    if HOLDS[event](seen) or not set(kinds).isdisjoint(did):
        seen.memory.first.setdefault(key, int(seen.state[rules.TICK]))
    return key in seen.memory.first
