"""What a move meant for a game of Hanabi: beside progress, the points that nobody can make any more."""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.options import COLOR_NAMES

COMPLETE = 0.5
"""A firework that is complete, beside the card."""


def weighed(before: np.ndarray, after: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """What a step meant in points: losing the last copy of a card costs the points that can't be reached any
    more, losing the last life all points that are lost with it.
    """
    seat = int(after[rules.LAST_SEAT])
    gained = np.zeros_like(gains)  # what befalls all of them is who moved's
    lost = within_reach(before) - within_reach(after)
    gained[seat] = gains[seat] - max(0, lost - 1) + COMPLETE * (completed(after) is not None)
    return gained


def effect(before: np.ndarray, after: np.ndarray, seat: int, change: float) -> str:
    """What came of the move."""
    texts = []
    lives, points = int(after[rules.LIVES]), int(after[rules.SCORE])
    if int(after[rules.OVER]) == rules.OUT_OF_LIVES:
        gone = int(before[rules.SCORE]) - points
        return "The last life went" + (f", and {_counted(gone)} with it." if gone else ".")
    if lives < int(before[rules.LIVES]):
        texts.append(f"{lives} {'life' if lives == 1 else 'lives'} left.")
    if color := completed(after):
        texts.append(f"The {color} firework is complete.")
    elif points > int(before[rules.SCORE]):
        texts.append(f"{_counted(points)} now.")
    if lost := within_reach(before) - within_reach(after):
        texts.append(f"{_counted(lost)} can’t be made any more.")
    hinted = int(after[rules.LAST_KIND]) in (rules.HINT_COLOR, rules.HINT_RANK)
    nothing = "It told of a card that fits." if hinted and change > 0 else "No point came of it."
    return " ".join(texts or [nothing])


def within_reach(state: np.ndarray) -> int:
    """The points that can still be made with the copies that are left, had one time for all of them."""
    total, ranks = 0, int(state[rules.RANKS])
    for color in range(int(state[rules.COLORS])):
        rank = int(rules.firework(state, color))
        while rank < ranks:
            gone = int(state[rules.DISCARDED + color * rules.MAX_RANKS + rank])
            if gone >= rules.copies(rank, ranks):
                break
            rank += 1
        total += rank
    return total


def completed(after: np.ndarray) -> str | None:
    """The colour of the firework that the last move completed."""
    if int(after[rules.LAST_KIND]) != rules.PLAY or not int(after[rules.LAST_SCORED]):
        return None
    color, rank = divmod(int(after[rules.LAST_CARD]), rules.MAX_RANKS)
    return COLOR_NAMES[color] if rank + 1 == int(after[rules.RANKS]) else None


def _counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"
