"""What a seat of Hanabi sees, as bits: the canonical encoding of the Hanabi Learning Environment (HLE).

`encode` writes one number a bit (0 or 1, into an array of any type), `encode_packed` the same bits eight to a
byte, first bit highest (as `numpy.packbits`). Both allocate nothing. Sections in order: the other hands and
which hands are short; deck, fireworks, information tokens, lives; discards; last action; what each seat knows
about its cards. Seats are relative: the observer is 0.

Both go through the sections once and hand over runs of up to 30 bits as integers; the common two-player game
has its own compiled copy, with its sizes as constants.

Not here: beliefs or counting of cards (HLE's plausible bits come from hints alone).
"""

from __future__ import annotations

import numpy as np

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
    is_common,
)
from engine.simulation.jit import rule

# The eight bits of every byte, highest first, as numbers.
BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)


@rule
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


@rule
def encode(state, seat, out):
    """Write the seat's observation, `observation_size` numbers of 0 or 1, into `out`."""
    packed = out.view(np.uint8)  # whatever its type: what writes bits is compiled once
    encode_packed(state, seat, packed)
    # Spread the bytes, from the last to the first: each lands behind all that are still to be read.
    size = observation_size(state)
    last = (size - 1) // 8
    values = BYTES[int(packed[last])]
    for index in range(size - 8 * last):
        out[8 * last + index] = values[index]
    for byte in range(last - 1, -1, -1):
        values = BYTES[int(packed[byte])]
        run = out[8 * byte : 8 * byte + 8]
        for index in range(8):
            run[index] = values[index]


@rule
def encode_packed(state, seat, out):
    """Write the seat's observation into `out`, ceil(`observation_size` / 8) bytes, first bit highest."""
    if is_common(state):
        _write(state, seat, out, 2, 5, 5, 5)
    else:
        players, slots = int(state[PLAYERS]), int(state[SLOTS])
        _write(state, seat, out, players, slots, int(state[COLORS]), int(state[RANKS]))


@rule(forceinline=True, literals=True)
def _put(out, at, bits, held, value, width):
    """Append the low `width` (at most 30) bits of `value`, highest first; returns the new (at, bits, held).

    Up to 31 bits wait in `bits` until four bytes can be written at once.
    """
    bits = (bits << width) | value
    held += width
    if held >= 32:
        held -= 32
        word = bits >> held
        four = out[at : at + 4]
        four[0] = (word >> 24) & 255
        four[1] = (word >> 16) & 255
        four[2] = (word >> 8) & 255
        four[3] = word & 255
        at += 4
        bits &= (1 << held) - 1
    return at, bits, held


@rule(forceinline=True, literals=True)
def _reverse(mask, width):
    """The low `width` bits of a mask in the other order."""
    result = 0
    for index in range(width):
        result = (result << 1) | ((mask >> index) & 1)
    return result


