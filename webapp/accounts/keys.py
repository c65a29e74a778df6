"""Every action whose key can be changed, for the page Keys: its name, where it works, its default keys. The
pages' own modules register the same names and defaults (`registerKeys` in static/js/lib/keys.js);
tests/webapp/accounts/test_keys.py compares the two.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from engine.games.pages import Key, in_order, pages
from engine.refusal import Refusal

MAX_KEYS = 4
# Keys that a page must keep: the help, and what browsers and screen readers need.
RESERVED = ("?", "Tab", "Shift+Tab")
# `KeyboardEvent.code`; what follows "(?!" are names of what a key writes that look like one.
PLACE = re.compile(r"(?!(?:Alt|AltGraph|Control|Dead|Meta|Process|Shift|Unidentified)$)[A-Z][A-Za-z0-9]+")
MOUSE = re.compile(r"Mouse\d|Wheel(?:Up|Down)|(?:Alt|Control|Meta|Shift)(?:Left|Right)")

GENERAL_TABLE = (
    *(Key(f"general.move{n}", f"Make move {n}", (str(n),)) for n in range(1, 10)),
    Key("general.next", "Next move", ("ArrowDown", "ArrowRight")),
    Key("general.previous", "Move before", ("ArrowUp", "ArrowLeft")),
    Key("general.copilot", "Co-pilot: take over, hand back", ("c",)),
    Key("general.instruct", "Tell your partner something", ("t",)),
)
PLAN = "The plan of your team"
GENERAL: dict[str, tuple[Key, ...]] = {
    "The table of a game without one of its own": GENERAL_TABLE,
    "What agents did, while you play": (
        Key("told.right", "Yes, what was done is what I meant", ("+", "=")),
        Key("told.wrong", "No, that isn't what I meant", ("-",)),
    ),
    PLAN: (Key("plan.toggle", "Plan together; hide or show the plan", ("p",)),),
    "A guided first game": (Key("coach.do", "Do what the coach offers", ("o",)),),
    "After a game": (
        *(Key(f"rate-{value}", f"Answer {value} of 7", (str(value),)) for value in range(1, 8)),
        Key("rate-next", "Next question", ("ArrowDown",)),
        Key("rate-previous", "Question before", ("ArrowUp",)),
        Key("after-replay", "Watch the replay", ("w",)),
        Key("after-again", "Play again", ("Enter",)),
        Key("ending-next", "Next moment", ("ArrowRight",)),
        Key("ending-previous", "Moment before", ("ArrowLeft",)),
        Key("ending-progress", "Mark progress at this moment (again: remove)", ("+",)),
        Key("ending-regression", "Mark regression at this moment", ("-",)),
        Key("ending-undo", "Undo the last mark", ("z",)),
    ),
    "Replay and annotation": (
        Key("replay.back", "One tick back", ("ArrowLeft",)),
        Key("replay.forward", "One tick on", ("ArrowRight",)),
        Key("replay.back10", "Ten ticks back", ("Shift+ArrowLeft",)),
        Key("replay.forward10", "Ten ticks on", ("Shift+ArrowRight",)),
        Key("replay.lastEvent", "Previous event or mark", ("Alt+ArrowLeft",)),
        Key("replay.nextEvent", "Next event or mark", ("Alt+ArrowRight",)),
        Key("replay.start", "First tick", ("Home",)),
        Key("replay.end", "Last tick", ("End",)),
        Key("replay.play", "Play or pause", ("Space",)),
        *(Key(f"replay.speed{i}", f"Speed {speed}", (str(i),)) for i, speed in enumerate("¼½124", 1)),
        Key("replay.seat", "Change seat", ("s",)),
        Key("replay.open", "Open hands, or this seat's view", ("d",)),
        Key("replay.rows", "Every row of the strip, and what it shows", ("l",)),
        Key("replay.words", "What this seat saw, in words", ("w",)),
        Key("replay.utility", "A reward model's U on the strip", ("u",)),
        Key("mark.progress", "Mark progress here (again: remove; other key: flip)", ("ArrowUp",)),
        Key("mark.regression", "Mark regression here", ("ArrowDown",)),
        Key("mark.nudgeBack", "Move the mark here one tick back", (",",)),
        Key("mark.nudgeOn", "Move the mark here one tick on", (".",)),
        Key("mark.remove", "Remove the mark here", ("Backspace", "Delete")),
        Key("mark.undo", "Undo", ("z",)),
        Key("mark.redo", "Redo", ("Shift+z",)),
        Key("mark.note", "Write a note on the mark here", ("n",)),
        *(Key(f"mark.reason{i}", f"Reason {i} of the mark here", (str(i + 5),)) for i in range(1, 5)),
        Key("queue.flag", "Flag the episode with a note", ("f",)),
        Key("queue.guidelines", "Guidelines", ("g",)),
        Key("queue.submit", "Submit and next (asks if there is no mark)", ("Enter",)),
        Key("queue.skip", "Skip with a reason", ("k",)),
    ),
}


def keys_of(game: str, bindings: dict[str, Any]) -> dict[str, str]:
    """{action: the key, the first of several, that a person with these bindings has} of a game's table and of
    plans there.
    """
    keys = (*pages(game).keys, *GENERAL[PLAN])
    return {key.name: bindings.get(key.name, key.keys)[0] for key in keys}


def catalogue() -> dict[str, tuple[Key, ...]]:
    """Page -> its actions: the tables of the games that have keys of their own, then the pages that all
    share. Two actions of one page on one key are a conflict; across pages they aren't.
    """
    of_games = [pages(game) for game in in_order()]
    return {page.keys_title: page.keys for page in of_games if page.keys} | GENERAL


def actions() -> dict[str, Key]:
    """Every action by its name."""
    return {action.name: action for listed in catalogue().values() for action in listed}


def catalogue_json() -> dict[str, list[dict]]:
    return {page: [asdict(action) for action in listed] for page, listed in catalogue().items()}


def is_key(key: object, action: Key) -> bool:
    """Whether the pages that have this action listen to such a key for it."""
    if not isinstance(key, str) or not 0 < len(key) <= 40 or not key.isprintable() or key in RESERVED:
        return False
    if not action.places:
        return True
    return bool(PLACE.fullmatch(key)) and (action.mouse or not MOUSE.fullmatch(key))


def fits(keys: object, action: Key) -> bool:
    return isinstance(keys, list) and 0 < len(keys) <= MAX_KEYS and all(is_key(key, action) for key in keys)


def of_today(bindings: dict[str, Any]) -> dict[str, list[str]]:
    """The person's key bindings that are still valid: an action may have gone since, or be bound to keys of
    another kind now.
    """
    known = actions() if bindings else {}
    return {name: keys for name, keys in bindings.items() if name in known and fits(keys, known[name])}


def validated(bindings: dict[str, Any]) -> dict[str, list[str]]:
    """`bindings` as kept with the user: known actions, 1 to 4 key names each, defaults left out.

    Raises Refusal for anything else.
    """
    kept, known = {}, actions()
    for name, keys in bindings.items():
        if name not in known:
            raise Refusal(f"There is no action {str(name)[:60]!r} to bind a key to.")
        if not fits(keys, known[name]):
            kind = _kind(known[name])
            raise Refusal(
                f"{known[name].label}: give one to {MAX_KEYS} keys{kind}, none of them {', '.join(RESERVED)}."
            )
        if tuple(keys) != known[name].keys:
            kept[name] = keys
    return kept


def _kind(action: Key) -> str:
    if action.mouse:
        return ' named by where they lie ("KeyW", "ShiftLeft"), or buttons of the mouse ("Mouse0", "WheelUp")'
    return ' named by where they lie ("KeyW"), no Shift, Ctrl, Alt or Meta alone' if action.places else ""
