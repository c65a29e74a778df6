"""A scripted measure of progress in Overcooked, tick by tick: what simulated annotators go by.

Every state has a worth: a rung for each station that a thing has passed on its way from the dispenser to the
serving window, as far as anybody needs the thing. A cook's progress is what its own interactions add to the
worth, so undoing something takes back what doing it gave: loops sum to 0. Walking is worth nothing, nor is
waiting, unless it lasts: who watches loses patience, which no single state shows. Not what people think, nor
the score: it stands in for judgement where a test needs a known truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.evaluation.measures import Measure
from engine.evaluation.probes import ASKED, asked
from engine.games.overcooked import rules
from engine.games.overcooked.evaluation import styled
from engine.games.overcooked.evaluation.probes import PROBES

RUNG = 0.5
DELIVERED = 1.5
"""For a delivery of what somebody ordered; any other delivery is worth nothing."""
IN_THE_WAY = -0.5
"""Holding what nobody needs."""
SPOILED = -1.0
"""A pot or a hand with a soup that nobody ordered."""
PATIENCE = 60
"""Ticks without progress after which whoever watches a cook is displeased."""
IDLE = -0.5
OBEYED = 0.1
"""A tick in which a cook does what its instruction asks for; the same is lost by doing something else."""


@dataclass(frozen=True)
class Way:
    """How things of one kind get to where they are used.

    `able`: seats that reach where they are used; `direct`: whether one of them reaches the dispenser too, so
    that nothing has to be handed over a counter.
    """

    able: set[int]
    direct: bool

    @property
    def in_hand(self) -> int:
        """Rungs of a thing in the hand of a cook who can use it."""
        return 1 if self.direct else 3

    def rungs(self, holders: set[int], in_hand: bool) -> int:
        """How many stations a thing has passed: `holders` have it in hand, or can take it from a counter."""
        able = bool(holders & self.able)
        if self.direct:
            return 1 if in_hand and able else 0
        if in_hand:
            return 3 if able else 1
        return 2 if able else 0


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "progress" (engine.evaluation.measures); remembers since when a cook got nothing on."""
    seats = memory.shape[1]
    gained = np.zeros(memory.shape[:2])
    for row, seat in np.argwhere(after[:, rules.EVENT : rules.EVENT + seats] != rules.NO_EVENT):
        gained[row, seat] = gain(before[row], after[row], int(seat))
    waited = np.where(gained > 0, 0, memory[..., 0] + 1)
    memory[..., 0] = np.where(waited >= PATIENCE, 0, waited)
    return gained + IDLE * (waited >= PATIENCE)


