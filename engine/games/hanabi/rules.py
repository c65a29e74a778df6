"""The rules of Hanabi for 2 to 5 players, as scalar functions over one row of int16: the state record.

The rules are those of the Hanabi Learning Environment (HLE) to the letter, its Python wrapper's dealing
included (a card that leaves a hand is replaced at once while the deck lasts, even by the move that ends the
game). Every function allocates nothing and calls nothing but its like, so it runs as plain Python, under
numba and inside a CUDA kernel, and always with the same result. Nothing here checks that a move is legal:
`legal` says what is, callers ask first.

Layout. All strides are the maximal ones (5 seats, 5 slots, 25 card ids, 50 cards), whatever the options, so
that code over a record is compiled once. A *card id* is `colour * 5 + rank` (rank 0 is shown as 1), also when
the game has fewer ranks. A *key* is a card's place in the dealing order, 0 .. 49, and names one physical card
through the whole game. Slot 0 of a hand is the oldest card, the newest is the last. *Turns* count moves from
0; seat 0 begins, so the seat of turn t is `t % players`.

    0..7    settings       36..40  cards in each hand        80..104   discarded, by card id
    8..13   random stream  41..45  height of each firework   112..161  deck: card id by key
    14..22  game state     48..72  hands: key by seat, slot  168..567  per card
    23      a setting      24..35  last move                 568..695  history: one number a turn

What "per card" and "history" hold goes beyond what HLE shows; it is public knowledge that conventions are
made of.
"""

from __future__ import annotations

import numpy as np

from engine.simulation.jit import inner, rule
from engine.simulation.rng import MASK32, below, derive, get32, put32, random32

RULES_VERSION = 1
STATE_SIZE = 704
STATE_DTYPE = np.int16

# Strides.
MAX_PLAYERS = MAX_SLOTS = MAX_COLORS = MAX_RANKS = 5
MAX_CARDS = 25  # card ids
MAX_DECK = 50

# Settings.
PLAYERS, COLORS, RANKS, SLOTS, INFORMATION_MAX, LIVES_MAX, KEEP_POINTS, DECK_SIZE = range(8)
# Random stream: two 32-bit words of key and the number of the episode in that stream, each in two fields.
KEY_A, KEY_B, EPISODE = 8, 10, 12
# Game state. OVER: 0 running, else one of the three ends below. TURNS_LEFT counts down once the deck is
# empty.
TURN, CURRENT, INFORMATION, LIVES, DEALT, TURNS_LEFT, OVER, SCORE, STACKED = range(14, 23)
# A setting that came later: 1 where cards may be discarded with all hints there, too.
DISCARD_ALWAYS = 23
RUNNING, OUT_OF_LIVES, COMPLETE, OUT_OF_CARDS = range(4)
# Last move; LAST_ACTION is -1 before the first one. LAST_TARGET is a seat (-1: not a hint), LAST_VALUE the
# hinted colour or rank, LAST_TOUCHED and LAST_NEW masks over the target's slots, LAST_SLOT/KEY/CARD the card
# played or discarded, LAST_SCORED 1 after a successful play, LAST_TOKEN 1 when an information token came
# back.
LAST_ACTION, LAST_SEAT, LAST_KIND, LAST_TARGET, LAST_VALUE, LAST_TOUCHED = range(24, 30)
LAST_NEW, LAST_SLOT, LAST_KEY, LAST_CARD, LAST_SCORED, LAST_TOKEN = range(30, 36)
# Kinds of move, in HLE's order of the last-action section (not the order of action ids).
PLAY, DISCARD, HINT_COLOR, HINT_RANK = range(4)
# Tables.
HAND_COUNTS, FIREWORKS, HANDS, DISCARDED = 36, 41, 48, 80
DECK, CARDS, HISTORY = 112, 168, 568
# Fields of a card's record (stride 8 from CARDS + key * 8). Masks hold one bit per colour or rank that the
# holder can't exclude from hints about this card; hints are the positively hinted colour or rank, or -1;
# turns are -1 for never. How and by whom a card was touched is in the history of that turn.
CARD_STRIDE = 8
COLOR_MASK, RANK_MASK, COLOR_HINT, RANK_HINT, DRAWN, FIRST_TOUCHED, LAST_TOUCHED_TURN, HOLDER = range(8)


