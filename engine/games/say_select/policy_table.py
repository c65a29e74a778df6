"""Bob's policy as Figure 3 of the instructRL paper draws it: by the last two numbers that Alice said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import rules

NUMBERS = range(1, rules.BALLS + 1)


def policy_table(act: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> dict[str, Any]:
    """See engine.evaluation.policy_table; `act(states, seats)` gives moves. Intuitive is to pick up the ball
    that Alice says, and to quit when she repeats herself (section 5.1).
    """
    pairs = [(before, number) for before in (0, *NUMBERS) for number in NUMBERS]
    states = np.zeros((len(pairs), rules.STATE_SIZE), np.int64)
    states[:, rules.VALUE :] = -1
    for state, (before, number) in zip(states, pairs, strict=True):
        state[rules.SAID_BEFORE], state[rules.SAID], state[rules.PICKED] = before, number, before
        state[rules.MOVE] = 3 if before else 1
    moves = dict(zip(pairs, act(states, np.full(len(pairs), rules.BOB)).tolist(), strict=True))
    picks = sum(move == number - 1 for (before, number), move in moves.items() if before != number)
    quits = sum(moves[number, number] == rules.QUIT for number in NUMBERS)
    others = len(pairs) - rules.BALLS
    return {
        "title": "What Bob does",
        "corner": "before ↓ then →",
        "columns": [str(number) for number in NUMBERS],
        "rows": [
            {
                "label": str(before) if before else "nothing",
                "cells": [_cell(moves[before, number]) for number in NUMBERS],
            }
            for before in (0, *NUMBERS)
        ],
        "sentence": f"Bob picks up the ball that Alice says in {picks} of {others} situations, and quits "
        f"(Q) when she repeats herself in {quits} of {rules.BALLS}.",
        "intuitive": picks == others and quits == rules.BALLS,
    }


def _cell(move: int) -> dict[str, Any]:
    return {"text": "Q", "level": 0} if move == rules.QUIT else {"text": str(move + 1), "level": 2 * move + 2}
