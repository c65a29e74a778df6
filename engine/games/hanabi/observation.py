"""What a seat of Hanabi sees, as bits: the canonical encoding of the Hanabi Learning Environment (HLE).

`encode` writes one number a bit (0 or 1, into an array of any type), `encode_packed` the same bits eight to a
byte, first bit highest (as `numpy.packbits`). Both allocate nothing. Sections in order: the other hands and
which hands are short; deck, fireworks, information tokens, lives; discards; last action; what each seat knows
about its cards. Seats are relative: the observer is 0.

Not here: beliefs or counting of cards (HLE's plausible bits come from hints alone).
"""

from __future__ import annotations

from engine.games.hanabi.rules import (
    CARD_STRIDE,
    CARDS,
    COLOR_HINT,
    COLOR_MASK,
    COLORS,
    DEALT,
    DECK,
    DECK_SIZE,
    DISCARDED,
    FIREWORKS,
    HAND_COUNTS,
    HANDS,
    HINT_COLOR,
    HINT_RANK,
    INFORMATION,
    INFORMATION_MAX,
    LAST_ACTION,
    LAST_CARD,
    LAST_KIND,
    LAST_SCORED,
    LAST_SEAT,
    LAST_SLOT,
    LAST_TARGET,
    LAST_TOKEN,
    LAST_TOUCHED,
    LAST_VALUE,
    LIVES,
    LIVES_MAX,
    MAX_RANKS,
    MAX_SLOTS,
    PLAY,
    PLAYERS,
    RANK_HINT,
    RANK_MASK,
    RANKS,
    SLOTS,
    copies,
)
from engine.simulation.jit import njit


@njit
def observation_size(state):
    """Number of bits: 658, 956, 1041 and 1280 for 2 to 5 players in the standard game."""
    players = int(state[PLAYERS])
    slots = int(state[SLOTS])
    colors = int(state[COLORS])
    ranks = int(state[RANKS])
    deck = int(state[DECK_SIZE])
    cards = colors * ranks
    hands = (players - 1) * slots * cards + players
    board = deck - players * slots + cards + int(state[INFORMATION_MAX]) + int(state[LIVES_MAX])
    last = 2 * players + 4 + colors + ranks + 2 * slots + cards + 2
    knowledge = players * slots * (cards + colors + ranks)
    return hands + board + deck + last + knowledge


@njit
def encode(state, seat, out):
    """Write the seat's observation, `observation_size` numbers of 0 or 1, into `out`."""
    for bit in range(observation_size(state)):
        out[bit] = 0
    _write(state, seat, out, 0)


@njit
def encode_packed(state, seat, out):
    """Write the seat's observation into `out`, ceil(`observation_size` / 8) bytes, first bit highest."""
    for byte in range((observation_size(state) + 7) // 8):
        out[byte] = 0
    _write(state, seat, out, 1)


@njit(inline="always")
def _set(out, bit, packed):
    if packed:
        out[bit >> 3] = int(out[bit >> 3]) | (128 >> (bit & 7))
    else:
        out[bit] = 1


@njit(inline="always")
def _write(state, seat, out, packed):
    players = int(state[PLAYERS])
    slots = int(state[SLOTS])
    colors = int(state[COLORS])
    ranks = int(state[RANKS])
    cards = colors * ranks
    bit = 0
    # The other hands, then which hands are short.
    for offset in range(1, players):
        other = seat + offset
        if other >= players:
            other -= players
        for slot in range(int(state[HAND_COUNTS + other])):
            card = int(state[DECK + int(state[HANDS + other * MAX_SLOTS + slot])])
            color = card // MAX_RANKS
            _set(out, bit + slot * cards + color * ranks + card - color * MAX_RANKS, packed)
        bit += slots * cards
    for offset in range(players):
        other = seat + offset
        if other >= players:
            other -= players
        if int(state[HAND_COUNTS + other]) < slots:
            _set(out, bit + offset, packed)
    bit += players
    # The board.
    for index in range(int(state[DECK_SIZE]) - int(state[DEALT])):
        _set(out, bit + index, packed)
    bit += int(state[DECK_SIZE]) - players * slots
    for color in range(colors):
        height = int(state[FIREWORKS + color])
        if height > 0:
            _set(out, bit + height - 1, packed)
        bit += ranks
    for index in range(int(state[INFORMATION])):
        _set(out, bit + index, packed)
    bit += int(state[INFORMATION_MAX])
    for index in range(int(state[LIVES])):
        _set(out, bit + index, packed)
    bit += int(state[LIVES_MAX])
    # Discards.
    for color in range(colors):
        for rank in range(ranks):
            for index in range(int(state[DISCARDED + color * MAX_RANKS + rank])):
                _set(out, bit + index, packed)
            bit += copies(rank, ranks)
    # The last action.
    if int(state[LAST_ACTION]) >= 0:
        _write_last(state, seat, out, packed, bit)
    bit += 2 * players + 4 + colors + ranks + 2 * slots + cards + 2
    # What each seat knows about its cards.
    for offset in range(players):
        other = seat + offset
        if other >= players:
            other -= players
        for slot in range(int(state[HAND_COUNTS + other])):
            base = CARDS + int(state[HANDS + other * MAX_SLOTS + slot]) * CARD_STRIDE
            color_mask = int(state[base + COLOR_MASK])
            rank_mask = int(state[base + RANK_MASK])
            start = bit + slot * (cards + colors + ranks)
            for color in range(colors):
                if (color_mask >> color) & 1:
                    for rank in range(ranks):
                        if (rank_mask >> rank) & 1:
                            _set(out, start + color * ranks + rank, packed)
            if int(state[base + COLOR_HINT]) >= 0:
                _set(out, start + cards + int(state[base + COLOR_HINT]), packed)
            if int(state[base + RANK_HINT]) >= 0:
                _set(out, start + cards + colors + int(state[base + RANK_HINT]), packed)
        bit += slots * (cards + colors + ranks)


@njit(inline="always")
def _write_last(state, seat, out, packed, bit):
    players = int(state[PLAYERS])
    slots = int(state[SLOTS])
    colors = int(state[COLORS])
    ranks = int(state[RANKS])
    kind = int(state[LAST_KIND])
    _set(out, bit + (int(state[LAST_SEAT]) - seat + players) % players, packed)
    bit += players
    _set(out, bit + kind, packed)
    bit += 4
    if kind >= HINT_COLOR:
        _set(out, bit + (int(state[LAST_TARGET]) - seat + players) % players, packed)
    bit += players
    if kind == HINT_COLOR:
        _set(out, bit + int(state[LAST_VALUE]), packed)
    bit += colors
    if kind == HINT_RANK:
        _set(out, bit + int(state[LAST_VALUE]), packed)
    bit += ranks
    if kind >= HINT_COLOR:
        for slot in range(slots):
            if (int(state[LAST_TOUCHED]) >> slot) & 1:
                _set(out, bit + slot, packed)
    bit += slots
    if kind < HINT_COLOR:
        _set(out, bit + int(state[LAST_SLOT]), packed)
        card = int(state[LAST_CARD])
        _set(out, bit + slots + card // MAX_RANKS * ranks + card % MAX_RANKS, packed)
    bit += slots + colors * ranks
    if kind == PLAY:
        if int(state[LAST_SCORED]):
            _set(out, bit, packed)
        if int(state[LAST_TOKEN]):
            _set(out, bit + 1, packed)
