"""Hanabi in words: what happened, what a seat saw, what it may do and why it may not.

Sentences for people call the seats Player 1, Player 2, …, and the reader "you". The texts for language models
follow the style of instructRL's prompts (Hu and Sadigh 2023, Tables 1 and 2): the observation is what the
partner just did, the action is what "I" would do. Not here: reading what people write (see
`engine.language`).
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.options import COLOR_NAMES, card_name

OPEN = True  # what a seat saw happened before everybody's eyes
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")
RANK_NAMES = ("1", "2", "3", "4", "5")


def listing(words: list[str], last: str = "and") -> str:
    """Words joined as in a sentence: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def slots_of(mask: int) -> list[int]:
    """The slots in a mask."""
    return [slot for slot in range(rules.MAX_SLOTS) if mask >> slot & 1]


def player(seat: int, reader: int | None) -> str:
    """A seat as the reader (a seat or None) calls it."""
    return "you" if seat == reader else f"Player {seat + 1}"


def value_name(kind: int, value: int) -> str:
    """What a hint names: "red" or "3"."""
    return COLOR_NAMES[value] if kind == rules.HINT_COLOR else str(value + 1)


def last_move_text(state: np.ndarray, reader: int | None) -> str:
    """The last move as one sentence, "" before the first."""
    if int(state[rules.LAST_ACTION]) < 0:
        return ""
    kind, seat = int(state[rules.LAST_KIND]), int(state[rules.LAST_SEAT])
    who = player(seat, reader)
    who = who[0].upper() + who[1:]
    if kind in (rules.HINT_COLOR, rules.HINT_RANK):
        target = int(state[rules.LAST_TARGET])
        touched = slots_of(int(state[rules.LAST_TOUCHED]))
        whose = "your" if target == reader else f"Player {target + 1}'s"
        places = listing([ORDINALS[slot] for slot in touched])
        noun, verb = ("card", "is") if len(touched) == 1 else ("cards", "are")
        name = value_name(kind, int(state[rules.LAST_VALUE]))
        return f"{who} hinted that {whose} {places} {noun} {verb} {name}."
    card = card_name(int(state[rules.LAST_CARD]))
    place = ORDINALS[int(state[rules.LAST_SLOT])]
    whose = "your" if seat == reader else "their"
    token = " and took an information token back" if int(state[rules.LAST_TOKEN]) else ""
    if kind == rules.DISCARD:
        return f"{who} discarded {card} ({whose} {place} card){token}."
    if int(state[rules.LAST_SCORED]):
        return f"{who} played {card} ({whose} {place} card){token}."
    return f"{who} played {card} ({whose} {place} card), which didn't fit: a life is lost."


def may_discard(state: np.ndarray) -> bool:
    """Whether a card may be discarded now, whoever moves."""
    return bool(state[rules.INFORMATION] < state[rules.INFORMATION_MAX] or state[rules.DISCARD_ALWAYS])


def why_illegal(state: np.ndarray, seat: int, action: int) -> str:
    """Why a seat can't take this action now, as one sentence; "" if it can."""
    total = int(rules.num_actions(state))
    if int(state[rules.OVER]):
        return "" if action == total - 1 else "The game is over."
    if not 0 <= action < total:
        return f"There is no action {action}; the actions are 0 to {total - 1}."
    current = int(state[rules.CURRENT])
    if seat != current:
        return "" if action == total - 1 else f"It is Player {current + 1}'s turn."
    kind = int(rules.action_kind(state, action))
    if kind < 0:
        return "The player to move can't do nothing."
    first, value = (int(number) for number in rules.action_detail(state, action))
    if kind in (rules.PLAY, rules.DISCARD):
        if first >= int(rules.hand_size(state, seat)):
            return f"There is no {ORDINALS[first]} card in this hand."
        if kind == rules.DISCARD and not may_discard(state):
            return "All information tokens are there: discarding isn't allowed."
        return ""
    if int(state[rules.INFORMATION]) < 1:
        return "No information token is left: play or discard a card."
    target = (seat + first) % int(state[rules.PLAYERS])
    if not rules.touches(state, target, kind, value):
        what = f"{value_name(kind, value)} card" if kind == rules.HINT_COLOR else f"card of rank {value + 1}"
        return f"Player {target + 1} has no {what}: a hint must touch at least one."
    return ""


