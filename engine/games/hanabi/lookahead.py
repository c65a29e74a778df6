"""The convention bot: plays by the conventions of engine.games.hanabi.conventions and weighs every move by
what the partners would do after it. Reads the state record only; keeps nothing between moves.
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi.conventions import (
    N_COUNTS,
    N_FIREWORKS,
    N_HANDS,
    N_INFORMATION,
    N_LIVES,
    N_TOUCHED,
    NOTES_SIZE,
    believed,
    chop_slot,
    count_unseen,
    critical_mask,
    dead_mask,
    note_card,
    note_hint,
    playable_mask,
    played_mask,
    take_notes,
    unseen_mask,
)
from engine.games.hanabi.rules import (
    COLORS,
    CURRENT,
    DEALT,
    DECK,
    DECK_SIZE,
    HINT_COLOR,
    HINT_RANK,
    INFORMATION_MAX,
    MAX_CARDS,
    MAX_RANKS,
    MAX_SLOTS,
    PLAY,
    PLAYERS,
    RANKS,
    TURNS_LEFT,
    color_action,
    num_actions,
    play_action,
    rank_action,
    touches,
)
from engine.simulation.jit import njit

allocating = njit(_nrt=True)  # for functions that need a few small arrays, or call one that does

(
    W_GAIN,  # a play that a hint brings about
    W_LATER,  # how much a play counts for each play before it in the queue
    W_BOMB,  # a misplay that a hint brings about
    W_TOUCH,  # a useful card touched for the first time
    W_BAD,  # a useless card touched
    W_FALSE,  # a card about which the partner now believes something wrong
    W_INFO,  # per halving of the possible cards of a useful card
    W_TOKEN,  # an information token
    W_SCARCE,  # more for the last tokens: divided by tokens left
    W_CRITICAL,  # losing the last copy, for each point lost
    W_COPY,  # losing a copy that is not the last
    W_DANGER,  # share of the danger that the partner discards its chop
    W_PLAY,  # a successful play
    W_LIFE,  # losing a life, divided by the lives left
    W_DISCARD,  # making any discard
    W_KNOWN,  # bonus of discarding a card known to be useless
    W_PACE,  # a discard when the deck runs out
    W_SAFE,  # least probability for a play that is not certain
    W_KEEP,  # against discarding a touched card that may be useful
) = range(19)

ILLEGAL = -1e9
GAME_LOST = 25.0
UNLIKELY = 5.0  # taken off for plays below W_SAFE and for discards past the chop: last resorts, kept in order


@njit
def bits(mask):
    """Number of set bits."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit
def lowest_rank(mask):
    """The lowest rank among card ids."""
    for rank in range(MAX_RANKS):
        if mask & (0b0000100001000010000100001 << rank):
            return rank
    return MAX_RANKS


@njit
def certain_play(state, notes, seat, unseen):
    """The slot that a seat plays when it believes something playable (lowest rank first), or -1."""
    playable = playable_mask(state, notes)
    useless = played_mask(state, notes) | dead_mask(state, notes)
    best = -1
    best_rank = MAX_RANKS + 1
    for slot in range(int(notes[N_COUNTS + seat])):
        key = int(notes[N_HANDS + seat * MAX_SLOTS + slot])
        mask = believed(notes, key, unseen, useless)
        if mask and mask & ~playable == 0:
            rank = lowest_rank(mask)
            if rank <= best_rank:
                best = slot
                best_rank = rank
    return best


