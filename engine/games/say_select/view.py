"""The views for the browser: Bob's leaves out what the balls are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import rules, words


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """{"balls": [1 or -1, …], to Bob [None, …], "said": Alice's last two numbers, the newest first, "picked":
    Bob's last ball (0: none), "turn", "score", "moves_left", "over", "last": {"seat", "kind": "say", "pick"
    or "quit", "number", "gained", "text"}}; no "last" before the first move.
    """
    balls = state[rules.VALUE : rules.VALUE + rules.BALLS].tolist()
    shown = {
        "balls": [None] * rules.BALLS if seat == rules.BOB else balls,
        "said": [int(state[rules.SAID]), int(state[rules.SAID_BEFORE])],
        "picked": int(state[rules.PICKED]),
        "turn": rules.current(state),
        "score": int(state[rules.SCORE]),
        "moves_left": rules.MOVES - int(state[rules.MOVE]),
        "over": bool(state[rules.ENDED]),
    }
    return shown if not int(state[rules.MOVE]) else shown | {"last": _last(state)}


def _last(state: np.ndarray) -> dict[str, Any]:
    """What the last move did: everybody hears numbers and sees what a ball was worth."""
    seat, picked = 1 - int(rules.current(state)), int(state[rules.PICKED])
    number = int(state[rules.SAID]) if seat == rules.ALICE else picked
    kind = "say" if seat == rules.ALICE else "pick" if picked else "quit"
    gained, text = int(state[rules.GAINED]), words.last_move_text(state, None)
    return {"seat": seat, "kind": kind, "number": number, "gained": gained, "text": text}


def watched(state: np.ndarray) -> dict[str, Any]:
    """The view for spectators: what both players know, so without what the balls are worth."""
    return view(state, rules.BOB)
