"""What human proxies read in Hanabi for two: about each move what it would do by hints alone, what the
conventions and the bots think of it, and what happened in the last six moves.

`encode_many` writes `CONTEXT` numbers and then `EACH` numbers for each of the twenty moves, in the same way
for each card and each hint, so that a network may share weights among moves. A record holds the whole public
history, so nothing has to be remembered. Not for agents that learn by reinforcement (`features`).
"""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.bots import CONVENTION_WEIGHTS, GROUNDED_WEIGHTS
from engine.games.hanabi.conventions import (
    NOTES_SIZE,
    count_unseen,
    critical_mask,
    dead_mask,
    playable_mask,
    played_mask,
    take_notes,
)
from engine.games.hanabi.features import PER_CARD, PER_HINT, TABLE, encode_features, features_size
from engine.games.hanabi.lookahead import ILLEGAL, allocating, weigh
from engine.games.hanabi.rules import (
    CARD_STRIDE,
    CARDS,
    COLOR_HINT,
    COLOR_MASK,
    DEALT,
    DECK,
    DECK_SIZE,
    HINT_COLOR,
    HINT_RANK,
    INFORMATION,
    LAST_TOUCHED_TURN,
    LIVES,
    MAX_CARDS,
    MAX_COLORS,
    MAX_RANKS,
    MAX_SLOTS,
    RANK_HINT,
    RANK_MASK,
    SCORE,
    TURN,
    touches,
)
from engine.simulation.jit import njit

FEATURES_VERSION = 1
MEMORY = 0
LAST = 6  # moves that are looked back at
PER_MOVE = 9
CONTEXT = 4 + 9 + 2 * 6 + 4 + LAST * PER_MOVE
ALIKE, EXTRAS = 20, 1
NOTED = PER_CARD - MAX_CARDS  # what features write of a card besides what it may be
OWN_CARD, HINTED = 22, 22
# Kind, place, rank, bots' values, repeats; of a card of one's own; of a hint.
EACH = 4 + 5 + 5 + 6 + 3 + NOTED + OWN_CARD + PER_HINT + HINTED
SIZE = CONTEXT + ALIKE * EACH
RELATED = ((tuple(range(ALIKE)),),)
PERSONAS = ("none", "few", "multiple", "many")  # how often they had played before


def persona(survey: dict[str, str]) -> str:
    """Which of PERSONAS a person is by the answers to a survey; "" if nobody asked."""
    answer = survey.get("exp", "")
    return answer if answer in PERSONAS else ""


