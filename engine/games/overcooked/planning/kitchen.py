"""A kitchen as planners see it: who is where with what in the hand, when pots are full and soups done, what
lies on counters, and what such a kitchen is worth.

Times are ticks from now. Cooks are never in each other's way here: `Wanted.pace` learns what that costs. Not
for what stays as it is (`ground`), nor for what a cook can do next (`steps`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

from engine.games.overcooked.planner import FAR
from engine.games.overcooked.planning.asked import Deed
from engine.games.overcooked.planning.ground import Ground
from engine.games.overcooked.rules import DISH, NOTHING, SOUP
from engine.games.plans import Option

IDLE = -1.0
FADES = 0.998  # what a point is worth that comes a tick later
BEGUN = 0.45  # of the work for a thing that is done when somebody holds it
ON_COUNTER = 0.9  # of what a thing in a hand is worth
T = TypeVar("T")


class Pot(NamedTuple):
    """`inside`: the code of its soup; `opens`: from when on it takes things; `since`: when the last of them
    is in; `ready`: when the soup is done, IDLE where it doesn't cook.
    """

    inside: int
    opens: float
    since: float
    ready: float


class Lies(NamedTuple):
    """A thing on a counter, from a time on."""

    since: float
    item: int
    counter: int


class Hand(NamedTuple):
    """A cook in the middle of a step: the time, the cell where it stands, what it holds, what lies about."""

    now: float
    cell: int
    held: int
    lying: tuple[Lies, ...]

    def emptied(self, ground: Ground) -> Hand | None:
        """With nothing in the hand: put down on the next free counter; None if there is none."""
        if self.held == NOTHING:
            return self
        taken = {one.counter for one in self.lying}
        free = ((*ground.ways.use(self.cell, one), one) for one in ground.counters if one not in taken)
        ticks, cell, counter = min(free, default=(FAR, 0, 0))
        now = self.now + ticks
        return (
            None if ticks >= FAR else Hand(now, cell, NOTHING, (*self.lying, Lies(now, self.held, counter)))
        )

    def having(
        self, ground: Ground, item: int, last: int, pace: float, crates: bool = True, counters: bool = True
    ) -> Hand | None:
        """With a thing in the hand, got on the way to a last station; None if it is not to be had."""
        if self.held == item:
            return self
        hand = self.emptied(ground)
        if hand is None:
            return None
        taken = hand.taking(ground, item, last) if counters else None
        ticks, cell, _ = ground.ways.trip(hand.cell, ground.crates[item], last) if crates else (FAR, 0, 0)
        if ticks >= FAR:
            return taken
        now, use = hand.now + ticks * pace, ground.ways.use
        if taken and taken.now + use(taken.cell, last)[0] <= now + use(cell, last)[0]:
            return taken
        return Hand(now, cell, item, hand.lying)

    def taking(self, ground: Ground, item: int, last: int = -1) -> Hand | None:
        """The same from a counter; SOUP: any soup."""
        found, least, use = None, float(FAR), ground.ways.use
        for one in self.lying:
            if one.item != item and not item == SOUP <= one.item:
                continue
            ticks, cell = use(self.cell, one.counter)
            now = max(self.now + ticks, one.since + 1)
            rest = now + (use(cell, last)[0] if last >= 0 else 0)
            if ticks < FAR and rest < least:
                left, least = tuple(other for other in self.lying if other is not one), rest
                found = Hand(now, cell, one.item, left)
        return found


class Kitchen(NamedTuple):
    """`at` (floor cells), `held`, `free` (from when on): by seat; `points`: of what was served, later ones
    worth less; `counted`: how often each goal was met.
    """

    ground: Ground
    at: tuple[int, ...]
    held: tuple[int, ...]
    free: tuple[float, ...]
    pots: tuple[Pot, ...]
    lying: tuple[Lies, ...] = ()
    points: float = 0.0
    counted: tuple[int, ...] = ()

    def turn(self) -> int | None:
        ground, free = self.ground, self.free
        seat = min(ground.order, key=free.__getitem__, default=None)
        if seat is None or free[seat] >= ground.end:
            return None
        if self.counted and all(
            done >= goal.times for done, goal in zip(self.counted, ground.goals, strict=True)
        ):
            return None
        return seat

    def options(self) -> Sequence[Option]:
        from engine.games.overcooked.planning.steps import options

        return options(self)

    def later(self, ticks: float) -> Kitchen:
        seat = self.turn()
        return self if seat is None else self._replace(free=put(self.free, seat, self.free[seat] + ticks))

    def key(self) -> Hashable:
        return self.at, self.held, self.free, self.pots, self.lying, self.counted

    def hand(self, seat: int) -> Hand:
        """A seat as it begins its next step."""
        return Hand(self.free[seat], self.at[seat], self.held[seat], self.lying)

    def after(
        self,
        seat: int,
        hand: Hand,
        pots: tuple[Pot, ...],
        deeds: Sequence[Deed],
        times: int = 1,
        points: float = 0.0,
    ) -> Kitchen:
        """After a step of a seat that consists of some deeds, done so many times."""
        counted = self.counted
        if counted:
            goals = self.ground.goals
            counts = [any(deed in goal.meant for deed in deeds) for goal in goals]
            counted = tuple(done + times * is_one for done, is_one in zip(counted, counts, strict=True))
            points *= any(counts)
        return Kitchen(
            self.ground,
            put(self.at, seat, hand.cell),
            put(self.held, seat, hand.held),
            put(self.free, seat, hand.now),
            pots,
            hand.lying,
            self.points + points,
            counted,
        )

    # --- What it is worth --------------------------------------------------------------------------------

    def value(self) -> float:
        """Points, what is in the making, and what time of cooks and pots is left."""
        ground = self.ground
        first = min([self.free[seat] for seat in ground.order], default=0.0)
        value = self.points + sum([self._worth(pot, first) for pot in self.pots])
        value += ground.labour * sum([max(0.0, ground.end - self.free[seat]) for seat in ground.order])
        value += sum([self._carried(item, first) for item in self.held if item])
        for one in self.lying:
            if one.item >= SOUP or ground.hands_on[one.item]:
                value += ON_COUNTER * self._carried(one.item, first)
        for done, goal in zip(self.counted, ground.goals, strict=True):
            value += ground.price * min(done, goal.times)
        return value

    def _carried(self, item: int, first: float) -> float:
        """What a thing in a hand is worth: a share of the work for it, of a soup what it brings."""
        ground = self.ground
        if item >= SOUP:
            late = 2 * (1 - FADES) * ground.serving
            return (1 - late) * ground.values[item - SOUP] if first < ground.left else 0.0
        return BEGUN * ground.labour * (ground.serving if item == DISH else ground.filling)

    def _worth(self, pot: Pot, first: float) -> float:
        """What a pot's next soup brings, less the work that is left to do for it, and the time after it;
        nobody does anything before `first`.
        """
        ground = self.ground
        soup, missing, done = pot.inside, 0, pot.ready
        if pot.ready == IDLE:
            soup, missing = ground.recipes[soup], sum(ground.lacks[soup].values())
            if soup < 0:
                return 0.0
            done = (
                max(first + missing * ground.filling / ground.hands, pot.opens, pot.since)
                + ground.times[soup]
            )
        served = max(done, first + ground.serving / 2)
        if served + ground.serving / 2 > ground.left:
            return 0.0
        work = missing * ground.filling + ground.serving
        rent = ground.rent * max(0.0, ground.end - served)
        return ground.values[soup] * FADES**served - ground.labour * work + rent


def put(some: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """With another value at one place."""
    return (*some[:index], value, *some[index + 1 :])
