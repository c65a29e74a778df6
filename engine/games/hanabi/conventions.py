"""What both players may conclude from the public history: the notes that the convention bot plays by.

The notes are recomputed from the state record whenever they are needed, so a bot keeps nothing between its
moves and can be asked about any state. They use public information alone; whoever looks at them adds what one
seat sees.

The conventions, for a hint given to a hand whose *chop* is its oldest card that no hint has touched:

- The *focus* of a hint is the chop if it is touched now for the first time, else the newest card touched for
the
  first time, else the newest touched card.
- The focus is playable. If the focus is the chop it may instead be a card to save: the last copy left of a
card that
  is still needed, and of 5s and 2s any (5s and 2s are saved by their rank alone).
- Touched cards are useful: as long as anything else is possible, they are no card that was played already.

Not here: choosing a move (engine.games.hanabi.lookahead). All functions follow the rules of
engine.games.hanabi.rules: scalar, integer, without allocation.
"""

from __future__ import annotations

from engine.games.hanabi.rules import (
    COLORS,
    DECK,
    DECK_SIZE,
    DISCARD,
    HINT_COLOR,
    INFORMATION_MAX,
    LIVES_MAX,
    MAX_CARDS,
    MAX_DECK,
    MAX_RANKS,
    MAX_SLOTS,
    PLAY,
    PLAYERS,
    RANKS,
    SLOTS,
    TURN,
    action_detail,
    action_kind,
    copies,
    history_at,
)
from engine.simulation.jit import njit

# Layout of the notes, one row of int64. POSSIBLE, TOUCHED and PROMISED are by card key: the card ids (25
# bits) that hints leave; 1 once touched; the card ids that a convention leaves, or 0 for no promise.
N_FIREWORKS = 0
N_DISCARDED = 5
N_COUNTS = 30
N_HANDS = 35
N_DEALT, N_INFORMATION, N_LIVES, N_LITERAL = 60, 61, 62, 63
N_POSSIBLE = 64
N_TOUCHED = N_POSSIBLE + MAX_DECK
N_PROMISED = N_TOUCHED + MAX_DECK
NOTES_SIZE = N_PROMISED + MAX_DECK

RANK_COLUMN = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20  # the lowest rank of every colour
COLOR_ROW = 0b11111


@njit
def begin(state, notes, literal):
    """Write the notes of a freshly dealt game; `literal` 1 leaves conventions out."""
    colors, ranks = int(state[COLORS]), int(state[RANKS])
    everything = 0
    for color in range(colors):
        everything |= ((1 << ranks) - 1) << (color * MAX_RANKS)
    for index in range(N_POSSIBLE):
        notes[index] = 0
    for key in range(MAX_DECK):
        notes[N_POSSIBLE + key] = everything
        notes[N_TOUCHED + key] = 0
        notes[N_PROMISED + key] = 0
    slots = int(state[SLOTS])
    for seat in range(int(state[PLAYERS])):
        notes[N_COUNTS + seat] = slots
        for slot in range(slots):
            notes[N_HANDS + seat * MAX_SLOTS + slot] = seat * slots + slot
    notes[N_DEALT] = int(state[PLAYERS]) * slots
    notes[N_INFORMATION] = int(state[INFORMATION_MAX])
    notes[N_LIVES] = int(state[LIVES_MAX])
    notes[N_LITERAL] = literal


@njit
def played_mask(state, notes):
    """Card ids that lie on a firework already (25 bits)."""
    mask = 0
    for color in range(int(state[COLORS])):
        mask |= ((1 << int(notes[N_FIREWORKS + color])) - 1) << (color * MAX_RANKS)
    return mask


@njit
def playable_mask(state, notes):
    """Card ids that fit on their firework now."""
    mask = 0
    for color in range(int(state[COLORS])):
        height = int(notes[N_FIREWORKS + color])
        if height < int(state[RANKS]):
            mask |= 1 << (color * MAX_RANKS + height)
    return mask


@njit
def dead_mask(state, notes):
    """Card ids that can never be played any more: all copies of a card on the way there are gone."""
    mask = 0
    ranks = int(state[RANKS])
    for color in range(int(state[COLORS])):
        gone = False
        for rank in range(int(notes[N_FIREWORKS + color]), ranks):
            card = color * MAX_RANKS + rank
            if gone:
                mask |= 1 << card
            elif int(notes[N_DISCARDED + card]) == copies(rank, ranks):
                gone = True
                mask |= 1 << card
    return mask


@njit
def critical_mask(state, notes):
    """Card ids still needed of which one copy is left."""
    mask = 0
    ranks = int(state[RANKS])
    for color in range(int(state[COLORS])):
        for rank in range(int(notes[N_FIREWORKS + color]), ranks):
            card = color * MAX_RANKS + rank
            if int(notes[N_DISCARDED + card]) == copies(rank, ranks) - 1:
                mask |= 1 << card
    return mask & ~dead_mask(state, notes)


@njit
def chop_slot(notes, seat):
    """The slot of the oldest untouched card of a hand, or -1."""
    for slot in range(int(notes[N_COUNTS + seat])):
        if int(notes[N_TOUCHED + int(notes[N_HANDS + seat * MAX_SLOTS + slot])]) == 0:
            return slot
    return -1


@njit
def focus_slot(notes, target, touched):
    """The slot of the focus of a hint that touches these slots (mask), before it is noted, or -1."""
    base = N_HANDS + target * MAX_SLOTS
    chop = chop_slot(notes, target)
    if chop >= 0 and (touched >> chop) & 1:
        return chop
    focus = -1
    fresh = False
    for slot in range(int(notes[N_COUNTS + target])):
        if (touched >> slot) & 1:
            new = int(notes[N_TOUCHED + int(notes[base + slot])]) == 0
            if new or not fresh:
                focus = slot
            fresh = fresh or new
    return focus


