"""A kitchen to set up by hand: who stands where, what they hold, what is in pots and on counters."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.overcooked import options, rules

NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)
THREE_ONIONS = rules.SOUP + 12
TOMATOES = """name: tomatoes
onion_time: 6
tomato_time: 4
orders: onion tomato; tomato tomato tomato
bonus_orders: onion tomato

XPXPXX
O1 2TX
X43  S
XXDXXX
"""


def soup(onions: int, tomatoes: int = 0) -> int:
    """The item of a soup, in a pot or in a hand."""
    return rules.SOUP + 4 * onions + tomatoes


class Kitchen:
    """One state record; cells are (x, y), (0, 0) is the top left corner."""

    def __init__(self, layout: str = "cramped_room", dynamics: str = "old", **given: Any) -> None:
        self.options = options.validate({"layout": layout, "dynamics": dynamics, **given})
        self.state = np.zeros(rules.STATE_SIZE, rules.STATE_DTYPE)
        options.prepare(self.state, self.options, 1, 2)
        rules.new_game(self.state)
        self.width = int(self.state[rules.WIDTH])
        self.height = int(self.state[rules.HEIGHT])

    def cell(self, x: int, y: int) -> int:
        return y * self.width + x

    def cook(self, seat: int, at: tuple[int, int], facing: int = NORTH, held: int = rules.NOTHING) -> None:
        self.state[rules.POSITION + seat] = self.cell(*at)
        self.state[rules.FACING + seat] = facing
        self.state[rules.HELD + seat] = held

    def put(self, at: tuple[int, int], item: int, timer: int = rules.IDLE) -> None:
        """An item on a counter or in a pot."""
        self.state[rules.ITEM + self.cell(*at)] = item
        self.state[rules.TIMER + self.cell(*at)] = timer
        if item == rules.DISH:
            self.state[rules.COUNTER_DISHES] += 1

    def step(self, *actions: int) -> int:
        return int(rules.step(self.state, np.array(actions, np.int32)))

    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.step(*[STAY] * self.options["players"])

    def at(self, seat: int) -> tuple[int, int]:
        cell = int(self.state[rules.POSITION + seat])
        return cell % self.width, cell // self.width

    def facing(self, seat: int) -> int:
        return int(self.state[rules.FACING + seat])

    def held(self, seat: int) -> int:
        return int(self.state[rules.HELD + seat])

    def item(self, x: int, y: int) -> int:
        return int(self.state[rules.ITEM + self.cell(x, y)])

    def timer(self, x: int, y: int) -> int:
        return int(self.state[rules.TIMER + self.cell(x, y)])

    def shaped(self) -> list[int]:
        return [int(rules.shaped(self.state, seat)) for seat in range(self.options["players"])]
