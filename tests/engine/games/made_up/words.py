"""What happens, in sentences."""

from __future__ import annotations

import numpy as np

from . import rules


def why_illegal(state: np.ndarray, seat: int, action: int) -> str:
    if seat != int(state[rules.TURN]):
        return "It is another's turn."
    return f"Only {int(state[rules.HEAP])} pebbles are left."


def last_move_text(state: np.ndarray, reader: int | None) -> str:
    return f"{int(state[rules.TAKEN])} were taken." if state[rules.TAKEN] else ""


def observation_text(state: np.ndarray, seat: int) -> str:
    return f"There are {int(state[rules.HEAP])} pebbles."


def action_text(state: np.ndarray, seat: int, action: int) -> str:
    return f"Take {action + 1}." if action < rules.MOST else "Wait."
