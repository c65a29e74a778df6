"""What is asked of a seat in whatever it does: to look somewhere, to keep apart, and what it isn't to do.

`manner` names it, `against` says what it doesn't go with, `write` puts it into a goal (goals.WITHIN and what
follows), `kept` says whether it is kept. Not for what to do, nor for what stands (standing.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.games.arena import goals, plan
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.language import places
from engine.games.arena.language.programs import Clause
from engine.games.arena.sight import FORGOTTEN
from engine.games.arena.world import BUSH, FLOOR, WATER

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

BARS = {"no_loot": goals.NO_LOOT, "no_heal": goals.NO_HEAL, "no_rescue": goals.NO_RESCUE}
BARS |= {"spread": goals.APART}
WHOLE = s.SIDE * s.UNIT // 2, s.SIDE * s.UNIT // 2, 32767  # x, y, radius: the whole map
PLACES: dict[str, tuple[int | None, int | None]] = {
    "house": (12, FLOOR), "hill": (10, None), "rock": (4, None), "wall": (4, None), "door": (3, None),
    "there": (6, None), "bush": (None, BUSH), "water": (None, WATER),
}  # fmt: skip
"""Place -> (metres around its middle, None for the whole map; the ground that is meant, None for any)."""
OFF, ROOM = 30 * s.UNIT, s.UNIT  # who keeps off enemies: from how far, and how much nearer it may come
AWRY = 8192  # turn units, 45 degrees, by which somebody may look past what they are to watch
CROWDED = 8 * s.UNIT  # units to a mate


def manner(one: Clause) -> str:
    """The name of what a clause asks for in whatever is done, "" for one that says what to do."""
    kind, place = one["kind"], one["place"]
    if kind in ("look", "spread"):
        return "" if one["negated"] else kind
    if not one["negated"]:
        return ""
    if kind == "go":
        return "keep_off" if place == "enemy" else "keep_out" if place in PLACES else ""
    if kind == "attack":
        return "spare" if one["who"] is not None or one.get("result") else ""
    return f"no_{kind}" if f"no_{kind}" in BARS else ""


def against(one: Clause, other: Clause) -> bool:
    """Whether a manner can't be kept with another clause, which says otherwise or does what it forbids."""
    name, kind = manner(one), other["kind"]
    if manner(other):
        same = name == manner(other)
        return same and (name != "keep_out" or one["place"] == other["place"])
    return {
        "spread": kind == "regroup",
        "keep_out": kind in ("go", "hold") and other["place"] == one["place"],
        "keep_off": kind == "go" and other["place"] == "enemy",
        "no_rescue": kind in ("rescue", "help"),
        "spare": kind == "attack" and (other["who"] == one["who"] or other.get("result") == "kill"),
    }.get(name, kind == name.removeprefix("no_"))


def watched(one: Clause, sim: Simulation, seat: int, speaker: int) -> int | None:
    """Whom a clause tells to look at, -1 for nobody in particular, None where nobody can be meant."""
    who = one["who"]
    if who in (None, "enemy"):
        return -1
    if who in ("me", "mate"):
        return places.meant_mate("nearest" if who == "mate" else who, "look", sim, seat, speaker)
    if who == "aim":
        found = places.enemy_looked_at(sim, speaker)
        return found if found >= 0 else places.meant_mate(who, "look", sim, seat, speaker)
    if isinstance(who, int) or " " in who:
        number = who if isinstance(who, int) else places.numbered(sim, seat, who)
        return None if number == seat else number
    return places.meant_enemy(who, sim, seat, speaker)


