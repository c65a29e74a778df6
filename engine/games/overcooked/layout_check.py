"""Whether a kitchen can be cooked in: closed border, start cells, stations, and that the cooks reach them.

Every refusal is a Refusal, one sentence that names the line and what is allowed. Not for reading texts
(`layout_text`).
"""

from __future__ import annotations

from collections.abc import Callable

from engine.games.overcooked.kitchen import SOUPS, Layout, Soup, allowed_soups, soup_name
from engine.games.overcooked.rules import MAX_CELLS, MAX_PLAYERS, MAX_POTS
from engine.refusal import Refusal

NAMES = {
    "P": "pot",
    "O": "onion dispenser",
    "T": "tomato dispenser",
    "D": "dish dispenser",
    "S": "serving window",
}
ALLOWED = (
    "X (counter), P (pot), O (onions), T (tomatoes), D (dishes), S (serving window), a space or . (floor) "
    "and 1 to 4 (start cells)"
)
Label = Callable[[int], str]  # row of the grid -> "Line 7"


def row_label(y: int) -> str:
    """What a row is called where no text gives it a line."""
    return f"Row {y + 1} of the grid"


def check_rows(rows: list[str], label: Label = row_label) -> None:
    """Letters, shape and border of a grid as it is written."""
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter not in "XPOTDS .1234":
                raise Refusal(
                    f"{label(y)}, column {x + 1}: {letter!r} isn't part of a kitchen; allowed are {ALLOWED}."
                )
    if not rows:
        raise Refusal(f"The layout has no kitchen: its rows are made of {ALLOWED}.")
    width, height = len(rows[0]), len(rows)
    for y, row in enumerate(rows):
        if len(row) != width:
            raise Refusal(
                f"{label(y)} has {len(row)} cells, but the first row has {width}: all rows of a kitchen are "
                "equally long, and the last cell of a row is no floor."
            )
    if width * height > MAX_CELLS:
        raise Refusal(
            f"The kitchen is {width} x {height}, {width * height} cells; at most {MAX_CELLS} are allowed."
        )
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter in " .1234" and (x in (0, width - 1) or y in (0, height - 1)):
                raise Refusal(
                    f"{label(y)}, column {x + 1}: the border is open; every cell at the edge is X, P, O, T, "
                    "D or S."
                )


def starts_of(rows: list[str], label: Label = row_label) -> tuple[tuple[int, int], ...]:
    """The start cells (x, y) by seat; they are numbered from 1, 2 to 4 of them, each number once."""
    starts: dict[int, tuple[int, int]] = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter in "1234":
                if int(letter) in starts:
                    raise Refusal(f"{label(y)}, column {x + 1}: start cell {letter} is there a second time.")
                starts[int(letter)] = (x, y)
    for number in range(1, len(starts) + 1):
        if number not in starts:
            raise Refusal(
                f"Start cell {number} is missing, but there is a start cell {max(starts)}; they are numbered "
                "1, 2, … without a gap."
            )
    if len(starts) < 2:
        raise Refusal(
            f"The kitchen has {len(starts) or 'no'} start cell{'s' * (not starts)}; it needs 2 to "
            f"{MAX_PLAYERS}, numbered 1, 2, …"
        )
    return tuple(starts[number] for number in sorted(starts))


def check_stations(layout: Layout) -> None:
    """Raise LayoutError unless the kitchen has all stations that its orders need."""
    letters = "".join(layout.grid)
    for letter in "PDS":
        if letter not in letters:
            raise Refusal(f"The kitchen has no {NAMES[letter]} ({letter}); at least one is needed.")
    if letters.count("P") > MAX_POTS:
        raise Refusal(f"The kitchen has {letters.count('P')} pots; at most {MAX_POTS} are allowed.")
    if "O" not in letters and "T" not in letters:
        raise Refusal("The kitchen has neither onions (O) nor tomatoes (T); at least one is needed.")
    for onions, tomatoes in layout.orders:
        for letter, count in (("O", onions), ("T", tomatoes)):
            if count and letter not in letters:
                raise Refusal(
                    f"The order {soup_name((onions, tomatoes))!r} can't be cooked: the kitchen has no "
                    f"{NAMES[letter]} ({letter})."
                )


