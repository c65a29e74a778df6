"""A declared program (`declared`) told back in the agent's first person, so that a player can check it.

Written from the clauses alone, never from what was typed, and complete: programs that differ are told
differently. Not for programs of version 1 (say.py).
"""

from __future__ import annotations

from typing import NamedTuple

from engine.language import saying
from engine.language.declared import SPEECH, Clause, values


class _Person(NamedTuple):
    """Whose act it is: “I” do it, with “my” gun; events ask whether “I am” wounded. `s`: verbs end in s."""

    i: str
    my: str
    they: str
    s: bool = False


_AGENT = _Person("I", "my", "I am")
_PEOPLE = {
    "me": _Person("you", "your", "I am"),
    "all": _Person("we all", "our", "we are"),
    "two": _Person("two of us", "our", "we are"),
    "one": _Person("one of us", "their", "they are", s=True),
}
_ACTS = {
    "follow": "follow {whom}", "cover": "cover {whom}", "help": "help {whom}", "rescue": "help {whom} up",
    "hold": "wait {at} {behind}", "go": "go {metres} {whom} {at} {behind}", "look": "look {at} {whom}",
    "approach": "close in {whom}", "avoid": "keep away {whom}", "attack": "attack {whom} {at} {result}",
    "take_cover": "take cover {behind}", "loot": "search for {what} {at}", "heal": "treat {my} wounds",
    "prone": "lie down", "crouch": "crouch", "stand": "stand up", "hurry": "hurry", "slow": "take {my} time",
    "hold_fire": "hold fire", "fire": "shoot again at will", "draw": "take {my} gun into {my} hands",
    "holster": "put {my} gun away", "rotate": "go into the white circle", "retreat": "fall back",
    "regroup": "come together with the squad", "spread": "keep apart from the squad",
    "scout": "look for enemies {at}",
}  # fmt: skip
"""The verb first; in braces slots, and words that depend on whose act it is."""
_WHOM = {
    "me": "you", "mate": "a mate", "enemy": "enemies", "nearest": "the nearest enemy", "mine": "your target",
    "aim": "the one that you look at", "shooter": "whoever shoots at us",
}  # fmt: skip
_TO_WHOM = {"go": "to ", "look": "at ", "approach": "on ", "avoid": "from "}
_KINDS = {
    **{kind: f"the nearest {kind}" for kind in ("house", "rock", "wall", "water", "door")},
    **{"bush": "the nearest bushes", "hill": "the nearest high ground"},
    **{"there": "the point that you show", "zone": "the white circle"},
}
_WAYS = {
    **{f"{a}{b}": f"to the {a}{b}" for a in ("north", "south", "") for b in ("east", "west", "")},
    **{"left": "to your left", "right": "to your right", "ahead": "ahead of you", "back": "behind you"},
    **{"up": "upwards", "down": "downwards", "here": "here"},
}
_HOW = {
    "quietly": "without shooting", "crouched": "crouched", "lying": "lying down", "hurrying": "running",
    "slowly": "slowly",
}  # fmt: skip
_FAR = {"touch": "right beside", "near": "near by", "medium": "at some distance", "far": "far off"}
_WHAT = {"gun": "a gun", "bullets": "bullets", "medkit": "a medkit", "armour": "armour"}
_RESULT = {"down": "only to knock down", "kill": "to kill"}
_MANY = ("attack", "approach", "loot", "scout")
"""Acts for which `times` is how many of somebody or something."""
_EVENTS = {
    "seen": "an enemy is in sight", "clear": "no enemy is in sight", "close": "an enemy comes close",
    "down": "an enemy is down", "shot_at": "we are shot at", "hurt": "{they} wounded",
    "healthy": "{they} in full health", "empty": "{they} out of bullets", "armed": "{they} armed",
    "there": "{they} there", "alone": "{they} alone", "mate_down": "a mate is down",
    "zone": "the circle shrinks", "signal": "you say so", "i_down": "you are down",
    "i_hurt": "you are wounded", "i_attack": "you attack", "i_move": "you move", "i_stop": "you stop",
    "i_heal": "you treat your wounds", "i_reload": "you reload", "i_back": "you are back",
    "i_loot": "you search for things", "i_rescue": "you help somebody up",
}  # fmt: skip


def sentence(clauses: list[Clause]) -> str:
    """One sentence for a whole program."""
    return saying.sentence(clauses, clause, ", then ")


def event(name: str) -> str:
    """What a condition is about, as the agent says it: "I am out of bullets"."""
    return _EVENTS[name].format(they="I am")


def clause(clause: Clause) -> str:
    """One clause, without capital and full stop."""
    by = values(clause, "by")
    names = [_PEOPLE[one].i if one in _PEOPLE else f"Player {one}" for one in by]
    person = _Person(" and ".join(names), "their", "they are", s=len(by) == 1) if by else _AGENT
    person = _PEOPLE.get(by[0], person) if len(by) == 1 else person
    if clause["act"] in SPEECH:
        return saying.speech(clause, names)
    told = " ".join(f"{person.i} {_does(clause, person)}{_limits(clause, person)}".split()).replace(" ,", ",")
    return f"right now {told}" if clause.get("now") else told


def _does(clause: Clause, person: _Person) -> str:
    """What is done, with the slots of its middle: "don't go to the nearest house"."""
    doing = _ACTS[clause["act"]].format(**_slots(clause), my=person.my)
    if clause.get("rather"):
        doing = f"try {'not ' if clause.get('not') else ''}to {doing}"
    elif clause.get("not"):
        return f"{'doesn' if person.s else 'don'}'t {doing}"
    verb, _, rest = doing.partition(" ")
    if person.s:
        y = verb in ("hurry", "try")
        verb = f"{verb[:-1]}ies" if y else f"{verb}{'es' if verb.endswith(('o', 'ch', 'sh')) else 's'}"
    return f"{verb} {rest}"


def _slots(clause: Clause) -> dict[str, str]:
    """The words for each slot that an act may name in its middle, "" where it isn't said."""
    act, at = clause["act"], "to" if clause["act"] == "go" else "at"
    whom = [_WHOM.get(one, f"Player {one}") for one in values(clause, "whom")]
    if act == "rescue" and not whom:
        whom = ["anybody" if clause.get("not") else "somebody"]
    found = {
        "whom": [_TO_WHOM.get(act, "") + one for one in whom],
        "at": [f"{at} {_KINDS[one]}" if one in _KINDS else _WAYS[one] for one in values(clause, "at")],
        "behind": [f"behind {_KINDS[one]}" for one in values(clause, "behind")],
        "metres": [_counted(one, "metre") for one in values(clause, "metres")],
        "what": [_WHAT[one] for one in values(clause, "what")] or ["things"],
        "result": [_RESULT[one] for one in values(clause, "result")],
    }
    return {name: " and ".join(words) for name, words in found.items()}


def _limits(clause: Clause, person: _Person) -> str:
    """In which manner, how long, how often, under which conditions."""
    told = [f", {_HOW[one]}" for one in values(clause, "how")]
    told += [f", {_FAR[one]}" for one in values(clause, "far")]
    told += [f" for {_counted(one, 'second')}" for one in values(clause, "seconds")]
    told += [f" {_counted(one, 'second')} from now" for one in values(clause, "after")]
    many = clause["act"] in _MANY
    told += [f", {one} of them" if many else f" {_counted(one, 'time')}" for one in values(clause, "times")]
    return "".join([*told, saying.conditions(clause, _EVENTS).format(they=person.they)])


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
