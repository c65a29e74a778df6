"""The lake in words: what happened, what a seat sees, what an action is. Columns and rows count from 1, from
the upper left corner; nothing of the lake is told to players who see their coordinates alone.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from . import rules, view

OPEN = True  # both see the same
WAYS = ("left", "down", "right", "up")
NAMES = ("Player 1", "Player 2")  # pages put the names of who plays in their place


def why_illegal(state: np.ndarray, seat: int, action: int) -> str:
    return f"There is no action {action}; the actions are 0 to 4: {', '.join(WAYS)}, stay."


def where(cell: int) -> str:
    """ "column 3, row 2" """
    x, y = view.place(cell)
    return f"column {x + 1}, row {y + 1}"


def target_names(state: np.ndarray) -> list[str]:
    """What the targets are called: by the side on which they are of each other."""
    places = [view.place(int(state[rules.TARGET + one])) for one in range(rules.SEATS)]
    (x, y), (other_x, other_y) = places
    if x != other_x:
        return ["left goal", "right goal"] if x < other_x else ["right goal", "left goal"]
    return ["upper goal", "lower goal"] if y < other_y else ["lower goal", "upper goal"]


def last_move_text(state: np.ndarray, reader: int | None) -> str:
    """What both did, a sentence for each who moved or tried to."""
    if not int(state[rules.TICK]):
        return ""
    told = []
    for seat in range(rules.SEATS):
        who, did = "You" if seat == reader else NAMES[seat], int(state[rules.DID + seat])
        way = WAYS[int(state[rules.ACTION + seat])] if did != rules.STAYED else ""
        told.append(
            {
                rules.STAYED: "",
                rules.STEPPED: f"{who} stepped {way}.",
                rules.HELD_UP: f"{who} couldn't step {way}.",
                rules.IN_HOLE: f"{who} fell into a hole.",
                rules.ON_TARGET: f"{who} stepped {way} onto {_goal(state, seat)}.",
            }[did]
        )
    return " ".join(filter(None, told))


def _goal(state: np.ndarray, seat: int) -> str:
    target = int(rules.on_target(state, int(state[rules.AT + seat])))
    return f"the {target_names(state)[target]}" if view.is_seen(state) else "a goal"


def observation_text(state: np.ndarray, seat: int) -> str:
    """Where both stand, and where the goals and holes are if they are seen."""
    here, there = int(state[rules.AT + seat]), int(state[rules.AT + 1 - seat])
    lines = [f"I stand in {where(here)}. My partner stands in {where(there)}."]
    if view.is_seen(state):
        names = target_names(state)
        lines += [
            f"The {name} is in {where(int(state[rules.TARGET + one]))}."
            for one, name in sorted(enumerate(names), key=lambda pair: pair[1])
        ]
        holes = np.flatnonzero(state[rules.GRID : rules.GRID + rules.CELLS] == rules.HOLE).tolist()
        inside = [cell for cell in holes if max(view.place(cell)) < int(state[rules.SIZE])]
        lines.append(f"Holes: {_listed(map(where, inside))}." if inside else "There are no holes.")
    left = int(state[rules.HORIZON]) - int(state[rules.TICK])
    return " ".join([*lines, f"{left} steps are left."])


def _listed(places: Iterable[str]) -> str:
    return "; ".join(places)


def action_text(state: np.ndarray, seat: int, action: int) -> str:
    return "stay" if action == rules.STAY else f"step {WAYS[action]}"