@njit
def _shares(state, color_mask, rank_mask, unseen, masks, out):
    """Shares of the cards that hints allow (and nobody sees) that are playable, useless and critical, and how
    many kinds there may be: into out[:4]; masks are those three.
    """
    total, kinds = 0, 0
    for index in range(4):
        out[index] = 0.0
    for card in range(MAX_CARDS):
        if color_mask >> (card // MAX_RANKS) & 1 and rank_mask >> (card % MAX_RANKS) & 1 and unseen[card] > 0:
            total += unseen[card]
            kinds += 1
            for index in range(3):
                out[index] += unseen[card] * (masks[index] >> card & 1)
    for index in range(3):
        out[index] /= max(total, 1)
    out[3] = kinds / 25


@njit
def _card(state, seat, slot, unseen, masks, out):
    """What a seat knows by hints alone of a card of its own."""
    if slot >= rules.hand_size(state, seat):
        return
    record = CARDS + rules.key_at(state, seat, slot) * CARD_STRIDE
    color, rank = int(state[record + COLOR_HINT]), int(state[record + RANK_HINT])
    touched = int(state[record + LAST_TOUCHED_TURN])
    _shares(state, int(state[record + COLOR_MASK]), int(state[record + RANK_MASK]), unseen, masks, out)
    out[4] = 1.0 if out[0] > 0.999 else 0.0
    out[5] = 1.0 if out[1] > 0.999 else 0.0
    out[6] = 1.0 if out[0] == 0.0 else 0.0
    out[7] = 1.0 if color >= 0 else 0.0
    out[8] = 1.0 if rank >= 0 else 0.0
    if rank >= 0:
        out[9 + rank] = 1.0
    turn = int(state[TURN])
    out[14] = 1.0 if touched >= 0 and touched == turn - 1 else 0.0
    out[15] = 1.0 if touched >= 0 and touched == turn - 3 else 0.0
    out[16] = 1.0 if touched >= 0 and touched == turn - 5 else 0.0
    last = 0
    for other in range(rules.hand_size(state, seat)):
        key = rules.key_at(state, seat, other)
        last += 1 if int(state[CARDS + key * CARD_STRIDE + LAST_TOUCHED_TURN]) == touched else 0
    out[17] = 1.0 if touched >= 0 and last == 1 else 0.0  # alone in its hint
    out[18] = last / 5 if touched >= 0 else 0.0
    if turn > 0 and touched == turn - 1:
        action, _, _, _ = rules.history_at(state, turn - 1)
        out[19] = 1.0 if rules.action_kind(state, action) == HINT_COLOR else 0.0
        out[20] = 1.0 if rules.action_kind(state, action) == HINT_RANK else 0.0
    out[21] = 1.0 if touched < 0 else 0.0


@njit
def _told(state, seat, kind, value, unseen, masks, scratch, out):
    """What a hint would tell the other one by hints alone."""
    target = 1 - seat
    mask = touches(state, target, kind, value)
    if mask == 0:
        return
    for slot in range(rules.hand_size(state, target)):
        key = rules.key_at(state, target, slot)
        record, card = CARDS + key * CARD_STRIDE, int(state[DECK + key])
        color_mask, rank_mask = int(state[record + COLOR_MASK]), int(state[record + RANK_MASK])
        _shares(state, color_mask, rank_mask, unseen, masks, scratch)
        before, kinds = scratch[0], scratch[3]
        bit, touched = 1 << value, mask >> slot & 1
        if kind == HINT_COLOR:
            color_mask = bit if touched else color_mask & ~bit
        else:
            rank_mask = bit if touched else rank_mask & ~bit
        _shares(state, color_mask, rank_mask, unseen, masks, scratch)
        playable, useless = masks[0] >> card & 1, masks[1] >> card & 1
        out[0] += 0.2 * touched
        out[1] += 4 * max(kinds - scratch[3], 0.0) / 5
        out[2] += 0.2 if before < 0.999 <= scratch[0] else 0.0
        out[3] = max(out[3], scratch[0] * playable * touched)
        out[4] = max(out[4], scratch[0] * (1 - playable) * touched)
        out[5] += 0.2 * touched * playable
        out[6] += 0.2 * touched * useless
        out[7] += 0.2 * touched * (masks[2] >> card & 1)
        new = int(state[record + (COLOR_HINT if kind == HINT_COLOR else RANK_HINT)]) < 0
        out[8] += 0.2 * touched * new
        out[9] += 0.2 * touched * (int(state[record + LAST_TOUCHED_TURN]) < 0)
        out[10] += 0.2 * touched * new * playable
        out[11] += 0.2 * touched * (int(state[record + LAST_TOUCHED_TURN]) < 0) * playable
        if playable and touched:
            out[12] = max(out[12], 1.0 - before)
            # the other hint about this card was given already
            out[13] = (
                1.0
                if int(state[record + (RANK_HINT if kind == HINT_COLOR else COLOR_HINT)]) >= 0
                else out[13]
            )
        if touched and rules.hand_size(state, target) == slot + 1:
            out[14] = 1.0
        if touched and slot == 0:
            out[15] = 1.0
        if touched and scratch[3] < 0.05:
            out[16] = 1.0
    out[17] = 1.0 if out[0] < 0.3 else 0.0
    out[18] = 1.0 if out[8] == 0.0 else 0.0
    out[19] = 1.0 if out[5] > 0.0 else 0.0
    out[20] = 1.0 if out[5] == out[0] else 0.0
    out[21] = 1.0 if out[2] > 0.0 else 0.0


@njit
def _table(state, seat, out):
    """Lives, hints, fireworks, cards left, and the last moves, the other's first."""
    out[min(int(state[LIVES]), 3)] = 1.0
    out[4 + min(int(state[INFORMATION]), 8)] = 1.0
    for color in range(MAX_COLORS):
        # how many fireworks have each height: colours are alike
        out[13 + rules.firework(state, color)] += 0.2
        out[19 + rules.firework(state, color)] = 1.0
    at = 13 + 12
    left = int(state[DECK_SIZE]) - int(state[DEALT])
    out[at] = left / 50
    out[at + 1] = 1.0 if left == 0 else 0.0
    out[at + 2] = int(state[SCORE]) / 25
    out[at + 3] = min(int(state[TURN]), 60) / 60
    at += 4
    turn = int(state[TURN])
    for ago in range(1, LAST + 1):
        if ago <= turn:
            action, touched, _, success = rules.history_at(state, turn - ago)
            kind = rules.action_kind(state, action)
            if kind >= 0:
                out[at + kind] = 1.0
            out[at + 4] = success
            if kind in (HINT_COLOR, HINT_RANK):
                number = 0
                for slot in range(MAX_SLOTS):
                    number += touched >> slot & 1
                out[at + 5] = number / 5
                out[at + 6] = 1.0 if number == 1 else 0.0
            elif kind >= 0:
                slot, _ = rules.action_detail(state, action)
                out[at + 7] = 1.0 if slot == 0 else 0.0
                out[at + 8] = 1.0 if slot == MAX_SLOTS - 1 else 0.0
        at += PER_MOVE


@allocating
def _encode(state, seat, notes, unseen, public, noted, values, scratch, masks, out):
    for index in range(out.shape[0]):
        out[index] = 0.0
    take_notes(state, notes, 0)
    count_unseen(state, notes, seat, unseen)
    count_unseen(state, notes, -1, public)
    masks[0] = playable_mask(state, notes)
    masks[1] = played_mask(state, notes) | dead_mask(state, notes)
    masks[2] = critical_mask(state, notes)
    encode_features(state, seat, noted)
    _table(state, seat, out)
    for bot in range(2):
        weigh(state, bot, GROUNDED_WEIGHTS if bot else CONVENTION_WEIGHTS, values[bot])
    first_hint = 2 * (MAX_SLOTS * PER_CARD + MAX_SLOTS) + TABLE
    turn = int(state[TURN])
    for action in range(ALIKE):
        features = out[CONTEXT + action * EACH : CONTEXT + (action + 1) * EACH]
        kind = rules.action_kind(state, action)
        features[kind] = 1.0
        where, value = rules.action_detail(state, action)
        if kind < HINT_COLOR:
            features[4 + where] = 1.0
        elif kind == HINT_RANK:
            features[9 + value] = 1.0
        at = 14
        for bot in range(2):
            best = ILLEGAL
            for other in range(ALIKE):
                best = max(best, values[bot, other])
            behind = max(values[bot, action] - best, -20.0)
            features[at] = np.exp(behind)
            features[at + 1] = np.exp(behind / 4)
            features[at + 2] = 1.0 if behind > -0.001 else 0.0
            at += 3
        for index in range(3):
            ago = 2 * (index + 1)
            if ago <= turn and rules.history_at(state, turn - ago)[0] == action:
                features[at + index] = 1.0
        at += 3
        if kind < HINT_COLOR:
            for index in range(NOTED):
                features[at + index] = noted[where * PER_CARD + MAX_CARDS + index]
            at += NOTED
            _card(state, seat, where, unseen, masks, features[at : at + OWN_CARD])
        else:
            at += NOTED + OWN_CARD
            hint = first_hint + (action - 2 * MAX_SLOTS) * PER_HINT
            for index in range(PER_HINT):
                features[at + index] = noted[hint + index]
            at += PER_HINT
            _told(state, seat, kind, value, public, masks, scratch, features[at : at + HINTED])


@allocating
def encode_many(states, seats, memory, out):
    """Fill out (n, SIZE) float32 from records (n, state_size); there is no memory to keep."""
    notes = np.empty(NOTES_SIZE, np.int64)
    unseen = np.empty(MAX_CARDS, np.int64)
    public = np.empty(MAX_CARDS, np.int64)
    masks = np.empty(3, np.int64)
    scratch = np.empty(4, np.float64)
    values = np.empty((2, ALIKE + 1), np.float64)
    for row in range(len(states)):
        noted = np.empty(features_size(states[row]), np.float32)
        seat = int(seats[row])
        _encode(states[row], seat, notes, unseen, public, noted, values, scratch, masks, out[row])
