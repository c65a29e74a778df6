"""The settings of a game of Overcooked: what they may be, their defaults, and what follows from them.

Not for reading layouts (`layouts`), nor the rules (`rules`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.games.overcooked import layouts, rules
from engine.games.overcooked.kitchen import (
    DEFAULT_TIME,
    DEFAULT_VALUE,
    SOUPS,
    Layout,
    Soup,
    allowed_soups,
    soup_name,
)
from engine.games.overcooked.layout_check import check_reach, regions
from engine.games.overcooked.layouts import CLASSIC, layout_of
from engine.refusal import Refusal
from engine.simulation.rng import put32
from engine.simulation.spec import Option

ORDER_BONUS = 2
TERRAIN = {
    " ": rules.FLOOR,
    "X": rules.COUNTER,
    "P": rules.POT,
    "O": rules.ONIONS,
    "T": rules.TOMATOES,
    "D": rules.DISHES,
    "S": rules.SERVE,
}
LONGEST_HORIZON = 10_000  # ticks
MOST_POINTS = 32_767  # what the record holds
TICK_LENGTHS = (100, 250)  # milliseconds: ten to four ticks a second

OPTIONS: dict[str, Option] = {
    "layout": Option("cramped_room", tuple(CLASSIC), "the kitchen: a name, or the text of a layout"),
    "dynamics": Option(
        "old", ("old", "new"), "old: a pot starts by itself at three ingredients; new: a cook starts it"
    ),
    "horizon": Option(400, (100, 200, 400, 800), "ticks of a game, from 1 to 10,000"),
    "players": Option(None, (2, 3, 4), "number of cooks; by default one for each start cell"),
    "start": Option("fixed", ("fixed", "random"), "where things are at first: as in the layout, or anywhere"),
    "starts": Option("", (), "other start cells, x y of each cook: '6 3; 1 3'"),
    "tick_length": Option(0, (150,), "milliseconds of a tick in real time, from 100 to 250; 0: the site's"),
}


def validate(options: dict[str, Any]) -> dict[str, Any]:
    """All options with defaults filled in; raises `Refusal` for an unknown name or a bad value."""
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise Refusal(f"Overcooked has no option {unknown[0]!r}; its options are {', '.join(OPTIONS)}.")
    given = {name: options.get(name) for name in OPTIONS}
    complete: dict[str, Any] = {
        name: OPTIONS[name].default if value is None else value for name, value in given.items()
    }
    if not isinstance(complete["layout"], str):
        raise Refusal(f"Overcooked's option 'layout' is a name or a text, not {complete['layout']!r}.")
    layout = layout_of(complete["layout"])
    complete["layout"] = layouts.ALIASES.get(complete["layout"], complete["layout"])
    if complete["layout"] not in CLASSIC:
        complete["layout"] = layouts.text(layout)
    complete["starts"], layout = _moved(complete["starts"], layout)
    if complete["players"] is None:
        complete["players"] = len(layout.starts)
    for name in ("dynamics", "start"):
        if complete[name] not in OPTIONS[name].choices:
            allowed = " or ".join(OPTIONS[name].choices)
            raise Refusal(f"Overcooked's option {name!r} is {allowed}, not {complete[name]!r}.")
    complete["horizon"] = _whole("horizon", complete["horizon"], 1, LONGEST_HORIZON)
    complete["players"] = _whole("players", complete["players"], 2, rules.MAX_PLAYERS)
    if complete["tick_length"] != 0:
        complete["tick_length"] = _whole("tick_length", complete["tick_length"], *TICK_LENGTHS)
    if complete["players"] > len(layout.starts):
        raise Refusal(
            f"The layout {layout.name!r} has start cells for {len(layout.starts)} cooks, not for "
            f"{complete['players']}."
        )
    try:
        check_reach(layout, complete["players"])
    except Refusal as error:
        raise Refusal(f"With {complete['players']} cooks: {error}") from None
    _check_orders(layout, complete["dynamics"])
    if max_score(complete) > MOST_POINTS:
        raise Refusal(
            f"A game of {complete['horizon']:,} ticks in the layout {layout.name!r} might bring more than "
            f"{MOST_POINTS:,} points; choose a smaller horizon or smaller values."
        )
    return complete


def _moved(starts: Any, layout: Layout) -> tuple[str, Layout]:
    """The option `starts` in its one form ("": as the layout has it), and the layout with these start cells;
    raises `Refusal`.
    """
    if not isinstance(starts, str):
        raise Refusal(f"Overcooked's option 'starts' is a text, not {starts!r}.")
    try:
        pairs = [cell.split() for cell in starts.split(";")] if starts.strip() else []
        cells = [(int(x), int(y)) for x, y in pairs]
    except ValueError:
        raise Refusal(
            f"Overcooked's option 'starts' is written like '6 3; 1 3', not {starts[:60]!r}."
        ) from None
    floor = {(x, y) for y, row in enumerate(layout.grid) for x, kind in enumerate(row) if kind == " "}
    if len(set(cells)) < len(cells) or not floor.issuperset(cells) or len(cells) > rules.MAX_PLAYERS:
        raise Refusal(
            f"Overcooked's option 'starts' names up to {rules.MAX_PLAYERS} different floor cells of the "
            f"layout {layout.name!r}, 0 0 being its upper left corner; {starts[:60]!r} doesn't."
        )
    if not cells or cells == list(layout.starts):
        return "", layout
    return "; ".join(f"{x} {y}" for x, y in cells), replace(layout, starts=tuple(cells))


def layout_with(options: dict[str, Any]) -> Layout:
    """The kitchen of complete options, with the start cells that they ask for."""
    return _moved(options.get("starts", ""), layout_of(options["layout"]))[1]


def clock(options: dict[str, Any]) -> float | None:
    """Ticks a second that complete options ask for; None: as the site has it."""
    length = options.get("tick_length")  # older games say nothing of it
    return round(1000 / length, 3) if length else None


def _check_orders(layout: Layout, dynamics: str) -> None:
    """That the old dynamics, in which a pot starts at three ingredients, are only asked for such soups."""
    allowed = orders(layout, dynamics)
    for soup in (*layout.orders, *layout.bonus_orders):
        if soup not in allowed:
            raise Refusal(
                f"In Overcooked's old dynamics every soup has three ingredients; the order "
                f"{soup_name(soup)!r} of the layout {layout.name!r} needs dynamics 'new'."
            )


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise Refusal(
            f"Overcooked's option {name!r} is a whole number from {low} to {high:,}, not {value!r}."
        )
    return int(value)


def variant(options: dict[str, Any]) -> str:
    """What learned agents are made for: the layout's name, "custom" for a layout given as text."""
    return str(options["layout"]) if options["layout"] in CLASSIC else "custom"


