"""What a network without memory needs besides the canonical observation: the public history, digested.

Conventions span turns, the canonical observation shows one move. `encode_features` writes, for one seat, the
notes that the conventions allow (engine.games.hanabi.conventions): per card of every hand what its holder may
believe, when it was drawn and touched, and what the seat itself sees of it; the table's counts; and for each
possible hint which card it would focus on and what it would say. No choice of a bot is in it. Range: 0 .. 1.

`rated_many` is for reward models, which learn from few marks: what the last move was and what became of it,
and the table's counts, as who rates a seat sees them, own cards too, and no convention.

Seats are relative, the observer is 0. Sizes: 658 bits + 716 features for 2 players.
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.conventions import (
    N_COUNTS,
    N_HANDS,
    N_TOUCHED,
    NOTES_SIZE,
    believed,
    chop_slot,
    count_unseen,
    critical_mask,
    dead_mask,
    focus_slot,
    note_hint,
    playable_mask,
    played_mask,
    take_notes,
    unseen_mask,
)
from engine.games.hanabi.lookahead import allocating, certain_play, copies_in_hands
from engine.games.hanabi.observation import encode, observation_size
from engine.games.hanabi.rules import (
    CARD_STRIDE,
    CARDS,
    DEALT,
    DECK,
    DECK_SIZE,
    DRAWN,
    FIRST_TOUCHED,
    HINT_COLOR,
    HINT_RANK,
    INFORMATION,
    LAST_TOUCHED_TURN,
    MAX_CARDS,
    MAX_COLORS,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_SLOTS,
    PLAYERS,
    TURN,
    TURNS_LEFT,
    touches,
)
from engine.simulation.jit import njit

FEATURES_VERSION = 1
KINDS = 4  # of moves
PER_CARD = 25 + 17
PER_HINT = 18
HINTS = MAX_COLORS + MAX_RANKS
TABLE = 4 * MAX_CARDS + MAX_PLAYERS + 1


@njit
def features_size(state):
    """Number of features, the canonical observation not counted."""
    players = int(state[PLAYERS])
    return players * (MAX_SLOTS * PER_CARD + MAX_SLOTS) + TABLE + (players - 1) * HINTS * PER_HINT


@njit
def input_size(state):
    """Length of what `encode_input` writes."""
    return observation_size(state) + features_size(state)


@allocating
def encode_input(state, seat, out):
    """Write a seat's canonical observation and then its features, `input_size` numbers, into `out`."""
    encode(state, seat, out)
    encode_features(state, seat, out[observation_size(state) :])


@allocating
def encode_features(state, seat, out):
    """Write a seat's features, `features_size` numbers, into `out`."""
    for index in range(features_size(state)):
        out[index] = 0
    notes = np.empty(NOTES_SIZE, np.int64)
    after = np.empty(NOTES_SIZE, np.int64)
    mine = np.empty(MAX_CARDS, np.int64)
    public = np.empty(MAX_CARDS, np.int64)
    take_notes(state, notes, 0)
    count_unseen(state, notes, seat, mine)
    count_unseen(state, notes, -1, public)
    players = int(state[PLAYERS])
    position = 0
    for offset in range(players):
        holder = (seat + offset) % players
        _hand(state, notes, seat, holder, mine if offset == 0 else public, out[position:])
        position += MAX_SLOTS * PER_CARD + MAX_SLOTS
    _table(state, notes, mine, out[position:])
    position += TABLE
    for offset in range(1, players):
        target = (seat + offset) % players
        for kind in (HINT_COLOR, HINT_RANK):
            for value in range(MAX_COLORS):
                mask = touches(state, target, kind, value)
                if mask:
                    _hint(state, notes, after, seat, target, kind, value, mask, public, out[position:])
                position += PER_HINT


