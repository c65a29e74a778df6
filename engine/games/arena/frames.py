"""A whole match for a replay page, in a form in which any tick is at hand at once: chunks of columns.

A chunk holds the fields of the record that a picture or a display needs at CHUNK ticks, each field a
column of differences from tick to tick; most columns never change and are sent as one number. The browser
adds the differences up once and then looks ticks up (static/js/games/arena/frames.js). What stands out is
told apart (`moments`, `lanes`), for the strip and the list of events.

Everything comes from one re-simulation of the log. A chunk, little-endian: u8 version, u8 0, u16 ticks, u32
first tick, u16 columns, u16 columns that vary, u32 events; int16 the first tick's columns; u16 the numbers of
those that vary; int16 their differences, column by column; the events of these ticks as in the record, their
tick that of the state they led to.

Not for: live play (protocol.py), who may see what (the page asks for everything, after the match).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.options import map_seed
from engine.games.arena.words import WEAPONS
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, begin

VERSION = 1
CHUNK = 200  # ticks
BIN = 20  # ticks of a bar of the lane of shots
PLAYER_FIELDS = (*range(s.ACTED + 1), *range(s.KILLS, s.TEAM + 1))
MONSTER_FIELDS = (s.M_X, s.M_Y, s.M_Z, s.M_YAW, s.M_HP)
MATCH_FIELDS = range(s.OVER, s.WHITE_R + 1)
QUIET = (s.NO_EVENT, s.STEP)  # not kept: there are too many, and nothing shows them


@dataclass(frozen=True)
class Frames:
    """`layout`: where which columns begin, and what a page needs once; `chunks`: bytes by number; `moments`:
    what stands out, as the events of a stream; `lanes`: rows of the strip."""

    ticks: int
    layout: dict[str, Any]
    chunks: list[bytes]
    moments: list[dict[str, Any]]
    lanes: list[dict[str, Any]]


def fields_of(seats: int) -> tuple[np.ndarray, dict[str, int]]:
    """The numbers of the fields in the order of the columns, and where each group begins."""
    groups = {
        "match": list(MATCH_FIELDS),
        "teams": list(range(s.TEAM_PLACE, s.TEAM_PLACE + s.MAX_TEAMS)),
        "doors": list(range(s.DOOR, s.DOOR + s.DOORS)),
        "players": [s.player(seat) + field for seat in range(seats) for field in PLAYER_FIELDS],
        "monsters": [
            s.MONSTER + s.MONSTER_SIZE * monster + field
            for monster in range(s.MONSTERS)
            for field in MONSTER_FIELDS
        ],
        "supplies": list(range(s.SUPPLY, s.SUPPLY + 4 * s.SUPPLIES)),
    }
    columns, where = [], {}
    for name, fields in groups.items():
        where[name] = len(columns)
        columns += fields
    return np.array(columns, np.int64), where


def states_of(log: EpisodeLog, last_tick: int | None = None) -> Iterator[np.ndarray]:
    """The record after every tick from 0 on, one array that changes; `last_tick` ends it early. Raises
    `Refusal` as `engine.simulation.log.walk` does; much faster, because nothing but the rules runs.
    """
    simulation = begin(log)
    state, world, step = simulation.state.copy(), simulation.world, simulation.spec.step
    shape = (simulation.seats, s.RECORD)
    yield state
    tick = 0
    for record in log.records:
        if record["type"] != "step":
            continue
        if tick == last_tick:
            return
        if record["tick"] != tick:
            raise Refusal(f"The log has a step of tick {record['tick']} where tick {tick} is due.")
        try:
            actions = np.array(record["actions"], np.int32)
        except (TypeError, ValueError, OverflowError):
            raise Refusal(f"The step of tick {tick} isn't legal: it is no list of records.") from None
        if actions.shape != shape:
            raise Refusal(f"The step of tick {tick} isn't legal: it needs {shape[0]} records.")
        step(state, world, actions)
        tick += 1
        yield state


def record(log: EpisodeLog, last_tick: int | None = None) -> Frames:
    """The match of a log up to `last_tick` (None: its end). Raises `Refusal`."""
    columns = where = None
    rows: list[np.ndarray] = []
    kept: list[np.ndarray] = []
    moments: list[dict[str, Any]] = []
    zones: list[dict[str, Any]] = []
    chunks: list[bytes] = []
    shots: list[int] = []
    tick = -1
    for tick, state in enumerate(states_of(log, last_tick)):
        if columns is None or where is None:
            columns, where = fields_of(int(state[s.SEATS]))
            layout = _layout(state, where, len(columns))
        rows.append(state[columns])
        if tick % BIN == 0:
            shots.append(0)
        for event in events_of(state) if tick else ():
            kind = int(event[s.E_KIND])
            if kind in QUIET:
                continue
            event[s.E_TICK] = tick
            kept.append(event)
            shots[-1] += kind == s.SHOT
            moments += _moment(event, tick, state)
        _add_zone(zones, state, tick)
        if len(rows) == CHUNK:
            chunks.append(pack(rows, kept, CHUNK * len(chunks)))
            rows, kept = [], []
    if rows:
        chunks.append(pack(rows, kept, CHUNK * len(chunks)))
    return Frames(tick, layout | {"ticks": tick}, chunks, moments, lanes_of(moments, zones, shots, tick))


def _layout(state: np.ndarray, where: dict[str, int], columns: int) -> dict[str, Any]:
    return {
        "version": VERSION,
        "chunk": CHUNK,
        "columns": columns,
        "where": where,
        "player_fields": len(PLAYER_FIELDS),
        "seats": int(state[s.SEATS]),
        "teams": int(state[s.TEAMS]),
        "team_size": int(state[s.TEAM_SIZE]),
        "monsters": int(state[s.MONSTER_COUNT]),
        "map_seed": map_seed(state),
        "map_row": int(state[s.MAP]),
    }


def events_of(state: np.ndarray) -> list[np.ndarray]:
    """Copies of the events of the last step (EVENT_SIZE numbers each), oldest first."""
    count = (int(state[s.EVENT_COUNT]) - int(state[s.EVENTS_BEFORE])) % 16384
    first = int(state[s.EVENT_COUNT]) - min(count, s.EVENTS)
    places = [s.EVENT + s.EVENT_SIZE * ((first + i) % s.EVENTS) for i in range(min(count, s.EVENTS))]
    return [state[at : at + s.EVENT_SIZE].copy() for at in places]


def pack(rows: list[np.ndarray], events: list[np.ndarray], first: int) -> bytes:
    """A chunk's bytes; see the module's first lines."""
    table = np.stack(rows)
    varying = np.flatnonzero((table != table[0]).any(axis=0))
    # Differences of 16-bit numbers wrap, and so does the sum that undoes them.
    changes = np.diff(table[:, varying], axis=0).T
    head = struct.pack("<BBHIHHI", VERSION, 0, len(rows), first, table.shape[1], len(varying), len(events))
    noted = np.array(events, np.int16).reshape(-1, s.EVENT_SIZE)
    parts = (table[0].astype("<i2"), varying.astype("<u2"), changes.astype("<i2"), noted.astype("<i2"))
    return head + b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def _moment(event: np.ndarray, tick: int, state: np.ndarray) -> list[dict[str, Any]]:
    """An event that stands out, as the list of events and the strip take it."""
    kind, seat, other, value = (int(event[field]) for field in (s.E_KIND, s.E_SEAT, s.E_OTHER, s.E_VALUE))
    names = {s.KNOCK: "knock", s.KILL: "kill", s.RESCUED_EVENT: "rescue", s.ZONE_MOVES: "zone", s.WIN: "win"}
    if kind not in names:
        return []
    whom = f"player {other + 1}"
    if kind in (s.KNOCK, s.KILL):
        who = f"Player {seat + 1}" if seat >= 0 else _cause(state, other)
        text = (
            f"{who} knocked {whom} down{_weapon(state, seat)}."
            if kind == s.KNOCK
            else f"{who} put {whom} out."
        )
    elif kind == s.RESCUED_EVENT:
        text = f"Player {seat + 1} helped {whom} up."
    elif kind == s.ZONE_MOVES:
        text = f"The zone closes, stage {value + 1}."
    else:
        text = f"Team {value + 1} is the last one standing." if value >= 0 else "Nobody is left."
    about = seat if seat >= 0 else other if other >= 0 else None
    moment = {"tick": tick, "seat": about, "kind": names[kind], "text": text, "tone": "plain"}
    return [moment | ({"other": other} if other >= 0 else {})]


def _cause(state: np.ndarray, victim: int) -> str:
    """What knocked a player down whom nobody shot."""
    by = int(state[s.player(victim) + s.HIT_BY])
    return {s.MONSTER_HIT: "A monster", s.ZONE_HIT: "The zone", s.FALL_HIT: "A fall"}.get(by, "Bleeding")


def _weapon(state: np.ndarray, seat: int) -> str:
    """With what somebody shoots, as the end of a sentence."""
    if seat < 0:
        return ""
    at = s.player(seat)
    return f" with a {WEAPONS[int(state[at + s.WEAPON + int(state[at + s.SLOT])])]}"


def _add_zone(zones: list[dict[str, Any]], state: np.ndarray, tick: int) -> None:
    """Make the last span of the zone longer, or begin another."""
    stage, closing = int(state[s.STAGE]), bool(state[s.SHRINKING])
    if not zones or (zones[-1]["stage"], zones[-1]["closing"]) != (stage, closing):
        zones.append({"stage": stage, "closing": closing, "first": tick})
    zones[-1]["last"] = tick


def lanes_of(
    moments: list[dict[str, Any]], zones: list[dict[str, Any]], shots: list[int], ticks: int
) -> list[dict[str, Any]]:
    """The rows of the strip: {"name", "title"} with "bars" (by `each` ticks), "points" or "spans"."""

    def points(kind: str, name: str, title: str) -> dict[str, Any]:
        ticks_of = [moment["tick"] for moment in moments if moment["kind"] == kind]
        return {"name": name, "title": f"{title}: {len(ticks_of)}", "points": ticks_of}

    spans = [{"first": zone["first"], "last": zone["last"], "strong": zone["closing"]} for zone in zones]
    return [
        {"name": "shots", "title": f"Shots: {sum(shots)}", "bars": shots, "each": BIN},
        points("knock", "down", "Players knocked down"),
        points("kill", "out", "Players put out"),
        points("rescue", "help", "Players helped up"),
        {"name": "zone", "title": "The zone: dark while it closes in", "spans": spans},
    ]
