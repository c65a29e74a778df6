"""The binary frames of a live match: the reference for every client (the browser's twin is
static/js/games/arena/protocol.js, the desktop client imports this). Version 1, little-endian.

INPUT, client to server: what one player does in one to three ticks of 1/20 s.

    u8 1, u8 version, u8 n (1 to 3), then n inputs, oldest first, of 16 bytes each:
    u32 seq (from 1 on each socket, + 1 a client tick), u8 move (0 to 15), u8 body (0 to 8), u8 basic (0 to 6,
    7 none), u8 switch (0, 1: slot; 2 keep), u16 yaw, i16 pitch (-16384 to 16384), u16 the tick that was on
    the screen (its low 16 bits), u16 0

    An input that was sent before may be sent again: each seq is used once. Every tick of the server uses one.

SNAPSHOT, server to client, once a tick: what one seat may see and hear.

    0   u8 2, u8 version, u16 tick (low 16 bits)
    4   u32 the last seq of this socket that was used (0: none)
    8   u8 seat whose eyes these are (255: from above), u8 flags (1 over, 2 another seat than one's own)
    10  u8 teams left, u8 players left
    12  u32 the host's clock when it was sent, in 1/10 ms (it wraps)
    16  u16 how late the tick began, in 1/100 ms
    18  u8 inputs of this player that wait, u8 agents that stand because their decision is late
    20  48 i16: the seat's own player, the fields X to ACTED of state.py in that order (zeros from above)
    116 u8 n, then n players of 14 bytes, without the own one: u8 seat, u8 life | stance << 2 | 0x20 fired in
        this tick | 0x40 running | 0x80 busy (treating, reloading, rescuing), i16 x, y, z, yaw, i8 pitch >> 7,
        u8 weapon in hand, u8 health (255 of an enemy), u8 flags (1 being helped up, 2 mate)
    u8 n, then n monsters of 10 bytes: u8 number, i16 x, y, z, u8 yaw >> 8, u8 health, u8 0
    zone: u8 stage, u8 shrinking, u16 ticks left of the phase, i16 blue x, y, u16 blue radius, i16 white x, y,
        u16 white radius
    u32 doors that stand open, a bit each
    u8 n, then n supplies of 8 bytes: u8 number, u8 kind, u8 amount, u8 0, i16 x, y
    u8 n, then n events of this tick of 14 bytes: u8 kind, i8 seat (-1 nobody, or nobody one knows), i8 other,
        u8 0, i16 x, y, z, value, u16 tick

Who is in it: mates always; enemies while nothing stands between them and the seat, and GRACE ticks longer;
the dead not at all; monsters within 40 m that nothing hides; supplies within 25 m; from above, all.
Events: as hearing.notice says. What is only heard comes from seat -1, at a place rounded to 4 m; of kills
elsewhere one is told who and whom, and the place is 0, 0, 0.

Not here: sockets, who may send, how many inputs wait (webapp.host). Every decoder raises Refusal alone.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.aim import TURN_STEP
from engine.games.arena.options import map_seed
from engine.games.arena.snapshot import (
    FLAG_OVER,
    FROM_ABOVE,
    HEAD_SIZE,
    LONGEST,
    OWN,
    OWN_FIELDS,
    SNAPSHOT,
    VERSION,
    ZONE_SIZE,
    new_seen,
    note_sight,
    write_snapshot,
)
from engine.games.arena.telling import spoken_to
from engine.refusal import Refusal

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

__all__ = ["FROM_ABOVE", "map_seed", "new_seen", "note_sight", "spoken_to"]
INPUT = 1
INPUT_SIZE = 16
MOST_INPUTS = 3
NO_BASIC = 7
GRIEF_TICKS = 64
"""How long the last of a squad to go out sees the place on, and who did it."""
FLAG_OTHER_SEAT = 2
_INPUT_HEAD = struct.Struct("<BBB")
_INPUT = struct.Struct("<IBBBBHhHH")
_HEAD = struct.Struct("<BBHIBBBBIHBB")
_STAMP = struct.Struct("<IBB")  # from byte 4; then from byte 12:
_CLOCK = struct.Struct("<IHBB")
_ZONE = struct.Struct("<BBHhhHhhH")
PLAYERS_TYPE = np.dtype(
    [
        ("seat", "u1"),
        ("look", "u1"),
        ("x", "<i2"),
        ("y", "<i2"),
        ("z", "<i2"),
        ("yaw", "<i2"),
        ("pitch", "i1"),
        ("weapon", "u1"),
        ("hp", "u1"),
        ("flags", "u1"),
    ]
)
MONSTERS_TYPE = np.dtype(
    [
        ("number", "u1"),
        ("x", "<i2"),
        ("y", "<i2"),
        ("z", "<i2"),
        ("yaw", "u1"),
        ("hp", "u1"),
        ("pad", "u1"),
    ]
)
SUPPLIES_TYPE = np.dtype(
    [("number", "u1"), ("kind", "u1"), ("amount", "u1"), ("pad", "u1"), ("x", "<i2"), ("y", "<i2")]
)
EVENTS_TYPE = np.dtype(
    [
        ("kind", "u1"),
        ("seat", "i1"),
        ("other", "i1"),
        ("pad", "u1"),
        ("x", "<i2"),
        ("y", "<i2"),
        ("z", "<i2"),
        ("value", "<i2"),
        ("tick", "<u2"),
    ]
)


class Input(NamedTuple):
    """What a player does in one tick; the fields as they are sent."""

    seq: int
    move: int
    body: int
    basic: int
    switch: int
    yaw: int
    pitch: int
    seen: int


class Zone(NamedTuple):
    stage: int
    shrinking: int
    left: int
    blue_x: int
    blue_y: int
    blue_r: int
    white_x: int
    white_y: int
    white_r: int


@dataclass(frozen=True)
class Snapshot:
    """A snapshot frame, read. `own`: int16 (OWN_FIELDS,), by the field numbers of state.py; `players`,
    `monsters`, `supplies`, `events`: structured arrays (PLAYERS_TYPE, …); `doors`: the bit mask.
    """

    tick: int
    ack: int
    seat: int
    flags: int
    teams_left: int
    players_left: int
    clock: int
    late: int
    waiting: int
    idle_agents: int
    own: np.ndarray
    players: np.ndarray
    monsters: np.ndarray
    zone: Zone
    doors: int
    supplies: np.ndarray
    events: np.ndarray


# --- Inputs ----------------------------------------------------------------------------------------------


def pack_inputs(inputs: list[Input]) -> bytes:
    """The frame of one to three inputs, oldest first."""
    head = _INPUT_HEAD.pack(INPUT, VERSION, len(inputs))
    return head + b"".join(_INPUT.pack(*fields, 0) for fields in inputs)


def unpack_inputs(data: bytes) -> list[Input]:
    """The inputs of a frame, oldest first, every number in its range. Raises Refusal."""
    if len(data) < _INPUT_HEAD.size:
        raise Refusal(f"An input frame has at least {_INPUT_HEAD.size} bytes; this one has {len(data)}.")
    kind, version, count = _INPUT_HEAD.unpack_from(data)
    if kind != INPUT:
        raise Refusal(f"Clients send frames of kind {INPUT}; this one is of kind {kind}.")
    if version != VERSION:
        raise Refusal(
            f"This server speaks version {VERSION} of the protocol, not {version}; load the page again."
        )
    if not 1 <= count <= MOST_INPUTS:
        raise Refusal(f"An input frame has 1 to {MOST_INPUTS} inputs, not {count}.")
    if len(data) != _INPUT_HEAD.size + count * INPUT_SIZE:
        raise Refusal(f"A frame of {count} inputs isn't {len(data)} bytes long.")
    inputs = []
    for *fields, rest in _INPUT.iter_unpack(data[_INPUT_HEAD.size :]):
        sent = Input(*fields)
        if why := _impossible(sent, rest):
            raise Refusal(why)
        if inputs and sent.seq != inputs[-1].seq + 1:
            raise Refusal("The inputs of a frame are numbered one after the other.")
        inputs.append(sent)
    return inputs


def _impossible(sent: Input, rest: int) -> str:
    """Which number of an input there can't be, in a sentence; "" if all are sound."""
    if sent.seq == 0:
        return "Inputs are numbered from 1."
    for name, value, most in (
        ("move", sent.move, 15),
        ("body", sent.body, 8),
        ("basic", sent.basic, NO_BASIC),
        ("switch", sent.switch, 2),
    ):
        if value > most:
            return f"The {name} of an input is 0 to {most}, not {value}."
    if not -16384 <= sent.pitch <= 16384:
        return f"The pitch of an input is -16384 to 16384, not {sent.pitch}."
    return "The last two bytes of an input are 0." if rest else ""