@njit
def meaning(state, notes, kind, value, on_chop):
    """The card ids that the focus of a hint may be, by convention."""
    meant = playable_mask(state, notes)
    if on_chop:
        critical = critical_mask(state, notes)
        if kind == HINT_COLOR:
            meant |= critical & ~(RANK_COLUMN << (int(state[RANKS]) - 1))
        elif value == 1:
            meant |= (RANK_COLUMN << 1) & ~played_mask(state, notes)
        else:
            meant |= critical
    return meant


@njit
def note_hint(state, notes, target, kind, value, touched):
    """Add a hint: what it says, and what the conventions say beyond that."""
    base = N_HANDS + target * MAX_SLOTS
    focus = focus_slot(notes, target, touched)
    meant = 0
    if focus >= 0 and int(notes[N_LITERAL]) == 0:
        meant = meaning(state, notes, kind, value, focus == chop_slot(notes, target))
    hinted = COLOR_ROW << (value * MAX_RANKS) if kind == HINT_COLOR else RANK_COLUMN << value
    for slot in range(int(notes[N_COUNTS + target])):
        key = int(notes[base + slot])
        if (touched >> slot) & 1:
            notes[N_POSSIBLE + key] = int(notes[N_POSSIBLE + key]) & hinted
            notes[N_TOUCHED + key] = 1
        else:
            notes[N_POSSIBLE + key] = int(notes[N_POSSIBLE + key]) & ~hinted
    if meant:
        key = int(notes[base + focus])
        notes[N_PROMISED + key] = int(notes[N_POSSIBLE + key]) & meant


@njit
def remove_card(notes, seat, slot):
    """Take a card out of a hand; newer cards move one slot down."""
    base = N_HANDS + seat * MAX_SLOTS
    count = int(notes[N_COUNTS + seat]) - 1
    for index in range(slot, count):
        notes[base + index] = int(notes[base + index + 1])
    notes[N_COUNTS + seat] = count


@njit
def note_card(state, notes, seat, slot, kind, card):
    """Add a play or discard of a card that is now known to everybody, without drawing a new one."""
    color = card // MAX_RANKS
    rank = card - color * MAX_RANKS
    token = kind == DISCARD
    if kind == PLAY and int(notes[N_FIREWORKS + color]) == rank:
        notes[N_FIREWORKS + color] = rank + 1
        token = rank + 1 == int(state[RANKS])
    else:
        notes[N_DISCARDED + card] = int(notes[N_DISCARDED + card]) + 1
        if kind == PLAY:
            notes[N_LIVES] = int(notes[N_LIVES]) - 1
    if token and int(notes[N_INFORMATION]) < int(state[INFORMATION_MAX]):
        notes[N_INFORMATION] = int(notes[N_INFORMATION]) + 1
    remove_card(notes, seat, slot)


@njit
def take_notes(state, notes, literal):
    """Write the notes of the game so far; `literal` 1 leaves conventions out."""
    begin(state, notes, literal)
    players = int(state[PLAYERS])
    for turn in range(int(state[TURN])):
        seat = turn % players
        action, touched, key, _ = history_at(state, turn)
        kind = action_kind(state, action)
        first, value = action_detail(state, action)
        if kind >= HINT_COLOR:
            notes[N_INFORMATION] = int(notes[N_INFORMATION]) - 1
            note_hint(state, notes, (seat + first) % players, kind, value, touched)
            continue
        note_card(state, notes, seat, first, kind, int(state[DECK + key]))
        dealt = int(notes[N_DEALT])
        if dealt < int(state[DECK_SIZE]):
            count = int(notes[N_COUNTS + seat])
            notes[N_HANDS + seat * MAX_SLOTS + count] = dealt
            notes[N_COUNTS + seat] = count + 1
            notes[N_DEALT] = dealt + 1


@njit
def count_unseen(state, notes, viewer, unseen):
    """Write how many copies of each card id (25) a viewer can't see; viewer -1 sees the table alone."""
    ranks = int(state[RANKS])
    for color in range(MAX_RANKS):
        for rank in range(MAX_RANKS):
            card = color * MAX_RANKS + rank
            left = 0
            if color < int(state[COLORS]) and rank < ranks:
                left = copies(rank, ranks) - int(notes[N_DISCARDED + card])
                if rank < int(notes[N_FIREWORKS + color]):
                    left -= 1
            unseen[card] = left
    if viewer < 0:
        return
    for seat in range(int(state[PLAYERS])):
        if seat != viewer:
            for slot in range(int(notes[N_COUNTS + seat])):
                card = int(state[DECK + int(notes[N_HANDS + seat * MAX_SLOTS + slot])])
                unseen[card] = int(unseen[card]) - 1


@njit
def unseen_mask(unseen):
    """The card ids of which at least one copy is unseen."""
    mask = 0
    for card in range(MAX_CARDS):
        if int(unseen[card]) > 0:
            mask |= 1 << card
    return mask


@njit
def believed(notes, key, unseen, useless):
    """The card ids that a card may be, for somebody to whom `unseen` (mask) is unseen and `useless` is no
    use.

    A promise that facts contradict is dropped; touched cards are useful as long as they can be.
    """
    mask = int(notes[N_POSSIBLE + key]) & unseen
    promised = mask & int(notes[N_PROMISED + key])
    if promised:
        mask = promised
    if int(notes[N_TOUCHED + key]) and int(notes[N_LITERAL]) == 0:
        useful = mask & ~useless
        if useful:
            mask = useful
    return mask
