"""Chains: things that are done once, one after another ("play your newest, then hint red").

In such a program rules have "after", their place in the chain; those without it are first. Rules that ask for
a move are steps: a step is done with the seat's first move since the instruction that it asks for, and the
steps of a place wait for all of those before. Rules that forbid or keep are in force from their place on. A
card named by its position is the one that lay there when it was said; once it is gone, its step is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.language import events

Rule = dict[str, Any]
Favours = Callable[[dict[str, Any], Rule, np.ndarray, int, int], bool]
"""Whether a rule of a program asks a seat for a move in a game."""
NEVER = 99


def is_chain(own: Sequence[Rule]) -> bool:
    return any("after" in rule for rule in own)


def left(program: dict[str, Any], state: np.ndarray, seat: int, favours: Favours) -> list[Rule]:
    """The rules that the seat hasn't done."""
    return _gone_through(program, state, seat, favours)[0]


def now(program: dict[str, Any], state: np.ndarray, seat: int, favours: Favours) -> list[Rule]:
    """The rules that are in force now, as rules of no chain: positions are those of now."""
    return _gone_through(program, state, seat, favours)[1]


def _gone_through(
    program: dict[str, Any], state: np.ndarray, seat: int, favours: Favours
) -> tuple[list[Rule], list[Rule]]:
    undone, meant, current = program["rules"], None, []
    for past, move in _moves(state, int(program.get("since_tick", 0))):
        hand = [int(rules.key_at(past, seat, slot)) for slot in range(rules.hand_size(past, seat))]
        meant = hand if meant is None else meant
        undone = [rule for rule in undone if not _is_gone(rule, meant, hand)]
        place = min((rule.get("after", 0) for rule in undone if _is_step(rule)), default=NEVER)
        current = [(rule, _placed(rule, meant, hand)) for rule in undone if rule.get("after", 0) <= place]
        if move is not None and int(past[rules.TURN]) % int(past[rules.PLAYERS]) == seat:
            steps = [(rule, own) for rule, own in current if _is_step(rule)]
            done = [id(rule) for rule, own in steps if favours(program, own, past, seat, move)]
            undone = [rule for rule in undone if id(rule) not in done]
    return undone, [own for _, own in current]


def _moves(state: np.ndarray, since: int) -> Iterator[tuple[np.ndarray, int | None]]:
    """The record before each move since a turn, and the move; last the record now, and None."""
    for past in events.past(state, since):
        yield past, int(rules.history_at(state, int(past[rules.TURN]))[0])
    yield state, None


def _is_step(rule: Rule) -> bool:
    return rule["weight"] > 0 and rule["then"]["action"] != "keep"


def _slot(rule: Rule) -> int | None:
    cards = rule["then"].get("cards")
    return cards.get("slot") if isinstance(cards, dict) else None


def _is_gone(rule: Rule, meant: list[int], hand: list[int]) -> bool:
    slot = _slot(rule)
    return slot is not None and (slot >= len(meant) or meant[slot] not in hand)


def _placed(rule: Rule, meant: list[int], hand: list[int]) -> Rule:
    """The rule alone, with the position that its card has now."""
    own, slot = {key: value for key, value in rule.items() if key != "after"}, _slot(rule)
    if slot is None:
        return own
    return {**own, "then": {**own["then"], "cards": {"slot": hand.index(meant[slot])}}}
