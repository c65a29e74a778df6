"""The stations of a kitchen by name: "left pot", "top onion dispenser", "serving window".

Names tell stations of one kind apart by side, as people do; where sides don't tell them apart, they are
numbered in reading order. Not for what people write (engine.language).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.games.overcooked import rules

KINDS = {
    rules.POT: ("pot", "pot"),
    rules.ONIONS: ("onions", "onion dispenser"),
    rules.TOMATOES: ("tomatoes", "tomato dispenser"),
    rules.DISHES: ("dishes", "dish dispenser"),
    rules.SERVE: ("serve", "serving window"),
}


def stations(state: np.ndarray) -> list[dict[str, Any]]:
    """[{"kind": "pot" | "onions" | "tomatoes" | "dishes" | "serve", "name": "left pot", "x", "y"}]"""
    width = int(state[rules.WIDTH])
    stations_of = []
    for cell, name in names(state).items():
        kind = KINDS[int(rules.terrain(state, cell))][0]
        stations_of.append({"kind": kind, "name": name, "x": cell % width, "y": cell // width})
    return stations_of


def names(state: np.ndarray) -> dict[int, str]:
    """Cell -> name of every station, in the order of the kinds."""
    cells = int(state[rules.WIDTH]) * int(state[rules.HEIGHT])
    kinds = state[rules.GRID : rules.GRID + cells] % 8
    return dict(_names(kinds.astype(np.int8).tobytes(), int(state[rules.WIDTH])))


@lru_cache(maxsize=64)
def _names(kinds: bytes, width: int) -> tuple[tuple[int, str], ...]:
    named: list[tuple[int, str]] = []
    for kind, (_, name) in KINDS.items():
        cells = [cell for cell, kind_there in enumerate(kinds) if kind_there == kind]
        named += [(cell, f"{side}{name}{number}") for cell, (side, number) in _sides(cells, width).items()]
    return tuple(named)


def _sides(cells: list[int], width: int) -> dict[int, tuple[str, str]]:
    """Cell -> what stands before and behind the name of its kind."""
    if len(cells) == 1:
        return {cells[0]: ("", "")}
    across = _words([cell % width for cell in cells], ("left", "middle", "right"))
    down = _words([cell // width for cell in cells], ("top", "middle", "bottom"))
    wide = max(c % width for c in cells) - min(c % width for c in cells) if cells else 0
    high = max(c // width for c in cells) - min(c // width for c in cells) if cells else 0
    both = [" ".join(filter(None, pair)) for pair in zip(down, across, strict=True)]
    for sides in (across, down, both) if wide >= high else (down, across, both):
        if len(set(sides)) == len(cells) and all(sides):
            return {cell: (f"{side} ", "") for cell, side in zip(cells, sides, strict=True)}
    return {cell: ("", f" {number}") for number, cell in enumerate(cells, 1)}


def _words(places: list[int], words: tuple[str, str, str]) -> list[str]:
    """A word for each place: first, middle and last; none where they are all the same or too many."""
    distinct = sorted(set(places))
    if len(distinct) == 2:
        return [words[0] if place == distinct[0] else words[2] for place in places]
    if len(distinct) == 3:
        return [words[distinct.index(place)] for place in places]
    return [""] * len(places)
