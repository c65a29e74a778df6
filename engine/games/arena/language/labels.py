"""A reading as labels that a model can be sure of, and back: one label for each sub-goal of Table 7 and
value.
"""

from __future__ import annotations

import random
import re
from typing import Any

from engine.games.arena.language import say
from engine.games.arena.language.reader import VERSION
from engine.games.arena.language.subgoals import clauses_for, fulfilled, subgoals
from engine.games.arena.language.wishes.names import in_order
from engine.language import exceptions

_NAMED = re.compile(r"\bplayer (\d{1,2})\b", re.IGNORECASE)
MEASURED = {
    "Health level",
    "Whether have bullets",
    "Number of enemies have ever seen",
    "Enemy’s position relative to agent",
}
"""Sub-goals that are reached at some point: "until your health is full", "until you have no bullets"."""


def labels(row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return [f"{name}={value}" for name, value in row["goals"].items()]


def row_of(program: dict[str, Any] | None) -> dict[str, Any]:
    """A program as the bank writes it; None: nothing was read."""
    return {"goals": subgoals(program) if program else {}}


def carries(program: dict[str, Any], exception: str) -> bool:
    """Whether a sub-goal is what an exception says: "heal until your health is full"."""
    return exceptions.is_time(exception) and bool(set(program.get("subgoals", ())) & MEASURED)


def group(label: str) -> str:
    """Of the labels of a group only one can be meant."""
    return label.split("=")[0]


def option(chosen: list[str], text: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """{"sentence", "program"} of labels; from `program`, what a grammar read, clauses that are about them."""
    wanted = in_order(dict(label.split("=") for label in chosen))
    clauses = program["clauses"] if program else []
    if not fulfilled(clauses) & wanted.keys():
        named = _NAMED.search(text)
        clauses = clauses_for(wanted, f"player {named[1]}" if named else "me")
    found: dict[str, Any] = {"game": "arena", "version": VERSION, "clauses": clauses, "subgoals": wanted}
    found["reading"] = say.sentence(found)
    return {"sentence": found["reading"], "program": found}


TURNED = {"north": "east", "east": "south", "south": "west", "west": "north"}
COUNTED = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
SEEN = "Number of enemies have ever seen="
_WAY = re.compile(r"\b(?:(?:north|south)[ -]?)?(?:east|west)\b|\b(?:north|south)\b", re.IGNORECASE)
_COUNT = re.compile(rf"\b(?:{'|'.join(COUNTED)}|1[0-5]|[0-9])\b", re.IGNORECASE)


def varied(text: str, labels: list[str], rng: random.Random) -> tuple[str, list[str]]:
    """The same said of another direction or another number of enemies, for labels that name one: a reader
    learns from these, too.
    """
    if any(label.split("=")[-1].lower() in _WAYS for label in labels) and _WAY.search(text):
        for _ in range(rng.randrange(4)):
            text = _WAY.sub(lambda found: _turned(found[0]), text)
            labels = [_turned_label(label) for label in labels]
    counted = [label for label in labels if label.startswith(SEEN)]
    if counted and len(found := _COUNT.findall(text)) == 1 and rng.random() < 0.8:
        number = rng.randrange(1, 16)
        if found[0].lower() in (counted[0].removeprefix(SEEN), COUNTED[int(counted[0].removeprefix(SEEN))]):
            text = _COUNT.sub(COUNTED[number] if found[0].isalpha() else str(number), text)
            labels = [f"{SEEN}{number}" if label == counted[0] else label for label in labels]
    return text, labels


_WAYS = {"north": "North", "northeast": "NorthEast", "east": "East", "southeast": "Southeast"}
_WAYS |= {"south": "South", "southwest": "Southwest", "west": "West", "northwest": "Northwest"}


def _turned(words: str) -> str:
    """A direction a quarter further, written in the same way: "north-east" as "south-east"."""
    parts = [part.lower() for part in re.findall(r"north|south|east|west", words, re.IGNORECASE)]
    if len(parts) == 1:
        return TURNED[parts[0]]
    quarter = [TURNED[part] for part in parts]
    quarter.sort(key=lambda part: part in ("east", "west"))
    return re.sub(r"(?i)(?:north|south)([ -]?)(?:east|west)", rf"{quarter[0]}\1{quarter[1]}", words)


def _turned_label(label: str) -> str:
    name, _, value = label.partition("=")
    return f"{name}={_WAYS[_turned(value).lower()]}" if value.lower() in _WAYS else label