@rule
def copies(rank, ranks):
    """How many copies of each card of this rank a colour has: 3 of the lowest, 1 of the highest, else 2."""
    if rank == 0:
        return 3
    if rank == ranks - 1:
        return 1
    return 2


@inner
def is_common(state):
    """Whether this is the two-player game with 5 colours, ranks and slots: it has its own compiled copies."""
    sizes = int(state[PLAYERS]) ^ 2 | int(state[SLOTS]) ^ 5 | int(state[COLORS]) ^ 5 | int(state[RANKS]) ^ 5
    return sizes == 0


@rule
def num_actions(state):
    """Number of action ids, the no-op (always the last id) included."""
    players = int(state[PLAYERS])
    return 2 * int(state[SLOTS]) + (players - 1) * (int(state[COLORS]) + int(state[RANKS])) + 1


@rule
def hand_size(state, seat):
    """Number of cards in a seat's hand."""
    return int(state[HAND_COUNTS + seat])


@rule
def key_at(state, seat, slot):
    """The key of the card in a slot (0 is the oldest); the slot must hold a card."""
    return int(state[HANDS + seat * MAX_SLOTS + slot])


@rule
def card_of(state, key):
    """The card id (colour * 5 + rank) of a key."""
    return int(state[DECK + key])


@rule
def card_field(state, key, field):
    """One field (COLOR_MASK .. HOLDER) of a card's record; only of cards that were dealt."""
    return int(state[CARDS + key * CARD_STRIDE + field])


