"""What a kitchen is: a checked layout, and the soups that can be cooked in it.

Not for how a layout is written (`layouts`, `layout_text`) nor what is wrong with one (`layout_check`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

Soup = tuple[int, int]  # onions, tomatoes
SOUPS: tuple[Soup, ...] = tuple(
    (count - tomatoes, tomatoes) for count in (1, 2, 3) for tomatoes in range(count + 1)
)
THREE_ONIONS: Soup = (3, 0)
DEFAULT_TIME = 20
DEFAULT_VALUE = 20
SHAPING = {"placement_reward": 3, "dish_reward": 3, "soup_reward": 5}


@dataclass(frozen=True)
class Layout:
    """A checked kitchen. `grid` has the start cells as floor; `starts` are (x, y) by seat."""

    name: str
    grid: tuple[str, ...]
    starts: tuple[tuple[int, int], ...]
    orders: tuple[Soup, ...] = ()  # sorted; none: all that the dispensers and the dynamics allow
    bonus_orders: tuple[Soup, ...] = ()
    times: dict[Soup, int] = field(default_factory=dict)  # ticks, of soups that don't take 20
    values: dict[Soup, int] = field(default_factory=dict)  # points, of soups that aren't worth 20
    shaping: tuple[int, int, int] = (3, 3, 5)  # placing an ingredient, taking a dish, taking a soup

    @property
    def width(self) -> int:
        return len(self.grid[0])

    @property
    def height(self) -> int:
        return len(self.grid)


def allowed_soups(layout: Layout, least: int = 1) -> tuple[Soup, ...]:
    """Soups of at least so many ingredients that the dispensers of a kitchen allow."""
    letters = "".join(layout.grid)
    return tuple(
        (onions, tomatoes)
        for onions, tomatoes in SOUPS
        if onions + tomatoes >= least and (not onions or "O" in letters) and (not tomatoes or "T" in letters)
    )


def soup_name(soup: Soup) -> str:
    """ "onion onion tomato" """
    return " ".join(["onion"] * soup[0] + ["tomato"] * soup[1])
