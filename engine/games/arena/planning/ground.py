"""What of a match stays as it is while a squad's work is planned: who is where with what, what lies about,
which enemies were seen, where the zone closes. Nothing that the squad can't know of is here.

Places are metres, times ticks from now. Not for what changes (`squad`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.games.arena import navigation, senses, tactics
from engine.games.arena import state as s
from engine.games.arena.language import places
from engine.games.arena.language.carried import AT_ONCE, carried
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.sight import FORGOTTEN, knows
from engine.games.arena.view import SUPPLY_SHOWN
from engine.games.arena.zone import inside
from engine.games.plans import Wanted
from engine.language.declared import Clause, parse, values

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Point = tuple[float, float]
AHEAD = 500.0
"""Ticks that are looked ahead."""
METRE_TICKS = s.UNIT / tactics.RUN_UNITS
"""Ticks for a metre of a long way."""
DETOUR = 1.4
"""How much longer a way is in whose straight line something stands."""
LATELY, CONTACT = 60, 40.0
"""Ticks since which an enemy was seen who counts, and metres within which it is to be dealt with first."""
SAFE = 14.0
"""Metres to an enemy from which on one helps up and treats oneself."""
INSIDE, MIDDLE = 0.6, 3.0
"""The share of the white circle's radius to which one goes into it, and the metres that count as in the last
circle, which has no room.
"""
NEEDS = ("gun", "bullets", "medkit", "armour")
"""What a player needs, as the slot `what` names it."""
NEED_OF = {s.BULLETS: 1, s.MEDKIT: 2, s.VEST: 3}  # of the other supplies it is 0


class Supply(NamedTuple):
    """`need`: its place in NEEDS; `mate`: who is to take it, the nearest one with a use for it, as mates
    leave it to each other of their own accord (senses.supply); `worth`: how much that one wants it.
    """

    need: int
    at: Point
    mate: int
    worth: float


class Enemy(NamedTuple):
    """An enemy where the squad last saw them, `ago` ticks ago."""

    seat: int
    at: Point
    ago: int


class Mate(NamedTuple):
    """One of the squad. `presses`: how urgent it is to go to the white circle (tactics.zone_presses), 0 for
    who is in it.
    """

    seat: int
    at: Point
    life: int
    health: int
    kits: int
    armed: bool
    presses: int


class Ground:
    """Of one plan. Mates are numbered by their places in the squad; `order`: those whose work is planned, who
    stand or may be helped up, the first of those who are free at once first.
    """

    def __init__(self, sim: Simulation, wanted: Wanted) -> None:
        state = sim.state
        size = int(state[s.TEAM_SIZE])
        self.first = wanted.seats[0] // size * size if wanted.seats else 0
        self.sim, self.paced = sim, wanted.paced
        self.people = frozenset(seat - self.first for seat in wanted.people)
        self.mates = [_mate(sim, self.first + number) for number in range(size)]
        self.standing = [number for number, mate in enumerate(self.mates) if mate.life == s.UP]
        self.order = [
            seat - self.first
            for seat in sorted(wanted.seats, key=lambda seat: (not wanted.fixed.get(seat), seat))
            if self.mates[seat - self.first].life != s.OUT
        ]
        self.enemies = list(_enemies(sim, self.first))
        self.seen = [self._nearest(mate.at) for mate in self.mates]
        self.contact = [
            enemy if enemy and dist(enemy.at, mate.at) <= CONTACT else None
            for enemy, mate in zip(self.seen, self.mates, strict=True)
        ]
        self.helping = self._helpers()
        self.supplies = self._supplies()
        self.circle = _point(state, s.WHITE_X), int(state[s.WHITE_R]) / s.UNIT
        self.goal = [clause for clause in wanted.goal if _can_be_planned(clause)]
        self._banned = wanted.banned
        self._allowed: dict[tuple[int, str], bool] = {}
        self._ways: dict[tuple[Point, Point], float] = {}

    def _nearest(self, at: Point) -> Enemy | None:
        """The enemy nearest to a point among those that were seen lately."""
        lately = [one for one in self.enemies if one.ago <= LATELY]
        return min(lately, key=lambda one: dist(one.at, at), default=None)

    def _supplies(self) -> list[Supply]:
        """What lies within sight of the mates on their feet, inside of the blue circle."""
        state = self.sim.state
        found = []
        lying = state[s.SUPPLY : s.SUPPLY + 4 * s.SUPPLIES].reshape(-1, 4).tolist()
        for number, (kind, _, x, y) in enumerate(lying):
            at = x / s.UNIT, y / s.UNIT
            far = {mate: dist(at, self.mates[mate].at) for mate in self.standing} if kind else {}
            if not far or min(far.values()) * s.UNIT > SUPPLY_SHOWN or not inside(state, s.BLUE_X, x, y):
                continue
            place = s.SUPPLY + 4 * number
            for mate in sorted(far, key=far.__getitem__):
                worth = senses.supply_worth(state, int(s.player(self.first + mate)), place)
                if worth > 0 and far[mate] * s.UNIT <= SUPPLY_SHOWN:
                    found.append(Supply(NEED_OF.get(kind, 0), at, mate, float(worth)))
                    break
        return found

    def way(self, begin: Point, end: Point) -> float:
        """Ticks of the way from a point to another."""
        key = begin, end
        found = self._ways.get(key)
        if found is None:
            units = [int(number * s.UNIT) for number in (*begin, *end)]
            metres = dist(begin, end)
            if metres > 3 and not navigation.straight(self.sim.state, self.sim.world, *units):
                metres *= DETOUR
            found = self._ways[key] = metres * METRE_TICKS
        return found

    def _helpers(self) -> frozenset[int]:
        """Who is to help somebody up before all else: the nearest ones, people only where nobody else can."""
        able = [number for number in self.standing if number in self.order]
        able = [number for number in able if number not in self.people] or able
        safe = [number for number in able if self.is_safe(number, self.mates[number].at)]
        down = [mate for mate in self.mates if mate.life == s.DOWNED]
        return frozenset(
            min(safe, key=lambda number: dist(self.mates[number].at, mate.at)) for mate in down if safe
        )

    def is_safe(self, number: int, at: Point) -> bool:
        """Whether no enemy is so near to a point that a mate there has to fight first."""
        enemy = self.contact[number]
        return enemy is None or dist(enemy.at, at) > SAFE

    def into_circle(self, at: Point) -> Point:
        """Where one who goes into the white circle from a point comes to, well inside."""
        middle, radius = self.circle
        far = dist(at, middle)
        part = min(1.0, INSIDE * radius / far) if far else 0.0
        return middle[0] + part * (at[0] - middle[0]), middle[1] + part * (at[1] - middle[1])

    def house(self, number: int) -> Point:
        """Where a mate would go who is told to go to the house."""
        x, y = places.spot(self.sim, self.first + number)
        houses = places.houses(self.sim)
        to_x, to_y = min(houses, key=lambda one: (one[0] - x) ** 2 + (one[1] - y) ** 2, default=(x, y))
        return to_x / s.UNIT, to_y / s.UNIT

    def place(self, number: int, clause: Clause) -> Point | None:
        """Where a mate goes who does what a clause says, as far as that is known before."""
        whom = [one - 1 - self.first for one in values(clause, "whom") if isinstance(one, int)]
        if clause["act"] == "rotate" or clause.get("at") == "zone":
            return self.into_circle(self.mates[number].at)
        if clause.get("at") == "house":
            return self.house(number)
        return self.mates[whom[0]].at if whom and 0 <= whom[0] < len(self.mates) else None

    def allowed(self, number: int, program: str) -> bool:
        """Whether a mate isn't told to keep from a program."""
        banned = self._banned.get(self.first + number)
        if not banned:
            return True
        key = number, program
        if key not in self._allowed:
            clauses = parse(DECLARED, program)
            self._allowed[key] = not any(_meant(ban, clause) for ban in banned for clause in clauses)
        return self._allowed[key]