@allocating
def queue_value(state, notes, scratch, seat, weights):
    """The value of what a seat will play without further hints, one card after the other: (value, plays,
    misplays). Overwrites `scratch`.
    """
    for index in range(NOTES_SIZE):
        scratch[index] = notes[index]
    value = 0.0
    factor = 1.0
    plays = 0
    bombs = 0
    unseen = np.empty(MAX_CARDS, np.int64)
    for _ in range(MAX_SLOTS):
        count_unseen(state, scratch, -1, unseen)
        slot = certain_play(state, scratch, seat, unseen_mask(unseen))
        if slot < 0:
            break
        card = int(state[DECK + int(scratch[N_HANDS + seat * MAX_SLOTS + slot])])
        if int(scratch[N_FIREWORKS + card // MAX_RANKS]) == card % MAX_RANKS:
            value += factor * weights[W_GAIN]
            plays += 1
        else:
            value -= factor * weights[W_BOMB]
            bombs += 1
        factor *= weights[W_LATER]
        note_card(state, scratch, seat, slot, PLAY, card)
    return value, plays, bombs


@njit
def loss_of(state, card, held, useless, critical, weights):
    """What discarding a card costs; `held` is the number of other copies that can be seen in hands."""
    if useless >> card & 1:
        return 0.0
    if held > 0:
        return 0.1 * weights[W_COPY]
    if critical >> card & 1:
        return weights[W_CRITICAL] * np.sqrt(float(int(state[RANKS]) - card % MAX_RANKS))
    return weights[W_COPY]


@njit
def copies_in_hands(state, notes, viewer, card, but):
    """Copies of a card id in the hands that a viewer sees, the key `but` left out."""
    count = 0
    for seat in range(int(state[PLAYERS])):
        if seat != viewer:
            for slot in range(int(notes[N_COUNTS + seat])):
                key = int(notes[N_HANDS + seat * MAX_SLOTS + slot])
                if key != but and int(state[DECK + key]) == card:
                    count += 1
    return count


@allocating
def danger(state, notes, viewer, target, plays, seen, useless, weights):
    """What the viewer expects to be lost when `target` discards next."""
    if plays > 0:
        return 0.0
    slot = chop_slot(notes, target)
    if slot < 0:
        return 0.0
    for other in range(int(notes[N_COUNTS + target])):
        key = int(notes[N_HANDS + target * MAX_SLOTS + other])
        if believed(notes, key, seen, useless) & ~useless == 0:
            return 0.0
    key = int(notes[N_HANDS + target * MAX_SLOTS + slot])
    card = int(state[DECK + key])
    held = copies_in_hands(state, notes, viewer, card, key)
    return weights[W_DANGER] * loss_of(state, card, held, useless, critical_mask(state, notes), weights)


@njit
def token_value(tokens, weights):
    """The value of the hint tokens that are left."""
    value = 0.0
    for number in range(tokens):
        value += weights[W_TOKEN] + weights[W_SCARCE] / (number + 1)
    return value


@allocating
def hint_value(state, notes, after, scratch, seat, target, kind, value, mask, before, seen, useless, weights):
    """Value of a hint, by what the target will do and believe; overwrites `after` and `scratch`."""
    for index in range(NOTES_SIZE):
        after[index] = notes[index]
    note_hint(state, after, target, kind, value, mask)
    tokens = int(notes[N_INFORMATION])
    after[N_INFORMATION] = tokens - 1
    queue, plays, _ = queue_value(state, after, scratch, target, weights)
    total = queue - before + token_value(tokens - 1, weights)
    for slot in range(int(notes[N_COUNTS + target])):
        key = int(notes[N_HANDS + target * MAX_SLOTS + slot])
        card = int(state[DECK + key])
        old = believed(notes, key, seen, useless)
        new = believed(after, key, seen, useless)
        if useless >> card & 1:
            if int(after[N_TOUCHED + key]) and new & ~useless:
                if not int(notes[N_TOUCHED + key]):
                    total -= weights[W_BAD]
            continue
        if new >> card & 1 == 0:
            total -= weights[W_FALSE]
            continue
        if int(after[N_TOUCHED + key]) and not int(notes[N_TOUCHED + key]):
            if copies_in_hands(state, notes, seat, card, key):
                total -= weights[W_BAD]
            else:
                total += weights[W_TOUCH]
        total += weights[W_INFO] * (np.log2(bits(old) + 0.0) - np.log2(bits(new) + 0.0))
    return total - danger(state, after, seat, target, plays, seen, useless, weights)


@allocating
def weigh_cards(state, notes, threat, weights, values):
    """Write what playing and discarding each own card is worth; `threat` is what the partner may lose."""
    seat = int(state[CURRENT])
    players = int(state[PLAYERS])
    unseen = np.empty(MAX_CARDS, np.int64)
    count_unseen(state, notes, seat, unseen)
    seen = unseen_mask(unseen)
    tokens = int(notes[N_INFORMATION])
    lives = int(notes[N_LIVES])
    deck = int(state[DECK_SIZE]) - int(state[DEALT])
    playable = playable_mask(state, notes)
    useless = played_mask(state, notes) | dead_mask(state, notes)
    critical = critical_mask(state, notes)
    certain = certain_play(state, notes, seat, seen)
    chop = chop_slot(notes, seat)
    have = token_value(tokens, weights)
    for slot in range(int(notes[N_COUNTS + seat])):
        key = int(notes[N_HANDS + seat * MAX_SLOTS + slot])
        mask = believed(notes, key, seen, useless)
        total = 0
        good = 0
        cost = 0.0
        for card in range(MAX_CARDS):
            if mask >> card & 1 and int(unseen[card]):
                weight = int(unseen[card])
                total += weight
                if playable >> card & 1:
                    good += weight
                held = copies_in_hands(state, notes, seat, card, key)
                cost += weight * loss_of(state, card, held, useless, critical, weights)
        total = max(total, 1)
        chance = good / total
        cost /= total
        value = have - threat + chance * weights[W_PLAY]
        value -= (1.0 - chance) * (cost + (weights[W_LIFE] / lives if lives > 1 else GAME_LOST))
        nothing_to_lose = deck == 0 and lives > 1 and chance > 0.0
        if chance < weights[W_SAFE] and not nothing_to_lose:
            value -= UNLIKELY
        if slot == certain:
            value += 0.01
        values[play_action(state, slot)] = value
        if tokens < int(state[INFORMATION_MAX]):
            value = token_value(tokens + 1, weights) - threat - cost + weights[W_DISCARD]
            if mask & ~useless == 0:
                value += weights[W_KNOWN]
            elif int(notes[N_TOUCHED + key]):
                value -= weights[W_KEEP]
            elif slot != chop:
                value -= UNLIKELY
            if deck == 0 and int(state[TURNS_LEFT]) <= players or deck == 1:
                value -= weights[W_PACE]
            values[slot] = value


@allocating
def weigh(state, literal, weights, values):
    """Write the worth of every action of the seat to move into `values`; return the best action."""
    seat = int(state[CURRENT])
    players = int(state[PLAYERS])
    total = num_actions(state)
    for action in range(total):
        values[action] = ILLEGAL
    notes = np.empty(NOTES_SIZE, np.int64)
    after = np.empty(NOTES_SIZE, np.int64)
    scratch = np.empty(NOTES_SIZE, np.int64)
    take_notes(state, notes, literal)
    following = (seat + 1) % players
    before, plays, _ = queue_value(state, notes, scratch, following, weights)
    unseen = np.empty(MAX_CARDS, np.int64)
    count_unseen(state, notes, -1, unseen)
    seen = unseen_mask(unseen)
    useless = played_mask(state, notes) | dead_mask(state, notes)
    threat = danger(state, notes, seat, following, plays, seen, useless, weights)
    weigh_cards(state, notes, threat, weights, values)
    if int(notes[N_INFORMATION]) > 0:
        for offset in range(1, players):
            target = (seat + offset) % players
            if offset > 1:
                before, _, _ = queue_value(state, notes, scratch, target, weights)
            for kind in (HINT_COLOR, HINT_RANK):
                for value in range(int(state[COLORS if kind == HINT_COLOR else RANKS])):
                    mask = touches(state, target, kind, value)
                    if mask:
                        if kind == HINT_COLOR:
                            action = color_action(state, offset, value)
                        else:
                            action = rank_action(state, offset, value)
                        values[action] = hint_value(
                            state,
                            notes,
                            after,
                            scratch,
                            seat,
                            target,
                            kind,
                            value,
                            mask,
                            before,
                            seen,
                            useless,
                            weights,
                        )
    best = 0
    for action in range(1, total - 1):
        if values[action] > values[best]:
            best = action
    return best
