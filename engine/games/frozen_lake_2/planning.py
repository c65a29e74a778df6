"""The work of two on the lake, for planners (engine.games.plans): what a player can do next is to walk
straight on, to any cell as far as the way is free, or to wait. `Lake` keeps where both are at which step, so
a plan says who goes through a narrow place first: a way over a cell that the other one leaves comes after the
step that leaves it. Not for who goes where (planners).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from engine.games.plans import Option, Things, Wanted
from engine.simulation.simulation import Simulation

from . import rules, view, words
from .places import Scene, cells, targets
from .ways import Cell, beside, distances, ice, way

GOAL = "Reach both goals, one player on each, and keep out of the holes."
LATER = 0.97
"""What a point is worth a step later."""
EACH = 0.05
"""How many steps later all is done that a step of one player's way counts as."""
NEAT, FAR = 0.002, 0.001
"""Points that a plan loses for each of its steps, and gains for each step on the lake that it reaches: of
plans as good the one with the fewest steps is taken.
"""
PAUSE = 2
"""Steps that are waited where the other one isn't under way."""
Left = Mapping[tuple[int, Cell], int]


@dataclass(frozen=True)
class Ground:
    """What stays as it is. `free`: by seat, the cells that it may walk over; `demands`: on each of these sets
    of cells somebody is to stand at the end; `far`: steps to them, by seat and demand; `named`: what a way to
    a cell is called, where not by column and row; `fixed`: where a seat has to go, by the notation.
    """

    seats: tuple[int, ...]
    free: tuple[frozenset[Cell], ...]
    demands: tuple[frozenset[Cell], ...]
    far: tuple[tuple[Mapping[Cell, int], ...], ...]
    named: Mapping[Cell, str]
    fixed: tuple[Mapping[str, frozenset[Cell]], ...]
    paced: Callable[[int, str], float]
    steps_left: int


@dataclass(frozen=True)
class Lake:
    """A world. `trails`: by seat, where it stands at each step from now on; `left`: when the plan's step ends
    with which a seat leaves a cell; `count`: the plan's steps.
    """

    ground: Ground
    trails: tuple[tuple[Cell, ...], ...]
    left: Left
    count: int = 0

    def time(self, seat: int) -> int:
        """The step at which a seat is free."""
        return len(self.trails[seat]) - 1

    def turn(self) -> int | None:
        first = min(self.ground.seats, key=lambda seat: (self.time(seat), self._stays(seat)), default=None)
        over = first is None or self.time(first) >= self.ground.steps_left or self._is_solved()
        return None if over else first

    def options(self) -> Sequence[Option]:
        seat = self.turn()
        if seat is None:
            return []
        return [*self._walks(seat), self._wait(seat)]

    def later(self, ticks: float) -> Lake:
        seat = self.turn()
        return self if seat is None else self._on(seat, [self.trails[seat][-1]] * max(1, round(ticks)))

    def value(self) -> float:
        """As if nobody stood in the way from here on."""
        steps = min(max(times) + EACH * sum(times) for times in self._arrivals())
        reached = sum(map(self.time, range(rules.SEATS)))
        return float(rules.SEATS * LATER**steps - NEAT * self.count + FAR * reached)

    def key(self) -> Hashable:
        return tuple((trail[-1], len(trail)) for trail in self.trails)

    def _stays(self, seat: int) -> bool:
        """Whether it stands where somebody is to stand at the end."""
        return any(self.trails[seat][-1] in demand for demand in self.ground.demands)

    def _is_solved(self) -> bool:
        """Whether all is done that is wanted."""
        stand = [trail[-1] for trail in self.trails]
        return any(
            all(stand[seat] in demand for seat, demand in zip(shared, self.ground.demands, strict=True))
            for shared in self._shares()
        )

    def _shares(self) -> Iterator[tuple[int, ...]]:
        """Every way to share the demands out: the seat of each."""
        return permutations(range(rules.SEATS), len(self.ground.demands))

    def _arrivals(self) -> Iterator[list[int]]:
        """When each demand is met, for every way to share them out, and when the others are free."""
        for shared in self._shares():
            yield [
                self.time(seat) + self.ground.far[seat][demand].get(self.trails[seat][-1], rules.NOWHERE)
                for demand, seat in enumerate(shared)
            ] + [self.time(seat) for seat in range(rules.SEATS) if seat not in shared]

    def _walks(self, seat: int) -> Iterator[Option]:
        """Straight ways as far as they are free, and to where the seat has to go."""
        here, free = self.trails[seat][-1], self.ground.free[seat]
        for action in range(rules.STAY):
            path: list[Cell] = []
            cell = beside(here, action)
            while cell in free and self._is_free(seat, [*path, cell]):
                path.append(cell)
                yield self._walk(seat, path, self.ground.named.get(cell) or _by_place(cell))
                cell = beside(cell, action)
        for notation, goals in self.ground.fixed[seat].items():
            for ground in (free - {self._stands(1 - seat, self.time(seat))}, free):
                found = way(here, goals, ground)
                if found is not None and (not found or self._is_free(seat, found)):
                    yield self._walk(seat, found or [here], notation)
                    break

    def _walk(self, seat: int, path: list[Cell], notation: str) -> Option:
        crossed = {(1 - seat, cell) for cell in path} & set(self.left)
        leaves = [cell for cell in [self.trails[seat][-1], *path][:-1] if cell != path[-1]]
        end = self.time(seat) + len(path)
        return Option(
            notation,
            len(path) * self.ground.paced(seat, "go"),
            replace(self._on(seat, path), left={**self.left, **{(seat, cell): end for cell in leaves}}),
            _place(path[-1]),
            tuple(_has_left(*one) for one in sorted(crossed)),
            tuple(_has_left(seat, cell) for cell in dict.fromkeys(leaves)),
        )

    def _wait(self, seat: int) -> Option:
        """Stand until the other one is free."""
        here, ahead = self.trails[seat][-1], self.time(1 - seat) - self.time(seat)
        steps = ahead if ahead > 0 else PAUSE
        ticks = steps * self.ground.paced(seat, "wait")
        return Option(f"wait times={steps}", ticks, self._on(seat, [here] * steps), _place(here))

    def _on(self, seat: int, path: list[Cell]) -> Lake:
        trails = list(self.trails)
        trails[seat] = (*trails[seat], *path)
        return replace(self, trails=tuple(trails), count=self.count + 1)

    def _stands(self, seat: int, step: int) -> Cell:
        trail = self.trails[seat]
        return trail[min(step, len(trail) - 1)]

    def _is_free(self, seat: int, path: list[Cell]) -> bool:
        """Whether the other one is at no step of a way in it, changes no places with it, and has left by a
        step of the plan that is over whatever cell of it it stood on.
        """
        before, step = self.trails[seat][-1], self.time(seat)
        if any(self.left.get((1 - seat, cell), 0) > step for cell in path):
            return False
        for cell in path:
            there, now = self._stands(1 - seat, step), self._stands(1 - seat, step + 1)
            if cell == now or cell == there and before == now:
                return False
            before, step = cell, step + 1
        return True


