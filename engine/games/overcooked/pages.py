"""What the pages offer and say of Overcooked; its kitchens, with one that is drawn with letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from engine.games.pages import Key, Pages
from engine.refusal import Refusal

from . import layout_check, layouts, new_kitchens, options

DRAWN = re.compile(
    rf"name: {new_kitchens.NAME.pattern}\n"
)  # how the text of a kitchen begins that was drawn by number
LONGEST_LAYOUT = 4000  # characters
LONGEST_NUMBER = 9  # characters; more of them only make a number too large
CUSTOM = "custom"  # the layout that the form brings as a text
# What a kitchen is like, in a line under its picture.
KITCHENS = {
    "cramped_room": ("Cramped room", "One pot, little room: mind each other's way."),
    "asymmetric_advantages": ("Asymmetric advantages", "Two sides, each close to something else."),
    "coordination_ring": ("Coordination ring", "A narrow ring: walk the same way round."),
    "forced_coordination": ("Forced coordination", "One has the onions, the other the pots."),
    "counter_circuit_o_1order": ("Counter circuit", "A long way round, or hand things over the middle."),
}
EXAMPLE = """XXXPXXX
O  1  D
X     X
X  2  S
XXXOXXX"""


def kitchens() -> list[dict[str, Any]]:
    """The kitchens to choose from: [{"value", "label", "text", "rows", "players"}], the own one last."""
    rows = [
        {"value": name, "label": label, "text": text, **plan(layouts.layout_of(name))}
        for name, (label, text) in KITCHENS.items()
    ]
    drawn = plan(layouts.layout_of(EXAMPLE))
    drawn |= {
        "value": CUSTOM,
        "label": "Your own",
        "text": "Draw a kitchen with letters, for two to four cooks.",
        "example": EXAMPLE,
    }
    drawn["new"] = new_kitchens.FIRST_TO_LEARN  # how many there are to draw
    return [*rows, drawn]


def plan(layout: Any) -> dict[str, Any]:
    """{"rows", "players", "name", "note", "roomy"}: the grid as text, with start cells as digits."""
    rows = [list(row) for row in layout.grid]
    for seat, (x, y) in enumerate(layout.starts):
        rows[y][x] = str(seat + 1)
    return {
        "rows": ["".join(row) for row in rows],
        "players": len(layout.starts),
        "name": layout.name,
        "note": note(layout),
        "roomy": new_kitchens.is_roomy(layout),
    }


def note(layout: Any) -> str:
    """A sentence on what is special about a kitchen, "" for none."""
    walled = len(layout_check.walled(layout, len(layout.starts)))
    return f"{walled} serving window{'s' if walled > 1 else ''} can't be reached." if walled else ""


def typed(text: str) -> str:
    """A kitchen's text as an option has it. Raises Refusal with a sentence."""
    text = plain(text)
    if len(text) > LONGEST_LAYOUT:
        raise Refusal(f"The kitchen is longer than {LONGEST_LAYOUT} characters; make it smaller.")
    if not text.strip():
        raise Refusal("Write the kitchen that you want to cook in, or choose one of the others.")
    return text.strip("\n") + "\n"  # the line feed tells a text from a name


def plain(text: str) -> str:
    """A pasted text in plain characters: ordinary spaces and line ends, narrow letters for wide ones, and
    without invisible characters.
    """
    lines = "\n".join(unicodedata.normalize("NFKC", text).splitlines())
    spaced = (" " if unicodedata.category(char) == "Zs" or char == "\t" else char for char in lines)
    return "".join(char for char in spaced if char == "\n" or unicodedata.category(char) not in ("Cf", "Cc"))


def checked(text: str, form: Mapping[str, Any]) -> dict[str, Any]:
    """The plan of a kitchen's text, with "note" if there is something to know; the form's other options have
    to go with it. Raises Refusal with a sentence.
    """
    layout = layouts.layout_of(typed(text))
    chosen: dict[str, Any] = {"players": len(layout.starts), "layout": typed(text)}
    for name in ("dynamics", "start"):
        chosen |= {name: form[name]} if form.get(name) else {}
    if ticks := str(form.get("horizon", ""))[:LONGEST_NUMBER]:
        chosen["horizon"] = int(ticks) if ticks.isdecimal() else ticks
    options.validate(chosen)
    return plan(layout)


