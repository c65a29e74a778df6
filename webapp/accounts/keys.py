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
    """`places`: its keys are named by where they lie (`KeyboardEvent.code`, "Mouse0", "WheelUp"), not by what
    they write.
    """

    name: str
    label: str
    keys: tuple[str, ...]
    places: bool = False


def placed(name: str, label: str, *keys: str) -> Action:
    return Action(f"arena.{name}", label, keys, places=True)


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
    "The Overcooked kitchen": (
        Action("kitchen.north", "Walk up", ("ArrowUp", "w")),
        Action("kitchen.south", "Walk down", ("ArrowDown", "s")),
        Action("kitchen.east", "Walk right", ("ArrowRight", "d")),
        Action("kitchen.west", "Walk left", ("ArrowLeft", "a")),
        Action("kitchen.act", "Act: take, put down, cook, serve", ("Space", "e")),
        Action("kitchen.stay", "Stay for this move (turn by turn)", (".", "x")),
        Action("kitchen.copilot", "Co-pilot: take over, hand back", ("c",)),
        Action("kitchen.instruct", "Tell your partner something", ("Enter", "t")),
        *(Action(f"kitchen.say{n}", f"Say ready sentence {n}", (str(n),)) for n in range(1, 10)),
        Action("kitchen.sound", "Sound on or off", ("m",)),
    ),
    "The Arena": (
        placed("forward", "Walk forward", "KeyW"),
        placed("back", "Walk back", "KeyS"),
        placed("left", "Walk left", "KeyA"),
        placed("right", "Walk right", "KeyD"),
        placed("run", "Run", "ShiftLeft"),
        placed("jump", "Jump, or get up", "Space"),
        placed("crouch", "Crouch; slide while running", "KeyC", "ControlLeft"),
        placed("prone", "Lie down, get up", "KeyZ"),
        placed("slide", "Slide (while walking or running)", "KeyX"),
        placed("fire", "Fire", "Mouse0", "KeyJ", "Numpad0"),
        placed("zoom", "Look along the sights", "Mouse2", "KeyB"),
        placed("aimHelp", "Aim help: stop, aim at whoever is nearest to the crosshair, fire", "KeyK"),
        placed("turnLeft", "Turn left", "ArrowLeft"),
        placed("turnRight", "Turn right", "ArrowRight"),
        placed("lookUp", "Look up", "ArrowUp"),
        placed("lookDown", "Look down", "ArrowDown"),
        placed("reload", "Reload", "KeyR"),
        placed("interact", "Open or close a door; hold: help a mate up", "KeyE"),
        placed("pick", "Pick up", "KeyF"),
        placed("drop", "Drop the weapon in hand", "KeyG"),
        placed("treat", "Treat yourself (again: stop)", "KeyH", "Digit4"),
        placed("slot1", "First weapon", "Digit1"),
        placed("slot2", "Second weapon", "Digit2"),
        placed("other", "The other weapon", "WheelUp", "WheelDown", "KeyQ"),
        placed("instruct", "Tell your team something", "KeyT", "Enter"),
        placed("sentences", "Wheel of ready sentences", "KeyV"),
        placed("scoreboard", "Scoreboard", "Tab"),
        placed("map", "Map", "KeyM"),
        placed("watch", "Watch the next player", "KeyN"),
        placed("copilot", "Co-pilot: take over, hand back", "KeyP"),
        placed("sound", "Sound on or off", "KeyL"),
        placed("menu", "Menu", "Escape"),
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
        Action("replay.words", "What this seat saw, in words", ("w",)),
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
