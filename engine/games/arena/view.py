"""A match of Arena as JSON: what a seat knows, or everything; for replays, tools and clients without frames.

Positions are metres with two decimals, x to the east and y to the south, angles degrees clockwise from north.
A seat's view holds its own team, enemies that it or a mate sees, where the team last saw the others, and what
it heard. Not for live play at 20 Hz (snapshot.py) and not for networks (observation.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.arena import hearing, zone
from engine.games.arena import state as s
from engine.games.arena.angles import length
from engine.games.arena.observation_ground import MONSTER_HEARD, clear
from engine.games.arena.options import PACES, map_seed
from engine.games.arena.sight import FORGOTTEN, knows
from engine.games.arena.world import DOOR_COUNT, POOL, world_of

LIVES = ("out", "downed", "up")
STANCES = ("stand", "crouch", "prone", "slide", "downed")
WEAPONS = ("none", "pistol", "smg", "rifle", "shotgun", "sniper")
SUPPLIES = ("none", *WEAPONS[1:], "bullets", "medkit", "vest")
HIT_BY = {s.MONSTER_HIT: "monster", s.ZONE_HIT: "zone", s.FALL_HIT: "fall"}
EVENTS = (
    "",
    "shot",
    "hit",
    "knock",
    "kill",
    "rescued",
    "door",
    "picked",
    "dropped",
    "treated",
    "reloaded",
    "step",
    "monster_dead",
    "monster_bites",
    "zone_moves",
    "win",
)
SUPPLY_SHOWN, MONSTER_SHOWN = 25 * s.UNIT, 40 * s.UNIT


def metres(units: int) -> float:
    """Units as metres, two decimals."""
    return round(int(units) / s.UNIT, 2)


def degrees(turn: int) -> float:
    """Turn units as degrees, one decimal, -180 .. 180."""
    return round(int(turn) * 360 / 65536, 1)


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """The view of a seat, or of everything (None), as plain JSON values."""
    seats = int(state[s.SEATS])
    return {
        "game": "arena",
        "tick": int(state[s.TICK]),
        "seat": seat,
        "seats": seats,
        "teams": int(state[s.TEAMS]),
        "team_size": int(state[s.TEAM_SIZE]),
        "pace": PACES[int(state[s.PACE])] if int(state[s.PACE]) >= 0 else None,
        "map_seed": map_seed(state),
        "current": None,
        "over": bool(state[s.OVER]),
        "winner": int(state[s.WINNER]) if int(state[s.WINNER]) >= 0 else None,
        "places": [int(place) for place in state[s.TEAM_PLACE : s.TEAM_PLACE + int(state[s.TEAMS])]],
        "teams_left": int(state[s.LEFT]),
        "players_left": sum(int(state[s.player(other) + s.LIFE]) != s.OUT for other in range(seats)),
        "zone": _zone(state),
        "me": _own(state, seat) if seat is not None else None,
        "players": [player for other in range(seats) if (player := _player(state, seat, other))],
        "monsters": [
            beast for number in range(int(state[s.MONSTER_COUNT])) if (beast := _monster(state, seat, number))
        ],
        "supplies": _supplies(state, seat),
        "doors": [number for number in range(_doors(state)) if int(state[s.DOOR + number])],
        "last": {"events": events(state, seat)} if int(state[s.TICK]) else None,
    }


def _zone(state: np.ndarray) -> dict[str, Any]:
    """The circles, how long the phase lasts, and what it costs a second to be outside."""
    return {
        "stage": int(state[s.STAGE]),
        "shrinking": bool(state[s.SHRINKING]),
        "ticks_left": int(state[s.PHASE_LEFT]) if int(state[s.PHASE_LENGTH]) else None,
        "points_a_second": int(zone.PAIN[int(state[s.STAGE])]),
        "blue": [metres(state[s.BLUE_X + field]) for field in range(3)],
        "white": [metres(state[s.WHITE_X + field]) for field in range(3)],
    }


def ground(state: np.ndarray) -> np.ndarray:
    """The maps that a record's match takes place on, one of them."""
    return world_of(tuple(range(POOL)) if int(state[s.MAPS]) > 1 else (map_seed(state),))


