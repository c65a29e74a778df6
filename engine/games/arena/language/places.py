"""Where an instruction means: a point on the map for "there", "the house", "behind the rock", "20 metres
north", and the player for "him", "the one who shot me". Pure functions of a live match.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.arena import sight
from engine.games.arena import state as s
from engine.games.arena.abstraction import nearest_enemy
from engine.games.arena.angles import bearing, cosine, sine, wrap
from engine.games.arena.language.programs import METRES
from engine.games.arena.navigation import standable
from engine.games.arena.world import BUSH, COVER, DOOR_CELL, FLOOR, KINDS, ROCK, WATER

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

POINTED = 40 * s.UNIT  # units as far as "there" reaches
NARROW, WIDE = 5461, 8192  # turn units (30, 45 degrees) from the view within which an enemy, a mate is meant
HILL_REACH = 30  # cells
LATELY = 600  # ticks for which a team's sighting of an enemy counts
YAWS = {"north": 0, "northeast": 1, "east": 2, "southeast": 3, "south": 4, "southwest": 5, "west": 6}
YAWS |= {"northwest": 7}
SIDES = {"ahead": 0, "right": 2, "back": 4, "left": 6}
_KINDS = {"rock": ROCK, "wall": COVER, "bush": BUSH, "water": WATER}
_SIDE = s.SIDE


def at(sim: Simulation, seat: int, field: int) -> int:
    """A field of a player (state.py)."""
    return int(sim.state[s.PLAYERS + s.PLAYER * seat + field])  # s.player, which Python calls less cheaply


def spot(sim: Simulation, seat: int) -> tuple[int, int]:
    """Where a player is, in units."""
    return at(sim, seat, s.X), at(sim, seat, s.Y)


def alive(sim: Simulation, seat: int) -> bool:
    """Whether a player is still in the match."""
    return at(sim, seat, s.LIFE) != s.OUT


def team(sim: Simulation, seat: int) -> int:
    """The team of a seat."""
    return seat // int(sim.state[s.TEAM_SIZE])


def last_seen(sim: Simulation, seat: int, other: int) -> tuple[int, int, int]:
    """When a seat's team last saw an enemy, and where: tick, x, y."""
    entry = s.MEMORY + 3 * (s.MAX_SEATS * team(sim, seat) + other)
    tick, x, y = (int(number) for number in sim.state[entry : entry + 3])
    return tick, x, y


# --- Whom ------------------------------------------------------------------------------------------------


def numbered(sim: Simulation, seat: int, name: str) -> int | None:
    """The seat of "player 3" or of "mate 2" (of this seat's squad); None if there is none."""
    kind, _, digits = name.partition(" ")
    size, number = int(sim.state[s.TEAM_SIZE]), int(digits)
    if kind == "mate" and number <= size:
        return team(sim, seat) * size + number - 1
    return number - 1 if number <= sim.seats else None


def enemy_looked_at(sim: Simulation, speaker: int) -> int:
    """The known enemy whom somebody looks at, -1 for none."""
    best, found = NARROW, -1
    for other in range(sim.seats):
        if team(sim, other) == team(sim, speaker) or at(sim, other, s.LIFE) == s.OUT:
            continue
        tick, x, y = last_seen(sim, speaker, other)
        if sim.tick - tick > LATELY:
            continue
        off = _off(sim, speaker, x, y)
        if off < best:
            best, found = off, other
    return found


def mate_looked_at(sim: Simulation, speaker: int, but: int, downed: bool = False) -> int:
    """The mate whom somebody looks at, else the nearest one; -1 for none. `but` isn't meant."""
    squad = [m for m in squad_of(sim, speaker) if m not in (speaker, but)]
    squad = [m for m in squad if at(sim, m, s.LIFE) == s.DOWNED] if downed else squad
    seen = [m for m in squad if _off(sim, speaker, *spot(sim, m)) < WIDE]
    if seen:
        return min(seen, key=lambda mate: _off(sim, speaker, *spot(sim, mate)))
    return min(squad, key=lambda mate: apart(sim, speaker, mate), default=-1)


def shooter(sim: Simulation, *hurt: int) -> int:
    """Who last shot the first of some players whom somebody shot, -1 for nobody."""
    for seat in hurt:
        by = at(sim, seat, s.HIT_BY) - 1
        if 0 <= by < sim.seats:
            return by
    return -1


def prey(sim: Simulation, hunter: int) -> int:
    """The enemy whom somebody last hit, as far as they are still in; else the one looked at, -1 for none."""
    for event in reversed(sim.events):
        other = event["other"]
        if event["kind"] in ("hit", "knock") and event["seat"] == hunter and alive(sim, other):
            if team(sim, other) != team(sim, hunter):
                return int(other)
    return enemy_looked_at(sim, hunter)


