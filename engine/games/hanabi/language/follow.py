"""A program followed in games: the prior over the moves of a seat, of one live game or of many at once.

Uses what the seat may know: its own cards by their hints, the others' cards, the public record of moves. A
card that a hint touched stays meant until it leaves the hand, so instructions reach over several turns. All
that is in the state record, so there is nothing to follow beside the games. Sets of cards are bits by slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.language import coded as c
from engine.games.hanabi.language.coded import Cards
from engine.games.hanabi.rules import DISCARD, HINT_COLOR, HINT_RANK, MAX_CARDS, MAX_RANKS, MAX_SLOTS, PLAY
from engine.simulation.jit import inner, njit, rule

STRENGTH = 16.0
"""Logits that a rule of weight 1 adds to a move. Several times what separates a policy's best moves, so that
an instruction is obeyed from the next move on, and not so much that a certain loss is chosen for it."""
ASKS = STRENGTH / 2
"""Logits of a prior from which on a move is asked for, or forbidden; less is which of several is taken."""
HABIT = 0.15
"""Share of the strength by which a habit ("when I discard, my oldest") raises the move that it chooses."""
BOLD = 0.5
"""The same for "play my newest card", which asks for the play as well, while there are two lives to spare."""
PURPOSE = 0.6
"""Share of the strength for a hint that serves its purpose: below a play that was asked for."""


def priors_many(programs: list[dict[str, Any]], states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """The sum of the priors of some programs for the seats (n,) of games (n, state_size), float32
    (n, num_actions).
    """
    total = np.zeros((len(states), rules.num_actions(states[0]) if len(states) else 0), np.float32)
    for program in programs:
        one, each = c.coded(program), np.zeros_like(total)
        since = int(program.get("since_tick", 0))
        _write(states, seats, since, one.rules, one.whens, one.unless, one.weights, each)
        total += each
    return total


class Following:
    """The same in `n` games (engine.language.following); nothing is ever done: a convention lasts."""

    def __init__(self, n: int) -> None:
        self.states = np.zeros((n, rules.STATE_SIZE), rules.STATE_DTYPE)

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        self.states[rows] = states

    def follow(self, states: np.ndarray, rows: np.ndarray) -> None:
        self.begin(states, rows)

    def asked(self, programs: list[dict[str, Any]], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return priors_many(programs, self.states[rows], seats)

    def done(self, program: dict[str, Any], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.zeros(len(rows), bool)

    def ticks(self, rows: np.ndarray) -> np.ndarray:
        return self.states[rows, rules.TURN]


@njit
def _write(states, seats, since, orders, whens, unless, weights, out):
    """Add the prior of a program (coded.py) to the rows of `out`."""
    legal, excepted = np.zeros(out.shape[1], np.int8), np.zeros(len(whens), np.int8)
    for row in range(len(states)):
        state, seat = states[row], int(seats[row])
        if int(state[rules.OVER]) != rules.RUNNING:
            continue
        rules.legal(state, seat, legal)
        for index in range(len(orders)):
            strength = STRENGTH * weights[index]
            _add(state, seat, since, orders[index], whens, unless, strength, legal, excepted, out[row])


@rule
def _add(state, seat, since, order, whens, unless, strength, legal, excepted, logits):
    """Add what one rule prefers, of which `legal` allows something."""
    then = int(order[c.THEN])
    always = order[c.FIRST] == order[c.LAST]
    if then in (c.HINT, HINT_COLOR, HINT_RANK):
        if always or _did(state, seat, order, whens, excepted):
            _add_hint(state, seat, order, strength, legal, logits)
        return
    selects = int(order[c.SELECTS])
    if not always and not _did(state, seat, order, whens, excepted):
        about_touched = Cards.TOUCHED <= selects <= Cards.TOUCHED_OLDEST
        if not about_touched or _hinted(state, seat, since, order, whens, excepted) == 0:
            return
    meant = _slots(state, seat, since, order, whens, excepted)
    slots = meant & ~_left_out(state, seat, order, unless)
    if slots == 0 and (meant != 0 or selects == Cards.USELESS):
        return  # all that it is about is what it leaves out, or it knows of none that nobody needs
    keep, habit = then == c.KEEP, order[c.IS_HABIT] != 0
    for slot in range(rules.hand_size(state, seat)):
        sure, hopeless = _fits(state, seat, slot)
        inside = slots >> slot & 1 != 0
        for kind in (PLAY, DISCARD):
            action = rules.play_action(state, slot) if kind == PLAY else slot
            if legal[action] == 0:
                continue
            if keep:
                if inside and (kind == DISCARD or not sure):
                    logits[action] -= np.float32(strength)
            elif kind == then and inside:
                if kind == PLAY and strength > 0 and hopeless:
                    continue  # a card that is known not to fit is not thrown away for an instruction
                if not habit:
                    logits[action] += np.float32(strength)
                elif kind == DISCARD:
                    logits[action] += np.float32(HABIT * strength)
                elif sure or int(state[rules.LIVES]) > 2:
                    logits[action] += np.float32(BOLD * strength)
            elif kind == then and habit and not (kind == PLAY and sure):
                logits[action] -= np.float32(strength)


@inner
def _add_hint(state, seat, order, strength, legal, logits):
    """The same of a rule that asks for hints, or forbids them."""
    then, told, purpose = int(order[c.THEN]), int(order[c.TOLD]), int(order[c.PURPOSE])
    habit, on = order[c.IS_HABIT] != 0, int(order[c.ON])
    given = _given(state, seat) if purpose != 0 else 0
    for action in range(2 * int(state[rules.SLOTS]), rules.num_actions(state) - 1):
        if legal[action] == 0:
            continue
        kind = rules.action_kind(state, action)
        offset, value = rules.action_detail(state, action)
        if then != c.HINT and then != kind:
            if habit:
                logits[action] -= np.float32(strength)
            continue
        if told != c.ANY and told != _number(kind, value):
            continue
        if purpose == 0:
            logits[action] += np.float32((HABIT if habit else 1.0) * strength)
            continue
        target = (seat + offset) % int(state[rules.PLAYERS])
        touched = rules.touches(state, target, kind, value)
        fresh = touched & ~(given >> target * MAX_SLOTS)
        fit, harm = False, False
        hand = rules.hand_size(state, target)
        place = 0 if on == c.ON_OLDEST else hand - 1 if on == c.ON_NEWEST else -1
        if purpose == c.WHATEVER:  # once is enough; a ban is for good
            fit = (fresh if strength > 0 else touched) >> place & 1 != 0
        for slot in range(hand):
            if fresh >> slot & 1 != 0:
                card = rules.card_of(state, rules.key_at(state, target, slot))
                fit = fit or purpose != c.WHATEVER and _serves(state, card, purpose)
                harm = harm or not rules.is_playable(state, card)
        if place >= 0 and touched >> place & 1 == 0:
            continue
        # The partner will play what the hint touches: it must all fit, or the hint costs a life.
        if harm and purpose == c.PLAYABLE and then != c.HINT:
            logits[action] -= np.float32(strength * PURPOSE)
        elif fit:
            logits[action] += np.float32(strength * PURPOSE)


@rule
def _number(kind, value):
    """The number (coded.py) of what a hint tells."""
    return value if kind == HINT_COLOR else 5 + value


@inner
def _move_at(state, turn):
    """(seat, kind, target or -1, what it told, how many cards it touched: 1, 2 for many) of a past move."""
    action, mask, _, _ = rules.history_at(state, turn)
    players = int(state[rules.PLAYERS])
    mover, kind = turn % players, rules.action_kind(state, action)
    if kind in (PLAY, DISCARD):
        return mover, kind, -1, c.ANY, 0
    offset, value = rules.action_detail(state, action)
    return mover, kind, (mover + offset) % players, _number(kind, value), 2 if mask & (mask - 1) else 1


@inner
def last_turn(state, seat):
    """The turn of the partner's last move: the last hint to me of the others' last moves, else the last of
    those that are no hint; -1 for none.
    """
    now, found = int(state[rules.TURN]), -1
    for turn in range(now - 1, max(-1, now - int(state[rules.PLAYERS])), -1):
        mover, _, target, _, _ = _move_at(state, turn)
        if mover != seat and target == seat:
            return turn
        if mover != seat and target < 0 and found < 0:
            found = turn
    return found


@rule
def _did(state, seat, order, whens, excepted):
    """Whether the partner's last move is one of those that a rule hangs on."""
    turn = last_turn(state, seat)
    if turn < 0:
        return int(whens[order[c.LAST] - 1, c.DID]) >> c.NOTHING & 1 != 0
    return _meets(state, turn, order, whens, excepted)