def to_record(state: np.ndarray, seat: int, sent: Input) -> list[int]:
    """The record of a person's input (state.py: RECORD numbers), in the present state of a match.

    The heads are what is learned from: the nearest turn, the nearest of three pitches.
    """
    at = s.PLAYERS + s.PLAYER * seat
    slot, tick = int(state[at + s.SLOT]), int(state[s.TICK])
    basic, switch = sent.basic, sent.switch
    if switch == 1 - slot and int(state[at + s.WEAPON + switch]) == s.NO_WEAPON:
        switch = s.KEEP
    if basic == NO_BASIC:
        if switch == 1 - slot:
            basic = s.FIRE  # no shot falls in the tick of a switch
        else:
            basic, switch = s.PICK, slot  # naming the slot in hand: hands rest
    elif switch == slot:
        switch = s.KEEP
    off = ((sent.yaw - int(state[at + s.YAW]) + 32768) & 0xFFFF) - 32768
    turn = min(7, max(-8, (off + TURN_STEP // 2) // TURN_STEP))
    pitch = 1 if -4096 <= sent.pitch <= 4096 else 0 if sent.pitch < 0 else 2
    ago = (tick - sent.seen) & 0xFFFF
    ago = 0 if ago > 0x7FFF else min(ago, s.HISTORY - 1, tick)
    return [sent.move, turn & 15, pitch, sent.body, basic, switch, sent.yaw, sent.pitch, tick - ago]


def again(state: np.ndarray, seat: int, sent: Input) -> Input:
    """The same movement once more, for a tick in which no input came: what is done once isn't repeated."""
    body, basic = sent.body, sent.basic
    if body not in (s.B_STOP, s.B_RUN, s.B_RESCUE, s.B_NONE):
        body = s.B_NONE if state[s.PLAYERS + s.PLAYER * seat + s.MOVING] else s.B_STOP
    return sent._replace(body=body, basic=basic if basic == s.TREATING else NO_BASIC, switch=s.KEEP)


# --- Snapshots -------------------------------------------------------------------------------------------


def new_buffer() -> np.ndarray:
    """An empty buffer for `write_snapshot`."""
    return np.zeros(LONGEST, np.uint8)


def announced(state: np.ndarray) -> list[dict[str, int]]:
    """The events of the last tick that everybody gets (kills, the zone, the end): [{"tick", "kind", "seat",
    "other", "value"}] with the kinds of state.py.
    """
    count = (int(state[s.EVENT_COUNT]) - int(state[s.EVENTS_BEFORE])) % 16384
    events = []
    for number in range(int(state[s.EVENT_COUNT]) - min(count, s.EVENTS), int(state[s.EVENT_COUNT])):
        event = state[s.EVENT + s.EVENT_SIZE * (number % s.EVENTS) :][: s.EVENT_SIZE].tolist()
        if event[s.E_KIND] in (s.KILL, s.ZONE_MOVES, s.WIN):
            events.append(
                {
                    "tick": event[s.E_TICK] + 1,
                    "kind": event[s.E_KIND],
                    "seat": event[s.E_SEAT],
                    "other": event[s.E_OTHER],
                    "value": event[s.E_VALUE],
                }
            )
    return events


def warm(sim: Simulation) -> None:
    """Have everything loaded that a tick needs, so that the first one needn't wait for it."""
    # Copies, as a host keeps them: for a record that may not be written to, numba would compile once more.
    state, world, seen = sim.state.copy(), sim.world, new_seen()
    assert world is not None, "a match of Arena has a map"
    note_sight(state, seen)
    pack_snapshot(state, world, 0, seen)
    spoken_to((state, seen), (state, seen), 0, 0)
    sim.resolve(0, [0] * len(s.HEADS))


def pack_snapshot(
    state: np.ndarray,
    world: np.ndarray,
    seat: int,
    seen: np.ndarray | None = None,
    out: np.ndarray | None = None,
) -> bytearray:
    """The snapshot for the eyes of a seat; `stamp` makes it a socket's. `out`: a buffer to write into."""
    out = new_buffer() if out is None else out
    length = write_snapshot(state, world, seat, new_seen() if seen is None else seen, out)
    return bytearray(out[:length].data)


def stamp(
    frame: bytearray,
    ack: int = 0,
    other_seat: bool = False,
    clock: int = 0,
    late: int = 0,
    waiting: int = 0,
    idle_agents: int = 0,
) -> bytes:
    """A packed snapshot for one socket: what it has used, the clock, what waits. `frame` is written over."""
    flags = frame[9] & FLAG_OVER | (FLAG_OTHER_SEAT if other_seat else 0)
    _STAMP.pack_into(frame, 4, ack, frame[8], flags)
    _CLOCK.pack_into(frame, 12, clock & 0xFFFFFFFF, min(late, 0xFFFF), min(waiting, 255), idle_agents)
    return bytes(frame)


def eyes_of(state: np.ndarray, seat: int, wish: int | None) -> tuple[int, bool]:
    """Through whose eyes a player sees: (seat or FROM_ABOVE, whether they are a spectator now).

    Who is in the match sees for themselves; who is out, for a squad mate who isn't, if they wish; whose squad
    is out, for anybody or from above.
    """
    if _life(state, seat) != s.OUT:
        return seat, False
    size = int(state[s.TEAM_SIZE])
    first = seat // size * size
    mates = [mate for mate in range(first, first + size) if _life(state, mate) != s.OUT]
    if not mates:
        return (FROM_ABOVE if wish is None else wish), True
    return (wish if wish in mates else seat), False


def _life(state: np.ndarray, seat: int) -> int:
    return int(state[s.PLAYERS + s.PLAYER * seat + s.LIFE])


def unpack_snapshot(data: bytes) -> Snapshot:
    """A snapshot, read. Raises Refusal."""
    if len(data) < HEAD_SIZE + 1:
        raise Refusal(f"A snapshot has at least {HEAD_SIZE + 1} bytes; this one has {len(data)}.")
    kind, version, tick, ack, seat, flags, teams, players, clock, late, waiting, idle = _HEAD.unpack_from(
        data
    )
    if kind != SNAPSHOT:
        raise Refusal(f"Servers send frames of kind {SNAPSHOT}; this one is of kind {kind}.")
    if version != VERSION:
        raise Refusal(f"This client speaks version {VERSION} of the protocol, not {version}.")
    own = np.frombuffer(data, "<i2", OWN_FIELDS, OWN)
    at = HEAD_SIZE
    others, at = _rows(data, at, PLAYERS_TYPE)
    monsters, at = _rows(data, at, MONSTERS_TYPE)
    if len(data) < at + ZONE_SIZE + 4:
        raise Refusal("A snapshot ends before its zone does.")
    zone = Zone(*_ZONE.unpack_from(data, at))
    (doors,) = struct.unpack_from("<I", data, at + ZONE_SIZE)
    supplies, at = _rows(data, at + ZONE_SIZE + 4, SUPPLIES_TYPE)
    events, at = _rows(data, at, EVENTS_TYPE)
    if at != len(data):
        raise Refusal(f"A snapshot goes on for {len(data) - at} bytes after its end.")
    return Snapshot(
        tick,
        ack,
        seat,
        flags,
        teams,
        players,
        clock,
        late,
        waiting,
        idle,
        own,
        others,
        monsters,
        zone,
        doors,
        supplies,
        events,
    )


def _rows(data: bytes, at: int, kind: np.dtype) -> tuple[np.ndarray, int]:
    """A counted list, and where it ends. Raises Refusal."""
    if len(data) <= at or len(data) < at + 1 + data[at] * kind.itemsize:
        raise Refusal("A snapshot ends in the middle of a list.")
    return np.frombuffer(data, kind, data[at], at + 1), at + 1 + data[at] * kind.itemsize
