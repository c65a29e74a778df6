"""A scripted measure of progress in Hanabi, move by move: what simulated annotators go by.

Not what people think, and not the game's score: it stands in for judgement where a test needs a known truth.
"""

from __future__ import annotations

import numpy as np

from engine.evaluation.measures import Measure
from engine.evaluation.probes import ASKED, asked
from engine.games.hanabi import rules
from engine.games.hanabi.evaluation import judge, styled
from engine.games.hanabi.evaluation.probes import PROBES

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
PATIENCE = 3
"""Moves of a seat, since it was told of a card that it could play, until whoever watches is displeased."""
LEFT = -0.5
"""Not playing anything for so long."""
OBEYED = 0.8
"""A move that the instruction asked for; the same is lost where another one was made."""


def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "progress" (engine.evaluation.measures): who moved adds what the move was worth, and all lose
    what the last life costs. Remembers how
    many moves ago, from 1 on, a seat was told of a card that it could play and since has not.
    """
    gained = np.zeros(memory.shape[:2])
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        seat, kind = int(new[rules.LAST_SEAT]), int(new[rules.LAST_KIND])
        gained[row, seat] = _move(old, new)
        if new[rules.OVER] == rules.OUT_OF_LIVES:
            # With the last life goes all that everybody played, where points aren't kept.
            gained[row] -= PLAYED * (int(old[rules.SCORE]) - int(new[rules.SCORE]))
        since = memory[row, :, 0]
        since[seat] = 0 if kind == rules.PLAY or not since[seat] else since[seat] + 1
        if since[seat] > PATIENCE:
            gained[row, seat] += LEFT
            since[seat] = 0
        if gained[row, seat] == TOLD_PLAYABLE and kind in (rules.HINT_COLOR, rules.HINT_RANK):
            target = int(new[rules.LAST_TARGET])
            since[target] = max(since[target], 1)
    return gained


def rank_hints(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "rank-hints": a preference that no score expresses, 1 for a hint of a rank, -1 for one of a
    colour.
    """
    gained = np.zeros(memory.shape[:2])
    kinds = after[:, rules.LAST_KIND]
    signs = (kinds == rules.HINT_RANK) * 1.0 - (kinds == rules.HINT_COLOR)
    gained[np.arange(len(gained)), after[:, rules.LAST_SEAT]] = signs
    return gained


def sparse(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Measure "sparse": what somebody would write who has no rater, 1 for a card that fits, -1 for a life."""
    gained = np.zeros(memory.shape[:2])
    played = after[:, rules.LAST_KIND] == rules.PLAY
    signs = played * np.where(after[:, rules.LAST_SCORED] > 0, 1.0, -1.0)
    gained[np.arange(len(gained)), after[:, rules.LAST_SEAT]] = signs
    return gained


MEASURES = {
    "progress": Measure(gains, memory=1),
    "styled": Measure(styled.gains, memory=1),
    "judge": Measure(judge.gains, memory=1, costly=True),
    "sparse": Measure(sparse),
    "rank-hints": Measure(rank_hints),
    ASKED: asked("hanabi", PROBES),
}


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
