"""Little moments of Arena to mark: the first squad on open ground, for some seconds.

Seconds are written as one letter and player: F walks ahead, R runs ahead, T turns about, X fires, L reloads,
. stands. The other squad stands still, far away. Who plays on has these seconds as moves, and turns.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena import state as s
from engine.games.position import Move, Position

LETTERS = {
    "F": (0, 0, 1, s.B_NONE, s.PICK, s.KEEP),
    "R": (0, 0, 1, s.B_RUN, s.PICK, s.KEEP),
    "T": (0, 3, 1, s.B_STOP, s.PICK, s.KEEP),
    "X": (0, 0, 1, s.B_STOP, s.FIRE, s.KEEP),
    "L": (0, 0, 1, s.B_STOP, s.RELOADING, s.KEEP),
    ".": (0, 0, 1, s.B_STOP, s.PICK, s.KEEP),
}
# Who turns to a side looks a sixth of a turn further to it after a second.
CHOICES = (
    ("Walk on", "w", LETTERS["F"]),
    ("Run", "r", LETTERS["R"]),
    ("Turn left", "a", (0, 15, 1, s.B_STOP, s.PICK, s.KEEP)),
    ("Turn right", "d", (0, 1, 1, s.B_STOP, s.PICK, s.KEEP)),
    ("Turn about", "s", LETTERS["T"]),
    ("Fire", "f", LETTERS["X"]),
    ("Reload", "l", LETTERS["L"]),
    ("Stand", "x", LETTERS["."]),
)
OPEN = {"teams": 2, "team_size": 2, "monsters": 0, "map_seed": 8, "zone": "none"}
ROUND = {**OPEN, "zone": "closing"}


def seconds(player: str, agent: str) -> tuple[Move, ...]:
    """Joint moves of these seats' letters, the other squad's beside them."""
    rest = LETTERS["."]
    return tuple((LETTERS[a], LETTERS[b], rest, rest) for a, b in zip(player, agent, strict=True))


def position(**given: Any) -> Position:
    """A position in which the agent is the player's mate, in seat 1. Whoever plays on finds the others busy,
    and nobody shoots at them.
    """
    return Position(
        game="arena",
        partner="arena/peaceful",
        seed=5,
        every=s.TICKS_PER_SECOND,
        seat=1,
        choices=CHOICES,
        **given,
    )


MARKING = (
    position(
        slug="reloads-when-told",
        title="It does what it was told",
        text="The player asked for one thing. Mark the second at which the agent has done it.",
        options=OPEN,
        moves=seconds("F.........", "F.X..L...."),
        told="Reload.",
        sign=1,
        tick=7,
        window=1,
        why="The instruction is carried out when the weapon is loaded again, not when the agent begins.",
        hints={"tick": "Read the line under the picture: when has it reloaded?"},
    ),
    position(
        slug="sets-off-after-the-player",
        title="It comes closer",
        text="The player asked the agent to come along. Nothing is finished here, but at one second what was "
        "asked for becomes likely. Find it.",
        options=OPEN,
        moves=seconds("FFFFFF..", "....FFFF"),
        told="Follow me.",
        sign=1,
        tick=5,
        window=1,
        why="It sets off after the player. One mark is enough: that it goes on is the same thing.",
        hints={"tick": "The agent stands still for some seconds. When does it set off?"},
    ),
    position(
        slug="runs-out-of-the-zone",
        title="A clear mistake",
        text="Nobody was told anything, so to stay in the match is what counts. One thing that the agent did "
        "costs it health. Mark it.",
        options=ROUND,
        moves=seconds("........", "..TRRRR."),
        sign=-1,
        tick=6,
        window=1,
        why="It has run out of the blue circle, where the zone takes health every second.",
        hints={"tick": "The blue line is the border of the safe zone. When does the agent cross it?"},
    ),
    position(
        slug="walks-the-other-way",
        title="Busy with something else",
        text="The player asked the agent to come along. Mark the second at which it does something else.",
        options=OPEN,
        moves=seconds("FFFFFFF", "..TFFFF"),
        told="Follow me.",
        sign=-1,
        tick=4,
        window=1,
        why="It walks the other way: that has nothing to do with what was asked.",
        hints={"tick": "To stand is neither. When does it walk off, and where to?"},
    ),
)