@njit
def _hand(state, notes, seat, holder, unseen, out):
    """Each card of a hand, and which card its holder will play by itself."""
    playable = playable_mask(state, notes)
    critical = critical_mask(state, notes)
    useless = played_mask(state, notes) | dead_mask(state, notes)
    seen = unseen_mask(unseen)
    chop = chop_slot(notes, holder)
    turn = int(state[TURN])
    for slot in range(int(notes[N_COUNTS + holder])):
        key = int(notes[N_HANDS + holder * MAX_SLOTS + slot])
        record = CARDS + key * CARD_STRIDE
        mask = believed(notes, key, seen, useless)
        total = 0
        good = 0
        lost = 0
        idle = 0
        base = slot * PER_CARD
        for card in range(MAX_CARDS):
            if mask >> card & 1:
                out[base + card] = 1
                weight = int(unseen[card])
                total += weight
                good += weight * (playable >> card & 1)
                lost += weight * (critical >> card & 1)
                idle += weight * (useless >> card & 1)
        base += MAX_CARDS
        out[base] = 1
        out[base + 1] = int(notes[N_TOUCHED + key])
        out[base + 2] = 1 if slot == chop else 0
        out[base + 3] = 1 if mask & ~playable == 0 else 0
        out[base + 4] = 1 if mask & ~useless == 0 else 0
        total = max(total, 1)
        out[base + 5] = good / total
        out[base + 6] = lost / total
        out[base + 7] = idle / total
        out[base + 8] = min(turn - int(state[record + DRAWN]), 20) / 20
        if int(state[record + FIRST_TOUCHED]) >= 0:
            out[base + 9] = 1 - min(turn - int(state[record + FIRST_TOUCHED]), 10) / 10
            out[base + 10] = 1 - min(turn - int(state[record + LAST_TOUCHED_TURN]), 10) / 10
            out[base + 11] = 1 if turn - int(state[record + LAST_TOUCHED_TURN]) <= int(state[PLAYERS]) else 0
        if holder != seat:
            card = int(state[DECK + key])
            out[base + 12] = playable >> card & 1
            out[base + 13] = useless >> card & 1
            out[base + 14] = critical >> card & 1
            out[base + 15] = 1 if copies_in_hands(state, notes, seat, card, key) else 0
            out[base + 16] = mask >> card & 1
    play = certain_play(state, notes, holder, seen)
    if play >= 0:
        out[MAX_SLOTS * PER_CARD + play] = 1


@njit
def _table(state, notes, unseen, out):
    """Counts of unseen cards, which are playable, useless or critical, and how many turns are left."""
    playable = playable_mask(state, notes)
    critical = critical_mask(state, notes)
    useless = played_mask(state, notes) | dead_mask(state, notes)
    for card in range(MAX_CARDS):
        out[card] = int(unseen[card]) / 3
        out[MAX_CARDS + card] = playable >> card & 1
        out[2 * MAX_CARDS + card] = useless >> card & 1
        out[3 * MAX_CARDS + card] = critical >> card & 1
    if int(state[DEALT]) >= int(state[DECK_SIZE]):
        out[4 * MAX_CARDS + max(int(state[TURNS_LEFT]), 0)] = 1


@njit
def _hint(state, notes, after, seat, target, kind, value, mask, unseen, out):
    """What a hint would touch and say: its focus, whether its promise holds, what the target then knows."""
    playable = playable_mask(state, notes)
    critical = critical_mask(state, notes)
    useless = played_mask(state, notes) | dead_mask(state, notes)
    seen = unseen_mask(unseen)
    for index in range(NOTES_SIZE):
        after[index] = notes[index]
    focus = focus_slot(notes, target, mask)
    note_hint(state, after, target, kind, value, mask)
    out[0] = 1 if int(state[INFORMATION]) > 0 else 0
    out[1 + focus] = 1
    key = int(notes[N_HANDS + target * MAX_SLOTS + focus])
    card = int(state[DECK + key])
    out[6] = believed(after, key, seen, useless) >> card & 1
    out[7] = playable >> card & 1
    out[8] = critical >> card & 1
    out[9] = 1 if focus == chop_slot(notes, target) else 0
    for slot in range(int(notes[N_COUNTS + target])):
        key = int(notes[N_HANDS + target * MAX_SLOTS + slot])
        card = int(state[DECK + key])
        now = believed(after, key, seen, useless)
        if now != believed(notes, key, seen, useless):
            out[10] += 0.2
        if now & ~playable == 0:
            if playable >> card & 1:
                out[11] += 0.2
            else:
                out[12] += 0.2
        if useless >> card & 1 == 0 and now >> card & 1 == 0:
            out[13] += 0.2
        if mask >> slot & 1 and not int(notes[N_TOUCHED + key]):
            if useless >> card & 1 or copies_in_hands(state, notes, seat, card, key):
                out[14] += 0.2
            else:
                out[15] += 0.2
    play = certain_play(state, after, target, seen)
    if play >= 0:
        card = int(state[DECK + int(notes[N_HANDS + target * MAX_SLOTS + play])])
        out[16] = playable >> card & 1
        out[17] = 1 - (playable >> card & 1)


