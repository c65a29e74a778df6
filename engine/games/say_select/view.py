"""What the browser gets: Bob isn't told what the balls are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import rules


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """{"balls": [1 or -1, …], to Bob [None, …], "said": Alice's last two numbers, the newest first, "picked":
    Bob's last ball (0: none), "turn", "score", "moves_left", "over"}.
    """
    balls = state[rules.VALUE : rules.VALUE + rules.BALLS].tolist()
    return {
        "balls": [None] * rules.BALLS if seat == rules.BOB else balls,
        "said": [int(state[rules.SAID]), int(state[rules.SAID_BEFORE])],
        "picked": int(state[rules.PICKED]),
        "turn": rules.current(state),
        "score": int(state[rules.SCORE]),
        "moves_left": rules.MOVES - int(state[rules.MOVE]),
        "over": bool(state[rules.ENDED]),
    }


def watched(state: np.ndarray) -> dict[str, Any]:
    """What both know: what the balls are worth isn't told to those who watch while the game runs."""
    return view(state, rules.BOB)
