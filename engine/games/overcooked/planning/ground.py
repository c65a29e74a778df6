"""What of a kitchen stays as it is while a team's work is planned: ways, stations, soups, and what they are
worth.

Not for what changes (`kitchen`), nor for ways round other cooks (`language.ways`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from engine.games.overcooked import planner, rules
from engine.games.overcooked.planner import FAR, beside, stations
from engine.games.overcooked.planning import asked
from engine.games.overcooked.planning.asked import INGREDIENTS, ITEMS
from engine.games.overcooked.rules import DISH, NEW, NOTHING, ONION, SOUP, TOMATO
from engine.games.overcooked.situation import recipe
from engine.games.plans import Wanted

DISPENSERS = {ONION: rules.ONIONS, TOMATO: rules.TOMATOES, DISH: rules.DISHES}
CODES = 16  # of soups: 4 * onions + tomatoes
LOOKAHEAD = 90.0  # ticks
HANDED_ON = 6.0  # ticks of a part of the work to which no way leads, because things are handed over
TIME = 0.8  # of the points that the best of teams would get in it: what time is worth
HANDS_OVER = 3  # ticks of a way that a thing on a counter saves whoever takes it there

Counters = tuple[int, ...]


class Ways:
    """Ways in an empty kitchen, from floor cells to stations; found when they are asked for and kept."""

    def __init__(self, state: np.ndarray) -> None:
        self.moves: list[list[int]] = planner.distances(state).tolist()
        self.hops: list[list[int]] = planner.hops(state).tolist()
        self.beside: dict[int, list[int]] = {}
        for station in range(len(self.hops)):
            if rules.terrain(state, station) != rules.FLOOR:
                cells = [int(beside(state, station, direction)) for direction in range(4)]
                self.beside[station] = [c for c in cells if c >= 0 and rules.terrain(state, c) == rules.FLOOR]
        self._uses: dict[tuple[int, int], tuple[int, int]] = {}
        self._trips: dict[tuple[int, tuple[int, ...], int], tuple[int, int, int]] = {}

    def use(self, cell: int, station: int) -> tuple[int, int]:
        """(ticks until a station was used, the cell where a cook stands then); FAR where there is no way."""
        found = self._uses.get((cell, station))
        if found is None:
            moves = self.moves[cell]
            stand = min(self.beside[station], key=lambda one: moves[one], default=cell)
            found = self._uses[cell, station] = min(self.hops[cell][station] + 1, FAR), stand
        return found

    def reaches(self, cell: int, some: Sequence[int]) -> bool:
        """Whether any of some stations can be used by who stands in a cell."""
        return any(self.use(cell, station)[0] < FAR for station in some)

    def trip(self, cell: int, some: tuple[int, ...], last: int = -1) -> tuple[int, int, int]:
        """(ticks, cell, station): of some stations, the one to use on the shortest way to a last one; FAR."""
        key = cell, some, last
        found = self._trips.get(key)
        if found is None:
            found, least = (FAR, cell, -1), 2 * FAR
            for station in some:
                ticks, stand = self.use(cell, station)
                rest = self.use(stand, last)[0] if last >= 0 else 0
                if ticks < FAR and ticks + rest < least:
                    found, least = (ticks, stand, station), ticks + rest
            self._trips[key] = found
        return found


@lru_cache(maxsize=16)
def _ways(width: int, height: int, grid: bytes) -> Ways:
    state = np.zeros(rules.STATE_SIZE, rules.STATE_DTYPE)
    state[rules.WIDTH], state[rules.HEIGHT] = width, height
    state[rules.GRID : rules.GRID + width * height] = np.frombuffer(grid, rules.STATE_DTYPE)
    return Ways(state)


class Ground:
    """Of one plan. `order`: the seats whose work is planned; of those that are free at once the first one
    chooses first. `left`: ticks until the game ends; `end`: until then it is looked ahead. Pots are numbered;
    `lacks` has, by the code of what is in one, what it still needs.
    """

    def __init__(self, state: np.ndarray, wanted: Wanted) -> None:
        width, height = int(state[rules.WIDTH]), int(state[rules.HEIGHT])
        self.width, self.cooks = width, int(state[rules.PLAYERS])
        self.ways = _ways(width, height, state[rules.GRID : rules.GRID + width * height].tobytes())
        self.starts = int(state[rules.DYNAMICS]) == NEW  # whether somebody has to start pots
        self.left = float(state[rules.HORIZON] - state[rules.TICK])
        self.end = min(self.left, LOOKAHEAD)
        self.paced, self.people = wanted.paced, wanted.people
        self.pots: tuple[int, ...] = tuple(
            state[rules.POTS : rules.POTS + int(state[rules.POT_COUNT])].tolist()
        )
        self.windows = tuple(stations(state, rules.SERVE))
        self.crates = {item: tuple(stations(state, kind)) for item, kind in DISPENSERS.items()}
        self.counters = tuple(one for one in stations(state, rules.COUNTER) if self.ways.beside[one])
        self._read_soups(state)
        self._weigh()
        self.homes: list[int] = state[rules.POSITION : rules.POSITION + self.cooks].tolist()
        self.fills = [self.ways.reaches(cell, self.pots) for cell in self.homes]
        self.serves = [self.ways.reaches(cell, self.windows) for cell in self.homes]
        self.onward = {
            one: min((self.ways.hops[one][p] for p in self.pots), default=0) for one in self.counters
        }
        self.handing = {
            (seat, item): self._handing(seat, item) for seat in range(self.cooks) for item in ITEMS
        }
        self.hands_on = {item: any(self.handing[seat, item] for seat in range(self.cooks)) for item in ITEMS}
        self.sides = _sides(self.pots, width)
        agents = len(set(wanted.seats) - wanted.people)
        self.goals = asked.goals(wanted.goal, agents, len(self.pots), self.sides)
        self.allowed = asked.allowed(wanted.goal, len(self.pots), self.sides)
        self.banned = [
            asked.bans(wanted.banned.get(seat, ()), len(self.pots), self.sides) for seat in range(self.cooks)
        ]
        # Who is to take soup chooses after those who make it, who hands things on before those who get them.
        takes = {
            seat for seat, first in wanted.fixed.items() if first and first[0].startswith(("serve", "plate"))
        }
        self.order = sorted(wanted.seats, key=lambda seat: (seat in takes, self.fills[seat], seat))

    def xy(self, cell: int) -> tuple[int, int]:
        return cell % self.width, cell // self.width

    def name(self, pot: int) -> str:
        """The slot that names a pot, "" where there is no other one or no side tells them apart."""
        sides = self.sides.items() if len(self.pots) > 1 else ()
        return next((f" side={side}" for side, pots in sides if pots == [pot]), "")

    def _read_soups(self, state: np.ndarray) -> None:
        """The best soup to make of what is in a pot, by its code, and what is missing for it."""
        self.times: list[int] = state[rules.TIMES : rules.TIMES + CODES].tolist()
        self.values: list[int] = state[rules.VALUES : rules.VALUES + CODES].tolist()
        cells = self.width * int(state[rules.HEIGHT])
        lying = {int(item) for item in state[rules.ITEM : rules.ITEM + cells]}
        has = [bool(self.crates[item]) or item in lying for item in INGREDIENTS]
        self.recipes = [int(recipe(state, SOUP + code if code else NOTHING, *has)) for code in range(CODES)]
        self.lacks = [_lacks(code, best) for code, best in enumerate(self.recipes)]
        self.price = float(max(1, *self.values))

    def _weigh(self) -> None:
        """`filling`, `serving`: ticks of work for one thing in a pot and for a soup that is done; `labour`,
        `rent`: points that a tick of a cook and of a pot are worth, by which of them is scarcer.
        """

        def between(some: Sequence[int], others: Sequence[int]) -> float:
            least = min((self.ways.hops[one][other] for one in some for other in others), default=FAR)
            return HANDED_ON if least >= FAR else least + 1.0

        crates = [cell for item in INGREDIENTS for cell in self.crates[item]]
        self.filling = between(crates, self.pots) + between(self.pots, crates)
        self.serving = between(self.crates[DISH], self.pots) + between(self.pots, self.windows)
        self.serving += between(self.windows, self.crates[DISH])
        best = max(self.recipes[0], 0)
        things = max(1, (best >> 2) + (best & 3))
        self.hands = min(things, self.cooks)  # that fill a pot at once
        work = self.filling * things + self.serving
        cycle = self.filling * things / self.hands + self.times[best] + self.serving / 2
        scarce = len(self.pots) / cycle * work / self.cooks
        share = min(0.85, max(0.25, scarce / (1.0 + scarce)))
        labour, rent = share * self.price / work, (1.0 - share) * self.price / cycle
        # Time is worth less than what it may bring at best: who judges worlds of different times by their
        # value would else prefer those in which little time has passed.
        most = min(len(self.pots) / cycle, self.cooks / work) * self.price
        scale = TIME * most / (labour * self.cooks + rent * len(self.pots))
        self.labour, self.rent = scale * labour, scale * rent

    # --- Handing over ------------------------------------------------------------------------------------

    def _handing(self, seat: int, item: int) -> tuple[str, Counters] | None:
        """(notation, counters) of handing a thing to somebody who needs it; None where nobody does."""
        others = [other for other in range(self.cooks) if other != seat and self._needs(seat, other, item)]
        theirs = {counter for other in others for counter in self._counters(other)}
        shared = tuple(one for one in self._counters(seat) if one in theirs)
        if not shared or item == SOUP:
            return ("plate to=me", shared) if shared else None
        if len(others) == self.cooks - 1:
            return f"fetch what={ITEMS[item]} to=me", shared
        # "To me" is to whoever is nearest then: where not all need it, the counters are named.
        own = self._counters(seat)
        sides = {
            f" side={side}": tuple(own[at] for at in some) for side, some in _sides(own, self.width).items()
        }
        for slot, counters in {"": own, **sides}.items():
            if theirs.issuperset(counters):
                return f"lay what={ITEMS[item]}{slot}", counters
        return None

    def _counters(self, seat: int) -> Counters:
        return tuple(one for one in self.counters if self.ways.use(self.homes[seat], one)[0] < FAR)

    def _needs(self, seat: int, other: int, item: int) -> bool:
        """Whether a thing is better handed to another cook than that either of the two uses it alone."""
        if item == SOUP:
            return self.fills[seat] and self.serves[other] and not self.serves[seat]
        crates, reaches = self.crates[item], self.ways.reaches
        if not self.fills[other] or not reaches(self.homes[seat], crates):
            return False
        if not self.fills[seat] or not reaches(self.homes[other], crates):
            return True
        far = min((self.ways.hops[crate][pot] for crate in crates for pot in self.pots), default=0)
        return far - min((self.onward[one] for one in self._counters(other)), default=far) >= HANDS_OVER


def _sides(cells: Sequence[int], width: int) -> dict[str, list[int]]:
    """The numbers of the cells at each side, as `language.cook.which` finds them."""
    across, down = [cell % width for cell in cells], [cell // width for cell in cells]
    ends = {"left": (across, min), "right": (across, max), "top": (down, min), "bottom": (down, max)}
    return {
        side: [number for number, place in enumerate(places) if place == end(places)]
        for side, (places, end) in ends.items()
        if cells
    }


def _lacks(code: int, best: int) -> dict[int, int]:
    """How many onions and tomatoes are missing to the best soup; none if there is no such one."""
    lacks = {ONION: (best >> 2) - (code >> 2), TOMATO: (best & 3) - (code & 3)}
    return {item: count for item, count in lacks.items() if count > 0 and best >= 0}
