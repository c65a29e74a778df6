"""What a network without memory needs besides the canonical observation: the public history, digested.

Conventions span turns, the canonical observation shows one move. `encode_features` writes, for one seat, the
notes that the conventions allow (engine.games.hanabi.conventions): per card of every hand what its holder may
believe, when it was drawn and touched, and what the seat itself sees of it; the table's counts; and for each
possible hint which card it would focus on and what it would say. No choice of a bot is in it. Range: 0 .. 1.

`rated_many` is for reward models: the observation, and what a seat doesn't see but who rates it does.

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


def rated_size(state: np.ndarray) -> int:
    """How many numbers `rated_many` writes for a seat."""
    players, slots = int(state[rules.PLAYERS]), int(state[rules.SLOTS])
    return int(observation_size(state)) + slots * MAX_CARDS + KINDS + MAX_CARDS + 1 + slots + players


def rated_many(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Fill out (n, rated_size) float32: the canonical observation; the seat's own cards (slots x MAX_CARDS, oldest
    first); of the last move its kind, the card that was played or discarded, whether that fitted, which of
    the told cards learned something, and who made it (the seat first, the others in turn). All records are
    of as many players.
    """
    rows, seats = np.arange(len(states)), np.asarray(seats)
    players, slots = int(states[0, rules.PLAYERS]), int(states[0, rules.SLOTS])
    at = int(observation_size(states[0]))
    _observe(states, seats, at, out)
    for slot in range(slots):
        held = states[rows, rules.HAND_COUNTS + seats] > slot
        key = states[rows, rules.HANDS + seats * rules.MAX_SLOTS + slot]
        out[rows[held], at + states[rows[held], rules.DECK + key[held]]] = 1.0
        at += MAX_CARDS
    moved = states[:, rules.LAST_ACTION] >= 0
    out[rows[moved], at + states[moved, rules.LAST_KIND]] = 1.0
    at += KINDS
    laid = moved & np.isin(states[:, rules.LAST_KIND], (rules.PLAY, rules.DISCARD))
    out[rows[laid], at + states[laid, rules.LAST_CARD]] = 1.0
    at += MAX_CARDS
    out[:, at] = laid & (states[:, rules.LAST_SCORED] > 0)
    fresh = np.where(moved & ~laid, states[:, rules.LAST_NEW], 0)
    out[:, at + 1 : at + 1 + slots] = fresh[:, None] >> np.arange(slots) & 1
    at += 1 + slots
    out[rows[moved], at + (states[moved, rules.LAST_SEAT] - seats[moved]) % players] = 1.0


@allocating
def _observe(states, seats, size, out):
    for index in range(len(states)):
        encode(states[index], int(seats[index]), out[index, :size])