def _meant(ban: Clause, clause: Clause) -> bool:
    """Whether a clause is what another one forbids: it says all that that says."""
    slots = [name for name in ban if name not in ("act", "then", "seconds", "until")]
    said = all({*values(ban, name)} & {*values(clause, name)} for name in slots)
    return bool(ban["act"] == clause["act"] and said)


def _point(state: np.ndarray, field: int) -> Point:
    return int(state[field]) / s.UNIT, int(state[field + 1]) / s.UNIT


def _can_be_planned(clause: Clause) -> bool:
    """Whether what was asked of all takes time and can be carried out."""
    can = carried([dict(clause)])
    return clause["act"] not in AT_ONCE and can.program is not None and not can.left


def _mate(sim: Simulation, seat: int) -> Mate:
    state, at = sim.state, int(s.player(seat))
    x, y = _point(state, at + s.X)
    middle, radius = _point(state, s.WHITE_X), max(MIDDLE, int(state[s.WHITE_R]) / s.UNIT)
    outside = dist((x, y), middle) > radius
    return Mate(
        seat,
        (x, y),
        int(state[at + s.LIFE]),
        int(state[at + s.HP]),
        int(state[at + s.MEDKITS]),
        bool(tactics.ready(state, seat)),
        int(tactics.zone_presses(state, seat)) if outside else 0,
    )


def _enemies(sim: Simulation, first: int) -> Iterator[Enemy]:
    """Those on their feet, as far as the squad of a seat can know."""
    state, size = sim.state, int(sim.state[s.TEAM_SIZE])
    team = first // size
    for seat in range(sim.seats):
        life, ago = int(state[s.player(seat) + s.LIFE]), int(knows(state, team, seat))
        # Whether somebody out of sight is down isn't known.
        if seat // size != team and ago < FORGOTTEN and life != s.OUT and (ago > 0 or life == s.UP):
            entry = s.MEMORY + 3 * (s.MAX_SEATS * team + seat)
            yield Enemy(seat, _point(state, entry + 1), ago)