@rule(forceinline=True, literals=True)
def _write(state, seat, out, players, slots, colors, ranks):
    cards = colors * ranks
    at = 0
    bits = 0
    held = 0
    # The other hands, then which hands are short.
    short = 1 if int(state[HAND_COUNTS + seat]) < slots else 0
    other = seat
    for _ in range(players - 1):
        other += 1
        if other >= players:
            other = 0
        count = int(state[HAND_COUNTS + other])
        short = (short << 1) | (1 if count < slots else 0)
        for slot in range(slots):
            value = 0
            if slot < count:
                card = int(state[DECK + int(state[HANDS + other * MAX_SLOTS + slot])])
                color = card // MAX_RANKS
                value = 1 << (cards - 1 - color * ranks - card + color * MAX_RANKS)
            at, bits, held = _put(out, at, bits, held, value, cards)
    at, bits, held = _put(out, at, bits, held, short, players)
    # The board: deck, fireworks, tokens, lives.
    left = int(state[DECK_SIZE]) - int(state[DEALT])
    width = int(state[DECK_SIZE]) - players * slots
    part = width // 2
    value = ((1 << min(left, part)) - 1) << (part - min(left, part))
    at, bits, held = _put(out, at, bits, held, value, part)
    left -= min(left, part)
    value = ((1 << left) - 1) << (width - part - left)
    at, bits, held = _put(out, at, bits, held, value, width - part)
    value = 0
    for color in range(colors):
        value = (value << ranks) | ((1 << ranks) >> int(state[FIREWORKS + color]) & ((1 << ranks) - 1))
    at, bits, held = _put(out, at, bits, held, value, cards)
    left = int(state[INFORMATION])
    width = int(state[INFORMATION_MAX])
    at, bits, held = _put(out, at, bits, held, ((1 << left) - 1) << (width - left), width)
    left = max(int(state[LIVES]), 0)
    width = int(state[LIVES_MAX])
    at, bits, held = _put(out, at, bits, held, ((1 << left) - 1) << (width - left), width)
    # Discards.
    for color in range(colors):
        value = 0
        width = 0
        for rank in range(ranks):
            total = copies(rank, ranks)
            gone = int(state[DISCARDED + color * MAX_RANKS + rank])
            value = (value << total) | (((1 << gone) - 1) << (total - gone))
            width += total
        at, bits, held = _put(out, at, bits, held, value, width)
    # The last action: who, what and to whom; value; slots; card; outcome.
    who = 0
    named = 0
    where = 0
    card_bit = 0
    outcome = 0
    if int(state[LAST_ACTION]) >= 0:
        kind = int(state[LAST_KIND])
        relative = int(state[LAST_SEAT]) - seat
        if relative < 0:
            relative += players
        who = (1 << (players - 1 - relative)) << (4 + players) | (8 >> kind) << players
        if kind >= HINT_COLOR:
            relative = int(state[LAST_TARGET]) - seat
            if relative < 0:
                relative += players
            who |= 1 << (players - 1 - relative)
            if kind == HINT_RANK:
                named = 1 << (ranks - 1 - int(state[LAST_VALUE]))
            else:
                named = 1 << (colors - 1 - int(state[LAST_VALUE]) + ranks)
            where = _reverse(int(state[LAST_TOUCHED]), slots) << slots
        else:
            where = 1 << (slots - 1 - int(state[LAST_SLOT]))
            card = int(state[LAST_CARD])
            card_bit = 1 << (cards - 1 - card // MAX_RANKS * ranks - card % MAX_RANKS)
            if kind == PLAY:
                outcome = int(state[LAST_SCORED]) << 1 | int(state[LAST_TOKEN])
    at, bits, held = _put(out, at, bits, held, who, 2 * players + 4)
    at, bits, held = _put(out, at, bits, held, named, colors + ranks)
    at, bits, held = _put(out, at, bits, held, where, 2 * slots)
    at, bits, held = _put(out, at, bits, held, card_bit, cards)
    at, bits, held = _put(out, at, bits, held, outcome, 2)
    # What each seat knows about its cards, the observer's first.
    other = seat
    for _ in range(players):
        count = int(state[HAND_COUNTS + other])
        for slot in range(slots):
            plausible = 0
            hints = 0
            if slot < count:
                base = CARDS + int(state[HANDS + other * MAX_SLOTS + slot]) * CARD_STRIDE
                color_mask = int(state[base + COLOR_MASK])
                line = _reverse(int(state[base + RANK_MASK]), ranks)
                for color in range(colors):
                    plausible = (plausible << ranks) | (line * ((color_mask >> color) & 1))
                # No hint (-1) puts the bit above the section, where the mask drops it.
                hints = (1 << colors >> (int(state[base + COLOR_HINT]) + 1) & ((1 << colors) - 1)) << ranks
                hints |= 1 << ranks >> (int(state[base + RANK_HINT]) + 1) & ((1 << ranks) - 1)
            at, bits, held = _put(out, at, bits, held, plausible, cards)
            at, bits, held = _put(out, at, bits, held, hints, colors + ranks)
        other += 1
        if other >= players:
            other = 0
    while held > 0:
        out[at] = (bits << 8 >> held) & 255
        at += 1
        held -= 8