def squad_of(sim: Simulation, seat: int) -> list[int]:
    """A seat's team as far as it is in the match."""
    size = int(sim.state[s.TEAM_SIZE])
    first = team(sim, seat) * size
    return [mate for mate in range(first, first + size) if alive(sim, mate)]


def apart(sim: Simulation, a: int, b: int) -> float:
    """Units between two players."""
    (ax, ay), (bx, by) = spot(sim, a), spot(sim, b)
    return float(np.hypot(ax - bx, ay - by))


def _off(sim: Simulation, seat: int, x: int, y: int) -> int:
    """Turn units between a player's view and a point."""
    dx, dy = x - at(sim, seat, s.X), y - at(sim, seat, s.Y)
    return abs(int(wrap(int(bearing(dx, dy)) - at(sim, seat, s.YAW))))


def meant_enemy(said: Any, sim: Simulation, seat: int, speaker: int) -> int | None:
    """The enemy whom a clause names; -1 where anybody will do, None where nobody can be meant."""
    if isinstance(said, int):
        known = said
    elif said == "aim":
        known = enemy_looked_at(sim, speaker)
    elif said == "mine":
        known = prey(sim, speaker)
    elif said == "shooter":
        known = shooter(sim, speaker, seat)
    elif said is None or said == "nearest":
        return -1
    else:
        number = numbered(sim, seat, said)
        if number is None:
            return None
        known = number
    if known >= 0 and team(sim, known) == team(sim, seat):
        return None if said != "shooter" else -1
    return known


def meant_mate(said: Any, kind: str, sim: Simulation, seat: int, speaker: int) -> int | None:
    """The mate whom a clause names; -1 where anybody will do, None where nobody can be meant."""
    if isinstance(said, int):
        return None if said == seat else said
    if said == "me":
        return None if speaker == seat else speaker
    if said in ("aim", "nearest"):
        found = mate_looked_at(sim, speaker if said == "aim" else seat, seat, kind == "rescue")
        if kind == "rescue":
            return found
        return found if found >= 0 else (speaker if speaker != seat else None)
    if said is None or said == "shooter":
        return -1 if kind == "rescue" else None
    number = numbered(sim, seat, said)
    return None if number == seat else number


# --- Where -----------------------------------------------------------------------------------------------


def looked_at(sim: Simulation, speaker: int) -> tuple[int, int]:
    """The point on the map that somebody looks at."""
    x, y = spot(sim, speaker)
    z = int(sight.eyes(sim.state, speaker))
    yaw, pitch = at(sim, speaker, s.YAW), at(sim, speaker, s.PITCH)
    level, rise = int(cosine(pitch)), int(sine(pitch))
    step_x, step_y = (int(sine(yaw)) * level) >> 14, -((int(cosine(yaw)) * level) >> 14)
    last = 32767
    to_x = min(last, max(0, x + ((step_x * POINTED) >> 14)))
    to_y = min(last, max(0, y + ((step_y * POINTED) >> 14)))
    to_z = z + ((rise * POINTED) >> 14)
    far = max(1, int(np.hypot(to_x - x, to_y - y)))
    reached = int(sight.ray(sim.state, sim.world, x, y, z, to_x, to_y, to_z, far, 1))
    return x + (to_x - x) * reached // far, y + (to_y - y) * reached // far


def point(sim: Simulation, seat: int, speaker: int, one: dict[str, Any]) -> tuple[int, int]:
    """Where a clause sends a seat, in units: always somewhere one can stand."""
    name = one["place"]
    if one["point"] is not None:
        return standing_place(sim, *one["point"])
    if name == "there":
        return standing_place(sim, *looked_at(sim, speaker))
    if name in YAWS or name in SIDES:
        yaw = YAWS[name] * 8192 if name in YAWS else at(sim, speaker, s.YAW) + SIDES[name] * 8192
        far = (one["metres"] or METRES) * s.UNIT
        x, y = spot(sim, seat)
        return standing_place(sim, x + ((int(sine(yaw)) * far) >> 14), y - ((int(cosine(yaw)) * far) >> 14))
    if name is None or name in ("here", "me"):
        return spot(sim, seat)
    behind = name.startswith("behind ")
    return _feature(sim, seat, name.removeprefix("behind "), behind)


def within(sim: Simulation, x: int, y: int, *place: int) -> bool:
    """Whether a point lies in a place to keep out of, as goals.SHUN has them."""
    to_x, to_y, radius, ground = (int(number) for number in place)
    there = float(np.hypot(x - to_x, y - to_y)) <= radius
    return there and (not ground or int(_kinds(sim)[y >> 8, x >> 8]) == ground - 1)


