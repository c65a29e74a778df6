"""Probes of mates who are told one thing: go to a named place, loot, lie down, hold, and in situations that
are laid out for it, regroup, rescue and heal. See engine.evaluation.probes.

Success is read off places, stances and counters of the record; progress, what simulated annotators go by, off
how far somebody still is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from engine.evaluation.measures import Measure
from engine.evaluation.probes import Probe, climbing
from engine.games.arena import state as s
from engine.games.arena.combat import KNOCKED_HP
from engine.games.arena.navigation import standable
from engine.games.arena.options import map_seed
from engine.games.arena.world import FLOOR, KINDS, STEP_HEIGHT, WATER, world_of

SECOND = s.TICKS_PER_SECOND
CLOSE = 8
"""Metres from the middle of its mates within which somebody is with them."""
FAR = 40
"""Metres beyond which nobody sees how far it still is."""
STEP = 10
"""Metres that are worth a mark."""
TOGETHER, LYING, INSIDE, STILL = 3 * SECOND, 3 * SECOND, SECOND, 5 * SECOND
"""Ticks on end for which a squad keeps together, somebody lies, is in a house, stays where it is."""
APART = (15, 25)
"""Metres from the leader within which a mate of a squad that is scattered stands."""
FINDS = 2
PATIENCE = 5 * SECOND
HURT = 40
Level = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _fields(states: np.ndarray, field: int, seats: int) -> np.ndarray:
    """(n, seats) of a player's field."""
    return states[:, s.PLAYERS + field + s.PLAYER * np.arange(seats)].astype(int)


def _leaders(states: np.ndarray, seats: int) -> np.ndarray:
    """(n, seats): the first seat of each seat's team."""
    size = states[:, s.TEAM_SIZE].astype(int)[:, None]
    return np.arange(seats) // size * size


def to_leader(after: np.ndarray, seats: int) -> np.ndarray:
    """Metres from each seat to its leader; far away where the leader is out."""
    x, y = (_fields(after, field, seats) / s.UNIT for field in (s.X, s.Y))
    leaders = _leaders(after, seats)
    off = [values - np.take_along_axis(values, leaders, 1) for values in (x, y)]
    gone = np.take_along_axis(_fields(after, s.LIFE, seats), leaders, 1) == s.OUT
    return np.where(gone, FAR, np.hypot(*off))


def to_mates(after: np.ndarray, seats: int) -> np.ndarray:
    """Metres from each seat to the middle of its mates that aren't out; 0 without any."""
    size = int(after[0, s.TEAM_SIZE])
    here = (_fields(after, s.LIFE, seats) != s.OUT).reshape(len(after), -1, size)
    others = here.sum(2, keepdims=True) - here
    off = []
    for field in (s.X, s.Y):
        mine = _fields(after, field, seats).reshape(here.shape) / s.UNIT
        middle = ((mine * here).sum(2, keepdims=True) - mine * here) / np.maximum(1, others)
        off.append(np.where(others > 0, mine - middle, 0.0))
    return np.hypot(*off).reshape(len(after), seats)


@lru_cache(64)
def _to_houses(seed: int) -> np.ndarray:
    """(cells,): metres on foot, through doors, from each cell of a map to the nearest floor of a house."""
    world = world_of((seed,))
    free = np.array([standable(world, 0, cell) for cell in range(s.CELLS)]).reshape(s.SIDE, s.SIDE)
    floor = (world[0, KINDS : KINDS + s.CELLS] == FLOOR).reshape(s.SIDE, s.SIDE)
    metres, before = np.where(floor, 0.0, np.inf), None
    while before is None or (metres < before).any():
        before, wide = metres, np.pad(metres, 1, constant_values=np.inf)
        for down, right in np.argwhere(np.ones((3, 3))):
            step = wide[down : down + s.SIDE, right : right + s.SIDE] + np.hypot(down - 1, right - 1)
            metres = np.where(free, np.minimum(metres, step), metres)
    return metres.ravel()


def to_house(after: np.ndarray, seats: int) -> np.ndarray:
    """Metres on foot from each seat to the nearest house, (n, seats)."""
    cells = (_fields(after, s.Y, seats) >> 8) * s.SIDE + (_fields(after, s.X, seats) >> 8)
    return np.stack([_to_houses(map_seed(state))[cell] for state, cell in zip(after, cells, strict=True)])


