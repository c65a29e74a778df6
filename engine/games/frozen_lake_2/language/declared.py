"""What can be said on the lake, declared (engine.language.declared), and how it is carried out (carried)."""

from __future__ import annotations

from engine.language.declared import Act, Declared, Slot

DECLARED = Declared(
    game="frozen_lake_2",
    about=(
        "Two players walk over a frozen lake, one cell a step, both at once. There are holes, which end the game, "
        "and two goals, each of which one of them is to reach. One player, a person (“me”), types to the other one, "
        "the agent. Columns and rows count from 1, from the upper left corner."
    ),
    by={"me": "the speaker does it (“I take the left goal”)", "both": "speaker and agent"},
    acts={
        "go": Act(
            "go to a goal, a cell, the speaker, the own start or an edge; not: keep off that, or off the holes",
            ("at", "side", "column", "row"),
        ),
        "step": Act("step one way, once or as many times as are said", ("way",)),
        "wait": Act("stay where you are; `times`: for so many steps"),
        "follow": Act("walk behind the speaker, stay next to them"),
        "first": Act("go first: to a goal, while the other one waits; by=me: the speaker does, the agent waits"),
    },
    slots={
        "at": Slot("a place", {"goal": "", "hole": "", "me": "where the speaker stands", "start": "where one began"}),
        "side": Slot(
            "which goal, or which edge of the lake",
            {
                "left": "", "right": "", "top": "upper", "bottom": "lower", "nearest": "nearer, closer",
                "other": "the other goal, not the speaker's",
            },
        ),
        "column": Slot("a column, from the left", number=True),
        "row": Slot("a row, from the top", number=True),
        "way": Slot("which way to step", {"left": "west", "down": "south", "right": "east", "up": "north"}),
    },
    limits={"times": Slot("how many steps", number=True)},
    events={
        "i_there": "the speaker stands on a goal",
        "i_move": "the speaker has moved away from where they stood",
        "i_near": "the speaker stands next to the agent",
        "you_there": "the agent stands on a goal",
    },
)  # fmt: skip
