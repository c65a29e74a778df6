"""A declared program (`declared`) told back in the agent's first person, so that a player can check it.

Written from the clauses alone, never from what was typed, and complete: programs that differ are told
differently. Not for programs of version 1 (say.py).
"""

from __future__ import annotations

from typing import Any

from engine.language import saying
from engine.language.declared import SPEECH, Clause, values

_ACTS = {
    "fetch": "fetch {things}{at}{to}",
    "fill": "put {things} into {pot}",
    "lay": "put {things} down on {counter}{near}",
    "take": "take {things} from {counter}",
    "plate": "scoop {things} out of {pot}{to}",
    "serve": "serve {things}{window}",
    "start": "switch on {pot}",
    "wait": "wait{at}{beside}",
    "go": "go{at}",
    "stop": "stop and stand still",
    "continue": "carry on",
    "divide": "share the work",
    "swap": "swap what we have been doing",
    "clear": "get out of the way",
}
_UNSAID = {"plate": ["soup"], "serve": ["soup"]}
_AT = {"fetch": "from", "wait": "by", "go": "to"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_THINGS = {  # one, any number
    "onion": ("an onion", "onions"), "tomato": ("a tomato", "tomatoes"), "dish": ("a plate", "plates"),
    "soup": ("a soup", "soup"), "ingredient": ("an ingredient", "ingredients"),
}  # fmt: skip
PLACES = {
    "pot": "the pot", "onion": "the onions", "tomato": "the tomatoes", "dish": "the plates",
    "serve": "the serving window", "counter": "the counter", "here": "where I stand",
}  # fmt: skip
_SIDES = {
    "left": "on the left", "right": "on the right", "top": "at the top", "bottom": "at the bottom",
    "middle": "in the middle", "nearest": "nearest to me", "other": "on the other side",
}  # fmt: skip
EVENTS = {
    "ready": "a soup is done", "cooking": "a soup is cooking", "full": "the pot is full",
    "empty": "a pot is empty", "room": "a pot lacks ingredients", "signal": "you say so",
    "i_fill": "you put something into a pot", "i_plate": "you take a plate or scoop soup",
    "i_serve": "you serve", "i_bring": "you bring or lay something there", "i_leave": "you move away",
    "i_come": "you come", "i_busy": "you are busy", "you_free": "I have nothing else to do",
    "you_served": "I have served", "laid": "something lies on a counter", "way_free": "the way is free",
    "late": "the time is nearly over",
}  # fmt: skip
_PEOPLE = {
    "me": ("you", "you don't"),
    "both": ("we both", "neither of us is to"),
    "other": ("another cook is to", "another cook is not to"),
}
_NAMES = {"me": "you", "both": "both of us", "other": "another cook"}


def sentence(clauses: list[Clause]) -> str:
    """One sentence for a whole program."""
    return saying.sentence(clauses, clause)


def clause(clause: Clause) -> str:
    """One clause, without capital and full stop."""
    by = values(clause, "by")
    if clause["act"] in SPEECH:
        return saying.speech(clause, [_NAMES.get(one, f"player {one}") for one in by])
    told = "if possible, " if clause.get("rather") else ""
    told += f"{_who(clause['act'], by, bool(clause.get('not')))} {_does(clause)}"
    return told + (" right now" if clause.get("now") else "") + saying.conditions(clause, EVENTS)


def _who(act: str, by: list[Any], negated: bool) -> str:
    """Who does it, or doesn't: what stands before the verb."""
    if not by:
        who = "we" if act in ("divide", "swap") else "I"
        return f"{who} don't" if negated else who
    if len(by) == 1 and by[0] in _PEOPLE:
        return _PEOPLE[by[0]][negated]
    told = _and([_NAMES.get(one, f"player {one}") for one in by])
    return f"{told} {'are' if by[1:] else 'is'} {'not ' if negated else ''}to"


def _does(clause: Clause) -> str:
    """What is done, with every slot and how often."""
    act, times, sides = clause["act"], values(clause, "times"), values(clause, "side")
    what = values(clause, "what") or _UNSAID.get(act, ["ingredient"] if act == "fill" and times else [])
    counted = len(times) == 1 and any(one in _THINGS for one in what)
    things = _and([thing(one, times[0] if counted else None) for one in what]) or "something"
    to_me, many = bool(values(clause, "to")), what[1:] or times not in ([], [1]) or things.endswith("s")
    handed = f" and bring {'them' if many else 'it'} to you"
    near = [PLACES[one] for one in values(clause, "near")] + ["you"] * to_me
    comes = act == "go" and to_me
    told = "fill {pot}" if act == "fill" and not what else "come to you{at}" if comes else _ACTS[act]
    told = told.format(
        things=things,
        pot=place("a pot", sides),
        counter=place("a counter", sides),
        window=f" at {place('a window', sides)}" if sides else "",
        at=_at("at" if comes else _AT.get(act, ""), values(clause, "at"), sides),
        near=f" near {_and(near)}" if near else "",
        beside=" next to you" if to_me else "",
        to="" if not to_me else " for yourself" if values(clause, "by") == ["me"] else handed,
    )
    return told if counted else " or ".join([f"{told}{_often(count)}" for count in times] or [told])


def _and(phrases: list[str]) -> str:
    return " and ".join(phrases)


def thing(name: str, count: int | None) -> str:
    """ "two onions", "an onion", "onions"; `count` None: any number."""
    if name == "held":
        return "what I hold"
    one, some = _THINGS[name]
    if count is None or count == 1:
        return one if count else some
    return f"{_number(count)} {some}{'s' * (name == 'soup')}"


def place(name: str, sides: list[str]) -> str:
    """ "the left pot" for "a pot" and for "the pot"."""
    if name.startswith("where"):
        return " ".join([name, *(_SIDES[side] for side in sides)])
    return f"{_and([f'the {side}' for side in sides])} {name.split(' ', 1)[1]}" if sides else name


def _at(preposition: str, places: list[str], sides: list[str]) -> str:
    """ " by the left pot", " where I stand", " on the left"."""
    if not places:
        return f" {_and([_SIDES[side] for side in sides])}" if sides else ""
    return f" {preposition} {_and([place(PLACES[one], sides) for one in places])}".replace(
        "by where", "where"
    )


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _often(count: int) -> str:
    return {1: " once", 2: " twice"}.get(count, f" {_number(count)} times")