def knowledge_text(state: np.ndarray, key: int) -> str:
    """What the holder of a card knows about it from hints: "red 1", "red or blue", "not green, not 5",
    "unknown".
    """
    color_mask = int(rules.card_field(state, key, rules.COLOR_MASK))
    rank_mask = int(rules.card_field(state, key, rules.RANK_MASK))
    known, excluded = [], []
    for mask, names, total in (
        (color_mask, COLOR_NAMES, int(state[rules.COLORS])),
        (rank_mask, RANK_NAMES, int(state[rules.RANKS])),
    ):
        left = [names[i] for i in range(total) if mask >> i & 1]
        gone = [names[i] for i in range(total) if not mask >> i & 1]
        if len(left) == 1 or len(left) < len(gone):
            known.append(listing(left, "or"))
        elif gone:
            excluded.append(f"not {listing(gone, 'or')}")
    return ", ".join([" ".join(known), *excluded] if known else excluded) or "unknown"


def _partner(state: np.ndarray, seat: int, me: int) -> str:
    players = int(state[rules.PLAYERS])
    if players == 2:
        return "my partner"
    return f"the {ORDINALS[(seat - me) % players - 1]} player after me"


def action_text(state: np.ndarray, seat: int, action: int) -> str:
    """An action of this seat as it would say it: "play my 5th card", "hint the color red to my partner"."""
    kind = int(rules.action_kind(state, action))
    if kind < 0:
        return "do nothing"
    first, value = (int(number) for number in rules.action_detail(state, action))
    if kind in (rules.PLAY, rules.DISCARD):
        return f"{'play' if kind == rules.PLAY else 'discard'} my {ORDINALS[first]} card"
    target = (seat + first) % int(state[rules.PLAYERS])
    what = "color" if kind == rules.HINT_COLOR else "rank"
    return f"hint the {what} {value_name(kind, value)} to {_partner(state, target, seat)}"


def observation_text(state: np.ndarray, seat: int) -> str:
    """What this seat saw happen last, as it would say it: "my partner told me that the rank of my 1st card is
    2".
    """
    if int(state[rules.LAST_ACTION]) < 0:
        return "the game has just begun"
    kind, actor = int(state[rules.LAST_KIND]), int(state[rules.LAST_SEAT])
    who = "I" if actor == seat else _partner(state, actor, seat)
    if kind in (rules.PLAY, rules.DISCARD):
        card = int(state[rules.LAST_CARD])
        name = f"{COLOR_NAMES[card // rules.MAX_RANKS]} {card % rules.MAX_RANKS + 1}"
        verb = "discarded" if kind == rules.DISCARD else "played"
        if kind == rules.PLAY and not int(state[rules.LAST_SCORED]):
            verb = "wrongly played"
        return f"{who} {verb} the {name}"
    target = int(state[rules.LAST_TARGET])
    whom = "me" if target == seat else _partner(state, target, seat)
    whose = "my" if target == seat else "their"
    what = "color" if kind == rules.HINT_COLOR else "rank"
    touched = slots_of(int(state[rules.LAST_TOUCHED]))
    places = listing([ORDINALS[slot] for slot in touched])
    noun = "card" if len(touched) == 1 else "cards"
    name = value_name(kind, int(state[rules.LAST_VALUE]))
    return f"{who} told {whom} that the {what} of {whose} {places} {noun} is {name}"


def details(start: np.ndarray, now: np.ndarray, seat: int) -> list[tuple[str, str]]:
    """What hints have told of each hand, this seat's first: ("… my cards", "1st: red or blue; 2nd: …").

    It is known to all; `start` says nothing in a game without a clock.
    """
    players = int(now[rules.PLAYERS])
    rows = []
    for holder in ((seat + i) % players for i in range(players)):
        cards = [
            f"{ORDINALS[slot]}: {knowledge_text(now, int(rules.key_at(now, holder, slot)))}"
            for slot in range(int(rules.hand_size(now, holder)))
        ]
        whose = "my cards" if holder == seat else f"{_partner(now, holder, seat)}'s cards"
        rows.append((f"What hints told of {whose}", "; ".join(cards)))
    return rows
