"""A declared program (`declared`) told back in the agent's first person, so that a player can check it.

Written from the clauses alone, never from what was typed, and complete: programs that differ are told
differently. Not for programs of version 1 (say.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.games.hanabi.language.programs import HABITS
from engine.language import saying
from engine.language.declared import SPEECH, Clause, values


@dataclass(frozen=True)
class _Person:
    """Whose act it is, with the ending `s` of its verbs and how it is spoken of: `my` cards, which hints of
    `hinter` touched, what `you` do (ending `does`) before it, and `your` cards, which it hints.
    """

    i: str
    s: str = ""
    my: str = "my"
    you: str = "you"
    does: str = ""
    hinter: str = "you"
    your: str = "your"


_PEOPLE = {
    "me": _Person("you", my="your", hinter="I", your="my"),
    "both": _Person("each of us", "s", "the", "the other", "s", "the other", "the other's"),
}
_CARDS = {
    "touched": "the cards {hinted}",
    "touched_newest": "the newest card {hinted}",
    "touched_oldest": "the oldest card {hinted}",
    "untouched": "{my} cards without a hint",
    "untouched_newest": "{my} newest card without a hint",
    "untouched_oldest": "{my} oldest card without a hint",
    "newest": "{my} newest card",
    "oldest": "{my} oldest card",
    "unsure": "cards not known to fit",
    "sure": "cards known to fit",
    "critical": "cards that are the last of their kind",
    "useless": "cards that nobody needs any more",
    "any": "cards",
}
_ABOUT = {
    "playable": "cards that can be played",
    "critical": "cards that are the last of their kind",
    "useless": "cards that nobody needs any more",
    "new": "what is not known yet",
    "oldest": "{your} oldest card",
    "newest": "{your} newest card",
}
_ONCE, _EACH = {"color": "a colour", "rank": "a rank"}, {"color": "colours", "rank": "ranks"}
_EVENTS = {
    "hint": "{you} give{does} a hint",
    "hint_color": "{you} hint{does} a colour",
    "hint_rank": "{you} hint{does} a rank",
    "play": "{you} play{does} a card",
    "discard": "{you} discard{does} a card",
    "start": "nobody has moved yet",
    "you_hinted": "I have given a hint",
    "you_know": "I know what the card is",
    "you_doubt": "I am not sure",
    "playable": "a card can be played",
    "nothing": "there is nothing better to do",
    "critical": "{your} card is the last of its kind",
    "many_hints": "many hints are left",
    "few_hints": "few hints are left",
    "no_hints": "no hint is left",
    "few_lives": "lives are short",
    "lives": "there are lives to spare",
    "late": "the deck is nearly empty",
    "early": "the game has just begun",
    "signal": "you say so",
}


def sentence(clauses: list[Clause]) -> str:
    """One sentence for a whole program."""
    return saying.sentence(clauses, clause)


def clause(clause: Clause) -> str:
    """One clause, without capital and full stop."""
    by = values(clause, "by")
    names = [_PEOPLE[one].i if one in _PEOPLE else f"player {one}" for one in by]
    person = _Person(" and ".join(names) or "I", "s" if len(by) == 1 else "", "their" if by else "my")
    person = _PEOPLE.get(by[0], person) if len(by) == 1 else person
    if clause["act"] in SPEECH:
        return saying.speech(clause, names)
    told = _when(clause) + ("right now, " if clause.get("now") else "") + _does(clause, person)
    told += f", except {_named(clause, 'except')}" if "except" in clause else ""
    told += saying.conditions({**clause, "when": []}, _EVENTS, ", ")
    hints = [event.startswith("hint") for event in values(clause, "when")]
    hinted = "it touches" if hints and all(hints) else f"that {person.hinter} hinted"
    return told.format(**vars(person), hinted=hinted)


def event(name: str) -> str:
    """An event in the agent's words."""
    return _EVENTS[name].format(**vars(_Person("I")))


def _when(clause: Clause) -> str:
    """The condition before the clause, "" for none; what it says of a hint stands with the hint."""
    events, told, touch = values(clause, "when"), _named(clause, "told"), values(clause, "touch")
    limits = f" ({told})" if told else ""
    limits += (
        f" on {_any_of({'one': 'one card', 'many': 'several cards'}[one] for one in touch)}" if touch else ""
    )
    each = [_EVENTS[one] + (limits if one.startswith("hint") else "") for one in events]
    apart = limits and not any(one.startswith("hint") for one in events)
    if not each and clause["act"] == "discard" and any(card in HABITS for card in values(clause, "cards")):
        each = [] if clause.get("not") or clause.get("now") else ["{i} discard{s}"]
    return (f"when {_any_of(each)}, " if each else "") + (f"for a hint{limits}, " if apart else "")


def _does(clause: Clause, person: _Person) -> str:
    """Who does, would rather do or doesn't do what, with which cards or hint."""
    color, rank = _named(clause, "color"), _named(clause, "rank")
    if clause["act"] == "hint":
        words = _ONCE if clause.get("now") else _EACH
        kinds = _any_of(words[one] for one in values(clause, "kind_of"))
        named = ", ".join(part for part in (kinds, f"{color} {rank}".strip()) if part)
        verb, what = "hint" if named else "give", named or "a hint"
        about = _any_of(_ABOUT[one] for one in values(clause, "about"))
        what += f" about {about}" if about else ""
    else:
        slots = _any_of("ABCDE"[one - 1 : one] or str(one) for one in values(clause, "slot"))
        known = f"{color} {rank or 'cards'}".strip() if color or rank else ""
        cards = _any_of(_CARDS[one] for one in values(clause, "cards"))
        parts = (cards, f"the card in position {slots}" if slots else "", known)
        verb, what = clause["act"], ", of ".join(part for part in parts if part)
    if clause.get("rather"):
        verb = f"would rather {'not ' if clause.get('not') else ''}{verb}"
    elif clause.get("not"):
        verb = f"do{'es' if person.s else ''} not {verb}"
    else:
        verb += person.s
    return f"{person.i} {verb} {what}".strip()


def _named(clause: Clause, slot: str) -> str:
    """Colours and ranks: "red or 5s"."""
    known = {"critical": "last copies"}
    return _any_of(f"{one}s" if isinstance(one, int) else known.get(one, one) for one in values(clause, slot))


def _any_of(phrases: Any) -> str:
    return " or ".join(phrases)
