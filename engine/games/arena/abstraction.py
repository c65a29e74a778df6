"""A match in few words: how far, which way, how fast, how well, as the OpenContra paper (Appendix B) has it.

The words are the values of Table 7 (subgoal_table.py). `subgoals` gives the 33 sub-goals of that table in
words; they are measured in subgoals_printed.py. Enemies are those that the seat's team knows of.

Not for: whether a goal has been reached (goals.py), sentences (words.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.games.arena import subgoals as measured
from engine.games.arena import subgoals_printed as printed
from engine.games.arena.angles import bearing
from engine.games.arena.subgoal_table import (
    DIRECTIONS,
    DISTANCE_BOUNDS,
    DISTANCES,
    LEVELS,
    PRINTED,
    VELOCITIES,
    decode,
)
from engine.games.arena.subgoal_table import SUBGOALS as TABLE

SUBGOALS = {subgoal.name: subgoal.values for subgoal in TABLE[:PRINTED]}
"""Name -> values, in the order and the spelling of Table 7."""


def direction(dx: int, dy: int) -> str | None:
    """The compass word for a way dx to the east and dy to the south; None for no way."""
    if dx == 0 and dy == 0:
        return None
    return heading(int(bearing(dx, dy)))


def heading(yaw: int) -> str:
    """The compass word for a yaw."""
    return DIRECTIONS[printed.heading(yaw)]


def distance(metres: float) -> str:
    """The word for a distance: "Nearby"."""
    return DISTANCES[sum(metres >= bound for bound in DISTANCE_BOUNDS)]


def velocity(state: np.ndarray, seat: int) -> str:
    """The word for a player's speed in the last tick."""
    return VELOCITIES[printed.velocity(state, seat)]


def nearest_enemy(state: np.ndarray, seat: int) -> tuple[int, int, int] | None:
    """(seat, dx, dy) of the nearest enemy that a seat's team knows of, where it last saw them; in units."""
    enemy = printed.nearest_known(state, seat, -1)
    if enemy < 0:
        return None
    return enemy, printed.last_seen(state, seat, enemy, 0), printed.last_seen(state, seat, enemy, 1)


def mates(state: np.ndarray, seat: int) -> list[int]:
    """The other seats of a seat's team that are still in."""
    size, team = int(state[s.TEAM_SIZE]), int(state[s.player(seat) + s.TEAM])
    squad = range(team * size, team * size + size)
    return [mate for mate in squad if mate != seat and int(state[s.player(mate) + s.LIFE]) != s.OUT]


def way(state: np.ndarray, seat: int, other: int) -> tuple[int, int]:
    """(dx, dy) in units from one seat to another."""
    a, b = int(s.player(seat)), int(s.player(other))
    return int(state[b + s.X]) - int(state[a + s.X]), int(state[b + s.Y]) - int(state[a + s.Y])


def metres(dx: int, dy: int) -> float:
    """The length of a way given in units."""
    return float(np.hypot(dx, dy)) / s.UNIT


def health(state: np.ndarray, seat: int) -> str:
    """The word for a player's health."""
    return LEVELS[printed.health(state, seat)]


def subgoals(start: np.ndarray, now: np.ndarray, seat: int) -> dict[str, str | None]:
    """The 33 sub-goals of Table 7 of a seat for the window from `start` to `now` (records of one match, 5 to
    20 seconds apart): name -> value. None is the paper's "not selected", where a sub-goal says nothing; the
    table's own value "None" is the text "None".
    """
    before, found = np.zeros(measured.OPENED, np.int16), np.zeros(PRINTED, np.int8)
    measured.opened(start, seat, before)
    printed.printed(before, now, seat, found)
    return decode(found)
