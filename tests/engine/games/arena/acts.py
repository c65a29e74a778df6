"""A field on which every player does what a test says, tick by tick."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.arena import hands, rules
from engine.games.arena import state as s
from tests.engine.games.arena.fields import GROUND, Field

FLOOR_Z = GROUND * 32


class Acts(Field):
    """Seats stand still with resting hands unless `tick` is told otherwise."""

    def record(self, seat: int, **given: Any) -> list[int]:
        """The record of an action: move, body, basic (None rests), switch, yaw, pitch (turn units), seen."""
        at = s.player(seat)
        slot = int(self.state[at + s.SLOT])
        basic = given.get("basic")
        switch = given.get("switch", slot if basic is None else s.KEEP)
        return [
            given.get("move", 0),
            0,
            1,
            given.get("body", s.B_STOP),
            s.PICK if basic is None else basic,
            switch,
            given.get("yaw", int(self.state[at + s.YAW])) & 0xFFFF,
            given.get("pitch", int(self.state[at + s.PITCH])),
            given.get("seen", int(self.state[s.TICK])),
        ]

    def tick(self, count: int = 1, **acts: dict[str, Any]) -> None:
        """`count` ticks in which the seats named (`p0`, `p1`, …) act and the others stand."""
        for _ in range(count):
            records = [self.record(seat, **acts.get(f"p{seat}", {})) for seat in range(self.seats)]
            rules.step(self.state, self.world, np.array(records, np.int32))

    def set(self, seat: int, **values: int) -> None:
        """Set fields of a player by name, in small letters."""
        for name, value in values.items():
            self.state[s.player(seat) + getattr(s, name.upper())] = value

    def get(self, seat: int, name: str) -> int:
        return self.player(seat, getattr(s, name.upper()))

    def row(self, seat: int, row: int) -> int:
        return int(self.state[s.ROW + s.ROWS * seat + row])

    def told(self, kind: int) -> list[list[int]]:
        """The events of the last tick of a kind, field by field."""
        before, count = int(self.state[s.EVENTS_BEFORE]), int(self.state[s.EVENT_COUNT])
        events = [
            self.state[s.EVENT + s.EVENT_SIZE * (i % s.EVENTS) :][: s.EVENT_SIZE]
            for i in range(before, count)
        ]
        return [event.tolist() for event in events if event[s.E_KIND] == kind]

    def near_door(self, seat: int) -> bool:
        return bool(hands.nearest_door(self.state, self.world, seat, hands.DOOR_ARM) >= 0)


def duel(metres: float = 10.0, team_size: int = 1, **weapon: int) -> Acts:
    """Seat 0 at (60, 60) faces the first of the other team, `metres` to the north; both have a pistol."""
    field = Acts(teams=2, team_size=team_size)
    other = team_size
    field.put(0, 60, 60, 0)
    field.put(other, 60, 60 - metres, 180)
    for seat in (0, other):
        field.set(seat, weapon=s.PISTOL, magazine=12, ammo=60, **weapon)
    field.look()
    return field
