"""What a seat of Hanabi may see, as JSON for the browser; the same for the table and for replays.

`view(state, None)` is the open view, with all hands. What a seat may not see is never in its view, and what
somebody holds and can't see is not in that of those who watch. Not for networks (see `observation`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.hanabi import rules, words
from engine.games.hanabi.options import COLOR_LETTERS, max_score
from engine.games.hanabi.rules import MAX_RANKS

KINDS = {
    rules.PLAY: "play",
    rules.DISCARD: "discard",
    rules.HINT_COLOR: "hint_color",
    rules.HINT_RANK: "hint_rank",
}


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """The table as this seat sees it, or open to all (None); plain JSON values throughout."""
    players, colors, ranks = (int(state[i]) for i in (rules.PLAYERS, rules.COLORS, rules.RANKS))
    deck = int(state[rules.DECK_SIZE]) - int(state[rules.DEALT])
    over = bool(state[rules.OVER])
    last = last_move(state, seat)
    return {
        "game": "hanabi",
        "tick": int(state[rules.TURN]),
        "seat": seat,
        "players": players,
        "current": None if over else int(state[rules.CURRENT]),
        "over": over,
        "score": int(state[rules.SCORE]),
        "max_score": max_score({"colors": colors, "ranks": ranks}),
        "information": int(state[rules.INFORMATION]),
        "information_max": int(state[rules.INFORMATION_MAX]),
        "may_discard": words.may_discard(state),
        "lives": max(0, int(state[rules.LIVES])),
        "lives_max": int(state[rules.LIVES_MAX]),
        "deck": deck,
        "turns_left": max(0, int(state[rules.TURNS_LEFT])) if deck == 0 else None,
        "colors": list(COLOR_LETTERS[:colors]),
        "ranks": ranks,
        "fireworks": [int(state[rules.FIREWORKS + color]) for color in range(colors)],
        "discards": discards(state),
        "hands": [
            {"seat": holder, "cards": _hand(state, holder, hidden=holder == seat, last=last)}
            for holder in range(players)
        ],
        "last": last,
        "moves": [] if seat is None else moves(state, seat),
    }


def watched(state: np.ndarray) -> dict[str, Any]:
    """The table for those who watch while the game runs: all hands face down, as their holders have them."""
    table, last = view(state, None), last_move(state, None)
    for hand in table["hands"]:
        hand["cards"] = _hand(state, hand["seat"], hidden=True, last=last)
    return table


def discards(state: np.ndarray) -> list[int]:
    """The discarded card ids, misplayed ones included, in order."""
    entries = (rules.history_at(state, turn) for turn in range(int(state[rules.TURN])))
    return [int(state[rules.DECK + key]) for _, _, key, success in entries if key >= 0 and not success]


def is_critical(state: np.ndarray, card: int) -> bool:
    """Whether this is the last copy of a card that can still be played one day."""
    color, rank = divmod(card, MAX_RANKS)
    ranks = int(state[rules.RANKS])
    left = [
        int(rules.copies(lower, ranks)) - int(state[rules.DISCARDED + color * MAX_RANKS + lower])
        for lower in range(int(state[rules.FIREWORKS + color]), rank + 1)
    ]
    return bool(left) and left[-1] == 1 and min(left) > 0


def _hand(state: np.ndarray, holder: int, hidden: bool, last: dict[str, Any] | None) -> list[dict[str, Any]]:
    colors, ranks = int(state[rules.COLORS]), int(state[rules.RANKS])
    count = int(state[rules.HAND_COUNTS + holder])
    touched_now = last["keys"] if last and last["target"] == holder else []
    cards = []
    for slot in range(count):
        key = int(state[rules.HANDS + holder * rules.MAX_SLOTS + slot])
        card = int(state[rules.DECK + key])
        base = rules.CARDS + key * rules.CARD_STRIDE
        color_mask, rank_mask, color_hint, rank_hint = (int(state[base + field]) for field in range(4))
        cards.append(
            {
                "key": key,
                "card": None if hidden else card,
                "plausible": [
                    bool(color_mask >> color & rank_mask >> rank & 1)
                    for color in range(colors)
                    for rank in range(ranks)
                ],
                "color": color_hint if color_hint >= 0 else None,
                "rank": rank_hint if rank_hint >= 0 else None,
                "touched": color_hint >= 0 or rank_hint >= 0,
                "newest": slot == count - 1,
                "hinted_now": key in touched_now,
                "playable": None if hidden else bool(rules.is_playable(state, card)),
                "critical": None if hidden else is_critical(state, card),
            }
        )
    return cards


def last_move(state: np.ndarray, seat: int | None) -> dict[str, Any] | None:
    """The last move, with a sentence for the reader in this seat; None before the first."""
    if int(state[rules.LAST_ACTION]) < 0:
        return None
    kind = int(state[rules.LAST_KIND])
    hint = kind in (rules.HINT_COLOR, rules.HINT_RANK)
    target = int(state[rules.LAST_TARGET])
    slots = words.slots_of(int(state[rules.LAST_TOUCHED])) if hint else [int(state[rules.LAST_SLOT])]
    if hint:
        keys = [int(rules.key_at(state, target, slot)) for slot in slots]
    else:
        keys = [int(state[rules.LAST_KEY])]
    return {
        "seat": int(state[rules.LAST_SEAT]),
        "action": int(state[rules.LAST_ACTION]),
        "kind": KINDS[kind],
        "target": target if hint else None,
        "slots": slots,
        "keys": keys,
        "card": None if hint else int(state[rules.LAST_CARD]),
        "value": int(state[rules.LAST_VALUE]) if hint else None,
        "success": bool(state[rules.LAST_SCORED]) if kind == rules.PLAY else None,
        "text": words.last_move_text(state, seat),
    }


def moves(state: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """Every action of this seat but the no-op, in order of ids: what it is, and why it isn't legal."""
    players = int(state[rules.PLAYERS])
    listed = []
    for action in range(int(rules.num_actions(state)) - 1):
        kind = int(rules.action_kind(state, action))
        first, value = (int(number) for number in rules.action_detail(state, action))
        why = words.why_illegal(state, seat, action)
        move: dict[str, Any] = {"action": action, "kind": KINDS[kind]}
        if kind in (rules.PLAY, rules.DISCARD):
            move |= {"slot": first, "value": None, "slots": [first]}
        else:
            target = (seat + first) % players
            mask = int(rules.touches(state, target, kind, value))
            move |= {"target": target, "value": value, "slots": words.slots_of(mask)}
        listed.append(move | {"legal": not why, "why": why or None})
    return listed
