"""Habits of Hanabi's players, counted move by move: kinds of hints, risks of plays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.games.hanabi import rules


def habits(before: np.ndarray, seat: int, action: int, after: np.ndarray) -> Iterator[tuple[str, bool]]:
    """(habit, whether it was followed) for each habit that a move says something about."""
    kind = rules.action_kind(before, action)
    where, value = rules.action_detail(before, action)
    hints = kind in (rules.HINT_COLOR, rules.HINT_RANK)
    yield "moves that are plays", kind == rules.PLAY
    yield "moves that are hints", hints
    if hints:
        target = (seat + where) % int(before[rules.PLAYERS])
        cards = [_card(before, target, slot) for slot in range(rules.hand_size(before, target))]
        playable = [slot for slot, card in enumerate(cards) if rules.is_playable(before, card)]
        yield "hints of a rank", kind == rules.HINT_RANK
        if playable:
            touched = rules.touches(before, target, kind, value)
            yield "hints that touch a playable card, if there is one", any(touched >> s & 1 for s in playable)
    if kind == rules.PLAY:
        key = rules.key_at(before, seat, where)
        allowed = [card for card in range(rules.MAX_CARDS) if rules.plausible(before, key, card)]
        yield "plays that succeed", bool(rules.is_playable(before, _card(before, seat, where)))
        yield (
            "plays that are certain by hints alone",
            all(rules.is_playable(before, card) for card in allowed),
        )
        untouched = rules.card_field(before, key, rules.LAST_TOUCHED_TURN) < 0
        yield "plays of cards that no hint touched", bool(untouched)


def _card(state: np.ndarray, seat: int, slot: int) -> int:
    return int(rules.card_of(state, rules.key_at(state, seat, slot)))
