"""A program followed in a live game: the prior over one seat's moves.

Uses what the seat may know: its own cards by their hints, the others' cards, the public record of moves. A
card that a hint touched stays meant until it leaves the hand, so instructions reach over several turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.options import COLOR_NAMES

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

STRENGTH = 16.0
"""Logits that a rule of weight 1 adds to a move. Several times what separates a policy's best moves, so that
an instruction is obeyed from the next move on, and not so much that a certain loss is chosen for it."""
HABIT = 0.15
"""Share of the strength by which a habit ("when I discard, my oldest") raises the move that it chooses."""
BOLD = 0.5
"""The same for "play my newest card", which asks for the play as well, while there are two lives to spare."""
PURPOSE = 0.6
"""Share of the strength for a hint that serves its purpose: below a play that was asked for."""


@dataclass(frozen=True)
class _Move:
    """A move as its id says: slot of a play or discard; target seat, value and touched slots of a hint.

    `touched`: how many cards a hint that was given touched then, "one" or "many".
    """

    action: int
    kind: str
    slot: int = -1
    target: int = -1
    value: str | int | None = None
    slots: tuple[int, ...] = ()
    touched: str | None = None


@dataclass(frozen=True)
class _Card:
    """A card in a hand, by its key; `may_be`: card ids that its holder's hints allow."""

    key: int
    card: int
    drawn: int
    touched: bool
    may_be: tuple[int, ...]


_KINDS = {
    rules.PLAY: "play",
    rules.DISCARD: "discard",
    rules.HINT_COLOR: "hint_color",
    rules.HINT_RANK: "hint_rank",
}