@allocating
def encode_many(states, seats, out):
    """`encode_input` for states (n, STATE_SIZE) and one seat each, into `out` (n, input_size)."""
    for index in range(len(states)):
        encode_input(states[index], int(seats[index]), out[index])


RATED = 12 + 2 * MAX_COLORS + MAX_RANKS  # besides what there is of each player and slot


def rated_size(state: np.ndarray) -> int:
    """How many numbers `rated_many` writes for a seat."""
    return RATED + KINDS + int(state[rules.PLAYERS]) + 4 * int(state[rules.SLOTS])


@allocating
def rated_many(states, seats, out):
    """Fill out (n, rated_size) float32, in 0 .. 1, zeros for what wasn't done. Of the last move: who made it
    (the seat first, the others in turn), its kind; of a card that was played or discarded its colour, rank
    and slot, whether it fitted, fits or never will, and whether its last copy is gone; of a hint its colour
    or rank, how many cards it touched, told something, and of these how many fit. Of the table: fireworks,
    lives, hints, cards to draw, whether the lives are gone. Of the seat's cards, by slot: whether the
    colour and the rank are known, whether it fits.
    """
    for index in range(len(states)):
        _rated(states[index], int(seats[index]), out[index])


@njit
def _rated(state, seat, out):
    players, slots = int(state[PLAYERS]), int(state[rules.SLOTS])
    colors, ranks = int(state[rules.COLORS]), int(state[rules.RANKS])
    at = players + KINDS + MAX_COLORS + MAX_RANKS + slots
    if int(state[rules.LAST_ACTION]) >= 0:
        kind = int(state[rules.LAST_KIND])
        out[(int(state[rules.LAST_SEAT]) - seat) % players] = 1.0
        out[players + kind] = 1.0
        first = players + KINDS
        if kind in (HINT_COLOR, HINT_RANK):
            value = int(state[rules.LAST_VALUE])
            out[first + (value if kind == HINT_COLOR else MAX_COLORS + value)] = 1.0
            target = int(state[rules.LAST_TARGET])
            for slot in range(rules.hand_size(state, target)):
                fits = rules.is_playable(state, rules.card_of(state, rules.key_at(state, target, slot)))
                fresh = int(state[rules.LAST_NEW]) >> slot & 1
                out[at + 4] += (int(state[rules.LAST_TOUCHED]) >> slot & 1) / slots
                out[at + 5] += fresh / slots
                out[at + 6] += (1.0 if fits else 0.0) * fresh / slots
        else:
            card = int(state[rules.LAST_CARD])
            color, rank = card // MAX_RANKS, card % MAX_RANKS
            out[first + color] = 1.0
            out[first + MAX_COLORS + rank] = 1.0
            out[first + MAX_COLORS + MAX_RANKS + int(state[rules.LAST_SLOT])] = 1.0
            height = rules.firework(state, color)
            out[at] = float(state[rules.LAST_SCORED])
            out[at + 1] = 1.0 if rules.is_playable(state, card) else 0.0
            out[at + 2] = 1.0 if rank < height and out[at] == 0.0 else 0.0
            gone = int(state[rules.DISCARDED + card]) == rules.copies(rank, ranks)
            out[at + 3] = 1.0 if gone and rank >= height else 0.0
    at += 7
    for color in range(colors):
        out[at + color] = rules.firework(state, color) / ranks
    at += MAX_COLORS
    out[at] = int(state[rules.LIVES]) / max(1, int(state[rules.LIVES_MAX]))
    out[at + 1] = int(state[INFORMATION]) / max(1, int(state[rules.INFORMATION_MAX]))
    out[at + 2] = 1.0 - int(state[DEALT]) / max(1, int(state[DECK_SIZE]))
    out[at + 3] = 1.0 if int(state[rules.OVER]) == rules.OUT_OF_LIVES else 0.0
    out[at + 4] = int(state[rules.STACKED]) / (colors * ranks)
    at += 5
    for slot in range(rules.hand_size(state, seat)):
        key = rules.key_at(state, seat, slot)
        out[at + 3 * slot] = 1.0 if rules.card_field(state, key, rules.COLOR_HINT) >= 0 else 0.0
        out[at + 3 * slot + 1] = 1.0 if rules.card_field(state, key, rules.RANK_HINT) >= 0 else 0.0
        out[at + 3 * slot + 2] = 1.0 if rules.is_playable(state, rules.card_of(state, key)) else 0.0
