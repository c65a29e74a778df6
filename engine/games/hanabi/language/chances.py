"""Wishes that take counting: cards that may be the last of their kind, hints that tell something new.

`follow.py` does all others, compiled; these are few, and are worked out with NumPy for the games in which one
is in force. `prior`, `Following`: the whole of a program, its conditions (events.py) included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.language import chain, events, follow, standing
from engine.games.hanabi.language.coded import ANY, HINT, KINDS
from engine.games.hanabi.language.coded import _told as number_of
from engine.games.hanabi.view import is_critical

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Program = dict[str, Any]
CRITICAL, NEW = "critical", "new"  # of cards to keep; of what hints are for


def counts(rule: dict[str, Any]) -> bool:
    """Whether a rule takes counting."""
    return rule["then"].get("cards") == CRITICAL or rule["then"].get("for") == NEW


def prior(program: Program, sim: Simulation, seat: int) -> np.ndarray:
    """Preference among the moves of `seat`, float32 (num_actions,), in logits; 0 where the program is silent.

    `program["since_tick"]`, if there, is the tick of the instruction: hints older than the partner's last
    move before it are not taken up.
    """
    # A copy, because the rules are compiled for records that may be written.
    return priors_many([program], np.array(sim.state)[None], np.array([seat]))[0]


def priors_many(programs: list[Program], states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """The sum of the priors of programs for the seats (n,) of games (n, state_size), float32
    (n, num_actions).
    """
    if len(states) and any("if" in rule or "after" in rule for one in programs for rule in one["rules"]):
        each = zip(states, seats.tolist(), strict=True)
        found = [priors_many(_now(programs, *row), row[0][None], np.array([row[1]])) for row in each]
        return np.concatenate(found)
    plain = [
        {**one, "rules": [rule for rule in one["rules"] if not _apart(rule)]}
        if any(map(_apart, one["rules"]))
        else one
        for one in programs
    ]
    total = follow.priors_many(plain, states, seats)
    for program, rule in ((one, rule) for one in programs for rule in one["rules"] if _apart(rule)):
        for state, seat, out in zip(states, seats.tolist(), total, strict=True):
            if "slots" in rule:
                out += _limited(program, rule, state, seat)
            elif int(state[rules.OVER]) == rules.RUNNING:
                (_spare if rule["then"]["action"] == "keep" else _tell)(rule, state, seat, out)
    return total


def _apart(rule: dict[str, Any]) -> bool:
    return counts(rule) or "slots" in rule


def _limited(program: Program, rule: dict[str, Any], state: np.ndarray, seat: int) -> np.ndarray:
    """What a rule adds to the moves of its slots, (num_actions,)."""
    alone = {**program, "rules": [{key: value for key, value in rule.items() if key != "slots"}]}
    added = priors_many([alone], state[None], np.array([seat]))[0]
    for slot in set(range(int(state[rules.SLOTS]))) - set(rule["slots"]):
        added[[slot, int(rules.play_action(state, slot))]] = 0
    return added


def _now(programs: list[Program], state: np.ndarray, seat: int) -> list[Program]:
    """What is in force in a game now. What is so only now is an exception from what always is, which it
    replaces; but for cards to keep.
    """
    programs = [
        {**one, "rules": chain.now(one, state, seat, favours)} if chain.is_chain(one["rules"]) else one
        for one in programs
    ]
    always, kept, only = (
        [{**one, "rules": [rule for rule in one["rules"] if of(rule)]} for one in programs]
        for of in (
            lambda rule: "if" not in rule and rule["then"]["action"] != "keep",
            lambda rule: "if" not in rule and rule["then"]["action"] == "keep",
            lambda rule: "if" in rule,
        )
    )
    now = [events.active(one, state, seat) for one in only]
    return [*kept, *(one for one in standing.remaining([*always, *now], None, seat) if one)]


class Following(follow.Following):
    """The same in `n` games."""

    def asked(self, programs: list[Program], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return priors_many(programs, self.states[rows], seats)

    def done(self, program: Program, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        if not any("if" in rule or "after" in rule for rule in program["rules"]):
            return super().done(program, rows, seats)
        games = zip(self.states[rows], seats.tolist(), strict=True)
        return np.array([not left(program, *row) for row in games], bool)


def left(program: Program, state: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """The rules of a program that have not come to their end, as far as everybody at the table can see."""
    own = program["rules"]
    own = chain.left(program, state, seat, favours) if chain.is_chain(own) else own
    return [rule for rule in own if not events.over(rule, program, state, seat)]


def favours(program: Program, rule: dict[str, Any], state: np.ndarray, seat: int, move: int) -> bool:
    """Whether a rule alone asks for a move."""
    alone = {**program, "rules": [rule]}
    return bool(priors_many([alone], state.copy()[None], np.array([seat]))[0, move] > 0)


def _spare(rule: dict[str, Any], state: np.ndarray, seat: int, out: np.ndarray) -> None:
    """Discard what is least likely the last of its kind, and nothing that is known to be."""
    risks = critical_chances(state, seat)
    strength = follow.STRENGTH * rule["weight"]
    for slot, risk in enumerate(risks):
        out[slot] -= np.float32(strength * (risk - min(risks) + (risk >= 1)))


def _tell(rule: dict[str, Any], state: np.ndarray, seat: int, out: np.ndarray) -> None:
    """Hint what somebody holds and hasn't been told of yet."""
    action, value = KINDS[rule["then"]["action"]], number_of(rule["then"].get("value"))
    if int(state[rules.INFORMATION]) == 0:
        return
    for move in range(2 * int(state[rules.SLOTS]), int(rules.num_actions(state)) - 1):
        kind = int(rules.action_kind(state, move))
        offset, said = (int(one) for one in rules.action_detail(state, move))
        told = said if kind == rules.HINT_COLOR else 5 + said
        if action not in (HINT, kind) or value not in (ANY, told):
            continue
        target = (seat + offset) % int(state[rules.PLAYERS])
        touched = int(rules.touches(state, target, kind, said))
        field = rules.COLOR_HINT if kind == rules.HINT_COLOR else rules.RANK_HINT
        keys = [
            int(rules.key_at(state, target, slot)) for slot in range(rules.MAX_SLOTS) if touched >> slot & 1
        ]
        if any(int(rules.card_field(state, key, field)) < 0 for key in keys):
            out[move] += np.float32(follow.STRENGTH * rule["weight"])


