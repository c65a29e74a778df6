"""The settings of an Arena match: what they are, whether they are sound, and the record they begin with."""

from __future__ import annotations

from operator import le
from typing import Any

import numpy as np

from engine.games.arena import state as s
from engine.games.arena import zone
from engine.games.arena.world import POOL, world_of
from engine.refusal import Refusal
from engine.simulation.rng import get32, put32
from engine.simulation.spec import Option

PACES = ("short", "normal", "long", "calm")
ZONES = ("closing", "none")
OPTIONS = {
    "teams": Option(2, tuple(range(2, s.MAX_TEAMS + 1)), "Teams in the match."),
    "team_size": Option(4, (1, 2, 3, 4), "Players in a team; at most 20 players in all."),
    "map_seed": Option(None, (), "The map: a whole number from 0 on, or none for one of 16 by the seed."),
    "pace": Option(
        "normal", PACES, "How fast the safe zone closes: about 2, 5 or 10 minutes; calm: it waits first."
    ),
    "monsters": Option(4, tuple(range(s.MONSTERS + 1)), "Monsters on the map."),
    "zone": Option("closing", ZONES, "none: the whole map is safe for twelve minutes; then it closes."),
}
LARGEST_SEED = 2**31 - 1


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise Refusal(f"{name} is a whole number from {low} to {high}, not {value!r}.")
    return int(value)


def validate(options: dict[str, Any]) -> dict[str, Any]:
    """All options, complete and checked; raises `Refusal`."""
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise Refusal(f"Arena has no option {unknown[0]!r}; its options are {', '.join(OPTIONS)}.")
    chosen = {name: options.get(name, option.default) for name, option in OPTIONS.items()}
    chosen["teams"] = _whole("teams", chosen["teams"], 2, s.MAX_TEAMS)
    chosen["team_size"] = _whole("team_size", chosen["team_size"], 1, 4)
    if chosen["teams"] * chosen["team_size"] > s.MAX_SEATS:
        players = chosen["teams"] * chosen["team_size"]
        raise Refusal(
            f"{chosen['teams']} teams of {chosen['team_size']} are {players} players; a match has at most "
            f"{s.MAX_SEATS}."
        )
    if chosen["map_seed"] is not None:
        chosen["map_seed"] = _whole("map_seed", chosen["map_seed"], 0, LARGEST_SEED)
    if chosen["pace"] not in PACES:
        raise Refusal(f"pace is one of {', '.join(PACES)}, not {chosen['pace']!r}.")
    chosen["monsters"] = _whole("monsters", chosen["monsters"], 0, s.MONSTERS)
    if chosen["zone"] not in ZONES:
        raise Refusal(f"zone is one of {', '.join(ZONES)}, not {chosen['zone']!r}.")
    return chosen


def world(options: dict[str, Any]) -> np.ndarray:
    """The maps of these (complete) options: int8 (maps, WORLD_SIZE)."""
    seed = options["map_seed"]
    return world_of(tuple(range(POOL)) if seed is None else (seed,))


def prepare(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    """A fresh record with its settings and its random stream; no match has begun in it."""
    state[:] = 0
    put32(state, s.KEY_A, key_a)
    put32(state, s.KEY_B, key_b)
    put32(state, s.EPISODE, 0)
    state[s.TEAMS] = options["teams"]
    state[s.TEAM_SIZE] = options["team_size"]
    state[s.SEATS] = options["teams"] * options["team_size"]
    # Without a zone nothing in the record says more; the number of a pace is that of its place.
    state[s.PACE] = zone.NO_ZONE if options["zone"] == "none" else PACES.index(options["pace"])
    state[s.MONSTER_COUNT] = options["monsters"]
    state[s.MAPS] = POOL if options["map_seed"] is None else 1
    # Where the maps are the pool, a map's seed is its row.
    put32(state, s.MAP_SEED_HIGH, options["map_seed"] or 0)


def map_seed(state: np.ndarray) -> int:
    """The seed of the map on which a match takes place."""
    return int(state[s.MAP]) if int(state[s.MAPS]) > 1 else int(get32(state, s.MAP_SEED_HIGH))


def idle(state: np.ndarray, seat: int) -> list[int]:
    """The record of standing still with resting hands."""
    at = s.player(seat)
    yaw, pitch = int(state[at + s.YAW]) & 0xFFFF, int(state[at + s.PITCH])
    return [0, 0, 1, s.B_STOP, s.PICK, int(state[at + s.SLOT]), yaw, pitch, int(state[s.TICK])]


_LEAST = (*(0 for _ in s.HEADS), 0, -16384, 0)
_MOST = (*(size - 1 for size in s.HEADS), 65535, 16384, 32767)


def record_problem(record: list[int]) -> str:
    """Why the numbers of a record can't be taken, in a sentence; "" if they can."""
    if all(map(le, _LEAST, record)) and all(map(le, record, _MOST)):
        return ""
    names = ("movement", "yaw head", "pitch head", "body", "basic", "switch")
    for name, number, size in zip(names, record, s.HEADS, strict=False):
        if not 0 <= number < size:
            return f"its {name} is {number}; it is 0 to {size - 1}."
    if not 0 <= record[s.ABS_YAW] < 65536:
        return f"its yaw is {record[s.ABS_YAW]}; it is 0 to 65535."
    if not -16384 <= record[s.ABS_PITCH] <= 16384:
        return f"its pitch is {record[s.ABS_PITCH]}; it is -16384 to 16384."
    if not 0 <= record[s.SEEN] < 32768:
        return f"the tick that it saw is {record[s.SEEN]}; it is 0 to 32767."
    return ""


def canonical(state: np.ndarray) -> np.ndarray:
    """The record to digest: all of it, but for what the last tick of the match before earned."""
    copy = state.copy()
    if int(copy[s.TICK]) == 0:
        copy[s.ROW : s.MEMORY] = 0
    return copy