def _on_end(holds: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """For how many ticks on end something holds (n, seats); the first number of the memory."""
    memory[..., 0] = np.where(holds, memory[..., 0] + 1, 0)
    return memory[..., 0]


def _up(after: np.ndarray, seats: int) -> np.ndarray:
    return _fields(after, s.LIFE, seats) == s.UP


def _more(before: np.ndarray, after: np.ndarray, field: int, seats: int) -> np.ndarray:
    """What a counter of each seat has gone up by."""
    return np.maximum(0, _fields(after, field, seats) - _fields(before, field, seats))


# --- Success -----------------------------------------------------------------------------------------------


def regrouped(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """It has kept near its mates for some seconds."""
    seats = memory.shape[1]
    near = (to_mates(after, seats) <= CLOSE) & _up(after, seats)
    return 1.0 * (_on_end(near, memory) == TOGETHER)


def went(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """It has been in a house for a second."""
    seats = memory.shape[1]
    return 1.0 * (_on_end((to_house(after, seats) == 0) & _up(after, seats), memory) == INSIDE)


def looted(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """It has picked up some things."""
    return _more(before, after, s.LOOTS, memory.shape[1]) / FINDS


def lay(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """It has been lying for some seconds."""
    return 1.0 * (_on_end(_fields(after, s.STANCE, memory.shape[1]) == s.PRONE, memory) == LYING)


def stays(after: np.ndarray, seats: int) -> np.ndarray:
    """Whether each seat that is up doesn't move, bool (n, seats)."""
    return (_fields(after, s.VX, seats) == 0) & (_fields(after, s.VY, seats) == 0) & _up(after, seats)


def held(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """It has stayed where it is for some seconds."""
    return 1.0 * (_on_end(stays(after, memory.shape[1]), memory) == STILL)


def rescued(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Its leader, who was down, is up again, whoever of the squad did it."""
    seats = memory.shape[1]
    then, now = (
        np.take_along_axis(_fields(states, s.LIFE, seats), _leaders(states, seats), 1)
        for states in (before, after)
    )
    return 1.0 * ((then == s.DOWNED) & (now == s.UP))


def healed(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """It has treated its wounds."""
    return 1.0 * _more(before, after, s.HEALS, memory.shape[1])


# --- Progress ----------------------------------------------------------------------------------------------


def nearing(metres: Callable[[np.ndarray, int], np.ndarray], near: float) -> Measure:
    """How near each seat has come: a mark for every STEP metres, until it is there."""

    def level(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        return -np.clip(metres(after, memory.shape[1]) - near, 0, FAR) / STEP

    return climbing(level, 0.0, PATIENCE, 0)


def counting(field: int) -> Measure:
    """A mark for each of what a counter counts."""

    def level(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        memory[..., 0] += _more(before, after, field, memory.shape[1])
        return memory[..., 0]

    return climbing(level, np.inf, PATIENCE, 1)


def lying(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """1 for lying, up to 2 for staying so."""
    down = _on_end(_fields(after, s.STANCE, memory.shape[1]) == s.PRONE, memory)
    return np.minimum(2.0, (down > 0) + down / LYING)


def staying(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Up to 2 for staying where it is."""
    return np.minimum(2.0, 2 * _on_end(stays(after, memory.shape[1]), memory) / STILL)


# --- Situations --------------------------------------------------------------------------------------------


def scattered(states: np.ndarray) -> None:
    """The mates of seat 0 are away from it, each in another direction."""
    cells = np.arange(s.CELLS)
    for state in states:
        world, leader = world_of((map_seed(state),)), s.player(0)
        right = cells % s.SIDE + 0.5 - state[leader + s.X] / s.UNIT
        down = cells // s.SIDE + 0.5 - state[leader + s.Y] / s.UNIT
        metres, bearing, mates = np.hypot(right, down), np.arctan2(down, right), int(state[s.TEAM_SIZE]) - 1
        ring = cells[(metres >= APART[0]) & (metres <= APART[1])]
        ring = [cell for cell in ring if standable(world, 0, cell) and world[0, KINDS + cell] != WATER]
        for mate in range(mates):
            cell = max(ring, key=np.cos(bearing - 2 * np.pi * mate / mates).__getitem__)
            at = s.player(1 + mate)
            state[at + s.X], state[at + s.Y] = (
                int(where) * s.UNIT + s.UNIT // 2 for where in (cell % s.SIDE, cell // s.SIDE)
            )
            state[at + s.Z] = int(world[0, cell]) * STEP_HEIGHT


def leader_down(states: np.ndarray) -> None:
    """Seat 0 has been knocked down."""
    for field, value in ((s.LIFE, s.DOWNED), (s.STANCE, s.DOWN), (s.HP, KNOCKED_HP)):
        states[:, s.PLAYERS + field] = value


def hurt(states: np.ndarray) -> None:
    """The mates of seat 0 are wounded and have something to treat it with."""
    for seat in range(1, int(states[0, s.TEAM_SIZE])):
        states[:, s.player(seat) + s.HP], states[:, s.player(seat) + s.MEDKITS] = HURT, 1


PROBES = (
    Probe("go", "go to the house", 20 * SECOND, Measure(went, 1), nearing(to_house, 0)),
    Probe("loot", "loot", 15 * SECOND, Measure(looted), counting(s.LOOTS)),
    Probe("lie", "go prone", 15 * SECOND, Measure(lay, 1), climbing(lying, 2.0, PATIENCE, 1)),
    Probe("hold", "hold here", 15 * SECOND, Measure(held, 1), climbing(staying, 2.0, PATIENCE, 1)),
    Probe(
        *("regroup", "regroup", 20 * SECOND, Measure(regrouped, 1), nearing(to_mates, CLOSE)),
        arrange=scattered,
    ),
    Probe(
        *("rescue", "rescue our mate", 20 * SECOND, Measure(rescued)),
        nearing(to_leader, 1),
        arrange=leader_down,
    ),
    Probe("heal", "heal", 15 * SECOND, Measure(healed), counting(s.HEALS), arrange=hurt),
)