def from_form(chosen: dict[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with the kitchen that was written where that is the choice. Raises Refusal."""
    if chosen.get("layout") != CUSTOM:
        return chosen
    chosen = {**chosen, "layout": typed(form.get("layout_text") or "")}
    starts = len(layouts.layout_of(chosen["layout"]).starts)
    if starts > chosen.get("players", starts):
        raise Refusal(
            f"Your kitchen has start cells for {starts} cooks, and {chosen['players']} seats are filled: "
            f"fill {starts}, or take start cell {starts} out."
        )
    return chosen


def label(layout: str) -> str:
    """What the pages call a kitchen."""
    if layout in KITCHENS:
        return KITCHENS[layout][0]
    drawn = DRAWN.match(layout)
    return f"new kitchen {drawn[1]}" if drawn else "a kitchen of one's own"


PAGES = Pages(
    place=2,
    heading="Cook with people and agents",
    invited="cook and serve as many soups as you can before the time is up",
    lasts="about a minute",
    seats_help="People and agents; or agents alone, and you watch.",
    example="You do onions, I bring plates and serve.",
    offered={
        "layout": (*KITCHENS, CUSTOM),
        "horizon": (400, 200, 100),
        "dynamics": ("old", "new"),
        "start": ("fixed", "random"),
        "tick_length": (0, 150, 250),
    },
    labels={
        "layout": ("Kitchen", "Where pots, counters, onions and dishes stand."),
        "horizon": ("Length", "In real time a cook takes six steps a second."),
        "dynamics": ("Pots", "How a soup begins to cook."),
        "start": ("Start", "Where cooks and things are at first."),
        "tick_length": ("Speed", "How long a step lasts in real time."),
    },
    words={
        **{("layout", name): title for name, (title, _) in KITCHENS.items()},
        ("layout", CUSTOM): "your own, written below",
        ("horizon", 400): "a good minute (400 steps)",
        ("horizon", 200): "half a minute (200 steps)",
        ("horizon", 100): "a quarter of a minute (100 steps)",
        ("dynamics", "old"): "by itself at three ingredients",
        ("dynamics", "new"): "when a cook starts it",
        ("start", "fixed"): "as the kitchen says",
        ("start", "random"): "anywhere",
        ("tick_length", 0): "as this site has it",
        ("tick_length", 150): "0.15 s, as recorded people had it",
        ("tick_length", 250): "0.25 s, at leisure",
    },
    apart=("layout", "horizon"),
    layouts=kitchens,
    layout_label=label,
    checked_layout=checked,
    from_form=from_form,
    keys_title="The Overcooked kitchen",
    keys=(
        Key("kitchen.north", "Walk up", ("ArrowUp", "KeyW"), places=True),
        Key("kitchen.south", "Walk down", ("ArrowDown", "KeyS"), places=True),
        Key("kitchen.east", "Walk right", ("ArrowRight", "KeyD"), places=True),
        Key("kitchen.west", "Walk left", ("ArrowLeft", "KeyA"), places=True),
        Key("kitchen.act", "Act: take, put down, cook, serve", ("Space", "KeyE"), places=True),
        Key("kitchen.stay", "Stay for this move (turn by turn)", (".", "x")),
        Key("kitchen.copilot", "Co-pilot: take over, hand back", ("c",)),
        Key("kitchen.instruct", "Tell your partner something", ("Enter", "t")),
        *(Key(f"kitchen.say{n}", f"Say ready sentence {n}", (str(n),)) for n in range(1, 10)),
        Key("kitchen.yes", "Yes, that is what I meant", ("y",)),
        Key("kitchen.sound", "Sound on or off", ("m",)),
    ),
    score_note="Points of one game of 400 ticks, 20 a soup, without shaping.",
)
