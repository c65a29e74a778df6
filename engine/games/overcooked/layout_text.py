"""Reading layout texts (the format is described in `layouts`) and overcooked_ai's dictionaries.

A text comes from anybody: it is bounded in size, never evaluated, and whatever is wrong with it is one
sentence that names the line. Not for whether a kitchen can be cooked in (`layout_check`).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import Any

from engine.games.overcooked import layout_check
from engine.games.overcooked.kitchen import (
    DEFAULT_TIME,
    DEFAULT_VALUE,
    SHAPING,
    SOUPS,
    Layout,
    Soup,
    soup_name,
)
from engine.refusal import Refusal

MAX_TEXT = 10_000  # characters
MAX_NAME = 60  # characters
MAX_TIME = 255  # ticks: an observation shows the ticks left as one byte
MAX_VALUE = 1000  # points
MAX_SHAPING = 100  # points
INGREDIENTS = ("onion", "tomato")
TIMES = ("cook_time", "onion_time", "tomato_time", "times")
VALUES = ("delivery_reward", "onion_value", "tomato_value", "values")
SETTINGS = ("name", *TIMES, *VALUES, "orders", "bonus_orders", *SHAPING)
_NUMBER = re.compile(r"[0-9]{1,9}")


def parse(text: str) -> Layout:
    """The checked layout of a text or a dictionary; raises Refusal."""
    if len(text) > MAX_TEXT:
        raise Refusal(f"The layout has {len(text):,} characters; at most {MAX_TEXT:,} are allowed.")
    if text.lstrip().startswith("{"):
        return _of_dictionary(text)
    settings, rows, lines = _split(text)

    def label(y: int) -> str:
        return f"Line {lines[y]}"

    read: dict[str, Any] = {}
    for name, (line, value) in settings.items():
        where = f"Line {line}"
        if name == "name":
            read[name] = _name(where, value)
        elif name in ("orders", "bonus_orders"):
            read[name] = [_soup(where, words.split()) for words in value.split(";") if words.strip()]
        elif name in ("times", "values"):
            read[name] = _soup_numbers(where, name, value)
        else:
            low, high = bounds(name)
            if not _NUMBER.fullmatch(value):
                raise Refusal(f"{where}: {name} is a whole number from {low} to {high}, not {_short(value)}.")
            read[name] = _within(where, name, int(value))
    return _layout(read, rows, label)


def bounds(name: str) -> tuple[int, int]:
    """The smallest and the largest value of a setting that is a number."""
    if name in TIMES:
        return 1, MAX_TIME
    return (0, MAX_VALUE) if name in VALUES else (0, MAX_SHAPING)


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:60] + "…"


def _within(where: str, name: str, value: object) -> int:
    low, high = bounds(name)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Refusal(f"{where}: {name} is a whole number from {low} to {high}, not {_short(value)}.")
    return value


def _split(text: str) -> tuple[dict[str, tuple[int, str]], list[str], list[int]]:
    """Settings (name -> line, value), the rows of the grid, and the line of each row; lines count from 1."""
    settings: dict[str, tuple[int, str]] = {}
    rows: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if line.lstrip().startswith("#") or not line.strip():
            continue
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            if lines and number != lines[-1] + 1:
                raise Refusal(
                    f"Line {number}: the kitchen ended at line {lines[-1]}; there is no empty line or "
                    "comment between its rows, and its floor is written with a space or a dot."
                )
            rows.append(line)
            lines.append(number)
            continue
        if rows:
            raise Refusal(f"Line {number}: settings stand above the kitchen, not below or within it.")
        if name not in SETTINGS:
            raise Refusal(
                f"Line {number}: there is no setting {_short(name)}; the settings are {', '.join(SETTINGS)}."
            )
        if name in settings:
            raise Refusal(f"Line {number}: {name} is set a second time.")
        settings[name] = number, value
    indent = min((len(row) - len(row.lstrip()) for row in rows), default=0)
    rows = [row[indent:] for row in rows]
    # What trails behind a row of the right length is nothing that anybody sees.
    width = len(rows[0].rstrip()) if rows else 0
    rows = [row[:width] if len(row.rstrip()) <= width else row for row in rows]
    return settings, rows, lines


def _name(where: str, value: str) -> str:
    name = " ".join(value.split())
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        raise Refusal(f"{where}: a name has 1 to {MAX_NAME} printable characters, not {_short(value)}.")
    return name


def _soup(where: str, words: list[str]) -> Soup:
    for word in words:
        if word not in INGREDIENTS:
            raise Refusal(f"{where}: {_short(word)} is no ingredient; there are onion and tomato.")
    soup = words.count("onion"), words.count("tomato")
    if soup not in SOUPS:
        raise Refusal(f"{where}: a soup has 1 to 3 ingredients, not {len(words)}.")
    return soup


def _soup_numbers(where: str, name: str, value: str) -> dict[Soup, int]:
    """ "onion onion 15; onion 8" """
    numbers: dict[Soup, int] = {}
    for part in value.split(";"):
        *words, number = part.split() or [""]
        if not _NUMBER.fullmatch(number):
            raise Refusal(f"{where}: {name} are soups with a number each, as in 'onion onion 15; onion 8'.")
        numbers[_soup(where, words)] = _within(where, name, int(number))
    return numbers


def _layout(read: dict[str, Any], rows: list[str], label: Callable[[int], str]) -> Layout:
    """Check everything and put it together."""
    layout_check.check_rows(rows, label)
    starts = layout_check.starts_of(rows, label)
    times = _numbers(read, TIMES, DEFAULT_TIME)
    slowest = max(times, key=lambda soup: times[soup], default=SOUPS[0])
    if times.get(slowest, 0) > MAX_TIME:
        raise Refusal(
            f"The soup {soup_name(slowest)!r} would take {times[slowest]} ticks; at most {MAX_TIME} are "
            "allowed."
        )
    layout = Layout(
        name=read.get("name", "custom"),
        grid=tuple("".join(" " if letter in "1234." else letter for letter in row) for row in rows),
        starts=starts,
        orders=tuple(sorted(set(read.get("orders", ())))),
        bonus_orders=tuple(sorted(set(read.get("bonus_orders", ())))),
        times=times,
        values=_numbers(read, VALUES, DEFAULT_VALUE),
        shaping=tuple(read.get(name, default) for name, default in SHAPING.items()),
    )
    layout_check.check_stations(layout)
    layout_check.check_orders(layout)
    layout_check.check_reach(layout, len(starts), label)
    return layout


def _numbers(read: dict[str, Any], names: tuple[str, ...], default: int) -> dict[Soup, int]:
    """Ticks or points of the soups without the default; `names`: for all, for the two ingredients, single."""
    same, onion, tomato, single = names
    if (onion in read) != (tomato in read):
        raise Refusal(f"{onion} and {tomato} are set together or not at all.")
    given = [name for name in (same, onion, single) if name in read]
    if len(given) > 1:
        raise Refusal(f"{given[0]} and {given[1]} say the same thing; set one of them.")
    numbers: dict[Soup, int] = {}
    if same in read:
        numbers = dict.fromkeys(SOUPS, read[same])
    elif onion in read:
        numbers = {soup: soup[0] * read[onion] + soup[1] * read[tomato] for soup in SOUPS}
    elif single in read:
        numbers = read[single]
    return {soup: numbers[soup] for soup in SOUPS if numbers.get(soup, default) != default}


def _of_dictionary(text: str) -> Layout:
    """The layout of a dictionary as in overcooked_ai's `.layout` files, which are Python literals, or as the
    same in JSON.
    """
    try:
        given = _json(text) or ast.literal_eval(text.strip())
    except SyntaxError as error:
        raise Refusal(f"Line {error.lineno or 1}: this dictionary isn't made of plain values.") from None
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise Refusal("The dictionary isn't made of plain values (texts, numbers, lists, None).") from None
    if not isinstance(given, dict) or not isinstance(given.get("grid"), str):
        raise Refusal("The dictionary of a layout has a text named 'grid'.")
    fixed = {"order_bonus": 2, "num_items_for_soup": 3, "start_order_list": None}
    read: dict[str, Any] = {}
    for name, value in given.items():
        where = f"The dictionary's {_short(name)}"
        if name in ("start_all_orders", "start_bonus_orders"):
            key = "orders" if name == "start_all_orders" else "bonus_orders"
            read[key] = [_recipe(where, recipe) for recipe in _list(where, value)]
        elif name in ("recipe_times", "recipe_values"):
            soups = [_recipe(where, recipe) for recipe in _list(where, given.get("start_all_orders"))]
            numbers = [_within(where, name[7:], number) for number in _list(where, value)]
            if len(soups) != len(numbers):
                raise Refusal(f"{where} has {len(numbers)} numbers for {len(soups)} orders.")
            read[name[7:]] = dict(zip(soups, numbers, strict=True))
        elif name == "rew_shaping_params":
            read |= _shaping(where, value)
        elif name in fixed:
            if value != fixed[name]:
                raise Refusal(f"{where} is always {fixed[name]} here, not {_short(value)}.")
        elif name in (*TIMES[:3], *VALUES[:3]):
            read[name] = _within(where, name, value)
        elif name not in ("grid", "layout_name"):
            raise Refusal(f"{where} isn't something that a layout sets here.")
    if isinstance(given.get("layout_name"), str):
        read["name"] = _name("The dictionary's layout_name", given["layout_name"])
    rows = [row.strip() for row in given["grid"].strip().split("\n")]
    return _layout(read, rows if rows != [""] else [], layout_check.row_label)


def _json(text: str) -> Any:
    """What a text of JSON says; None for any other."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _list(where: str, value: object) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise Refusal(f"{where} goes with a list, not {_short(value)}.")
    return list(value)


def _recipe(where: str, recipe: object) -> Soup:
    words = recipe.get("ingredients") if isinstance(recipe, dict) else None
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise Refusal(f'{where}: a soup is {{"ingredients": ["onion", …]}}, not {_short(recipe)}.')
    return _soup(where, list(words))


def _shaping(where: str, value: object) -> dict[str, int]:
    """placement_reward, … of overcooked_ai's names; what rewards distances isn't there."""
    theirs = dict(
        zip(("PLACEMENT_IN_POT_REW", "DISH_PICKUP_REWARD", "SOUP_PICKUP_REWARD"), SHAPING, strict=True)
    )
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refusal(f"{where} is None or a dictionary, not {_short(value)}.")
    for name, points in value.items():
        if name not in theirs and points != 0:
            raise Refusal(f"{where} has {_short(name)}; only {', '.join(theirs)} are rewarded here.")
    return {
        theirs[name]: _within(where, theirs[name], points) for name, points in value.items() if name in theirs
    }