def critical_chances(state: np.ndarray, seat: int) -> list[float]:
    """How likely each card of a seat's hand is the last copy of one that is still needed, as far as the seat
    can know: by its hints and by the cards that it sees.
    """
    unseen = _unseen(state, seat)
    critical = np.array([is_critical(state, card) for card in range(rules.MAX_CARDS)])
    found = []
    for slot in range(int(rules.hand_size(state, seat))):
        chances = unseen * _plausible(state, seat, slot)
        found.append(float(chances[critical].sum() / max(1, chances.sum())))
    return found


def _unseen(state: np.ndarray, seat: int) -> np.ndarray:
    """How many copies of each card are in the deck or the own hand, (MAX_CARDS,)."""
    ranks, colors = int(state[rules.RANKS]), int(state[rules.COLORS])
    left = np.zeros(rules.MAX_CARDS, int)
    for card in range(rules.MAX_CARDS):
        color, rank = divmod(card, rules.MAX_RANKS)
        if color < colors and rank < ranks:
            played = rank < int(state[rules.FIREWORKS + color])
            left[card] = int(rules.copies(rank, ranks)) - int(state[rules.DISCARDED + card]) - played
    for other in range(int(state[rules.PLAYERS])):
        for slot in range(int(rules.hand_size(state, other))) if other != seat else ():
            left[int(rules.card_of(state, int(rules.key_at(state, other, slot))))] -= 1
    return np.maximum(left, 0)


def _plausible(state: np.ndarray, seat: int, slot: int) -> np.ndarray:
    """Which cards the hints about a card allow it to be, bool (MAX_CARDS,)."""
    key = int(rules.key_at(state, seat, slot))
    return np.array([bool(rules.plausible(state, key, card)) for card in range(rules.MAX_CARDS)])