@inner
def _meets(state, turn, order, whens, excepted):
    """Whether the move of a turn is one that a rule's conditions speak of."""
    _, kind, _, told, touched = _move_at(state, turn)
    met = False
    for index in range(order[c.FIRST], order[c.LAST]):
        excepted[index] = 0
    for index in range(order[c.FIRST], order[c.LAST]):  # exceptions stand before what they are taken from
        when = whens[index]
        met = (
            int(when[c.DID]) >> kind & 1 != 0
            and (when[c.VALUE] == c.ANY or when[c.VALUE] == told)
            and (when[c.TOUCHES] == 0 or when[c.TOUCHES] == touched)
            and excepted[index] == 0
        )
        if met and when[c.EXCEPTS] >= 0:
            excepted[when[c.EXCEPTS]] = 1
    return met


@inner
def _hinted(state, seat, since, order, whens, excepted):
    """My cards that hints of these kinds touched and that are still in my hand."""
    last, found = last_turn(state, seat), 0
    for turn in range(int(state[rules.TURN])):
        mover, _, target, told, _ = _move_at(state, turn)
        if mover == seat or target != seat or turn < since and turn != last:
            continue
        if order[c.FIRST] == order[c.LAST] or _meets(state, turn, order, whens, excepted):
            found |= _told_then(state, seat, turn, told)
    return found


