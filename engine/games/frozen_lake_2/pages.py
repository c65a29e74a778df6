"""What the pages offer and say of Frozen Lake."""

from __future__ import annotations

from engine.games.pages import Key, Pages

from . import lakes

PAGES = Pages(
    place=5,
    heading="Cross a frozen lake together",
    invited="walk over the ice, round the holes, until each of you stands on a goal",
    rules="Two players cross a frozen lake, one cell a step, both at once. Each has to reach a goal, no "
    "matter which; whoever steps into a hole ends the game.",
    lasts="a minute",
    seats_help="Both move at once; of two who step onto the same cell the first seat gets there.",
    example="You take the left goal.",
    offered={
        "layout": ("drawn", *lakes.MAPS),
        "map_seed": (),
        "sight": lakes.SIGHTS,
        "horizon": (100, 50, 200),
    },
    labels={
        "layout": ("Lake", "Where holes, goals and players are."),
        "map_seed": ("Drawn lake", "The same number is the same lake; none is another one every game."),
        "sight": ("What you see", "In the paper players see nothing but where both of them stand."),
        "horizon": ("Steps", "The game ends after so many."),
    },
    words={
        ("layout", "drawn"): "drawn by lot (8 × 8)",
        ("layout", "4x4"): "small (4 × 4)",
        ("layout", "8x8"): "large (8 × 8)",
        ("sight", "lake"): "the lake",
        ("sight", "coordinates"): "where both stand, and nothing else",
    },
    numbers={"map_seed": (0, lakes.LARGEST_SEED, "another one every game")},
    keys_title="The frozen lake",
    keys=(
        Key("lake.up", "Step up", ("ArrowUp", "KeyW"), places=True),
        Key("lake.down", "Step down", ("ArrowDown", "KeyS"), places=True),
        Key("lake.left", "Step left", ("ArrowLeft", "KeyA"), places=True),
        Key("lake.right", "Step right", ("ArrowRight", "KeyD"), places=True),
        Key("lake.stay", "Stay for this step", ("Space", "KeyX"), places=True),
        Key("lake.copilot", "Co-pilot: take over, hand back", ("c",)),
        Key("lake.tell", "Tell your partner something", ("t",)),
    ),
    score_note="A point for each goal, where both are reached at once; 2 is the most.",
    highest=2.0,
)
