"""A made-up world to plan in: chores in a garden, each with the ticks that each seat needs. Not a game."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.games.plans import Option

REST = 5.0
END = 200.0


@dataclass(frozen=True)
class Chore:
    """`ticks`: by seat, without those who can't; `needs`: chores that have to be over before."""

    ticks: Mapping[int, float]
    points: float = 1.0
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Garden:
    """`over`: when the chores that were done were over."""

    chores: Mapping[str, Chore]
    free: tuple[float, ...] = (0.0, 0.0)
    over: Mapping[str, float] = field(default_factory=dict)

    def turn(self) -> int | None:
        seat = min(range(len(self.free)), key=lambda one: self.free[one])
        return None if len(self.over) == len(self.chores) or self.free[seat] >= END else seat

    def options(self) -> Sequence[Option]:
        seat = self.turn()
        assert seat is not None
        return [
            *(self._done(seat, name) for name in self.chores if self._can(seat, name)),
            Option("", REST, self.later(REST)),
        ]

    def _can(self, seat: int, name: str) -> bool:
        chore = self.chores[name]
        return seat in chore.ticks and name not in self.over and all(one in self.over for one in chore.needs)

    def _done(self, seat: int, name: str) -> Option:
        chore = self.chores[name]
        begun = max([self.free[seat], *(self.over[one] for one in chore.needs)])
        end = begun + chore.ticks[seat]
        free = tuple(end if one == seat else time for one, time in enumerate(self.free))
        then = replace(self, free=free, over={**self.over, name: end})
        return Option(
            name,
            end - self.free[seat],
            then,
            place=(seat, list(self.chores).index(name)),
            needs=tuple(f"{one} done" for one in chore.needs),
            gives=(f"{name} done",),
        )

    def later(self, ticks: float) -> Garden:
        seat = self.turn()
        return replace(
            self, free=tuple(time + ticks if one == seat else time for one, time in enumerate(self.free))
        )

    def value(self) -> float:
        return sum(self.chores[name].points * 0.99**end for name, end in self.over.items())

    def key(self) -> Hashable:
        return self.free, tuple(sorted(self.over))
