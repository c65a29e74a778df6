"""Which cells the words of a clause (engine.language.declared) mean, for whoever goes there: for following
and planning. Not for which ways lead there (ways.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import rules
from .ways import Cell, beside, distances, ice

SIDES = {"left": rules.LEFT, "bottom": rules.DOWN, "right": rules.RIGHT, "top": rules.UP}


@dataclass(frozen=True)
class Scene:
    """Where a player who is told something, and the speaker, stand now, and stood when it began."""

    state: np.ndarray
    here: Cell
    speaker: Cell
    began: Cell
    speaker_began: Cell
    start: Cell


def targets(state: np.ndarray) -> list[Cell]:
    return [int(state[rules.TARGET + one]) for one in range(rules.SEATS)]


def cells(clause: Mapping[str, Any], scene: Scene) -> frozenset[Cell]:
    """The cells of a clause's place, holes among them; by=me: for the speaker."""
    at, side = clause.get("at"), clause.get("side")
    if at == "goal" or side in ("nearest", "other"):
        found = _goals(side, scene, clause.get("by") == "me")
    elif at == "me":
        actions = [SIDES[side]] if side in SIDES else list(range(rules.STAY))
        found = {beside(scene.speaker, action) for action in actions} & _every(scene.state)
    elif at == "start":
        found = {scene.start}
    elif at == "hole":
        found = _every(scene.state) - ice(scene.state)
    else:
        found = _edge(side, scene.state)
    for name, part in (("column", 0), ("row", 1)):
        if name in clause:
            number = clause[name] - 1
            found = {cell for cell in found if (cell % rules.SIDE, cell // rules.SIDE)[part] == number}
    return frozenset(found)


def _every(state: np.ndarray) -> set[Cell]:
    size = int(state[rules.SIZE])
    return {y * rules.SIDE + x for y in range(size) for x in range(size)}


def _edge(side: str | None, state: np.ndarray) -> set[Cell]:
    """The cells of an edge of the lake; without a side all of them."""
    last = int(state[rules.SIZE]) - 1
    column, row = {"left": (0, None), "right": (last, None), "top": (None, 0), "bottom": (None, last)}.get(
        side or "", (None, None)
    )
    return {
        cell
        for cell in _every(state)
        if column in (None, cell % rules.SIDE) and row in (None, cell // rules.SIDE)
    }


def _goals(side: str | None, scene: Scene, mine: bool) -> set[Cell]:
    """The goals that a side names; without one all that the speaker doesn't stand on."""
    across = sorted(targets(scene.state), key=lambda cell: (cell % rules.SIDE, cell))
    down = sorted(targets(scene.state))
    if side in ("left", "right"):
        return {across[0 if side == "left" else -1]}
    if side in ("top", "bottom"):
        return {down[0 if side == "top" else -1]}
    if side is None:
        return {cell for cell in down if cell != scene.speaker}
    near = distances(
        [scene.began if side == "nearest" and not mine else scene.speaker_began], ice(scene.state)
    )
    nearest = min(down, key=lambda cell: near.get(cell, rules.NOWHERE))
    return {nearest} if side == "nearest" else {cell for cell in down if cell != nearest}
