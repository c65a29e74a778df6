"""A position to mark or to play on from; the same for every game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Move = int | tuple[int, ...] | tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Position:
    """A start, the moves that lead here, and what is asked.

    A move is the action of the seat whose turn it is, or one action a seat where all move at once, taken for
    `every` ticks: where that are several, the position is shown as pictures, and who plays on has `choices`:
    (label, key, the seat's action). `pictured`: it is shown as pictures though each move takes one tick, as
    the game's replays are. `sign` and `tick` say which mark is right (0: no mark is asked for),
    `window` how many ticks off it may be; `accepted` which actions are; `told` is an instruction that was
    given; `seat` is whose progress is judged, or who moves. `why` is told after a right answer, `hints` after
    a wrong one, by action, "tick" or "sign". `partner` is the scripted agent that plays on.
    """

    slug: str
    title: str
    text: str
    game: str
    options: dict[str, Any]
    partner: str
    deck: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()
    told: str = ""
    seat: int = 0
    sign: int = 0
    tick: int = 0
    window: int = 0
    accepted: tuple[int, ...] = ()
    why: str = ""
    hints: dict = field(default_factory=dict)
    asks: str = "mark"
    seed: int = 0
    every: int = 1
    pictured: bool = False
    choices: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
