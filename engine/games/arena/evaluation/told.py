"""What is counted in Arena in which somebody was told something (engine.evaluation.told)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.evaluation.counted import Sequels
from engine.games.arena import state as s
from engine.games.arena.view import STANCES, SUPPLIES, events
from engine.games.arena.zone import inside
from engine.simulation.simulation import Simulation

DEEDS = {
    "shot": "shoot",
    "hit": "hit",
    "knock": "knock",
    "kill": "kill",
    "rescued": "rescue",
    "door": "door",
    "picked": "pick",
    "dropped": "drop",
    "treated": "treat",
    "reloaded": "reload",
    "monster_dead": "kill monster",
}
"""Events that are somebody's doing, and what it is called."""
STILL = s.UNIT // 100
"""Units a tick; less is standing still."""
NEAR = 8 * s.UNIT
"""Units from the first seat within which somebody is with it."""
WAYS = ("north", "south", "east", "west")


def look(sim: Simulation) -> dict[str, Any]:
    """Of a match what `Counts` needs: the events of the last tick, and by seat of the first squad its life,
    stance, place in units, and whether it is inside of the zone that comes.
    """
    state, seats = sim.state, range(int(sim.state[s.TEAM_SIZE]))
    return {"events": events(state) if sim.tick else [], "players": [_player(state, seat) for seat in seats]}


def _player(state: np.ndarray, seat: int) -> dict[str, Any]:
    at = int(s.player(seat))
    x, y = int(state[at + s.X]), int(state[at + s.Y])
    return {
        "life": int(state[at + s.LIFE]),
        "stance": STANCES[int(state[at + s.STANCE])],
        "place": (x, y),
        "inside": bool(inside(state, s.WHITE_X, x, y)),
    }


class Counts:
    """By seat of the first squad what it did ("shoot", "pick rifle", "treat", "rescue", …), ticks in which it
    was up ("up"), stood still, crouched, was prone, was with the first seat, was inside of the zone that
    comes, and metres that it went north, south, east and west; after each deed of a mate what it did next.
    """

    def __init__(self, seats: int) -> None:
        self.sequels = Sequels(seats)
        self.gone = np.zeros((seats, 2))  # units to the east and to the south, and what went the other way
        self.back = np.zeros((seats, 2))

    def note(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """A tick, between what there was to see before it and after it."""
        seats_here = range(len(self.sequels.seats))
        deeds = [event for event in after["events"] if event["kind"] in DEEDS and event["seat"] in seats_here]
        self.sequels.note((deed["seat"], _name(deed)) for deed in deeds)
        first = after["players"][0]
        for seat, (was, now) in enumerate(zip(before["players"], after["players"], strict=True)):
            counts, step = self.sequels.seats[seat], np.subtract(now["place"], was["place"])
            if now["life"] != s.UP or was["life"] != s.UP:
                continue
            self.gone[seat] += np.maximum(step, 0)
            self.back[seat] += np.maximum(-step, 0)
            near = np.hypot(*np.subtract(now["place"], first["place"])) <= NEAR
            counts["up"] += 1
            counts["still"] += bool(np.hypot(*step) < STILL)
            counts["crouch"] += now["stance"] == "crouch"
            counts["prone"] += now["stance"] == "prone"
            counts["in the next zone"] += now["inside"]
            counts["with the first"] += bool(seat and first["life"] != s.OUT and near)

    def found(self) -> dict[str, Any]:
        metres = [
            dict(zip(WAYS, (int(back[1]), int(gone[1]), int(gone[0]), int(back[0])), strict=True))
            for gone, back in zip(self.gone // s.UNIT, self.back // s.UNIT, strict=True)
        ]
        return {**self.sequels.found(), "metres": metres}


def _name(event: dict[str, Any]) -> str:
    """What somebody did, and with what."""
    item = SUPPLIES[event["value"]] if event["kind"] in ("picked", "dropped") else ""
    return f"{DEEDS[event['kind']]} {item}".strip()
