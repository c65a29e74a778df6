"""Little positions on the small lake, in which one move of the agent is to be marked. Steps are written as a
letter a tick and seat: L D R U step, . stays.
"""

from __future__ import annotations

from typing import Any

from engine.games.position import Position

LETTERS = "LDRU."


def steps(*seats: str) -> tuple[tuple[int, ...], ...]:
    """Joint steps of these seats' letters; a seat with fewer letters stays at the end."""
    length = max(map(len, seats))
    return tuple(zip(*([LETTERS.index(c) for c in moves.ljust(length, ".")] for moves in seats), strict=True))


def position(**given: Any) -> Position:
    options = {"layout": "4x4"}
    partner = "frozen_lake_2/walker"
    return Position(game="frozen_lake_2", partner=partner, options=options, seat=1, pictured=True, **given)


MARKING = (
    position(
        slug="reaches-the-goal-it-was-told",
        title="It does what it was told",
        text="The player left the left goal to the agent. Mark the step with which the agent has done what "
        "it was asked.",
        moves=steps("..D...U", "LDDLD"),
        told="You take the left goal.",
        sign=1,
        tick=5,
        window=0,
        why="The instruction is carried out with the step onto the left goal; the steps before only lead "
        "there.",
        hints={"tick": "On which step does the agent come to stand on the goal?"},
    ),
)
