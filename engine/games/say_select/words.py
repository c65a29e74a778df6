"""What happens in Say-Select, in sentences; nothing that the reader mayn't know.

`observation_text` and `action_text` are lang(tau) and lang(a) of the instructRL paper (section 5.1).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import rules

NAMES = ("Player 1", "Player 2")  # pages put the names of who plays in their place


def why_illegal(state: np.ndarray, seat: int, action: int) -> str:
    if int(state[rules.ENDED]):
        return "The game is over."
    if seat != rules.current(state):
        return f"It is {NAMES[1 - seat]}'s turn."
    return (
        "Only who picks can quit; you say a number."
        if action == rules.QUIT
        else "It is your turn: don't wait."
    )


def last_move_text(state: np.ndarray, reader: int | None) -> str:
    if not int(state[rules.MOVE]):
        return ""
    seat = 1 - rules.current(state)
    who = "You" if seat == reader else NAMES[seat]
    if seat == rules.ALICE:
        return f"{who} said {int(state[rules.SAID])}."
    if not int(state[rules.PICKED]):
        return f"{who} quit."
    gained = f"{int(state[rules.GAINED]):+d}".replace("-", "−")
    return f"{who} picked up ball {int(state[rules.PICKED])}: {gained}."


def observation_text(state: np.ndarray, seat: int) -> str:
    if seat == rules.BOB:
        number = int(state[rules.SAID])
        return f"My partner selected {number}." if number else "My partner said nothing yet."
    good = [str(ball + 1) for ball in range(rules.BALLS) if int(state[rules.VALUE + ball]) == 1]
    seen = f"The balls worth +1 are {', '.join(good)}." if good else "No ball is worth +1."
    picked = int(state[rules.PICKED])
    return f"{seen} My partner picked up ball {picked}." if picked else seen


def question(seat: int) -> tuple[str, Callable[[int], str]]:
    """What a language model is asked for a prior (section 5.1), and its answer for a move: a ball's number,
    and 0 for quitting.
    """
    return "So I should select", lambda move: str(move + 1) if move < rules.QUIT else "0"


def action_text(state: np.ndarray, seat: int, action: int) -> str:
    if action >= rules.QUIT:
        return "quit" if action == rules.QUIT else "wait"
    return f"say {action + 1}" if seat == rules.ALICE else f"pick up ball {action + 1}"
