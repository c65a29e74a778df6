"""Kitchens for two that nobody has seen: `drawn(number)` is always the same one, as the layout "new NUMBER".

A room of 4 to 9 by 4 to 6 cells with some counters in it, often enough a divided one, and stations that are
used from its floor. Each can be cooked in (`layout_check`). Not for kitchens that people write (`layouts`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count

from engine.games.overcooked.kitchen import Layout
from engine.games.overcooked.layout_check import check_reach, regions
from engine.games.overcooked.layout_text import parse
from engine.refusal import Refusal
from engine.simulation.rng import below, key_from_seed, random32

NAME = re.compile(r"new ([0-9]{1,6})")
FIRST_TO_LEARN = 1000
"""Networks learn in the kitchens from this one on; those before are for people and for judging."""
STATIONS = ("P", "O", "D", "S", "P", "O", "D", "S")  # one of each, and then perhaps another one
ROOM = 3  # cells a cook
STUCK = {
    *(42, 51, 52, 71, 81, 84, 85, 88, 144, 151, 199, 211, 239, 258, 280, 310, 317, 318, 335, 351),
    *(373, 378, 384, 391, 432, 445, 462, 480, 481, 504, 514, 569, 591, 595, 604, 656, 660, 662, 672, 683),
    *(688, 721, 731, 742, 750, 770, 773, 799, 816, 825, 829, 838, 853, 861, 894, 899, 922, 929, 963, 988),
}
"""Of those for people that have room: in which two greedy cooks serve nothing in 400 ticks."""
MOST_FILLED = 45  # percent of the room that counters stand in, at most


class Dice:
    """Numbers that depend on a seed alone, on any machine."""

    def __init__(self, seed: int) -> None:
        self.key, self.thrown = key_from_seed(seed), count()

    def below(self, bound: int) -> int:
        """0 … bound - 1."""
        return int(below(random32(*self.key, next(self.thrown)), bound))


@lru_cache(maxsize=256)
def drawn(number: int) -> Layout:
    """Kitchen number 0 … 999,999."""
    dice = Dice(number)
    while True:
        try:
            layout = parse(f"name: new {number}\norders: onion onion onion\n\n{_room(dice)}")
            check_reach(layout, 2)
        except Refusal:
            continue
        if set(regions(layout).values()) == {regions(layout)[y * layout.width + x] for x, y in layout.starts}:
            return layout


def is_roomy(layout: Layout) -> bool:
    """Whether each cook has room to walk about, at least three cells for each in a part of the kitchen, and
    greedy ones score. The page draws no others for people; networks learn in cramped ones, too.
    """
    if layout.name.removeprefix("new ") in map(str, STUCK):
        return False
    parts = regions(layout)
    homes = [parts[y * layout.width + x] for x, y in layout.starts]
    cells = list(parts.values())
    return all(cells.count(home) >= ROOM * homes.count(home) for home in homes)


def _room(dice: Dice) -> str:
    """Something like a kitchen, as text."""
    width, height = 4 + dice.below(6), 4 + dice.below(3)
    rows = [["X"] * width for _ in range(height)]
    filled, wall = dice.below(MOST_FILLED), 1 + dice.below(2 * (width - 2))  # half of the rooms have none
    inside = [(x, y) for y in range(1, height - 1) for x in range(1, width - 1)]
    floor = [(x, y) for x, y in inside if dice.below(100) >= filled and x != wall]
    for x, y in floor:
        rows[y][x] = " "
    beside = {(x + a, y + b) for x, y in floor for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    walls = sorted(beside - set(floor))
    stations = [station for place, station in enumerate(STATIONS) if place < 4 or dice.below(3) == 0]
    for letters, cells in ((stations, walls), (["1", "2"], floor)):
        for letter in letters[: len(cells)]:
            x, y = cells.pop(dice.below(len(cells)))
            rows[y][x] = letter
    return "\n".join("".join(row) for row in rows)