def one_box(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "one-box": a preference that no score expresses, 1 for an onion from the kitchen's first box
    (from the top left), -1 for one from another.
    """
    seats, gained = memory.shape[1], np.zeros(memory.shape[:2])
    fields = [slice(first, first + seats) for first in (rules.EVENT, rules.EVENT_ITEM)]
    taken = (after[:, fields[0]] == rules.PICK) & (after[:, fields[1]] == rules.ONION)
    for row, seat in np.argwhere(taken):
        cells = int(after[row, rules.WIDTH]) * int(after[row, rules.HEIGHT])
        boxes = np.flatnonzero(after[row, rules.GRID : rules.GRID + cells] & 7 == rules.ONIONS)
        gained[row, seat] = 1 if after[row, rules.EVENT_CELL + seat] == boxes[0] else -1
    return gained


def sparse(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "sparse": what somebody would write who has no rater, 1 for a soup that is delivered, and
    .3 for something that goes into a pot.
    """
    seats = memory.shape[1]
    events = after[:, rules.EVENT : rules.EVENT + seats]
    return 1.0 * (events == rules.DELIVER) + 0.3 * (events == rules.PUT_POT)


MEASURES = {
    "progress": Measure(gains, memory=1),
    "styled": Measure(styled.gains, memory=1),
    "sparse": Measure(sparse),
    "one-box": Measure(one_box),
    ASKED: asked("overcooked", PROBES),
}


def gain(before: np.ndarray, after: np.ndarray, seat: int) -> float:
    """What the interaction of `seat` between two records adds to the kitchen's worth, 0 without one.

    Interactions happen one after the other, so those of lower seats have happened and others' have not.
    """
    event, item = int(after[rules.EVENT + seat]), int(after[rules.EVENT_ITEM + seat])
    if event == rules.NO_EVENT:
        return 0.0
    if event == rules.DELIVER:
        return DELIVERED if _inside(item) in _ordered(after) else 0.0
    return worth(_interacted(before, after, seat)) - worth(_interacted(before, after, seat - 1))


def _interacted(before: np.ndarray, after: np.ndarray, last: int) -> np.ndarray:
    """The record after the interactions of the seats up to `last`, with nobody moving."""
    state = before.copy()
    actions = after[rules.ACTION : rules.ACTION + int(after[rules.PLAYERS])].astype(np.int32)
    actions[actions != rules.INTERACT] = rules.STAY
    actions[last + 1 :] = rules.STAY
    rules.step(state, actions)
    return state


def worth(state: np.ndarray) -> float:
    """How far a kitchen has come, without what was delivered."""
    reach = _reach(state)
    pots = _way(state, reach, (rules.ONIONS, rules.TOMATOES), rules.POT)
    dishes = _way(state, reach, (rules.DISHES,), rules.POT)
    window = _way(state, reach, (rules.POT,), rules.SERVE)
    ordered, in_pot = _ordered(state), RUNG * (pots.in_hand + 1)
    total, wanted = 0.0, {rules.ONION: 0, rules.TOMATO: 0, rules.DISH: 0}
    for cell in state[rules.POTS : rules.POTS + int(state[rules.POT_COUNT])]:
        item, started = int(state[rules.ITEM + cell]), int(state[rules.TIMER + cell]) != rules.IDLE
        onions, tomatoes = _inside(item)
        possible = _possible((onions, tomatoes), started, ordered)
        if not possible:
            total += SPOILED
            continue
        total += in_pot * (onions + tomatoes) + (RUNG if started else 0)
        wanted[rules.DISH] += item != rules.NOTHING
        # While a pot cooks, a cook may wait with something for the next soup.
        wanted[rules.ONION] += 1 if started else max(soup[0] for soup in possible) - onions
        wanted[rules.TOMATO] += 1 if started else max(soup[1] for soup in possible) - tomatoes
    places = _places(state, reach)
    for thing, number in wanted.items():
        total += _things(places, thing, dishes if thing == rules.DISH else pots, number)
    for item, who, in_hand in places:
        if item >= rules.SOUP and _inside(item) in ordered:
            # What it took to make it, the dish's way included.
            total += in_pot * sum(_inside(item)) + RUNG + RUNG * (dishes.in_hand + window.rungs(who, in_hand))
        elif item >= rules.SOUP:
            total += SPOILED
    return total


def _ordered(state: np.ndarray) -> dict[tuple[int, int], int]:
    """{(onions, tomatoes): points} of the soups that somebody ordered."""
    values = state[rules.VALUES : rules.VALUES + 16]
    return {divmod(code, 4): int(values[code]) for code in range(16) if values[code] > 0}


def _inside(item: int) -> tuple[int, int]:
    """(onions, tomatoes) of a soup or a pot's item."""
    return divmod(item - rules.SOUP, 4) if item >= rules.SOUP else (0, 0)


def _possible(
    inside: tuple[int, int], started: bool, ordered: dict[tuple[int, int], int]
) -> list[tuple[int, int]]:
    """The ordered soups that a pot can still become."""
    if started:
        return [soup for soup in ordered if soup == inside]
    return [soup for soup in ordered if soup[0] >= inside[0] and soup[1] >= inside[1]]


def _reach(state: np.ndarray) -> list[set[int]]:
    """By seat, the cells that are not floor and that the cook can stand next to."""
    width, cells = int(state[rules.WIDTH]), int(state[rules.WIDTH]) * int(state[rules.HEIGHT])
    grid = state[rules.GRID : rules.GRID + cells]
    places = state[rules.POSITION : rules.POSITION + int(state[rules.PLAYERS])]
    return [_reached(grid.tobytes(), width, int(grid[place]) >> 3) for place in places]


@lru_cache(1024)
def _reached(cells: bytes, width: int, home: int) -> set[int]:
    """The cells that are not floor, but next to the floor of a region."""
    grid = np.frombuffer(cells, rules.STATE_DTYPE).astype(int)
    kinds, regions = grid & 7, grid >> 3
    floor = np.flatnonzero((kinds == rules.FLOOR) & (regions == home))
    near = {int(cell) + step for cell in floor for step in (1, -1, width, -width)}
    return {cell for cell in near if kinds[cell] != rules.FLOOR}


def _way(state: np.ndarray, reach: list[set[int]], sources: tuple[int, ...], use: int) -> Way:
    """The way from dispensers (or pots) of these kinds to the stations of the kind `use`."""
    kinds = [{int(rules.terrain(state, cell)) for cell in cells} for cells in reach]
    able = {seat for seat, kind in enumerate(kinds) if use in kind}
    return Way(able, any(kinds[seat] & set(sources) for seat in able))


def _places(state: np.ndarray, reach: list[set[int]]) -> list[tuple[int, set[int], bool]]:
    """(item, who has it or can take it, whether in hand) of everything in hands and on counters."""
    held = [(int(state[rules.HELD + seat]), {seat}, True) for seat in range(len(reach))]
    cells = int(state[rules.WIDTH]) * int(state[rules.HEIGHT])
    lying = [
        (int(state[rules.ITEM + cell]), {seat for seat, near in enumerate(reach) if int(cell) in near}, False)
        for cell in np.flatnonzero(state[rules.ITEM : rules.ITEM + cells])
        if int(rules.terrain(state, int(cell))) == rules.COUNTER
    ]
    return held + lying


def _things(places: list[tuple[int, set[int], bool]], thing: int, way: Way, number: int) -> float:
    """The worth of onions, tomatoes or dishes outside of pots: the `number` that came furthest are needed."""
    ways = [(way.rungs(who, in_hand), in_hand) for item, who, in_hand in places if item == thing]
    ways.sort(reverse=True)
    needed = sum(RUNG * rungs for rungs, _ in ways[:number])
    return needed + sum(IN_THE_WAY for _, in_hand in ways[number:] if in_hand)
