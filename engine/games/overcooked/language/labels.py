"""A reading as labels that a model can be sure of, and back: one label for each intent, by whom, asked or
not.
"""

from __future__ import annotations

import re
from typing import Any

from engine.games.overcooked.language import say
from engine.games.overcooked.language.intents import SIDES, Goal
from engine.games.overcooked.language.reader import VERSION
from engine.language import exceptions
from engine.language import text as typed

UNREAD_MEANT = -2.0
_PLACE = {
    "put_onion_in_pot": "pot",
    "put_tomato_in_pot": "pot",
    "start_pot": "pot",
    "pick_up_soup": "pot",
    "put_on_counter": "counter",
    "take_from_counter": "counter",
}
_WORDS = {
    "pot": "pot pots stove stoves cooker",
    "serve": "window hatch pass serving",
    "counter": "counter counters worktop bench table",
    "onion": "onion onions",
    "dish": "plate plates dish dishes bowl bowls",
    "tomato": "tomato tomatoes",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_SIDES = {"upper": "top", "lower": "bottom", "centre": "middle", "center": "middle", "closest": "nearest"}


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return list(dict.fromkeys(_label(one) for one in row["subgoals"]))


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it; None: nothing was read."""
    return {"subgoals": program["goals"] if program else []}


def carries(program: dict[str, Any], exception: str) -> bool:
    """Whether the goals end as an exception says: a wait for the soup, and a pot that is full by itself."""
    if not exceptions.is_time(exception):
        return False
    filled = bool(re.search(r"\b(?:full|three|3|filled|ready|cooking|done)\b", exception))
    soup = bool(re.search(r"\b(?:soups?|ready|done|cooked|finished|it|it's)\b", exception))
    return any(
        bool(goal.get("until"))
        and soup
        or filled
        and goal["intent"] in ("put_onion_in_pot", "put_tomato_in_pot")
        and not goal["negated"]
        for goal in program["goals"]
    )


def group(label: str) -> str:
    """Of the labels of a group only one can be meant."""
    return label.rpartition(" ")[0]


def option(chosen: list[str], text: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """{"sentence", "program"} of labels; goals that a grammar read (`program`) stay as it read them."""
    read = [goal for goal in program["goals"] if _label(goal) in chosen] if program else []
    there = {_label(goal) for goal in read}
    goals = read + [_goal(label, text) for label in chosen if label not in there]
    found = {"game": "overcooked", "version": VERSION, "goals": goals}
    return {"sentence": say.sentence(found), "program": found}


def _label(goal: Goal) -> str:
    return f"{goal['intent']} {goal['who']} {'not' if goal['negated'] else 'do'}"


def _goal(label: str, text: str) -> Goal:
    """The goal of a label, with the place that the text names if it names just one."""
    intent, who, asked = label.split(" ")
    words = re.findall(r"\w+", typed.clean(text))
    sides = {_SIDES.get(word, word) for word in words} & set(SIDES)
    which = sides.pop() if len(sides) == 1 else None
    kind = _PLACE.get(intent)
    target = {"kind": kind, "which": which} if kind and which else None
    if intent in ("wait_at", "go_to"):
        kinds = {_KINDS[word] for word in words if word in _KINDS}
        target = {"kind": kinds.pop(), "which": which} if len(kinds) == 1 else None
    return {"intent": intent, "target": target, "count": None, "who": who, "negated": asked == "not"}
