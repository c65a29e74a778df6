"""A kitchen as JSON for the browser: the same for every seat, for the table and for replays.

Not for networks (see `observation`, `features`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.stations import stations

FACINGS = ("north", "south", "east", "west")
ACTIONS = ("north", "south", "east", "west", "stay", "interact")
LETTERS = " XPOTDS"
EVENTS = {
    rules.PICK: "pick",
    rules.PICK_COUNTER: "pick_counter",
    rules.PLACE_COUNTER: "place_counter",
    rules.PUT_POT: "put_pot",
    rules.START_POT: "start_pot",
    rules.PICK_SOUP: "pick_soup",
    rules.DELIVER: "deliver",
}


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """The kitchen; plain JSON values throughout."""
    width, height = int(state[rules.WIDTH]), int(state[rules.HEIGHT])
    return {
        "game": "overcooked",
        "tick": int(state[rules.TICK]),
        "horizon": int(state[rules.HORIZON]),
        "seat": seat,
        "players": int(state[rules.PLAYERS]),
        "current": None,
        "over": bool(state[rules.OVER]),
        "score": int(state[rules.SCORE]),
        "dynamics": "old" if int(state[rules.DYNAMICS]) == rules.OLD else "new",
        "width": width,
        "height": height,
        "grid": [
            "".join(LETTERS[rules.terrain(state, y * width + x)] for x in range(width)) for y in range(height)
        ],
        "cooks": [_cook(state, who, width) for who in range(int(state[rules.PLAYERS]))],
        "stations": stations(state),
        "pots": [_pot(state, int(cell), width) for cell in _pots(state)],
        "counters": [
            {"x": cell % width, "y": cell // width, "held": thing(int(state[rules.ITEM + cell]))}
            for cell in range(width * height)
            if rules.terrain(state, cell) == rules.COUNTER and int(state[rules.ITEM + cell])
        ],
        "orders": orders(state),
        "last": last(state),
        "moves": [{"action": action, "name": name, "legal": True} for action, name in enumerate(ACTIONS)],
    }


def thing(item: int) -> dict[str, Any] | None:
    """{"kind": "onion" | "tomato" | "dish"} or {"kind": "soup", "onions": 3, "tomatoes": 0}; None for
    nothing.
    """
    if item >= rules.SOUP:
        return {"kind": "soup", "onions": rules.onions_of(item), "tomatoes": rules.tomatoes_of(item)}
    return {"kind": (None, "onion", "tomato", "dish")[item]} if item else None


def _cook(state: np.ndarray, who: int, width: int) -> dict[str, Any]:
    cell = int(state[rules.POSITION + who])
    return {
        "x": cell % width,
        "y": cell // width,
        "facing": FACINGS[int(state[rules.FACING + who])],
        "held": thing(int(state[rules.HELD + who])),
    }


def _pots(state: np.ndarray) -> np.ndarray:
    return state[rules.POTS : rules.POTS + int(state[rules.POT_COUNT])]


def _pot(state: np.ndarray, cell: int, width: int) -> dict[str, Any]:
    """`state` is empty, filling, full (idle with three), cooking or ready; `left`: ticks until it is done."""
    item, timer = int(state[rules.ITEM + cell]), int(state[rules.TIMER + cell])
    time = int(rules.cook_time(state, item)) if item else 0
    if not item:
        name = "empty"
    elif timer == rules.IDLE:
        name = "full" if rules.ingredients_of(item) == rules.MAX_INGREDIENTS else "filling"
    else:
        name = "cooking" if timer < time else "ready"
    return {
        "x": cell % width,
        "y": cell // width,
        "onions": rules.onions_of(item) if item else 0,
        "tomatoes": rules.tomatoes_of(item) if item else 0,
        "state": name,
        "left": max(0, time - timer) if timer != rules.IDLE and item else None,
        "time": time,
    }


def orders(state: np.ndarray) -> list[dict[str, Any]]:
    """[{"onions": 3, "tomatoes": 0, "value": 20, "bonus": false}]"""
    return [
        {
            "onions": code // 4,
            "tomatoes": code % 4,
            "value": int(state[rules.VALUES + code]),
            "bonus": int(state[rules.ORDERED + code]) == 2,
        }
        for code in range(16)
        if int(state[rules.ORDERED + code])
    ]


def events(state: np.ndarray) -> list[dict[str, Any]]:
    """What the last step did: [{"tick", "seat", "kind": "pick", "item": {…}, "x", "y", "points": 20 for a
    delivery}]; `tick` is that of the state that it led to.
    """
    width = int(state[rules.WIDTH])
    events = []
    for seat in range(int(state[rules.PLAYERS])):
        kind = int(state[rules.EVENT + seat])
        if kind == rules.NO_EVENT:
            continue
        cell, item = int(state[rules.EVENT_CELL + seat]), int(state[rules.EVENT_ITEM + seat])
        event = {
            "tick": int(state[rules.TICK]),
            "seat": seat,
            "kind": EVENTS[kind],
            "item": thing(item),
            "x": cell % width,
            "y": cell // width,
        }
        if kind == rules.DELIVER:
            event["points"] = int(state[rules.VALUES + item - rules.SOUP])
        events.append(event)
    return events


def last(state: np.ndarray) -> dict[str, Any] | None:
    """{"actions": [0, 5], "events": […]} of the last step; None at the start."""
    if int(state[rules.TICK]) == 0:
        return None
    players = int(state[rules.PLAYERS])
    actions = [int(a) for a in state[rules.ACTION : rules.ACTION + players]]
    return {"actions": actions, "events": events(state)}