def prior(program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """Preference among the moves of `seat`, float32 (num_actions,), in logits; 0 where the program is silent.

    `program["since_tick"]`, if there, is the tick of the instruction: hints older than the partner's last
    move before it are not taken up.
    """
    logits = np.zeros(sim.num_actions, np.float32)
    if sim.over:
        return logits
    table = _Table(sim, seat, int(program.get("since_tick", 0)))
    for rule in program["rules"]:
        _add(rule, table, logits)
    return logits


class _Table:
    """What the seat knows now, in the terms that rules use."""

    def __init__(self, sim: Simulation, seat: int, since: int) -> None:
        # A copy, because the rules are compiled for records that may be written.
        state = np.array(sim.state)
        self.state, self.seat = state, seat
        self.players = int(state[rules.PLAYERS])
        self.lives = int(state[rules.LIVES])
        self.hands = {s: self._hand(s) for s in range(self.players)}
        self.hand = self.hands[seat]
        self.moves = [self._move(int(a), 0, seat) for a in np.flatnonzero(sim.legal(seat)[:-1])]
        past = [
            (turn, turn % self.players, self._move(action, mask, turn % self.players))
            for turn in range(int(state[rules.TURN]))
            for action, mask in [rules.history_at(state, turn)[:2]]
        ]
        others = [(turn, move) for turn, mover, move in past if mover != seat]
        recent = [(turn, move) for turn, move in others if turn > int(state[rules.TURN]) - self.players]
        to_me = [move for _, move in recent if move.target == seat]
        not_hints = [move for _, move in recent if move.target < 0]
        self.last = to_me[-1] if to_me else not_hints[-1] if not_hints else None
        newest = max((turn for turn, move in recent if move is self.last), default=-1)
        self.hints = [
            (turn, m) for turn, m in others if m.target == seat and (turn >= since or turn == newest)
        ]
        self.given = {
            card.key
            for turn, mover, move in past
            if mover == seat and move.target >= 0
            for card in self.hands[move.target]
            if card.drawn <= turn and _said(card.card, move.kind) == move.value
        }
        self.known = [self._known(card) for card in self.hand]

    def _hand(self, seat: int) -> list[_Card]:
        state, cards = self.state, []
        for slot in range(rules.hand_size(state, seat)):
            key = rules.key_at(state, seat, slot)
            colors = rules.card_field(state, key, rules.COLOR_MASK)
            ranks = rules.card_field(state, key, rules.RANK_MASK)
            may_be = tuple(
                card
                for card in range(rules.MAX_CARDS)
                if colors >> (card // rules.MAX_RANKS) & 1 and ranks >> (card % rules.MAX_RANKS) & 1
            )
            touched = rules.card_field(state, key, rules.FIRST_TOUCHED) >= 0
            drawn = rules.card_field(state, key, rules.DRAWN)
            cards.append(_Card(key, rules.card_of(state, key), drawn, touched, may_be))
        return cards

    def _move(self, action: int, mask: int, mover: int) -> _Move:
        kind = int(rules.action_kind(self.state, action))
        first, value = rules.action_detail(self.state, action)
        if kind in (rules.PLAY, rules.DISCARD):
            return _Move(action, _KINDS[kind], slot=int(first))
        target = (mover + int(first)) % self.players
        said = COLOR_NAMES[value] if kind == rules.HINT_COLOR else int(value) + 1
        touched = tuple(s for s, c in enumerate(self.hands[target]) if _said(c.card, _KINDS[kind]) == said)
        how_many = None if not mask else "one" if int(mask).bit_count() == 1 else "many"
        return _Move(action, _KINDS[kind], target=target, value=said, slots=touched, touched=how_many)

    def playable(self, card: int) -> bool:
        return bool(rules.is_playable(self.state, card))

    def _known(self, card: _Card) -> tuple[bool, bool]:
        """(surely playable, surely not playable) by what the card may be."""
        playable = [self.playable(c) for c in card.may_be]
        return bool(playable) and all(playable), not any(playable)

    def hinted(self, when: dict[str, Any] | None) -> list[int]:
        """Slots of my cards that hints of these kinds touched and that are still in my hand, oldest first."""
        when = when or {"partner_did": ["hint_color", "hint_rank"]}
        hints = [(turn, move) for turn, move in self.hints if _meets(move, when)]
        return [
            slot
            for slot, card in enumerate(self.hand)
            if any(card.drawn <= turn and _said(card.card, hint.kind) == hint.value for turn, hint in hints)
        ]

    def did(self, when: dict[str, Any]) -> bool:
        """Whether the partner's last move is one of those."""
        if self.last is None:
            return "nothing" in when["partner_did"]
        return _meets(self.last, when)

    def slots(self, cards: Any, when: dict[str, Any] | None) -> list[int]:
        """The slots of my hand that a rule's `cards` stands for now."""
        size = len(self.hand)
        if isinstance(cards, dict):
            if "slot" in cards:
                return [cards["slot"]] if cards["slot"] < size else []
            return [s for s, card in enumerate(self.hand) if self._is(card, cards)]
        if cards.startswith("touched"):
            hinted = self.hinted(when)
            return {"touched": hinted, "touched_newest": hinted[-1:], "touched_oldest": hinted[:1]}[cards]
        every = list(range(size))
        untouched = [s for s in every if not self.hand[s].touched]
        return {
            "newest": every[-1:],
            "oldest": every[:1],
            "any": every,
            "untouched": untouched,
            "untouched_newest": untouched[-1:],
            "untouched_oldest": untouched[:1],
            "unsure": [s for s in every if not self.known[s][0]],
        }[cards]

    def is_known(self, slot: int, cards: Iterable[dict[str, Any]]) -> bool:
        """Whether the card is known to be of one of these ranks or colours."""
        return any(self._is(self.hand[slot], one) for one in cards)

    def _is(self, card: _Card, what: dict[str, Any]) -> bool:
        kind, wanted = ("hint_rank", what["rank"]) if "rank" in what else ("hint_color", what["color"])
        return all(_said(c, kind) == wanted for c in card.may_be)

    def serves(self, card: _Card, purpose: str) -> bool:
        """Whether a hint on another seat's card would serve a purpose."""
        color, rank = divmod(card.card, rules.MAX_RANKS)
        useless = rules.firework(self.state, color) > rank
        if purpose == "playable":
            return self.playable(card.card)
        if purpose == "useless":
            return useless
        left = rules.copies(rank, int(self.state[rules.RANKS])) - int(self.state[rules.DISCARDED + card.card])
        return left == 1 and not useless and not self.playable(card.card)


def _meets(move: _Move, when: dict[str, Any]) -> bool:
    """Whether a move that was made is one that a rule's "when" speaks of."""
    return (
        move.kind in when["partner_did"]
        and when.get("value") in (None, move.value)
        and when.get("touched") in (None, move.touched)
        and not any(_meets(move, other) for other in when.get("but_not", ()))
    )


def _said(card: int, kind: str) -> str | int:
    """What a hint of this kind says of a card id: its colour's name or its rank from 1."""
    color, rank = divmod(card, rules.MAX_RANKS)
    return COLOR_NAMES[color] if kind == "hint_color" else rank + 1


def _add(rule: dict[str, Any], table: _Table, logits: np.ndarray) -> None:
    when, then = rule.get("when"), rule["then"]
    strength = STRENGTH * rule["weight"]
    if then["action"].startswith("hint"):
        if when is None or table.did(when):
            _add_hint(rule, table, logits, strength)
        return
    about_touched = isinstance(then["cards"], str) and then["cards"].startswith("touched")
    if when is not None and not table.did(when) and not (about_touched and table.hinted(when)):
        return
    meant = table.slots(then["cards"], when)
    slots = [slot for slot in meant if not table.is_known(slot, then.get("unless", ()))]
    if meant and not slots:
        return  # all that it is about is what it leaves out
    if then["action"] == "keep":
        for move in table.moves:
            if move.kind == "discard" and move.slot in slots:
                logits[move.action] -= strength
            if move.kind == "play" and move.slot in slots and not table.known[move.slot][0]:
                logits[move.action] -= strength
        return
    for move in table.moves:
        if move.kind != then["action"]:
            continue
        slot = move.slot
        sure, hopeless = table.known[slot]
        if slot in slots:
            if rule["weight"] > 0 and move.kind == "play" and hopeless:
                continue  # a card that is known not to fit is not thrown away for an instruction
            if rule.get("habit") and move.kind == "play":
                if sure or table.lives > 2:
                    logits[move.action] += BOLD * strength
            else:
                logits[move.action] += HABIT * strength if rule.get("habit") else strength
        elif rule.get("habit") and not (move.kind == "play" and sure):
            logits[move.action] -= strength


def _add_hint(rule: dict[str, Any], table: _Table, logits: np.ndarray, strength: float) -> None:
    then = rule["then"]
    purpose, value = then.get("for"), then.get("value")
    for move in table.moves:
        if not move.kind.startswith("hint"):
            continue
        if then["action"] not in ("hint", move.kind):
            if rule.get("habit"):
                logits[move.action] -= strength
            continue
        if value is not None and value != move.value:
            continue
        if purpose is None:
            share = HABIT if rule.get("habit") else 1.0
            logits[move.action] += share * strength
            continue
        touched = [table.hands[move.target][s] for s in move.slots]
        fresh = [card for card in touched if card.key not in table.given]
        fit = [card for card in fresh if table.serves(card, purpose)]
        if then.get("on") == "oldest" and 0 not in move.slots:
            continue
        if purpose == "playable" and then["action"] != "hint":
            # The partner will play what the hint touches: it must all fit, or the hint costs a life.
            if any(not table.playable(card.card) for card in fresh):
                logits[move.action] -= strength * PURPOSE
            elif fit:
                logits[move.action] += strength * PURPOSE
        elif fit:
            logits[move.action] += strength * PURPOSE
