"""A program followed in a live game: the prior over one seat's moves.

Looks at what the seat may see (its view) and at the public record of moves; a card touched by a hint stays
meant until it leaves the hand, so instructions reach over several turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

STRENGTH = 8.0
"""Logits that a rule of weight 1 adds to a move. Several times what separates a policy's best moves, so that
an instruction is obeyed from the next move on, and not so much that a certain loss is chosen for it."""
HABIT = 0.15
"""Share of the strength by which a habit ("when I discard, my oldest") raises the move that it chooses."""
BOLD = 0.5
"""The same for "play my newest card", which asks for the play as well."""
PURPOSE = 0.6
"""Share of the strength for a hint that serves its purpose: below a play that was asked for."""


@dataclass(frozen=True)
class _Move:
    """A past move: who, what kind, and which cards (by key) it touched."""

    tick: int
    seat: int
    kind: str
    target: int | None
    value: str | int | None
    keys: tuple[int, ...]


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
        self.seat = seat
        view = sim.view(seat)
        self.moves = [m for m in view["moves"] if m["legal"]]
        self.hands = {h["seat"]: h["cards"] for h in view["hands"]}
        self.hand = self.hands[seat]
        self.lives = view["lives"]
        self.fireworks = view["fireworks"]
        self.ranks = view["ranks"]
        self.colors = view["colors"]
        past = _past(sim)
        others = [m for m in past if m.seat != seat]
        mine = [m.tick for m in past if m.seat == seat]
        recent = [m for m in others if not mine or m.tick > mine[-1]]
        to_me = [m for m in recent if m.target == seat]
        self.last = (to_me or recent or [None])[-1]
        if self.last is not None and self.last.kind.startswith("hint") and self.last.target != seat:
            self.last = None
        newest = self.last.tick if self.last else -1
        self.hints = [m for m in others if m.target == seat and (m.tick >= since or m.tick == newest)]
        self.given = {key for m in past if m.seat == seat and m.target is not None for key in m.keys}
        self.known = [self._known(card) for card in self.hand]

    def _known(self, card: dict[str, Any]) -> tuple[bool, bool]:
        """(surely playable, surely not playable) by what the card may be."""
        may_be = [i for i, possible in enumerate(card["plausible"]) if possible]
        playable = [self.fireworks[i // self.ranks] == i % self.ranks for i in may_be]
        return bool(playable) and all(playable), not any(playable)

    def hinted(self, when: dict[str, Any] | None) -> list[int]:
        """Slots of my cards that hints of these kinds touched and that are still in my hand, oldest first."""
        kinds = set(when["partner_did"]) if when else {"hint_color", "hint_rank"}
        value = when.get("value") if when else None
        keys = {
            key
            for hint in self.hints
            if hint.kind in kinds and (value is None or hint.value == value)
            for key in hint.keys
        }
        return [slot for slot, card in enumerate(self.hand) if card["key"] in keys]

    def did(self, when: dict[str, Any]) -> bool:
        """Whether the partner's last move is one of those."""
        if self.last is None:
            return "nothing" in when["partner_did"]
        if self.last.kind not in when["partner_did"]:
            return False
        return when.get("value") is None or self.last.value == when["value"]

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
        untouched = [s for s in every if not self.hand[s]["touched"]]
        return {
            "newest": every[-1:],
            "oldest": every[:1],
            "any": every,
            "untouched": untouched,
            "untouched_newest": untouched[-1:],
            "untouched_oldest": untouched[:1],
            "unsure": [s for s in every if not self.known[s][0]],
        }[cards]

    def _is(self, card: dict[str, Any], what: dict[str, Any]) -> bool:
        may_be = [i for i, possible in enumerate(card["plausible"]) if possible]
        if "rank" in what:
            return all(i % self.ranks == what["rank"] - 1 for i in may_be)
        return all(_COLOR_NAMES.get(self.colors[i // self.ranks]) == what["color"] for i in may_be)


_COLOR_NAMES = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}


def _past(sim: Simulation) -> list[_Move]:
    """The public record of moves with the cards that each touched, by walking the deck through the hands."""
    options, deck = sim.options, sim.deck
    players, size, ranks = sim.seats, options["hand_size"], options["ranks"]
    letters = list(_COLOR_NAMES)
    hands = [list(range(p * size, (p + 1) * size)) for p in range(players)]
    top = players * size
    found = []
    noop = sim.num_actions - 1
    colors = options["colors"]
    for tick, joint in enumerate(sim.actions):
        seat = next((s for s, a in enumerate(joint) if a != noop), None)
        if seat is None:
            continue
        action = joint[seat]
        if action < 2 * size:
            kind, slot = ("discard", action) if action < size else ("play", action - size)
            found.append(_Move(tick, seat, kind, None, None, (hands[seat].pop(slot),)))
            if top < len(deck):
                hands[seat].append(top)
                top += 1
            continue
        action -= 2 * size
        by_color = action < colors * (players - 1)
        if not by_color:
            action -= colors * (players - 1)
        offset, value = divmod(action, colors if by_color else ranks)
        target = (seat + 1 + offset) % players
        card_has = (
            (lambda k, v=value: deck[k] // ranks == v)
            if by_color
            else (lambda k, v=value: deck[k] % ranks == v)
        )
        found.append(
            _Move(
                tick,
                seat,
                "hint_color" if by_color else "hint_rank",
                target,
                _COLOR_NAMES[letters[value]] if by_color else value + 1,
                tuple(k for k in hands[target] if card_has(k)),
            )
        )
    return found


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
    slots = table.slots(then["cards"], when)
    if then["action"] == "keep":
        for move in table.moves:
            if move["kind"] == "discard" and move["slot"] in slots:
                logits[move["action"]] -= strength
            if move["kind"] == "play" and move["slot"] in slots and not table.known[move["slot"]][0]:
                logits[move["action"]] -= strength
        return
    for move in table.moves:
        if move["kind"] != then["action"]:
            continue
        slot = move["slot"]
        sure, hopeless = table.known[slot]
        if slot in slots:
            if rule["weight"] > 0 and move["kind"] == "play" and hopeless:
                continue  # a card that is known not to fit is not thrown away for an instruction
            if rule.get("habit") and move["kind"] == "play":
                if sure or table.lives > 1:
                    logits[move["action"]] += BOLD * strength
            else:
                logits[move["action"]] += HABIT * strength if rule.get("habit") else strength
        elif rule.get("habit") and not (move["kind"] == "play" and sure):
            logits[move["action"]] -= strength


def _add_hint(rule: dict[str, Any], table: _Table, logits: np.ndarray, strength: float) -> None:
    then = rule["then"]
    purpose, value = then.get("for"), then.get("value")
    for move in table.moves:
        if not move["kind"].startswith("hint"):
            continue
        if then["action"] not in ("hint", move["kind"]):
            if rule.get("habit"):
                logits[move["action"]] -= strength
            continue
        said = (
            _COLOR_NAMES[table.colors[move["value"]]] if move["kind"] == "hint_color" else move["value"] + 1
        )
        if value is not None and value != said:
            continue
        if purpose is None:
            share = HABIT if rule.get("habit") else 1.0
            logits[move["action"]] += share * strength
            continue
        touched = [table.hands[move["target"]][s] for s in move["slots"]]
        fresh = [card for card in touched if card["key"] not in table.given]
        fit = [card for card in fresh if _serves(card, purpose, table)]
        if then.get("on") == "oldest" and 0 not in move["slots"]:
            continue
        if purpose == "playable" and then["action"] != "hint":
            # The partner will play what the hint touches: it must all fit, or the hint costs a life.
            if any(not card["playable"] for card in fresh):
                logits[move["action"]] -= strength * PURPOSE
            elif fit:
                logits[move["action"]] += strength * PURPOSE
        elif fit:
            logits[move["action"]] += strength * PURPOSE


def _serves(card: dict[str, Any], purpose: str, table: _Table) -> bool:
    if purpose == "playable":
        return bool(card["playable"])
    color, rank = divmod(card["card"], table.ranks)
    useless = table.fireworks[color] > rank
    if purpose == "useless":
        return useless
    return bool(card["critical"]) and not useless and not card["playable"]