def standing_place(sim: Simulation, x: int, y: int) -> tuple[int, int]:
    """The point itself, or the middle of the nearest cell in which one can stand."""
    edge = 3 * s.UNIT
    x, y = (min(_SIDE * s.UNIT - edge, max(edge, value)) for value in (x, y))
    if standable(sim.world, int(sim.state[s.MAP]), (y >> 8) * _SIDE + (x >> 8)):
        return x, y
    return _middle(_nearest(_walkable(sim), x, y))


def _map(sim: Simulation) -> np.ndarray:
    """The row of the match's map."""
    assert sim.world is not None
    return sim.world[int(sim.state[s.MAP])]


def _kinds(sim: Simulation) -> np.ndarray:
    """What every cell is, (SIDE, SIDE)."""
    return _map(sim)[KINDS : KINDS + s.CELLS].reshape(_SIDE, _SIDE)


def _walkable(sim: Simulation) -> np.ndarray:
    kinds = _kinds(sim)
    inside = np.zeros_like(kinds, bool)
    inside[3:-3, 3:-3] = True
    return inside & ((kinds < COVER) | (kinds == FLOOR))


def _nearest(cells: np.ndarray, x: int, y: int) -> tuple[int, int]:
    """The cell (x, y) of a mask that is nearest to a point; the point's own where there is none."""
    rows, columns = np.nonzero(cells)
    if len(rows) == 0:
        return x >> 8, y >> 8
    best = int(np.argmin((columns * s.UNIT + 128 - x) ** 2 + (rows * s.UNIT + 128 - y) ** 2))
    return int(columns[best]), int(rows[best])


def _middle(cell: tuple[int, int]) -> tuple[int, int]:
    return cell[0] * s.UNIT + 128, cell[1] * s.UNIT + 128


def _feature(sim: Simulation, seat: int, name: str, behind: bool) -> tuple[int, int]:
    """The nearest of a kind of place; behind it is its side away from danger."""
    kinds, walkable = _kinds(sim), _walkable(sim)
    x, y = spot(sim, seat)
    if name == "house" and not behind:
        return min(houses(sim), key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2, default=(x, y))
    if name == "hill":
        near = walkable.copy()
        rows, columns = np.ogrid[:_SIDE, :_SIDE]
        near &= (columns - (x >> 8)) ** 2 + (rows - (y >> 8)) ** 2 <= HILL_REACH**2
        tops = _map(sim)[: s.CELLS].reshape(_SIDE, _SIDE)
        return _middle(_nearest(near & (tops == tops[near].max(initial=0)), x, y))
    if name == "door":
        return _middle(_nearest(kinds >= DOOR_CELL, x, y))
    cells = (kinds == FLOOR) if name == "house" else (kinds == _KINDS[name])
    cells[:3], cells[-3:], cells[:, :3], cells[:, -3:] = False, False, False, False
    first = _nearest(cells, x, y)
    if name in ("bush", "water") and not behind:
        return _middle(first)
    around = _grown(_component(cells, first), 2 if name == "house" else 1) & walkable & ~cells
    if not behind:
        return _middle(_nearest(around, x, y))
    enemy = nearest_enemy(sim.state, seat)
    danger = (x + enemy[1], y + enemy[2]) if enemy is not None else (x, y)
    rows, columns = np.nonzero(around)
    if len(rows) == 0:
        return x, y
    far = (columns * s.UNIT + 128 - danger[0]) ** 2 + (rows * s.UNIT + 128 - danger[1]) ** 2
    best = int(np.argmax(far))
    return _middle((int(columns[best]), int(rows[best])))


def houses(sim: Simulation) -> list[tuple[int, int]]:
    """A point in each house of the map, in units."""
    return [_middle(cell) for cell in _houses(_kinds(sim).tobytes())]


def _grown(cells: np.ndarray, by: int) -> np.ndarray:
    """A mask and its neighbours."""
    out = cells.copy()
    for dy in range(-by, by + 1):
        for dx in range(-by, by + 1):
            out |= np.roll(cells, (dy, dx), (0, 1))
    return out


def _component(cells: np.ndarray, first: tuple[int, int]) -> np.ndarray:
    """The cells of a mask that hang together with one of them."""
    found = np.zeros_like(cells)
    waiting = [(first[1], first[0])]
    while waiting:
        y, x = waiting.pop()
        if cells[y, x] and not found[y, x]:
            found[y, x] = True
            waiting += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    return found


@lru_cache(maxsize=16)
def _houses(kinds: bytes) -> list[tuple[int, int]]:
    """A cell in the middle of each house of a map."""
    floor = np.frombuffer(kinds, np.int8).reshape(_SIDE, _SIDE) == FLOOR
    left, found = floor.copy(), []
    for y, x in np.argwhere(floor):
        if left[y, x]:
            house = _component(left, (int(x), int(y)))
            left &= ~house
            rows, columns = np.nonzero(house)
            middle = int(columns.mean() * s.UNIT) + 128, int(rows.mean() * s.UNIT) + 128
            found.append(_nearest(house, *middle))
    return found
