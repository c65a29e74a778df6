"""A kitchen as one cook sees it who has to do as told: what stands where, who can reach it, how far it is.

Geometry is worked out once a layout; what changes is read from the state record. Not for what to do there
(`tasks`), nor for scripted cooks (engine.games.overcooked).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.overcooked import rules

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

KINDS = {
    "pot": rules.POT,
    "onion": rules.ONIONS,
    "dish": rules.DISHES,
    "tomato": rules.TOMATOES,
    "serve": rules.SERVE,
    "counter": rules.COUNTER,
}
ITEMS = {"onion": rules.ONION, "tomato": rules.TOMATO, "dish": rules.DISH}
FAR = 10_000


@dataclass(frozen=True, eq=False)
class Plan:
    """The walls of a kitchen. `next[cell][direction]` is the floor cell that a move leads to, the cell itself
    where it leads nowhere; `access[station]` the (floor cell, direction) pairs from which it can be used.
    """

    width: int
    height: int
    kind: tuple[int, ...]
    floor: tuple[int, ...]
    region: dict[int, int]
    faces: dict[int, tuple[int, int, int, int]]
    next: dict[int, tuple[int, int, int, int]]
    access: dict[int, tuple[tuple[int, int], ...]]

    def where(self, kind: str) -> list[int]:
        """The stations of a kind that can be used from anywhere."""
        return [cell for cell in self.access if self.kind[cell] == KINDS[kind]]


@lru_cache(maxsize=64)
def plan_of(width: int, height: int, grid: bytes) -> Plan:
    """The plan of a kitchen from the grid of its record (int16 bytes)."""
    cells = [int(code) for code in np.frombuffer(grid, rules.STATE_DTYPE)]
    kind = tuple(code & 7 for code in cells)
    floor = tuple(cell for cell, code in enumerate(kind) if code == rules.FLOOR)
    steps = (-width, width, 1, -1)
    faces = {cell: tuple(cell + step for step in steps) for cell in floor}
    ahead = {
        cell: tuple(to if kind[to] == rules.FLOOR else cell for to in around)
        for cell, around in faces.items()
    }
    access: dict[int, list[tuple[int, int]]] = {}
    for cell in floor:
        for direction, station in enumerate(faces[cell]):
            if kind[station] != rules.FLOOR:
                access.setdefault(station, []).append((cell, direction))
    region = {cell: cells[cell] >> 3 for cell in floor}
    return Plan(
        width,
        height,
        kind,
        floor,
        region,
        faces,  # type: ignore[arg-type]
        ahead,  # type: ignore[arg-type]
        {station: tuple(found) for station, found in access.items()},
    )


@lru_cache(maxsize=4096)
def use_costs(plan: Plan, stations: frozenset[int], blocked: frozenset[int]) -> dict[int, int]:
    """Actions from each floor cell until one of the stations can be used (it then is faced already at 0)."""
    costs: dict[int, int] = {}
    waiting: deque[int] = deque()
    for station in stations:
        for cell, direction in plan.access.get(station, ()):
            # A turn at the station, or the move towards it from behind.
            behind = plan.next[cell][direction ^ 1]
            for start in (cell, behind):
                if start not in blocked and cell not in blocked and start not in costs:
                    costs[start] = 1
                    waiting.append(start)
    return _spread(plan, costs, waiting, blocked)


@lru_cache(maxsize=4096)
def walk_costs(plan: Plan, cells: frozenset[int], blocked: frozenset[int]) -> dict[int, int]:
    """Steps from each floor cell to the nearest of some cells."""
    costs = {cell: 0 for cell in cells if cell not in blocked}
    return _spread(plan, costs, deque(costs), blocked)


def _spread(
    plan: Plan, costs: dict[int, int], waiting: deque[int], blocked: frozenset[int]
) -> dict[int, int]:
    while waiting:
        cell = waiting.popleft()
        for near in plan.next[cell]:
            if near not in costs and near not in blocked:
                costs[near] = costs[cell] + 1
                waiting.append(near)
    return costs


class Kitchen:
    """The state of a game for one seat; numbers are plain ints."""

    def __init__(self, sim: Simulation, seat: int, told_by: int | None = None) -> None:
        state = sim.state
        width, height = int(state[rules.WIDTH]), int(state[rules.HEIGHT])
        cells = width * height
        self.plan = plan_of(width, height, state[rules.GRID : rules.GRID + cells].tobytes())
        self.seat = seat
        players = int(state[rules.PLAYERS])
        self.places: list[int] = state[rules.POSITION : rules.POSITION + players].tolist()
        self.facings: list[int] = state[rules.FACING : rules.FACING + players].tolist()
        self.last: list[int] = state[rules.ACTION : rules.ACTION + players].tolist()
        self.held: int = int(state[rules.HELD + seat])
        self.item: list[int] = state[rules.ITEM : rules.ITEM + cells].tolist()
        self.timer: list[int] = state[rules.TIMER : rules.TIMER + cells].tolist()
        self.times: list[int] = state[rules.TIMES : rules.TIMES + 16].tolist()
        self.old = int(state[rules.DYNAMICS]) == rules.OLD
        self.tick = int(state[rules.TICK])
        self.at, self.facing = self.places[seat], self.facings[seat]
        self.faced = self.ahead(seat)
        self.region = self.plan.region[self.at]
        self.others = [who for who in range(players) if who != seat]
        self.told_by = told_by if told_by in self.others else min(self.others, key=self._distance_to)
        self.events = sim.events

    def _distance_to(self, who: int) -> int:
        width, there = self.plan.width, self.places[who]
        return abs(there % width - self.at % width) + abs(there // width - self.at // width)

    def ahead(self, who: int) -> int:
        """The cell that a cook looks at."""
        return self.plan.faces[self.places[who]][self.facings[who]]

    def done_since(self, tick: int, seat: int) -> list[dict[str, Any]]:
        """What a seat has done after a tick, oldest first."""
        found = []
        for event in reversed(self.events):
            if event["tick"] <= tick:
                break
            if event["seat"] == seat:
                found.append(event)
        return found[::-1]

    # What pots and counters hold.

    def ready(self, pot: int) -> bool:
        item, timer = self.item[pot], self.timer[pot]
        return item >= rules.SOUP and timer >= 0 and timer >= self.times[item - rules.SOUP]

    def inside(self, pot: int) -> int:
        """Ingredients in a pot."""
        item = self.item[pot]
        return 0 if item < rules.SOUP else ((item - rules.SOUP) >> 2) + ((item - rules.SOUP) & 3)

    def open(self, pot: int) -> bool:
        """Whether a pot takes another ingredient."""
        return self.timer[pot] == rules.IDLE and self.inside(pot) < rules.MAX_INGREDIENTS

    def holds(self, name: str | None) -> bool:
        """Whether the cook holds an onion, dish, tomato or soup; None: anything."""
        return self.held != rules.NOTHING if name is None else _is(self.held, name)

    def lying(self, name: str | None) -> list[int]:
        """Counters within reach on which such a thing lies."""
        return [
            cell
            for cell in self.reachable(self.plan.where("counter"))
            if (self.item[cell] != rules.NOTHING if name is None else _is(self.item[cell], name))
        ]

    # Who can reach what.

    def reachable(self, stations: list[int], region: int | None = None) -> list[int]:
        region = self.region if region is None else region
        plan = self.plan
        return [s for s in stations if any(plan.region[cell] == region for cell, _ in plan.access.get(s, ()))]

    def free_counters(self) -> list[int]:
        counters = self.reachable(self.plan.where("counter"))
        return [cell for cell in counters if self.item[cell] == rules.NOTHING]

    def shared_with(self, regions: set[int]) -> list[int]:
        """Counters within reach that can be reached from one of these parts of the kitchen as well."""
        counters = self.reachable(self.plan.where("counter"))
        return [s for s in counters if any(self.reachable([s], region) for region in regions)]

    def told_by_region(self) -> int:
        return self.plan.region[self.places[self.told_by]]

    # Ways.

    def standing(self) -> frozenset[int]:
        """Cells of other cooks who chose to stay where they are, or who come towards this one."""
        return frozenset(
            self.places[who]
            for who in self.others
            if self.last[who] == rules.STAY or self.ahead(who) == self.at
        )

    def taken(self) -> frozenset[int]:
        return frozenset(self.places[who] for who in self.others)


def _is(item: int, name: str) -> bool:
    return item >= rules.SOUP if name == "soup" else item == ITEMS[name]
