"""Every action that can be rebound, for the keys page: what it is called, where it works, its default keys.

The pages' own modules register the same names and defaults (`registerKeys` in static/js/lib/keys.js);
tests/webapp/accounts/test_keys.py holds the two together.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

MAX_KEYS = 4
# Keys that a page must keep: the help, and what browsers and screen readers need.
RESERVED = ("?", "Tab", "Shift+Tab")


@dataclass(frozen=True)
class Action:
    name: str
    label: str
    keys: tuple[str, ...]


# Page -> its actions. Two actions of one page on one key are a conflict; across pages they aren't.
CATALOGUE: dict[str, tuple[Action, ...]] = {
    "The Hanabi table": (
        Action("table-previous", "Choose the card to the left", ("ArrowLeft",)),
        Action("table-next", "Choose the card to the right", ("ArrowRight",)),
        Action("table-up", "Choose in a partner's hand", ("ArrowUp",)),
        Action("table-down", "Choose in your own hand", ("ArrowDown",)),
        Action("table-act", "Act: play your card, or hint the colour of your partner's", ("Space",)),
        Action("table-act-rank", "Hint the rank of your partner's card", ("Shift+Space",)),
        Action("table-play", "Play the chosen card", ("p", "+")),
        Action("table-discard", "Discard the chosen card", ("d", "-")),
        *(Action(f"table-rank-{rank}", f"Hint rank {rank}", (str(rank),)) for rank in range(1, 6)),
        *(
            Action(f"table-{colour}", f"Hint {colour}", (colour[0],))
            for colour in ("red", "yellow", "green", "white", "blue")
        ),
        Action("table-instruct", "Tell your partner something", ("Enter", "t")),
        Action("table-close", "Let go of the chosen card", ("Escape",)),
    ),
    "After a game": (
        *(Action(f"rate-{value}", f"Answer {value} of 7", (str(value),)) for value in range(1, 8)),
        Action("rate-next", "Next question", ("ArrowDown",)),
        Action("rate-previous", "Question before", ("ArrowUp",)),
        Action("after-replay", "Watch the replay", ("w",)),
        Action("after-again", "Play again", ("Enter",)),
    ),
    "Replay and annotation": (
        Action("replay.back", "One tick back", ("ArrowLeft",)),
        Action("replay.forward", "One tick on", ("ArrowRight",)),
        Action("replay.back10", "Ten ticks back", ("Shift+ArrowLeft",)),
        Action("replay.forward10", "Ten ticks on", ("Shift+ArrowRight",)),
        Action("replay.lastEvent", "Previous event or mark", ("Alt+ArrowLeft",)),
        Action("replay.nextEvent", "Next event or mark", ("Alt+ArrowRight",)),
        Action("replay.start", "First tick", ("Home",)),
        Action("replay.end", "Last tick", ("End",)),
        Action("replay.play", "Play or pause", ("Space",)),
        *(Action(f"replay.speed{i}", f"Speed {speed}", (str(i),)) for i, speed in enumerate("¼½124", 1)),
        Action("replay.seat", "Change seat", ("s",)),
        Action("replay.open", "Open hands, or this seat's view", ("d",)),
        Action("mark.progress", "Mark progress here (again: remove; other key: flip)", ("ArrowUp",)),
        Action("mark.regression", "Mark regression here", ("ArrowDown",)),
        Action("mark.nudgeBack", "Move the mark here one tick back", (",",)),
        Action("mark.nudgeOn", "Move the mark here one tick on", (".",)),
        Action("mark.remove", "Remove the mark here", ("Backspace", "Delete")),
        Action("mark.undo", "Undo", ("z",)),
        Action("mark.redo", "Redo", ("Shift+z",)),
        Action("mark.note", "Write a note on the mark here", ("n",)),
        Action("queue.flag", "Flag the episode with a note", ("f",)),
        Action("queue.guidelines", "Guidelines", ("g",)),
        Action("queue.submit", "Submit and next (asks once if there is no mark)", ("Enter",)),
        Action("queue.skip", "Skip with a reason", ("u",)),
    ),
}

ACTIONS = {action.name: action for actions in CATALOGUE.values() for action in actions}


def catalogue_json() -> dict[str, list[dict]]:
    return {page: [asdict(action) for action in actions] for page, actions in CATALOGUE.items()}


def is_key(key: object) -> bool:
    return isinstance(key, str) and 0 < len(key) <= 40 and key.isprintable() and key not in RESERVED


def validated(bindings: object) -> dict[str, list[str]]:
    """`bindings` as kept with the user: known actions, 1 to 4 key names each, defaults left out.

    Raises ValueError with a sentence for anything else.
    """
    if not isinstance(bindings, dict):
        raise ValueError('Key bindings must be an object like {"replay.play": ["Space"]}.')
    kept = {}
    for name, keys in bindings.items():
        if name not in ACTIONS:
            raise ValueError(f"There is no action {str(name)[:60]!r} to bind a key to.")
        if not isinstance(keys, list) or not 0 < len(keys) <= MAX_KEYS or not all(map(is_key, keys)):
            raise ValueError(
                f"{ACTIONS[name].label}: give one to {MAX_KEYS} keys, none of them {', '.join(RESERVED)}."
            )
        if tuple(keys) != ACTIONS[name].keys:
            kept[name] = keys
    return kept
