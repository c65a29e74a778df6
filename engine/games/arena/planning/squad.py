"""A squad as planners see it: where each mate is by now, what was picked up, who was helped up, who looks for
enemies. What a mate can do next is a program of the declared language with the ticks that it takes.

An idea of a match, coarser than its rules: enemies stay where they were seen, and nobody is hit. Points say
how much a step is worth; a mate that does as it sees fit earns some with every tick. Not for what stays as it
is (`ground`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import dist, inf
from typing import Any, NamedTuple, TypeVar

from engine.games.arena import state as s
from engine.games.arena.hands import RESCUE_TICKS, TREAT_TICKS
from engine.games.arena.language.carried import LASTING
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.planning.ground import AHEAD, NEEDS, Enemy, Ground, Point
from engine.games.plans import Option
from engine.language.declared import notation

FADES = 0.998  # what a point is worth a tick later
EASE = 0.012  # points a tick of somebody who does as they see fit
HURT = 65  # health up to which one treats oneself
HAND_TICKS = 15.0  # to find and take what lies there
HOUSE_TICKS = 120.0  # to look for things in a house
FIGHT_TICKS = 200.0
SCOUT_TICKS = 300.0
GOAL_TICKS = 200.0
COVER_SECONDS = 10
THERE = 3.0  # metres from where one is sent within which one is there
NEAR = 12.0  # metres within which mates are together
APART = 0.05  # points a metre beyond that
MEET, LOST = 12.0, 40.0  # metres from the middle of the others: one comes back to them; it is a long way
GOAL, RESCUE, FIGHT, SCOUT, HOUSE, MEETING = 30.0, 25.0, 12.0, 6.0, 5.0, 4.0  # points of steps
PRESSES = (0.0, 14.0, 30.0)  # of going into the white circle, by how urgent it is
FINDS = 0.25  # … of what a supply is worth to a player (senses.supply_worth)
TREATS = 0.12  # … for each point of health that is missing
ESCORTS, COVERS = 3.0, 1.0  # … of covering who looks for enemies or helps up, and anybody else
T = TypeVar("T")
FOUGHT, TREATED, MOVED = (1 << len(NEEDS) + bit for bit in range(3))


class Squad(NamedTuple):
    """By mate: `free` from when on, `at` which point, `got`: which of NEEDS it has found and whether it has
    FOUGHT, TREATED itself, MOVED into the circle (bits), `met`: which goals it met (bits). `taken`: supplies
    (bits); `up`: who was helped up (bits); `scout`: who looks for enemies, -1 for nobody; `guarded`: who is
    covered (bits).
    """

    ground: Ground
    free: tuple[float, ...]
    at: tuple[Point, ...]
    got: tuple[int, ...]
    met: tuple[int, ...]
    taken: int = 0
    up: int = 0
    scout: int = -1
    guarded: int = 0
    points: float = 0.0

    def turn(self) -> int | None:
        mate = min(self.ground.order, key=self.free.__getitem__, default=-1)
        return None if mate < 0 or self.free[mate] >= AHEAD else self.ground.first + mate

    def later(self, ticks: float) -> Squad:
        mate = self._mover
        return self._replace(free=_put(self.free, mate, self.free[mate] + ticks))

    def key(self) -> Hashable:
        return self[1:-1]

    def value(self) -> float:
        ground, value = self.ground, self.points
        for number in ground.order:
            value += EASE * max(0.0, AHEAD - self.free[number])
            others = (dist(self.at[number], self.at[other]) for other in ground.standing if other != number)
            value -= APART * max(0.0, min(others, default=0.0) - NEAR)
        return value

    @property
    def _mover(self) -> int:
        return min(self.ground.order, key=self.free.__getitem__)

    # --- What can be done next -----------------------------------------------------------------------------

    def options(self) -> list[Option]:
        """What the mate that is free first can do next; where there is nothing, what it sees fit."""
        if self.turn() is None:
            return []
        mate = self._mover
        found = [option for option in self._found(mate) if self.ground.allowed(mate, option.program)]
        return found or [Option("", AHEAD, self.later(AHEAD))]

    def _found(self, mate: int) -> Iterator[Option]:
        ground, own = self.ground, self.ground.mates[mate]
        enemy = None if self.got[mate] & FOUGHT else ground.contact[mate]
        safe = enemy is None or ground.is_safe(mate, self.at[mate])
        yield from self._goals(mate)
        helps = [option for option in self._rescues(mate, safe) if ground.allowed(mate, option.program)]
        yield from helps
        if helps and mate in ground.helping and not self.got[mate]:
            return
        if enemy is not None:
            yield self._step(mate, "attack", FIGHT_TICKS, FIGHT, about=enemy.at, got=FOUGHT)
        if self._hurt(mate) and safe:
            points = TREATS * (100 - own.health)
            yield self._step(mate, "heal", TREAT_TICKS + HAND_TICKS, points, got=TREATED)
        if enemy is None and own.presses and not self.got[mate] & MOVED:
            to = ground.into_circle(self.at[mate])
            yield self._step(mate, "rotate", 0.0, PRESSES[own.presses], to=to, got=MOVED)
        elif enemy is None:
            yield from self._loots(mate)
            yield from self._scouts(mate)
            yield from self._meets(mate)
        yield from self._covers(mate, enemy)

    def _hurt(self, mate: int) -> bool:
        own = self.ground.mates[mate]
        raised = own.life == s.DOWNED
        return bool(own.kits and (own.health <= HURT or raised) and not self.got[mate] & TREATED)

    def _goals(self, mate: int) -> Iterator[Option]:
        """What was asked of all, by each of them."""
        for number, clause in enumerate(self.ground.goal):
            place = self.ground.place(mate, clause)
            if self.met[mate] >> number & 1 or self._needless(mate, clause["act"], place):
                continue
            lasts = clause["act"] in LASTING and not {"seconds", "until"} & {*clause}
            program = notation(DECLARED, [{**clause, "seconds": COVER_SECONDS} if lasts else clause])
            met = _put(self.met, mate, self.met[mate] | 1 << number)
            yield self._step(mate, program, GOAL_TICKS, GOAL, to=place, lasts=True, met=met)

    def _needless(self, mate: int, act: str, place: Point | None) -> bool:
        """Whether a mate has nothing to do for what was asked of all: it would be over at once."""
        ground, own = self.ground, self.ground.mates[mate]
        middle = self._middle(mate)
        return {
            "go": place is not None and dist(place, own.at) <= THERE,
            "cover": place == own.at,
            "follow": place == own.at,
            "rotate": not own.presses,
            "regroup": middle is None or dist(middle, own.at) <= MEET,
            "heal": not own.kits or own.health > HURT,
            "rescue": all(other.life != s.DOWNED for other in ground.mates),
            "scout": ground.seen[mate] is not None,
            "retreat": ground.seen[mate] is None,
        }.get(act, False)

    def _middle(self, mate: int) -> Point | None:
        """The middle of the other mates in the match, where they are by then."""
        mates = enumerate(self.ground.mates)
        others = [self.at[other] for other, one in mates if other != mate and one.life != s.OUT]
        if not others:
            return None
        return sum(x for x, _ in others) / len(others), sum(y for _, y in others) / len(others)

    def _rescues(self, mate: int, safe: bool) -> Iterator[Option]:
        ground = self.ground
        for other, one in enumerate(ground.mates):
            if other == mate or one.life != s.DOWNED or self.up >> other & 1:
                continue
            yield self._step(
                *(mate, f"rescue whom={one.seat + 1}", RESCUE_TICKS, RESCUE if safe else FIGHT / 2),
                to=self.at[other],
                raises=other,
                gives=(_is_up(one.seat),),
            )

    def _loots(self, mate: int) -> Iterator[Option]:
        """To take what is of most use for the way, as mates do who are told to look for things; in the
        nearest house, who has nothing to shoot with and knows of nothing.
        """
        ground, here = self.ground, self.at[mate]
        best, found = 0.0, -1
        for number, supply in enumerate(ground.supplies):
            if supply.mate != mate or (self.taken >> number | self.got[mate] >> supply.need) & 1:
                continue
            score = supply.worth / (dist(here, supply.at) + 4.0)
            if score > best:
                best, found = score, number
        if found >= 0:
            supply = ground.supplies[found]
            program = f"loot what={NEEDS[supply.need]}"
            taken, got = self.taken | 1 << found, 1 << supply.need
            points = FINDS * supply.worth
            yield self._step(mate, program, HAND_TICKS, points, to=supply.at, got=got, taken=taken)
        elif not ground.mates[mate].armed and not self.got[mate]:
            yield self._step(mate, "loot at=house", HOUSE_TICKS, HOUSE, to=ground.house(mate), got=1)

    def _scouts(self, mate: int) -> Iterator[Option]:
        """One looks for enemies, rather who is in good health; or goes for one who was seen far off."""
        own, far = self.ground.mates[mate], self.ground.seen[mate]
        if self.scout not in (-1, mate) or not (own.armed or self.got[mate] & 1):
            return
        points = SCOUT * own.health / 100
        if far is None:
            yield self._step(mate, "scout", SCOUT_TICKS, points, scout=mate)
        elif not self.got[mate] & FOUGHT:
            yield self._step(mate, "attack", FIGHT_TICKS, points, about=far.at, got=FOUGHT, scout=mate)

    def _meets(self, mate: int) -> Iterator[Option]:
        """To come back to the others."""
        middle = self._middle(mate)
        far = dist(self.at[mate], middle) if middle else 0.0
        if far > MEET:
            yield self._step(mate, "regroup", 0.0, MEETING * min(1.0, far / LOST), to=middle)

    def _covers(self, mate: int, enemy: Enemy | None) -> Iterator[Option]:
        """To stay with a mate; a cover for enemies in sight is another one than for the way."""
        ground = self.ground
        limit = f"seconds={COVER_SECONDS}" if enemy is None else "until=clear"
        for other in ground.standing:
            if other == mate or self.guarded >> mate & 1:
                continue
            exposed = other == self.scout
            points = (ESCORTS if exposed else COVERS) * (0.5 if self.guarded >> other & 1 else 1.0)
            program = f"cover whom={ground.first + other + 1} {limit}"
            ticks = float(COVER_SECONDS * s.TICKS_PER_SECOND)
            guarded = self.guarded | 1 << other
            yield self._step(mate, program, ticks, points, to=self.at[other], lasts=True, guarded=guarded)

    def _step(
        self,
        mate: int,
        program: str,
        ticks: float,
        points: float,
        to: Point | None = None,
        about: Point | None = None,
        lasts: bool = False,
        got: int = 0,
        raises: int = -1,
        gives: tuple[str, ...] = (),
        **more: Any,
    ) -> Option:
        """A step that takes the way `to` a point and some ticks there (`lasts`: the way is part of them), and
        that earns points when it is over. `about`: the point that it is about, where nobody goes there.
        """
        ground, begin = self.ground, self.free[mate]
        way = 0.0 if to is None or lasts else ground.way(self.at[mate], to)
        ticks = (way + ticks) * ground.paced(ground.first + mate, program.split()[0])
        free = _put(self.free, mate, begin + ticks)
        up = self.up
        if raises >= 0:
            free, up = _put(free, raises, begin + ticks), up | 1 << raises
        then = self._replace(
            free=free,
            at=self.at if to is None else _put(self.at, mate, to),
            got=_put(self.got, mate, self.got[mate] | got) if got else self.got,
            up=up,
            points=self.points + points * FADES ** (begin + ticks),
            **more,
        )
        own = ground.mates[mate]
        needs = (_is_up(own.seat),) if own.life == s.DOWNED else ()
        shown = to or about
        place = None if shown is None else (round(shown[0]), round(shown[1]))
        return Option(program, ticks, then, place, needs, gives)


def begin(ground: Ground) -> Squad:
    """The squad now."""
    mates = ground.mates
    free = tuple(inf if mate.life == s.DOWNED else 0.0 for mate in mates)
    nothing = (0,) * len(mates)
    return Squad(ground, free, tuple(mate.at for mate in mates), nothing, nothing)


def _is_up(seat: int) -> str:
    return f"{{{seat}}} is up"


def _put(some: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*some[:at], value, *some[at + 1 :])