@inner
def _told_then(state, seat, turn, told):
    """The cards in a hand that were there at a turn and of which such a hint tells."""
    found = 0
    for slot in range(rules.hand_size(state, seat)):
        key = rules.key_at(state, seat, slot)
        card = rules.card_of(state, key)
        said = card // MAX_RANKS if told < 5 else 5 + card % MAX_RANKS
        if rules.card_field(state, key, rules.DRAWN) <= turn and said == told:
            found |= 1 << slot
    return found


@inner
def _given(state, seat):
    """The others' cards that my hints touched: bits by seat and slot."""
    found = 0
    for turn in range(int(state[rules.TURN])):
        mover, _, target, told, _ = _move_at(state, turn)
        if mover == seat and target >= 0:
            found |= _told_then(state, target, turn, told) << target * MAX_SLOTS
    return found


@rule
def _fits(state, seat, slot):
    """(surely playable, surely not playable), by what a card may be."""
    key = rules.key_at(state, seat, slot)
    some, none, every = False, True, True
    for card in range(MAX_CARDS):
        if rules.plausible(state, key, card) != 0:
            some = True
            if rules.is_playable(state, card):
                none = False
            else:
                every = False
    return some and every, none


@inner
def _is_unneeded(state, seat, slot):
    """Whether all that a card may be has been played."""
    key = rules.key_at(state, seat, slot)
    for card in range(MAX_CARDS):
        if rules.plausible(state, key, card) != 0 and not _serves(state, card, c.USELESS):
            return False
    return True


@inner
def _is(state, seat, slot, what):
    """Whether all that a card may be is of a colour, of a rank, or of both."""
    key = rules.key_at(state, seat, slot)
    for card in range(MAX_CARDS):
        said = card // MAX_RANKS if what < 5 else 5 + card % MAX_RANKS if what < c.BOTH else c.BOTH + card
        if rules.plausible(state, key, card) != 0 and said != what:
            return False
    return True


@rule
def _left_out(state, seat, order, unless):
    """The cards that are known to be what a rule leaves out."""
    found = 0
    for index in range(order[c.UNLESS], order[c.UNLESS_END]):
        found |= _all_of(state, seat, unless[index])
    return found


@inner
def _all_of(state, seat, what):
    """The cards that are known to be of a colour, of a rank, or of both."""
    found = 0
    for slot in range(rules.hand_size(state, seat)):
        if _is(state, seat, slot, what):
            found |= 1 << slot
    return found


@rule
def _slots(state, seat, since, order, whens, excepted):
    """The cards of my hand that a rule stands for now."""
    selects, of = int(order[c.SELECTS]), int(order[c.OF])
    every = (1 << rules.hand_size(state, seat)) - 1
    if selects == Cards.SLOT:
        return 1 << of & every
    if selects == Cards.KNOWN:
        return _all_of(state, seat, of)
    if Cards.TOUCHED <= selects <= Cards.TOUCHED_OLDEST:
        hinted = _hinted(state, seat, since, order, whens, excepted)
        return _one_of(hinted, selects == Cards.TOUCHED_NEWEST, selects == Cards.TOUCHED_OLDEST)
    if selects == Cards.ANY or selects == Cards.NEWEST or selects == Cards.OLDEST:
        return _one_of(every, selects == Cards.NEWEST, selects == Cards.OLDEST)
    sure, untouched, unneeded = 0, 0, 0
    for slot in range(rules.hand_size(state, seat)):
        if rules.card_field(state, rules.key_at(state, seat, slot), rules.FIRST_TOUCHED) < 0:
            untouched |= 1 << slot
        if _fits(state, seat, slot)[0]:
            sure |= 1 << slot
        if _is_unneeded(state, seat, slot):
            unneeded |= 1 << slot
    if selects == Cards.SURE or selects == Cards.USELESS:
        return sure if selects == Cards.SURE else unneeded
    if selects == Cards.UNSURE:
        return every & ~sure
    return _one_of(untouched, selects == Cards.UNTOUCHED_NEWEST, selects == Cards.UNTOUCHED_OLDEST)


@inner
def _one_of(slots, newest, oldest):
    """Of some cards the newest or the oldest alone; all of them for neither."""
    if oldest:
        return slots & -slots
    if newest:
        found = 0
        for slot in range(MAX_SLOTS):
            if slots >> slot & 1 != 0:
                found = 1 << slot
        return found
    return slots


@rule
def _serves(state, card, purpose):
    """Whether a hint on another seat's card would serve a purpose."""
    rank = card % MAX_RANKS
    useless = rules.firework(state, card // MAX_RANKS) > rank
    if purpose == c.PLAYABLE:
        return rules.is_playable(state, card)
    if purpose == c.USELESS:
        return useless
    left = rules.copies(rank, int(state[rules.RANKS])) - int(state[rules.DISCARDED + card])
    return left == 1 and not useless and not rules.is_playable(state, card)
