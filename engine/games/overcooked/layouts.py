"""Kitchens: what a layout is, the five classic ones, and the text that a layout is written as.

A layout text is a grid, one line a row, with optional settings above it:

    name: my kitchen
    # A line that begins with # is a comment.
    cook_time: 15
    orders: onion onion onion; onion tomato
    bonus_orders: onion tomato

    XXPXX
    O  2T
    X1  X
    XDXSX

X counter, P pot, O onions, T tomatoes, D dishes, S serving window, space or . floor, 1 to 4 start cells.

Settings: `name`; `cook_time` (ticks of every soup) or `onion_time` and `tomato_time` (ticks an ingredient) or
`times` (ticks of single soups: `onion onion 15; onion 8`); `delivery_reward` (points of every soup) or
`onion_value` and `tomato_value` or `values`; `orders` and `bonus_orders` (worth twice), soups separated by
semicolons; `placement_reward`, `dish_reward`, `soup_reward` (points of the shaping). What isn't set is 20
ticks, 20 points, no bonus, 3, 3 and 5; orders that aren't set are all soups that the dispensers and the
dynamics allow.

`layout_of` reads such a text, or a dictionary as in overcooked_ai's `.layout` files; `text` writes it, always
in the same way. Not for: reading and checking (`layout_text`, `layout_check`), options of a game (`options`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.games.overcooked.kitchen import (
    DEFAULT_TIME,
    DEFAULT_VALUE,
    SHAPING,
    SOUPS,
    THREE_ONIONS,
    Layout,
    Soup,
    soup_name,
)
from engine.games.overcooked.layout_text import parse
from engine.games.overcooked.new_kitchens import NAME as NEW
from engine.games.overcooked.new_kitchens import drawn
from engine.refusal import Refusal

CLASSIC = {
    "cramped_room": """
XXPXX
O  2O
X1  X
XDXSX""",
    "asymmetric_advantages": """
XXXXXXXXX
O XSXOX S
X   P 1 X
X2  P   X
XXXDXDXXX""",
    "coordination_ring": """
XXXPX
X 1 P
D2X X
O   X
XOSXX""",
    "forced_coordination": """
XXXPX
O X1P
O2X X
D X X
XXXSX""",
    "counter_circuit_o_1order": """
XXXPPXXX
X  2   X
D XXXX S
X  1   X
XXXOOXXX""",
}
ALIASES = {"counter_circuit": "counter_circuit_o_1order"}


def layout_of(option: str) -> Layout:
    """The layout that the option `layout` means: a classic name, "new NUMBER" (`new_kitchens`), or a layout
    text; raises Refusal.
    """
    name = ALIASES.get(option, option)
    if name in CLASSIC:
        return _classic(name)
    if new := NEW.fullmatch(name.strip()):
        return drawn(int(new[1]))
    if "\n" not in option and "{" not in option:
        given = option if len(option) <= 60 else option[:60] + "…"
        raise Refusal(
            f"There is no layout {given!r}; the layouts are {', '.join(CLASSIC)}, "
            f"new 0 to new 999999, or give the text of one."
        )
    return _custom(option)


@lru_cache
def _classic(name: str) -> Layout:
    """One of the five classic kitchens, in which three onions are ordered whatever the dynamics."""
    return replace(parse(CLASSIC[name]), name=name, orders=(THREE_ONIONS,))


@lru_cache(maxsize=256)
def _custom(text: str) -> Layout:
    return parse(text)


def text(layout: Layout) -> str:
    """The layout as a text; `layout_of` makes the same layout of it."""
    lines = [] if layout.name == "custom" else [f"name: {layout.name}"]
    lines += _settings(layout.times, DEFAULT_TIME, "cook_time", ("onion_time", "tomato_time"), "times")
    lines += _settings(
        layout.values, DEFAULT_VALUE, "delivery_reward", ("onion_value", "tomato_value"), "values"
    )
    for name, soups in (("orders", layout.orders), ("bonus_orders", layout.bonus_orders)):
        if soups:
            lines.append(f"{name}: {'; '.join(soup_name(soup) for soup in soups)}")
    for (name, default), points in zip(SHAPING.items(), layout.shaping, strict=True):
        if points != default:
            lines.append(f"{name}: {points}")
    rows = [list(row) for row in layout.grid]
    for seat, (x, y) in enumerate(layout.starts):
        rows[y][x] = str(seat + 1)
    return "\n".join([*lines, *([""] if lines else []), *("".join(row) for row in rows), ""])


def _settings(
    numbers: dict[Soup, int], default: int, same: str, each: tuple[str, str], single: str
) -> list[str]:
    """The fewest settings that give these numbers: for all soups, for an ingredient, or soup by soup."""
    if not numbers:
        return []
    whole = {soup: numbers.get(soup, default) for soup in SOUPS}
    onion, tomato = whole[1, 0], whole[0, 1]
    if len(set(whole.values())) == 1:
        return [f"{same}: {onion}"]
    if all(number == onion * soup[0] + tomato * soup[1] for soup, number in whole.items()):
        return [f"{each[0]}: {onion}", f"{each[1]}: {tomato}"]
    return [
        f"{single}: {'; '.join(f'{soup_name(soup)} {numbers[soup]}' for soup in SOUPS if soup in numbers)}"
    ]
