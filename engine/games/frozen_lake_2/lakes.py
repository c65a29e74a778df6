"""The lakes, and the other settings of a game.

Gymnasium's maps of FrozenLake-v1 are "4x4" and "8x8", with its start and its target for the first player, the
upper right corner as the second start, and the lower left one as the second target; in "4x4", where that is a
hole, the cell beside it. "drawn" is an 8 x 8 lake with a hole in one of five cells, as Gymnasium draws random
maps, with starts and targets anywhere: another one every game, or always the one of `map_seed`. Not for the
rules (rules.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.frozen_lake_2 import rules
from engine.refusal import Refusal
from engine.simulation.rng import key_from_seed
from engine.simulation.spec import Option

DRAWN = "drawn"
MAPS = {
    "4x4": ("1FF2", "FHFH", "FFFH", "HBFA"),
    "8x8": (
        "1FFFFFF2",
        "FFFFFFFF",
        "FFFHFFFF",
        "FFFFFHFF",
        "FFFHFFFF",
        "FHHFFFHF",
        "FHFFHFHF",
        "BFFHFFFA",
    ),
}
"""1 and 2: where the players begin; A and B: the targets; F: frozen; H: a hole."""
SIGHTS = ("lake", "coordinates")
LARGEST_SEED = 2**31 - 1
OPTIONS = {
    "players": Option(2, (2,), "always two"),
    "layout": Option("4x4", (*MAPS, DRAWN), "the lake: Gymnasium's maps with two of everything, or drawn"),
    "map_seed": Option(None, (), "which drawn lake: a whole number from 0 on; none: another one every game"),
    "sight": Option(
        "lake", SIGHTS, "what players see: the lake, or their coordinates alone, as in the paper"
    ),
    "horizon": Option(100, (50, 100, 200), "steps after which the game ends"),
}


def validate(options: dict[str, Any]) -> dict[str, Any]:
    """All options, complete and checked. Raises Refusal."""
    if unknown := sorted(set(options) - set(OPTIONS)):
        raise Refusal(f"Frozen Lake has no option {unknown[0]!r}; its options are {', '.join(OPTIONS)}.")
    complete = {name: options.get(name, option.default) for name, option in OPTIONS.items()}
    for name, option in OPTIONS.items():
        value = complete[name]
        if option.choices and (isinstance(value, bool) or value not in option.choices):
            allowed = ", ".join(str(choice) for choice in option.choices)
            raise Refusal(f"Frozen Lake's option {name!r} is one of {allowed}, not {value!r}.")
    seed = complete["map_seed"]
    if seed is None:
        return complete
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= LARGEST_SEED:
        raise Refusal(
            f"Frozen Lake's option 'map_seed' is a whole number from 0 to {LARGEST_SEED}, not {seed!r}."
        )
    if complete["layout"] != DRAWN:
        raise Refusal(
            f"Frozen Lake's option 'map_seed' needs the layout {DRAWN!r}, not {complete['layout']!r}."
        )
    return complete | {"map_seed": int(seed)}


def prepare(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    """Write settings and the lake, if it is always the same one, into a record."""
    state[:] = 0
    state[rules.KEY_A], state[rules.KEY_B] = key_a, key_b
    state[rules.HORIZON], state[rules.SIGHT] = options["horizon"], SIGHTS.index(options["sight"])
    if options["layout"] != DRAWN:
        put(state, MAPS[options["layout"]])
        return
    state[rules.SIZE] = rules.SIDE
    if options["map_seed"] is None:
        state[rules.DRAWN] = 1
    else:
        rules.draw(state, *key_from_seed(options["map_seed"]), 0)


def put(state: np.ndarray, rows: tuple[str, ...]) -> None:
    """Write a lake of these rows (`MAPS`)."""
    state[rules.SIZE] = len(rows)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            cell = y * rules.SIDE + x
            state[rules.GRID + cell] = rules.HOLE if letter == "H" else rules.ICE
            if letter in "12AB":
                state[rules.START + "12AB".index(letter)] = cell
    rules.measure(state)


def canonical(state: np.ndarray) -> np.ndarray:
    """A copy of the record without its random stream, which the past doesn't determine."""
    copy = np.array(state)
    copy[rules.KEY_A : rules.SIZE] = 0
    return copy