def orders(layout: Layout, dynamics: str) -> tuple[Soup, ...]:
    """The soups that bring points: what is ordered and the dynamics can cook, by default all of them."""
    least = rules.MAX_INGREDIENTS if dynamics == "old" else 1
    return tuple(soup for soup in layout.orders or allowed_soups(layout) if sum(soup) >= least)


def soup_time(layout: Layout, soup: Soup) -> int:
    """Ticks to cook a soup of (onions, tomatoes)."""
    return layout.times.get(soup, DEFAULT_TIME)


def soup_value(layout: Layout, dynamics: str, soup: Soup) -> int:
    """Points for delivering a soup: 0 if nobody ordered it, twice for a bonus order."""
    if soup not in orders(layout, dynamics):
        return 0
    value = layout.values.get(soup, DEFAULT_VALUE)
    return value * ORDER_BONUS if soup in layout.bonus_orders else value


def max_score(options: dict[str, Any]) -> int:
    """A bound on the points of a game: the best soup from every pot, one after the other without a pause,
    and with a random start one in every hand besides.
    """
    layout = layout_of(options["layout"])
    pots = sum(row.count("P") for row in layout.grid)
    values = {soup: soup_value(layout, options["dynamics"], soup) for soup in SOUPS}
    best = max(value * (options["horizon"] // soup_time(layout, soup) + 1) for soup, value in values.items())
    held = options["players"] * max(values.values()) if options["start"] == "random" else 0
    return pots * best + held


def prepare(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    """Write layout, settings and random stream into a record; `rules.new_game` then begins its first game."""
    layout = layout_with(options)
    state[:] = 0
    put32(state, rules.KEY_A, key_a)
    put32(state, rules.KEY_B, key_b)
    put32(state, rules.EPISODE, 0)
    state[rules.WIDTH], state[rules.HEIGHT] = layout.width, layout.height
    state[rules.PLAYERS] = options["players"]
    state[rules.DYNAMICS] = rules.OLD if options["dynamics"] == "old" else rules.NEW
    state[rules.HORIZON] = options["horizon"]
    state[rules.RANDOM_START] = int(options["start"] == "random")
    state[rules.PLACEMENT_REWARD : rules.SOUP_REWARD + 1] = layout.shaping
    ordered = orders(layout, options["dynamics"])
    for soup in SOUPS:
        code = 4 * soup[0] + soup[1]
        state[rules.TIMES + code] = soup_time(layout, soup)
        state[rules.VALUES + code] = soup_value(layout, options["dynamics"], soup)
        state[rules.ORDERED + code] = (soup in ordered) + (soup in ordered and soup in layout.bonus_orders)
    kinds = np.array([[TERRAIN[letter] for letter in row] for row in layout.grid]).ravel()
    for cell, part in regions(layout).items():
        kinds[cell] += 8 * part
    state[rules.GRID : rules.GRID + len(kinds)] = kinds
    pots = np.flatnonzero(kinds % 8 == rules.POT)
    state[rules.POT_COUNT] = len(pots)
    state[rules.POTS : rules.POTS + len(pots)] = pots
    for seat in range(options["players"]):
        x, y = layout.starts[seat]
        state[rules.START + seat] = y * layout.width + x


def canonical(state: np.ndarray) -> np.ndarray:
    """A copy of the record without its random stream, which the past doesn't determine."""
    copy = np.array(state, dtype=np.int32)
    copy[rules.KEY_A : rules.WIDTH] = 0
    return copy