@rule
def plausible(state, key, card):
    """1 if the hints about a card allow it to be this card id, else 0 (HLE's plausible bit; no counting)."""
    base = CARDS + key * CARD_STRIDE
    color = int(state[base + COLOR_MASK]) >> (card // MAX_RANKS)
    rank = int(state[base + RANK_MASK]) >> (card % MAX_RANKS)
    return color & rank & 1


@rule
def firework(state, color):
    """Number of cards on a firework; the next card that fits has this rank (0-based)."""
    return int(state[FIREWORKS + color])


@rule
def is_playable(state, card):
    """Whether this card id fits on its firework now."""
    return int(state[FIREWORKS + card // MAX_RANKS]) == card % MAX_RANKS


@rule
def history_at(state, turn):
    """What happened at a turn: (action id, mask of touched slots, key played or discarded or -1, success 0 or
    1).
    """
    entry = int(state[HISTORY + turn])
    action = entry & 0x3F
    detail = (entry >> 6) & 0x3F
    if action < 2 * int(state[SLOTS]):
        return action, 0, detail, entry >> 12
    return action, detail, -1, 0


@rule
def action_kind(state, action):
    """The kind of an action id: PLAY, DISCARD, HINT_COLOR, HINT_RANK, or -1 for the no-op."""
    slots = int(state[SLOTS])
    others = int(state[PLAYERS]) - 1
    colors = int(state[COLORS])
    if action < slots:
        return DISCARD
    if action < 2 * slots:
        return PLAY
    if action < 2 * slots + others * colors:
        return HINT_COLOR
    if action < 2 * slots + others * (colors + int(state[RANKS])):
        return HINT_RANK
    return -1


@rule
def action_detail(state, action):
    """(slot, 0) of a play or discard; (offset of the target seat from the mover, 1 .., value) of a hint."""
    slots = int(state[SLOTS])
    if action < slots:
        return action, 0
    if action < 2 * slots:
        return action - slots, 0
    colors = int(state[COLORS])
    rest = action - 2 * slots
    hints = (int(state[PLAYERS]) - 1) * colors
    if rest < hints:
        return 1 + rest // colors, rest % colors
    ranks = int(state[RANKS])
    return 1 + (rest - hints) // ranks, (rest - hints) % ranks


@rule
def play_action(state, slot):
    """The action id of playing a slot."""
    return int(state[SLOTS]) + slot


@rule
def color_action(state, offset, color):
    """The action id of hinting a colour to the seat `offset` (1 ..) places after the mover."""
    return 2 * int(state[SLOTS]) + (offset - 1) * int(state[COLORS]) + color


@rule
def rank_action(state, offset, rank):
    """The action id of hinting a rank (0-based) to the seat `offset` (1 ..) places after the mover."""
    first = 2 * int(state[SLOTS]) + (int(state[PLAYERS]) - 1) * int(state[COLORS])
    return first + (offset - 1) * int(state[RANKS]) + rank


@rule
def touches(state, seat, kind, value):
    """Mask of the slots of a seat's hand that a hint (HINT_COLOR or HINT_RANK) of this value would touch."""
    mask = 0
    for slot in range(int(state[HAND_COUNTS + seat])):
        card = int(state[DECK + int(state[HANDS + seat * MAX_SLOTS + slot])])
        if kind == HINT_COLOR:
            colour = card // MAX_RANKS
        else:
            colour = card % MAX_RANKS
        if colour == value:
            mask |= 1 << slot
    return mask


@rule
def legal(state, seat, out):
    """Write the action mask of a seat, 0 or 1 for each of `num_actions` ids, into `out`.

    The seat to move has its moves and not the no-op; everybody else, and everybody when the game is over, has
    the no-op alone.
    """
    total = num_actions(state)
    if int(state[OVER]) != RUNNING or seat != int(state[CURRENT]):
        for action in range(total - 1):
            out[action] = 0
        out[total - 1] = 1
    elif is_common(state):
        _legal_moves(state, seat, out, 2, 5, 5, 5)
    else:
        players, slots = int(state[PLAYERS]), int(state[SLOTS])
        _legal_moves(state, seat, out, players, slots, int(state[COLORS]), int(state[RANKS]))


@rule(inline="always")
def _legal_moves(state, seat, out, players, slots, colors, ranks):
    held = int(state[HAND_COUNTS + seat])
    tokens = int(state[INFORMATION])
    may_discard = 1 if tokens < int(state[INFORMATION_MAX]) else int(state[DISCARD_ALWAYS])
    for slot in range(slots):
        has = 1 if slot < held else 0
        out[slot] = has & may_discard
        out[slots + slot] = has
    color_base = 2 * slots
    rank_base = color_base + (players - 1) * colors
    target = seat
    for _ in range(players - 1):
        target += 1
        if target == players:
            target = 0
        seen = 0
        if tokens > 0:
            for slot in range(int(state[HAND_COUNTS + target])):
                card = int(state[DECK + int(state[HANDS + target * MAX_SLOTS + slot])])
                color = card // MAX_RANKS
                seen |= 1 << color | 32 << (card - color * MAX_RANKS)
        for color in range(colors):
            out[color_base + color] = (seen >> color) & 1
        for rank in range(ranks):
            out[rank_base + rank] = (seen >> (5 + rank)) & 1
        color_base += colors
        rank_base += ranks
    out[rank_base] = 0


@rule
def draw(state, seat):
    """Give a seat the next card of the deck as its newest, with nothing known about it; nothing when none is
    left.
    """
    key = int(state[DEALT])
    if key >= int(state[DECK_SIZE]):
        return
    state[DEALT] = key + 1
    count = int(state[HAND_COUNTS + seat])
    state[HANDS + seat * MAX_SLOTS + count] = key
    state[HAND_COUNTS + seat] = count + 1
    base = CARDS + key * CARD_STRIDE
    state[base + COLOR_MASK] = (1 << int(state[COLORS])) - 1
    state[base + RANK_MASK] = (1 << int(state[RANKS])) - 1
    state[base + COLOR_HINT] = -1
    state[base + RANK_HINT] = -1
    state[base + DRAWN] = int(state[TURN])
    state[base + FIRST_TOUCHED] = -1
    state[base + LAST_TOUCHED_TURN] = -1
    state[base + HOLDER] = seat


@rule
def configure(state, players, colors, ranks, slots, information, lives, keep_points, discard_always):
    """Write the settings of a record (already validated); call `seed` or fill the deck next."""
    for index in range(STATE_SIZE):
        state[index] = 0
    state[PLAYERS] = players
    state[COLORS] = colors
    state[RANKS] = ranks
    state[SLOTS] = slots
    state[INFORMATION_MAX] = information
    state[LIVES_MAX] = lives
    state[KEEP_POINTS] = keep_points
    state[DISCARD_ALWAYS] = discard_always
    deck_size = 0
    for rank in range(ranks):
        deck_size += colors * copies(rank, ranks)
    state[DECK_SIZE] = deck_size


@rule
def seed(state, key_a, key_b):
    """Set the random stream (two 32-bit words); the next game of `new_game` is its episode 0."""
    put32(state, KEY_A, key_a)
    put32(state, KEY_B, key_b)
    put32(state, EPISODE, 0xFFFFFFFF)


@rule(inline="always")
def _fill(state, colors, ranks):
    index = 0
    for color in range(colors):
        for rank in range(ranks):
            for _ in range(copies(rank, ranks)):
                state[DECK + index] = color * MAX_RANKS + rank
                index += 1


@rule
def shuffle(state):
    """Fill the deck in the random order of the record's stream and episode (Fisher and Yates)."""
    key_a, key_b = derive(get32(state, KEY_A), get32(state, KEY_B), get32(state, EPISODE))
    if is_common(state):
        _fill(state, 5, 5)
    else:
        _fill(state, int(state[COLORS]), int(state[RANKS]))
    for last in range(int(state[DECK_SIZE]) - 1, 0, -1):
        other = below(random32(key_a, key_b, last), last + 1)
        card = int(state[DECK + last])
        state[DECK + last] = int(state[DECK + other])
        state[DECK + other] = card


@rule
def deal(state):
    """Begin a game with the deck in the record: seat 0's whole hand first, then seat 1's, and so on."""
    state[TURN] = 0
    state[CURRENT] = 0
    state[INFORMATION] = int(state[INFORMATION_MAX])
    state[LIVES] = int(state[LIVES_MAX])
    state[DEALT] = 0
    state[TURNS_LEFT] = int(state[PLAYERS])
    state[OVER] = RUNNING
    state[SCORE] = 0
    state[STACKED] = 0
    for index in range(LAST_ACTION, LAST_TOKEN + 1):
        state[index] = -1
    for index in range(HAND_COUNTS, HANDS):
        state[index] = 0
    for index in range(MAX_CARDS):
        state[DISCARDED + index] = 0
    for seat in range(int(state[PLAYERS])):
        for _ in range(int(state[SLOTS])):
            draw(state, seat)


@rule
def new_game(state):
    """Go to the next episode of the record's random stream: shuffle and deal."""
    put32(state, EPISODE, (get32(state, EPISODE) + 1) & MASK32)
    shuffle(state)
    deal(state)


@rule
def _hint(state, kind, target, value):
    """Tell a seat all its cards of a colour or rank; returns (touched, newly revealed), masks over slots."""
    turn = int(state[TURN])
    field = COLOR_MASK if kind == HINT_COLOR else RANK_MASK
    touched = 0
    fresh = 0
    for slot in range(int(state[HAND_COUNTS + target])):
        key = int(state[HANDS + target * MAX_SLOTS + slot])
        card = int(state[DECK + key])
        base = CARDS + key * CARD_STRIDE
        hinted = card // MAX_RANKS if kind == HINT_COLOR else card % MAX_RANKS
        if hinted == value:
            touched |= 1 << slot
            if int(state[base + field + 2]) < 0:
                fresh |= 1 << slot
            state[base + field] = 1 << value
            state[base + field + 2] = value
            if int(state[base + FIRST_TOUCHED]) < 0:
                state[base + FIRST_TOUCHED] = turn
            state[base + LAST_TOUCHED_TURN] = turn
        else:
            state[base + field] = int(state[base + field]) & ~(1 << value)
    return touched, fresh


@inner
def _give_token(state):
    """Take an information token back; 1 if there was room for it."""
    if int(state[INFORMATION]) < int(state[INFORMATION_MAX]):
        state[INFORMATION] = int(state[INFORMATION]) + 1
        return 1
    return 0


@inner
def _stack(state, card):
    """Lay a card on its firework or lose a life and discard it; returns (scored, token), each 0 or 1."""
    color = card // MAX_RANKS
    rank = card - color * MAX_RANKS
    if int(state[FIREWORKS + color]) != rank:
        state[LIVES] = int(state[LIVES]) - 1
        state[DISCARDED + card] = int(state[DISCARDED + card]) + 1
        return 0, 0
    state[FIREWORKS + color] = rank + 1
    state[STACKED] = int(state[STACKED]) + 1
    if rank + 1 == int(state[RANKS]):
        return 1, _give_token(state)
    return 1, 0


@rule
def step(state, action):
    """Make the current seat's move, which must be legal, and return the reward: the change of the score.

    With KEEP_POINTS 0 the score after the last life is 0, so that reward is minus the points so far.
    """
    seat = int(state[CURRENT])
    players = int(state[PLAYERS])
    if int(state[DEALT]) >= int(state[DECK_SIZE]):
        state[TURNS_LEFT] = int(state[TURNS_LEFT]) - 1
    kind = action_kind(state, action)
    first, value = action_detail(state, action)
    state[LAST_ACTION] = action
    state[LAST_SEAT] = seat
    state[LAST_KIND] = kind
    touched, fresh, scored, token = 0, 0, 0, 0
    target, slot, key, card = -1, -1, -1, -1
    if kind >= HINT_COLOR:
        target = seat + first
        if target >= players:
            target -= players
        state[INFORMATION] = int(state[INFORMATION]) - 1
        touched, fresh = _hint(state, kind, target, value)
    else:
        slot, value = first, -1
        base = HANDS + seat * MAX_SLOTS
        key = int(state[base + slot])
        card = int(state[DECK + key])
        if kind == PLAY:
            scored, token = _stack(state, card)
        else:
            token = _give_token(state)
            state[DISCARDED + card] = int(state[DISCARDED + card]) + 1
        count = int(state[HAND_COUNTS + seat]) - 1
        for place in range(slot, count):
            state[base + place] = int(state[base + place + 1])
        state[base + count] = -1
        state[HAND_COUNTS + seat] = count
    state[LAST_TARGET] = target
    state[LAST_VALUE] = value
    state[LAST_TOUCHED] = touched
    state[LAST_NEW] = fresh
    state[LAST_SLOT] = slot
    state[LAST_KEY] = key
    state[LAST_CARD] = card
    state[LAST_SCORED] = scored
    state[LAST_TOKEN] = token
    turn = int(state[TURN])
    state[HISTORY + turn] = action | (touched if kind >= HINT_COLOR else key) << 6 | scored << 12
    state[TURN] = turn + 1
    state[CURRENT] = seat + 1 if seat + 1 < players else 0
    if kind < HINT_COLOR:
        draw(state, seat)
    return _settle(state)


@rule
def _settle(state):
    """Update the score and whether the game is over; returns the change of the score."""
    stacked = int(state[STACKED])
    score = stacked
    if int(state[LIVES]) < 1:
        state[OVER] = OUT_OF_LIVES
        score = stacked if int(state[KEEP_POINTS]) else 0
    elif stacked >= int(state[COLORS]) * int(state[RANKS]):
        state[OVER] = COMPLETE
    elif int(state[TURNS_LEFT]) <= 0:
        state[OVER] = OUT_OF_CARDS
    reward = score - int(state[SCORE])
    state[SCORE] = score
    return reward