def _doors(state: np.ndarray) -> int:
    return int(ground(state)[int(state[s.MAP]), DOOR_COUNT])


def _place(state: np.ndarray, at: int) -> dict[str, Any]:
    return {
        "x": metres(state[at + s.X]),
        "y": metres(state[at + s.Y]),
        "z": metres(state[at + s.Z]),
        "yaw": degrees(state[at + s.YAW]),
        "pitch": degrees(state[at + s.PITCH]),
    }


def _own(state: np.ndarray, seat: int) -> dict[str, Any]:
    """All that a player knows of itself."""
    at = s.player(seat)
    hit_by = int(state[at + s.HIT_BY])
    shooter = hit_by - 1 if 0 < hit_by <= s.MAX_SEATS else None
    return {
        "seat": seat,
        "team": int(state[at + s.TEAM]),
        **_place(state, at),
        "life": LIVES[int(state[at + s.LIFE])],
        "stance": STANCES[int(state[at + s.STANCE])],
        "hp": int(state[at + s.HP]),
        "armour": int(state[at + s.ARMOUR]),
        "stamina": int(state[at + s.STAMINA]),
        "moving": bool(state[at + s.MOVING]),
        "slot": int(state[at + s.SLOT]),
        "weapons": [
            {"kind": WEAPONS[int(state[at + s.WEAPON + slot])], "loaded": int(state[at + s.MAGAZINE + slot])}
            for slot in range(2)
        ],
        "bullets": int(state[at + s.AMMO]),
        "medkits": int(state[at + s.MEDKITS]),
        "reload_ticks": int(state[at + s.RELOAD]),
        "treat_ticks": int(state[at + s.TREAT]),
        "rescue_ticks": int(state[at + s.RESCUE]),
        "rescues": int(state[at + s.RESCUED]) - 1 if int(state[at + s.RESCUED]) else None,
        "helped_by": int(state[at + s.HELPED_BY]) - 1 if int(state[at + s.HELPED_BY]) else None,
        "hit": {
            "tick": int(state[at + s.HIT_TICK]),
            "from": degrees(state[at + s.HIT_YAW]),
            "by": "player" if shooter is not None else HIT_BY.get(hit_by),
        }
        if hit_by
        else None,
        "tallies": {
            name: int(state[at + field])
            for name, field in (
                ("kills", s.KILLS),
                ("knocks", s.KNOCKS),
                ("dealt", s.DEALT),
                ("shots", s.SHOTS),
                ("hits", s.HITS),
                ("loots", s.LOOTS),
                ("heals", s.HEALS),
                ("rescues", s.RESCUES),
                ("assists", s.ASSISTS),
            )
        },
    }


def _player(state: np.ndarray, seat: int | None, other: int) -> dict[str, Any] | None:
    """Another player as a seat knows it; None when its team doesn't know where it is."""
    at = s.player(other)
    life = int(state[at + s.LIFE])
    team = int(state[at + s.TEAM])
    known: dict[str, Any] = {"seat": other, "team": team, "life": LIVES[life]}
    my_team = None if seat is None else int(state[s.player(seat) + s.TEAM])
    if life == s.OUT:
        return known
    if my_team is not None and team != my_team:
        ago = int(knows(state, my_team, other))
        if ago >= FORGOTTEN:
            return None
        if ago > 0:
            entry = s.MEMORY + 3 * (s.MAX_SEATS * my_team + other)
            # Whether somebody out of sight is downed isn't known either.
            return {
                "seat": other,
                "team": team,
                "life": None,
                "seen_ticks_ago": ago,
                "x": metres(state[entry + 1]),
                "y": metres(state[entry + 2]),
            }
        known["seen_ticks_ago"] = 0
    known |= _place(state, at) | {
        "stance": STANCES[int(state[at + s.STANCE])],
        "weapon": WEAPONS[int(state[at + s.WEAPON + int(state[at + s.SLOT])])],
        "fired": int(state[at + s.SHOT_TICK]) == int(state[s.TICK]) - 1,
        "busy": any(int(state[at + field]) for field in (s.TREAT, s.RELOAD, s.RESCUE)),
        "being_helped": bool(state[at + s.HELPED_BY]),
    }
    if my_team is None or team == my_team:
        known |= {
            "hp": int(state[at + s.HP]),
            "armour": int(state[at + s.ARMOUR]),
            "bullets": int(state[at + s.AMMO]),
            "medkits": int(state[at + s.MEDKITS]),
        }
    return known


