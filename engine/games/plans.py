"""What a game says about itself so that the work of a team can be planned in it (its `planning.py`).

A game describes what can be done as a `World`: an idea of the game, coarser than its rules, in which one seat
after the other chooses what to do next. Planners (engine.planning.planners) search it or show it to a
language model; they know no game. Not for how a step is carried out or known to be done: a step is a program
of the game's declared language, which agents follow and check as an instruction.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Clause = dict[str, Any]
"""Of the game's declared language (engine.language.declared)."""


@dataclass(frozen=True)
class Wanted:
    """What is to be planned. `seats`: whose work, people (`people`) among them, whose share is shown, never
    enforced. `goal`: the clauses that were asked of all, at the tick `since`; none: as many points as there
    are to get, as once all of it is done. `banned`: clauses, by seat, of what it is not to do. `busy`: seats
    that somebody has told what to do; nothing is planned for them. `pace`: by act, how many times as long it
    took as was thought; `slow`: by seat, how many times as long people take as agents. `fixed`: notations, by
    seat, of what it does first, in this order: what it is doing already, and what people put there.
    """

    seats: tuple[int, ...]
    people: frozenset[int] = frozenset()
    goal: tuple[Clause, ...] = ()
    since: int = 0
    banned: Mapping[int, tuple[Clause, ...]] = field(default_factory=dict)
    busy: frozenset[int] = frozenset()
    pace: Mapping[str, float] = field(default_factory=dict)
    slow: Mapping[int, float] = field(default_factory=dict)
    fixed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def paced(self, seat: int, act: str) -> float:
        """How many times as long as the game thinks an act of a seat takes."""
        return self.pace.get(act, 1.0) * self.slow.get(seat, 1.0)


@dataclass(frozen=True)
class Option:
    """Something that the seat whose turn it is can do next. `program`: the notation of one clause or several
    (engine.language.declared), as somebody would say it to that seat. `ticks`: how long it takes from now,
    waiting included; `place`: the cell or point that it is about, in the coordinates of the game's view.
    `needs`, `gives`: names of what has to be so before and what is so after ("pot 0 full"): a step comes
    after those that give what it needs. `then`: the world after it.
    """

    program: str
    ticks: float
    then: World
    place: tuple[int, int] | None = None
    needs: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()


class World(Protocol):
    """An idea of the game at some time; values, never changed."""

    def turn(self) -> int | None:
        """The seat that is free first, None where it isn't worth looking any further."""

    def options(self) -> Sequence[Option]:
        """What that seat can do next, among it to leave it to the others, if that may be best."""
        ...

    def later(self, ticks: float) -> World:
        """The world once that seat has done something else for so long."""

    def value(self) -> float:
        """How good it is, in points, later ones worth less."""
        ...

    def key(self) -> Hashable:
        """Equal for worlds that are worth the same from here on."""


Place = tuple[int, int]
Things = list[dict[str, Any]]
"""What is there that one can do something with: [{"name": "pot on the left", "place": [2, 0], "now": "two
onions in it"}, …].
"""