def regions(layout: Layout) -> dict[int, int]:
    """The part of the kitchen of each floor cell: cells that a cook can walk between have the same number."""
    floor = {
        y * layout.width + x
        for y, row in enumerate(layout.grid)
        for x, letter in enumerate(row)
        if letter == " "
    }
    parts: dict[int, int] = {}
    for first in sorted(floor):
        if first in parts:
            continue
        part = len(set(parts.values()))
        waiting = [first]
        while waiting:
            cell = waiting.pop()
            if cell in floor and cell not in parts:
                parts[cell] = part
                waiting += [cell - 1, cell + 1, cell - layout.width, cell + layout.width]
    return parts


def check_reach(layout: Layout, cooks: int, label: Label = row_label) -> None:
    """That the first `cooks` cooks reach every station, and together can make every soup that is ordered.

    Things go from one part of the kitchen to another over counters, and soups through pots. A window that
    nobody gets to is a wall, if there is another one (`walled`): kitchens elsewhere are framed by them.
    """
    reaches = _reaches(layout, cooks)
    # Parts that share a counter, directly or by way of others, have the same group.
    group = {part: part for reach in reaches.values() for part in reach}
    stations: list[tuple[str, set[int]]] = []
    for (x, y), reach in reaches.items():
        letter = layout.grid[y][x]
        if letter == "X" and reach:
            joined = {group[part] for part in reach}
            group = {part: min(joined) if old in joined else old for part, old in group.items()}
        elif letter in NAMES and reach:
            stations.append((letter, reach))
        elif letter in NAMES and letter != "S":
            raise Refusal(
                f"{label(y)}, column {x + 1}: no cook can get to this {NAMES[letter]}; a station "
                "needs a floor cell next to it to which one of the cooks can walk."
            )
    windows = walled(layout, cooks)
    if windows and not any(letter == "S" for letter, _ in stations):
        x, y = windows[0]
        raise Refusal(
            f"{label(y)}, column {x + 1}: no cook can get to this {NAMES['S']}; one of them needs a floor "
            "cell next to it to which one of the cooks can walk."
        )
    groups = [(letter, {group[part] for part in reach}) for letter, reach in stations]
    for soup in layout.orders or allowed_soups(layout):
        if not any(_can_cook(soup, pot, groups) for letter, pot in groups if letter == "P"):
            raise Refusal(
                f"The cooks together can't make and serve the soup {soup_name(soup)!r}: no pot can be given "
                "its ingredients and then emptied with a dish towards a serving window, even over counters."
            )


def walled(layout: Layout, cooks: int) -> list[tuple[int, int]]:
    """The serving windows (x, y) to which none of the first `cooks` cooks gets."""
    reaches = _reaches(layout, cooks)
    return [(x, y) for (x, y), reach in reaches.items() if layout.grid[y][x] == "S" and not reach]


def _reaches(layout: Layout, cooks: int) -> dict[tuple[int, int], set[int]]:
    """For each cell (x, y) the parts with one of the first `cooks` cooks from which it can be used."""
    parts = regions(layout)
    homes = {parts[y * layout.width + x] for x, y in layout.starts[:cooks]}
    cells = [(x, y) for y in range(layout.height) for x in range(layout.width)]
    part_of = {(x, y): parts.get(y * layout.width + x) for x, y in cells}
    return {
        (x, y): homes & {part_of.get(near) for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))}
        for x, y in cells
    }


def _can_cook(soup: Soup, pot: set[int], groups: list[tuple[str, set[int]]]) -> bool:
    """Whether a pot used by these groups gets the ingredients, and one group has pot, dishes and window."""

    def near(letter: str) -> set[int]:
        return pot & {part for kind, reach in groups if kind == letter for part in reach}

    ingredients = all(near(letter) for letter, count in zip("OT", soup, strict=True) if count)
    return ingredients and bool(near("D") & near("S"))


def check_orders(layout: Layout) -> None:
    """That soups have one to three ingredients, and that only what is ordered brings a bonus."""
    for soup in (*layout.orders, *layout.bonus_orders):
        if soup not in SOUPS:
            raise Refusal(f"A soup has 1 to 3 ingredients, not {sum(soup)}.")
    allowed = layout.orders or allowed_soups(layout)
    for soup in layout.bonus_orders:
        if soup not in allowed:
            raise Refusal(
                f"The bonus order {soup_name(soup)!r} isn't among the orders: "
                f"{'; '.join(soup_name(order) for order in allowed)}."
            )