def write(
    one: Clause, sim: Simulation, seat: int, speaker: int, goal: np.ndarray, point: tuple[int, int]
) -> None:
    """Put what a clause asks for into a goal, as things are now. Its WHO says whom it is about, the point, in
    units, what place.
    """
    name, who = manner(one), int(goal[goals.WHO])
    goal[goals.BARS] |= BARS.get(name, 0)
    if name == "look":
        yaw = _yaw(one, sim, seat, speaker, who, point)
        goal[goals.LOOK] = 0 if yaw is None else 1 + (yaw & 0xFFFF) // 4
    elif name == "spare":
        goal[goals.SPARED] = who + 1
        goal[goals.BARS] |= goals.NO_FINISHING if one.get("result") else 0
    elif name == "keep_out":
        metres, ground = PLACES[one["place"]]
        place = (*point, metres * s.UNIT) if metres else WHOLE
        goal[goals.SHUN : goals.SHUN + goals.SHUN_SIZE] = *place, 0 if ground is None else 1 + ground
    elif name == "keep_off":
        enemy = who if who >= 0 else int(goals.known_enemy(sim.state, seat, goals.KNOWN))
        _keep_off(sim, seat, enemy, goal)


def _keep_off(sim: Simulation, seat: int, enemy: int, goal: np.ndarray) -> None:
    """Shun the surroundings of an enemy who is known to be somewhere, as far as the seat is from them: less
    than before only where they came nearer. X is 1 + the enemy of last time.
    """
    before = int(goal[goals.SHUN + 2]) if int(goal[goals.X]) == enemy + 1 else 0
    goal[goals.SHUN : goals.VECTOR], goal[goals.X] = 0, enemy + 1
    if enemy < 0:
        return
    tick, x, y = places.last_seen(sim, seat, enemy)
    far = int(plan.away(sim.state, seat, x, y))
    if int(sim.state[s.TICK]) - tick <= goals.KNOWN:
        radius = min(OFF, max(before if before < far else far - 1, far - ROOM, 1))
        goal[goals.SHUN : goals.SHUN + goals.SHUN_SIZE] = x, y, radius, 0


def _yaw(
    one: Clause, sim: Simulation, seat: int, speaker: int, who: int, point: tuple[int, int]
) -> int | None:
    """Where a clause tells to look, None while that isn't known. Sides are those of the speaker's view."""
    place, (x, y) = one["place"], point
    if place in places.YAWS:
        return places.YAWS[place] * 8192
    if place in places.SIDES:
        return places.at(sim, speaker, s.YAW) + places.SIDES[place] * 8192
    if place == "zone":
        x, y = int(sim.state[s.WHITE_X]), int(sim.state[s.WHITE_Y])
    elif not place:
        who = who if who >= 0 else int(goals.known_enemy(sim.state, seat, goals.KNOWN))
        if who < 0:
            return None
        x, y = places.spot(sim, who)
        if places.team(sim, who) != places.team(sim, seat):
            tick, x, y = places.last_seen(sim, seat, who)
            if int(sim.state[s.TICK]) - tick > FORGOTTEN:
                return None
    own_x, own_y = places.spot(sim, seat)
    return int(bearing(x - own_x, y - own_y))


def add(goal: np.ndarray, own: np.ndarray) -> None:
    """Add what a goal asks for in whatever is done to another one. There is room for two places to keep out
    of, the last ones.
    """
    for field in (goals.LOOK, goals.SPARED):
        goal[field] = own[field] or goal[field]
    goal[goals.BARS] |= own[goals.BARS]
    if own[goals.SHUN + 2]:
        goal[goals.SHUN + goals.SHUN_SIZE : goals.VECTOR] = goal[goals.SHUN : goals.SHUN + goals.SHUN_SIZE]
        goal[goals.SHUN : goals.SHUN + goals.SHUN_SIZE] = own[goals.SHUN : goals.SHUN + goals.SHUN_SIZE]


def kept(one: Clause, sim: Simulation, seat: int, goal: np.ndarray) -> bool:
    """Whether a seat keeps to what a clause asks for in whatever is done."""
    name, (x, y) = manner(one), places.spot(sim, seat)
    if name == "look":
        yaw = (int(goal[goals.LOOK]) - 1) * 4
        return yaw >= 0 and abs(int(wrap(yaw - places.at(sim, seat, s.YAW)))) <= AWRY
    if name == "spread":
        mates = [mate for mate in places.squad_of(sim, seat) if mate != seat]
        return all(places.apart(sim, seat, mate) >= CROWDED for mate in mates)
    if name == "keep_out":
        return not places.within(sim, x, y, *goal[goals.SHUN : goals.SHUN + goals.SHUN_SIZE])
    return True
