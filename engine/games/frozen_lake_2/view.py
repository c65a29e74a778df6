"""The lake as JSON for the browser, and what each step did. Where players see coordinates alone, holes and
targets are left out, but for those who look on afterwards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import rules

ENDS = {rules.SOLVED: "solved", rules.FELL: "fell", rules.TIME_IS_UP: "time"}
KINDS = {
    rules.STAYED: "stay",
    rules.STEPPED: "step",
    rules.HELD_UP: "held up",
    rules.IN_HOLE: "hole",
    rules.ON_TARGET: "target",
}


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """{"size", "holes": [[x, y], …], "targets", "players": [{"x", "y"}, …], "score", "left": steps, "over":
    "" while it runs, else "solved", "fell" or "time", "last": {"actions", "events"} or null}; "holes" and
    "targets" are null where a player sees nothing of the lake.
    """
    seen = seat is None or is_seen(state)
    size = int(state[rules.SIZE])
    cells = [y * rules.SIDE + x for y in range(size) for x in range(size)]
    return {
        "tick": int(state[rules.TICK]),
        "left": int(state[rules.HORIZON]) - int(state[rules.TICK]),
        "seat": seat,
        "current": None,
        "over": ENDS.get(int(state[rules.OVER]), ""),
        "score": int(state[rules.SCORE]),
        "size": size,
        "holes": [place(cell) for cell in cells if state[rules.GRID + cell] == rules.HOLE] if seen else None,
        "targets": [place(int(state[rules.TARGET + one])) for one in range(rules.SEATS)] if seen else None,
        "players": [
            dict(zip("xy", place(int(state[rules.AT + who])), strict=True)) for who in range(rules.SEATS)
        ],
        "last": last(state),
    }


def is_seen(state: np.ndarray) -> bool:
    """Whether players see the lake."""
    return int(state[rules.SIGHT]) == 0


def place(cell: int) -> list[int]:
    """[x, y] of a cell, from the upper left corner."""
    return [cell % rules.SIDE, cell // rules.SIDE]


def last(state: np.ndarray) -> dict[str, Any] | None:
    if not int(state[rules.TICK]):
        return None
    actions = state[rules.ACTION : rules.ACTION + rules.SEATS].tolist()
    return {"actions": actions, "events": events(state)}


def events(state: np.ndarray) -> list[dict[str, Any]]:
    """What each player did in the last step: [{"tick", "seat", "kind": "stay", "step", "held up", "hole" or
    "target", "action", "x", "y"}]; `tick` is that of the state that it led to, x and y where they stand then.
    A fall has "success" false, a step onto a target for which there was a point true.
    """
    went = {rules.IN_HOLE: {"success": False}}
    if int(state[rules.GAINED]):
        went[rules.ON_TARGET] = {"success": True}
    return [
        {
            "tick": int(state[rules.TICK]),
            "seat": seat,
            "kind": KINDS[int(state[rules.DID + seat])],
            "action": int(state[rules.ACTION + seat]),
            **dict(zip("xy", place(int(state[rules.AT + seat])), strict=True)),
            **went.get(int(state[rules.DID + seat]), {}),
        }
        for seat in range(rules.SEATS)
    ]


def watched(state: np.ndarray) -> dict[str, Any]:
    """The view for spectators: what both players see."""
    return view(state, 0) | {"seat": None}
