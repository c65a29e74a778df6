"""How all games tell declared programs back: clause by clause, and what asks for no act in the game.

Not for the words of acts and slots, which each game has (its `language/saying.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.language.declared import CONDITIONS, FLAGS, Clause, values

SPEECH = {
    "talk": "that asks for nothing",
    "cannot": "something I can't do",
    "cancel": "I forget all that you asked and do as I see fit",
    "undo": "I take back your last instruction",
    "again": "I do it again as before the last change",
    "redirect": "I leave your last instruction to the other one",
}
TALK = {
    "question": "you ask me something",
    "thanks": "you thank or greet me",
    "sorry": "you say sorry",
    "insult": "you insult me",
    "complaint": "you complain",
    "report": "you tell me what you do or see",
    "chat": "you chat",
    "foreign": "you say something that is not English",
}


def sentence(clauses: list[Clause], clause: Callable[[Clause], str], then: str = "; then ") -> str:
    """One sentence for a whole program, of its clauses in words."""
    told = clause(clauses[0])
    for one in clauses[1:]:
        told += (then if one.get("then") else "; ") + clause(one)
    return told[0].upper() + told[1:] + "."


def speech(clause: Clause, people: Iterable[str] = ()) -> str:
    """A clause of SPEECH in words; `people`: whose it is, where that is said."""
    flags = [name for name in FLAGS if clause.get(name)]
    told = " or ".join(TALK[kind] for kind in values(clause, "kind"))
    return ": ".join([*people, *flags, told or SPEECH[clause["act"]]])


def conditions(clause: Clause, events: dict[str, str], before: str = " ") -> str:
    """Its conditions, each behind `before`: " until you say so"."""
    told = {name: " or ".join(events[event] for event in values(clause, name)) for name in CONDITIONS}
    return "".join(f"{before}{name} {own}" for name, own in told.items() if own)
