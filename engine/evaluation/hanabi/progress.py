"""A scripted measure of progress in Hanabi, move by move: what simulated annotators go by.

Not what people think, and not the game's score: it stands in for judgement where a test needs a known truth.
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules

# What a move adds to progress.
PLAYED = 1.0
MISPLAYED = -1.5
LOST_FOR_GOOD = -1.0
"""Discarding the last copy of a card that was still needed."""
DISCARDED_PLAYABLE = -0.4
DISCARDED_USELESS = 0.2
TOLD_PLAYABLE = 0.5
"""A hint that is news about at least one card that can be played now."""
TOLD_NOTHING = -0.5
OBEYED = 0.8
"""A move that the instruction asked for; the same is lost where another one was made."""


def gain(before: np.ndarray, after: np.ndarray, seat: int) -> float:
    """What the move of `seat` between two records adds; 0 where another seat moved."""
    return _move(before, after) if int(after[rules.LAST_SEAT]) == seat else 0.0


def _move(old: np.ndarray, new: np.ndarray) -> float:
    kind = int(new[rules.LAST_KIND])
    if kind == rules.PLAY:
        return PLAYED if new[rules.LAST_SCORED] else MISPLAYED
    if kind == rules.DISCARD:
        card = int(new[rules.LAST_CARD])
        color, rank = divmod(card, rules.MAX_RANKS)
        if rules.firework(old, color) > rank:
            return DISCARDED_USELESS
        if int(new[rules.DISCARDED + card]) == rules.copies(rank, int(new[rules.RANKS])):
            return LOST_FOR_GOOD
        return DISCARDED_PLAYABLE if rules.is_playable(old, card) else 0.0
    target, fresh = int(new[rules.LAST_TARGET]), int(new[rules.LAST_NEW])
    if not fresh:
        return TOLD_NOTHING
    cards = [
        rules.card_of(new, rules.key_at(new, target, slot))
        for slot in range(rules.hand_size(new, target))
        if fresh >> slot & 1
    ]
    return TOLD_PLAYABLE if any(rules.is_playable(new, card) for card in cards) else 0.0