def world(sim: Simulation, wanted: Wanted) -> Lake:
    """The lake as it is now."""
    state, every = np.asarray(sim.state), range(rules.SEATS)
    frozen, scenes = ice(state), [_scene(state, seat) for seat in every]
    free = [
        frozen - (_named(wanted.banned.get(seat, ()), scenes[seat]) - {scenes[seat].here}) for seat in every
    ]
    demands = _demands(wanted, scenes[0], frozen)
    ground = Ground(
        wanted.seats,
        tuple(free),
        demands,
        tuple(tuple(distances(demand, free[seat]) for demand in demands) for seat in every),
        {cell: f"go at=goal side={side}" for cell, side in zip(targets(state), _sides(state), strict=True)},
        tuple(_fixed(wanted.fixed.get(seat, ()), scenes[seat], frozen) for seat in every),
        wanted.paced,
        int(state[rules.HORIZON]) - int(state[rules.TICK]),
    )
    return Lake(ground, tuple((scene.here,) for scene in scenes), {})


def _demands(wanted: Wanted, scene: Scene, frozen: frozenset[Cell]) -> tuple[frozenset[Cell], ...]:
    """Where somebody is to stand: at the places that were asked for; at both goals if none was, or if no one
    goal was meant.
    """
    asked = [clause for clause in wanted.goal if clause.get("act") == "go"]
    places = [cells(clause, scene) & frozen for clause in asked]
    goals = frozenset(targets(scene.state))
    if not all(places) or not places or any(goals & place and len(place) > 1 for place in places):
        return tuple(frozenset([cell]) for cell in targets(scene.state))
    return tuple(places[: rules.SEATS])


def _sides(state: np.ndarray) -> list[str]:
    """The side by which each goal is called in the game's language."""
    sides = {"upper": "top", "lower": "bottom"}
    firsts = [name.split()[0] for name in words.target_names(state)]
    return [sides.get(first, first) for first in firsts]


def _scene(state: np.ndarray, seat: int) -> Scene:
    here, there = int(state[rules.AT + seat]), int(state[rules.AT + 1 - seat])
    return Scene(state, here, there, here, there, int(state[rules.START + seat]))


def _named(clauses: Sequence[Mapping[str, Any]], scene: Scene) -> frozenset[Cell]:
    """The cells of all places to which clauses say to go."""
    found = frozenset[Cell]()
    for clause in clauses:
        if clause.get("act") == "go":
            found |= cells(clause, scene)
    return found


def _fixed(notations: Sequence[str], scene: Scene, frozen: frozenset[Cell]) -> dict[str, frozenset[Cell]]:
    """Where notations of one "go" lead; others are left to the planner."""
    found: dict[str, frozenset[Cell]] = {}
    for notation in notations:
        act, *slots = notation.split()
        if act == "go" and all("=" in slot for slot in slots):
            pairs = (slot.split("=", 1) for slot in slots)
            clause = {name: int(value) if value.isdigit() else value for name, value in pairs}
            found[notation] = cells(clause, scene) & frozen
    return found


def _by_place(cell: Cell) -> str:
    x, y = _place(cell)
    return f"go column={x + 1} row={y + 1}"


def _place(cell: Cell) -> tuple[int, int]:
    return cell % rules.SIDE, cell // rules.SIDE


def _has_left(seat: int, cell: Cell) -> str:
    return f"{{{seat}}} has left {words.where(cell)}"


def things(sim: Simulation) -> Things:
    """The goals, the holes and the players, as far as they are seen."""
    state = np.asarray(sim.state)
    stands = {int(state[rules.AT + seat]): f"{{{seat}}}" for seat in range(rules.SEATS)}
    taken = {cell: f"{who} stands on it" for cell, who in stands.items()}
    found: Things = [
        {"name": name, "place": view.place(cell), "now": taken.get(cell, "free")}
        for cell, name in zip(targets(state), words.target_names(state), strict=True)
    ]
    seen = view.view(state, 0)
    found += [{"name": "hole", "place": place, "now": ""} for place in seen["holes"] or ()]
    found = found if view.is_seen(state) else []
    return found + [{"name": who, "place": view.place(cell), "now": ""} for cell, who in stands.items()]