def _near(state: np.ndarray, seat: int | None, x: int, y: int, reach: int) -> bool:
    if seat is None:
        return True
    at = s.player(seat)
    return bool(length(x - int(state[at + s.X]), y - int(state[at + s.Y])) <= reach)


def _notices_monster(state: np.ndarray, seat: int, at: int) -> bool:
    """Whether a seat hears a monster or has a line of sight to it."""
    x, y, z = (int(state[at + field]) for field in (s.M_X, s.M_Y, s.M_Z))
    if _near(state, seat, x, y, MONSTER_HEARD):
        return True
    return _near(state, seat, x, y, MONSTER_SHOWN) and bool(clear(state, ground(state), seat, x, y, z + 200))


def _monster(state: np.ndarray, seat: int | None, number: int) -> dict[str, Any] | None:
    at = s.MONSTER + s.MONSTER_SIZE * number
    if int(state[at + s.M_HP]) <= 0:
        return None
    if seat is not None and not _notices_monster(state, seat, at):
        return None
    return {
        "number": number,
        "x": metres(state[at + s.M_X]),
        "y": metres(state[at + s.M_Y]),
        "z": metres(state[at + s.M_Z]),
        "yaw": degrees(state[at + s.M_YAW]),
        "hp": int(state[at + s.M_HP]),
    }


def _supplies(state: np.ndarray, seat: int | None) -> list[dict[str, Any]]:
    supplies = []
    for number in range(s.SUPPLIES):
        kind, amount, x, y = (
            int(value) for value in state[s.SUPPLY + 4 * number : s.SUPPLY + 4 * number + 4]
        )
        if kind and _near(state, seat, x, y, SUPPLY_SHOWN):
            supplies.append(
                {"number": number, "kind": SUPPLIES[kind], "amount": amount, "x": metres(x), "y": metres(y)}
            )
    return supplies


def events(state: np.ndarray, seat: int | None = None) -> list[dict[str, Any]]:
    """What the last step did, as far as a seat noticed it; None: all.

    [{"kind", "tick", "seat", "other", "value", "x", "y", "z"}]: `seat` and `other` are None for nobody and
    for who isn't known; what was only heard has "heard": True and a place to the nearest 4 m; of what is only
    told (who put whom out) there is no place.
    """
    events = []
    happened = (int(state[s.EVENT_COUNT]) - int(state[s.EVENTS_BEFORE])) % 16384
    # The ring has room for the last of many.
    for number in range(max(0, happened - s.EVENTS), happened):
        at = s.EVENT + s.EVENT_SIZE * ((int(state[s.EVENTS_BEFORE]) + number) % s.EVENTS)
        noticed = hearing.SEEN if seat is None else int(hearing.notice(state, seat, at))
        if noticed != hearing.UNNOTICED:
            events.append(_event(state, at, noticed))
    return events


def _event(state: np.ndarray, at: int, noticed: int) -> dict[str, Any]:
    kind, tick, who, other, x, y, z, value = (int(number) for number in state[at : at + s.EVENT_SIZE])
    event: dict[str, Any] = {
        "kind": EVENTS[kind],
        "tick": tick,
        "seat": who if who >= 0 else None,
        "other": other if other >= 0 else None,
        "value": value,
    }
    if noticed == hearing.HEARD:
        place = [hearing.blurred(hearing.source(state, at, axis)) for axis in range(2)]
        event |= {"heard": True, "x": metres(place[0]), "y": metres(place[1])}
        if kind != s.KILL:
            event |= {"seat": None, "other": None}
        if kind not in (s.STEP, s.DOOR_EVENT):
            event["value"] = 0
    elif noticed == hearing.SEEN:
        event |= {"x": metres(x), "y": metres(y), "z": metres(z)}
    return event
