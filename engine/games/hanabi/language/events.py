"""What conditions of instructions are about (the events of declared.py), told from the state record, and what
rules are in force for it.

A rule's "if" has some of "when", "unless" and "until", each a list of events of which any counts: only when
(each time), not while, ends for good as soon as. An agent goes by what its seat may know. The record has the
public history, so what has happened since an instruction is played again (17 µs for 50 turns), and nothing is
remembered beside it. Missing is `signal`: that the speaker says so is no part of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.language import coded, follow, saying
from engine.games.hanabi.rules import DISCARD, HINT_COLOR, HINT_RANK, PLAY

Program = dict[str, Any]
Rule = dict[str, Any]
HINTS = (HINT_COLOR, HINT_RANK)
ACTS = {"hint": HINTS, "hint_color": (HINT_COLOR,), "hint_rank": (HINT_RANK,)}
ACTS |= {"play": (PLAY,), "discard": (DISCARD,), "you_hinted": HINTS}
EARLY = 5  # rounds in which a game is at its beginning
TABLE: dict[str, Callable[[np.ndarray], Any]] = {
    "start": lambda state: state[rules.TURN] == 0,
    "many_hints": lambda state: 4 * state[rules.INFORMATION] >= 3 * state[rules.INFORMATION_MAX],
    "few_hints": lambda state: 4 * state[rules.INFORMATION] <= max(4, state[rules.INFORMATION_MAX]),
    "no_hints": lambda state: state[rules.INFORMATION] == 0,
    "few_lives": lambda state: state[rules.LIVES] <= 1,
    "lives": lambda state: state[rules.LIVES] > 1,
    "late": lambda state: state[rules.DECK_SIZE] - state[rules.DEALT] <= state[rules.DECK_SIZE] // 10,
    "early": lambda state: state[rules.TURN] < EARLY * state[rules.PLAYERS],
}
LASTING = ("few_lives", "late")  # once so, always so
GONE = {"start", "early", "lives"}  # once not so, never again
HANDS = ("you_know", "you_doubt", "playable", "nothing", "critical")
"""About cards: how far an instruction has got doesn't tell these, or somebody would learn what they hold."""
EVENTS = (*ACTS, *TABLE, *HANDS)
OWN, SHOWN, EITHER = "own", "shown", "either"  # where a card may be that can be played


def holds(event: str, state: np.ndarray, seat: int, speaker: int | None = None, where: str = EITHER) -> bool:
    """Whether an event holds now for an agent's seat and the speaker's (None: all others'). A move holds
    until the next of whoever made it. `where`: for "playable" and "nothing".
    """
    if event in ACTS:
        window = int(state[rules.PLAYERS]) - (event != "you_hinted")
        return _did(event, state, seat, speaker, int(state[rules.TURN]) - window)
    if event in TABLE:
        return bool(TABLE[event](state))
    if event == "critical":
        return _shown(state, seat, speaker, coded.CRITICAL)
    sure = any(follow._fits(state, seat, slot)[0] for slot in range(rules.hand_size(state, seat)))
    if event in ("you_know", "you_doubt"):
        return sure == (event == "you_know")
    told = where == SHOWN or where == EITHER and state[rules.INFORMATION] > 0
    found = sure and where != SHOWN or told and _shown(state, seat, speaker, coded.PLAYABLE)
    return bool(found) == (event == "playable")


def happened(
    event: str, state: np.ndarray, seat: int, speaker: int | None, since: int, where: str = EITHER
) -> bool:
    """Whether an event holds or has held since turn `since`."""
    if event in ACTS:
        return _did(event, state, seat, speaker, since)
    if holds(event, state, seat, speaker, where):
        return True
    before = () if event in LASTING else past(state, since)
    return any(holds(event, one, seat, speaker, where) for one in before)


def _did(event: str, state: np.ndarray, seat: int, speaker: int | None, since: int) -> bool:
    """Whether the speaker has made such a move since a turn, a hint to the seat; "you_hinted": the seat."""
    own, players = event == "you_hinted", int(state[rules.PLAYERS])
    for turn in range(max(0, since), int(state[rules.TURN])):
        mover = turn % players
        if own != (mover == seat) or not own and speaker not in (None, mover):
            continue
        action = rules.history_at(state, turn)[0]
        kind, offset = rules.action_kind(state, action), rules.action_detail(state, action)[0]
        if kind in ACTS[event] and (own or kind not in HINTS or (mover + offset) % players == seat):
            return True
    return False


def _shown(state: np.ndarray, seat: int, speaker: int | None, purpose: int) -> bool:
    """Whether the other holds a card for a hint of a purpose that no hint has touched."""
    for other in range(int(state[rules.PLAYERS])) if speaker is None else (speaker,):
        for slot in range(rules.hand_size(state, other)) if other != seat else ():
            key = rules.key_at(state, other, slot)
            untold = rules.card_field(state, key, rules.FIRST_TOUCHED) < 0
            if untold and follow._serves(state, rules.card_of(state, key), purpose):
                return True
    return False


def past(state: np.ndarray, since: int) -> Iterator[np.ndarray]:
    """The record as it was from turn `since` on: the same array, which changes."""
    past = state.copy()
    rules.deal(past)
    for turn in range(int(state[rules.TURN])):
        if turn >= since:
            yield past
        rules.step(past, rules.history_at(state, turn)[0])


def active(program: Program, state: np.ndarray, seat: int) -> Program:
    """The program with the rules that are in force now, without "if"; "slots" of a rule: the cards to whose
    moves it is limited by what is known of them.
    """
    if not any("if" in rule for rule in program["rules"]):
        return program
    found = [_now(rule, program, state, seat) if "if" in rule else rule for rule in program["rules"]]
    return {**program, "rules": [rule for rule in found if rule]}


def _now(rule: Rule, program: Program, state: np.ndarray, seat: int) -> Rule | None:
    """A rule without its "if", None while it isn't in force."""
    hand = set(range(rules.hand_size(state, seat)))
    slots = hand
    for name, events in rule["if"].items():
        of_cards = [event for event in events if _is_of_cards(name, event, rule)]
        met = any(_met(name, event, rule, program, state, seat) for event in events if event not in of_cards)
        if met if name != "when" else not met and not of_cards:
            return None
        if of_cards and not met:
            fit = {slot for slot in hand for event in of_cards if _fits(event, state, seat, slot, rule)}
            slots = slots & fit if name == "when" else slots - fit
    rest = {key: value for key, value in rule.items() if key != "if"}
    return rest if slots == hand else {**rest, "slots": sorted(slots)} if slots else None


def _is_of_cards(name: str, event: str, rule: Rule) -> bool:
    """Whether a condition is about each of the rule's cards."""
    action = rule["then"]["action"]
    if event == "you_doubt" and name == "when" and action == "discard" and rule["weight"] > 0:
        return False  # "in doubt, discard your oldest"
    cards = ("you_know", "you_doubt", *(["playable"] if action == "play" else []))
    return event in cards and not action.startswith("hint")


def _fits(event: str, state: np.ndarray, seat: int, slot: int, rule: Rule) -> bool:
    """Whether such a condition holds of a card: to play it, that it is sure to fit, else that it is known."""
    key = rules.key_at(state, seat, slot)
    masks = [rules.card_field(state, key, field) for field in (rules.COLOR_MASK, rules.RANK_MASK)]
    known = all(mask & mask - 1 == 0 for mask in masks)
    sure = follow._fits(state, seat, slot)[0] if rule["then"]["action"] == "play" else known
    return bool(sure) == (event != "you_doubt")


def _met(name: str, event: str, rule: Rule, program: Program, state: np.ndarray, seat: int) -> bool:
    where, said = EITHER, program.get("from_seat")
    speaker = None if said == seat else said
    if rule["then"]["action"].startswith("hint"):  # of a card to tell, or of one to play instead
        where = SHOWN if event == "playable" and (name == "when") == (rule["weight"] > 0) else OWN
    if name == "until":
        return happened(event, state, seat, speaker, int(program.get("since_tick", 0)), where)
    return holds(event, state, seat, speaker, where)


def over(rule: Rule, program: Program, state: np.ndarray, seat: int) -> bool:
    """Whether a rule has come to its end, as far as everybody at the table can see."""
    when, until = (rule.get("if", {}).get(name, []) for name in ("when", "until"))
    if when and GONE.issuperset(when) and not any(holds(event, state, seat) for event in when):
        return True
    return any(_met("until", event, rule, program, state, seat) for event in until if event not in HANDS)


def waits(rule: Rule, program: Program, state: np.ndarray, seat: int) -> str:
    """What a rule waits for that everybody at the table can see, in short words, "" for nothing."""
    when, unless = (rule.get("if", {}).get(name, []) for name in ("when", "unless"))
    if when and not any(one in HANDS or _met("when", one, rule, program, state, seat) for one in when):
        return "until " + " or ".join(map(saying.event, when))
    against = (one for one in unless if one not in HANDS and _met("unless", one, rule, program, state, seat))
    return " or ".join(map(saying.event, against))
