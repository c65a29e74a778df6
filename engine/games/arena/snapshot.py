"""What one seat is sent of a live match in one tick: chosen and written into bytes, compiled.

The layout is described in protocol.py, which reads it, too. Everything that a client must not know is left
out here, so that no client can show it. Not for: sockets and what is a socket's own in a frame.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.hearing import HEARD, SEEN, UNNOTICED, blurred, notice, source
from engine.games.arena.sight import eyes, ray
from engine.simulation.jit import inner, rule

VERSION = 1
SNAPSHOT = 2
FROM_ABOVE = 255
FLAG_OVER = 1
GRACE = 3  # ticks that an enemy is still shown after the line of sight broke
OWN_FIELDS = s.ACTED + 1
OWN, HEAD_SIZE = 20, 20 + 2 * OWN_FIELDS
PLAYER_SIZE, MONSTER_SIZE, SUPPLY_SIZE, EVENT_SIZE, ZONE_SIZE = 14, 10, 8, 14, 16
LONGEST = (
    HEAD_SIZE
    + (1 + PLAYER_SIZE * s.MAX_SEATS)
    + (1 + MONSTER_SIZE * s.MONSTERS)
    + ZONE_SIZE
    + 4
    + (1 + SUPPLY_SIZE * s.SUPPLIES)
    + (1 + EVENT_SIZE * s.EVENTS)
)
FIRED, RUNNING, BUSY = 0x20, 0x40, 0x80
HELPED, MATE = 1, 2
FAST = 60  # units a tick above which a player on their feet runs
SMELL = 40 * s.UNIT  # monsters
REACH = 25 * s.UNIT  # supplies


@rule
def note_sight(state, seen):
    """Keep in `seen` (MAX_SEATS, MAX_SEATS) int16 the tick at which each seat last had another in sight."""
    seats = int(state[s.SEATS])
    tick = state[s.TICK]
    for seat in range(seats):
        at = s.player(seat)
        if int(state[at + s.SIGHT]) == 0 and int(state[at + s.SIGHT_2]) == 0:
            continue
        for other in range(seats):
            if s.in_sight(state, seat, other) != 0:
                seen[seat, other] = tick


def new_seen() -> np.ndarray:
    """What `note_sight` fills: nobody has been in sight yet."""
    return np.full((s.MAX_SEATS, s.MAX_SEATS), -1000, np.int16)


@rule
def _put(out, at, value):
    """Write 16 bits."""
    out[at] = value & 0xFF
    out[at + 1] = (value >> 8) & 0xFF


@rule
def shown(state, seen, seat, other):
    """Whether a seat's frame has another living player in it."""
    if int(state[s.player(other) + s.LIFE]) == s.OUT:
        return False
    if seat >= s.MAX_SEATS or int(state[s.player(seat) + s.TEAM]) == int(state[s.player(other) + s.TEAM]):
        return True
    if s.in_sight(state, seat, other) != 0:
        return True
    return int(state[s.TICK]) - int(seen[seat, other]) <= GRACE


@inner
def _put_player(state, seat, other, out, at):
    op = s.player(other)
    life = int(state[op + s.LIFE])
    look = life | int(state[op + s.STANCE]) << 2
    if int(state[op + s.SHOT_TICK]) == int(state[s.TICK]) - 1:
        look |= FIRED
    vx = int(state[op + s.VX])
    vy = int(state[op + s.VY])
    if vx * vx + vy * vy > FAST * FAST and int(state[op + s.STANCE]) == s.STAND:
        look |= RUNNING
    busy = int(state[op + s.TREAT]) | int(state[op + s.RELOAD]) | int(state[op + s.RESCUE])
    if busy != 0:
        look |= BUSY
    watcher = seat >= s.MAX_SEATS
    mate = not watcher and int(state[s.player(seat) + s.TEAM]) == int(state[op + s.TEAM])
    out[at] = other
    out[at + 1] = look
    for field in range(3):
        _put(out, at + 2 + 2 * field, int(state[op + s.X + field]))
    _put(out, at + 8, int(state[op + s.YAW]))
    out[at + 10] = (int(state[op + s.PITCH]) >> 7) & 0xFF
    out[at + 11] = int(state[op + s.WEAPON + int(state[op + s.SLOT])])
    out[at + 12] = int(state[op + s.HP]) & 0xFF if watcher or mate else 255
    out[at + 13] = (HELPED if int(state[op + s.HELPED_BY]) != 0 else 0) | (MATE if mate else 0)


@inner
def _sees_monster(state, world, seat, mp):
    """Whether nothing hides a monster from a seat, within 40 m."""
    if seat >= s.MAX_SEATS:
        return True
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    dx = int(state[mp + s.M_X]) - x
    dy = int(state[mp + s.M_Y]) - y
    if dx * dx + dy * dy > SMELL * SMELL:
        return False
    dx_long = dx if dx >= 0 else -dx
    dy_long = dy if dy >= 0 else -dy
    far = dx_long if dx_long > dy_long else dy_long
    z = int(state[mp + s.M_Z]) + 150
    return ray(state, world, x, y, eyes(state, seat), x + dx, y + dy, z, far, 0) >= far


@rule
def _near(state, seat, x, y, reach):
    if seat >= s.MAX_SEATS:
        return True
    at = s.player(seat)
    dx = x - int(state[at + s.X])
    dy = y - int(state[at + s.Y])
    return dx * dx + dy * dy <= reach * reach


@inner
def _put_event(state, seat, event, out, at):
    """Write the event at an index of the record as a seat may know it; bytes written, 0 if it may not."""
    how = SEEN if seat >= s.MAX_SEATS else notice(state, seat, event)
    if how == UNNOTICED:
        return 0
    who = int(state[event + s.E_SEAT])
    other = int(state[event + s.E_OTHER])
    if how == HEARD:
        who = -1
        size = int(state[s.TEAM_SIZE])
        if other < 0 or other >= s.MAX_SEATS or other // size != seat // size:
            other = -1
    out[at] = int(state[event + s.E_KIND])
    out[at + 1] = who & 0xFF
    out[at + 2] = other & 0xFF
    out[at + 3] = 0
    for axis in range(3):
        place = 0
        if how == SEEN:
            place = int(state[event + s.E_X + axis])
        elif how == HEARD:
            place = blurred(source(state, event, axis))
        _put(out, at + 4 + 2 * axis, place)
    _put(out, at + 10, int(state[event + s.E_VALUE]))
    _put(out, at + 12, int(state[event + s.E_TICK]))
    return EVENT_SIZE


@rule
def write_snapshot(state, world, seat, seen, out):
    """Write the snapshot for the eyes of a seat (FROM_ABOVE: of nobody) into uint8 `out` (LONGEST,).

    `seen` as of `note_sight`. Bytes 4 to 7 and 12 to 19, which are the socket's, are 0. Returns the length.
    """
    seats = int(state[s.SEATS])
    for byte in range(HEAD_SIZE):
        out[byte] = 0
    out[0] = SNAPSHOT
    out[1] = VERSION
    _put(out, 2, int(state[s.TICK]))
    out[8] = seat
    out[9] = FLAG_OVER if int(state[s.OVER]) != 0 else 0
    out[10] = int(state[s.LEFT])
    alive = 0
    for other in range(seats):
        if int(state[s.player(other) + s.LIFE]) != s.OUT:
            alive += 1
    out[11] = alive
    if seat < s.MAX_SEATS:
        for field in range(OWN_FIELDS):
            _put(out, OWN + 2 * field, int(state[s.player(seat) + field]))

    count = HEAD_SIZE
    out[count] = 0
    at = count + 1
    for other in range(seats):
        if other != seat and shown(state, seen, seat, other):
            _put_player(state, seat, other, out, at)
            out[count] += 1
            at += PLAYER_SIZE

    count = at
    out[count] = 0
    at += 1
    for monster in range(int(state[s.MONSTER_COUNT])):
        mp = s.MONSTER + s.MONSTER_SIZE * monster
        if int(state[mp + s.M_HP]) <= 0 or not _sees_monster(state, world, seat, mp):
            continue
        out[at] = monster
        for field in range(3):
            _put(out, at + 1 + 2 * field, int(state[mp + s.M_X + field]))
        out[at + 7] = (int(state[mp + s.M_YAW]) >> 8) & 0xFF
        out[at + 8] = int(state[mp + s.M_HP]) & 0xFF
        out[at + 9] = 0
        out[count] += 1
        at += MONSTER_SIZE

    out[at] = int(state[s.STAGE])
    out[at + 1] = int(state[s.SHRINKING])
    _put(out, at + 2, int(state[s.PHASE_LEFT]))
    for field in range(6):
        _put(out, at + 4 + 2 * field, int(state[s.BLUE_X + field]))
    at += ZONE_SIZE
    for byte in range(4):
        bits = 0
        for door in range(8):
            bits |= (1 if int(state[s.DOOR + 8 * byte + door]) != 0 else 0) << door
        out[at + byte] = bits
    at += 4

    count = at
    out[count] = 0
    at += 1
    for supply in range(s.SUPPLIES):
        sp = s.SUPPLY + 4 * supply
        x = int(state[sp + 2])
        y = int(state[sp + 3])
        if int(state[sp]) == 0 or not _near(state, seat, x, y, REACH):
            continue
        out[at] = supply
        out[at + 1] = int(state[sp])
        out[at + 2] = int(state[sp + 1]) & 0xFF
        out[at + 3] = 0
        _put(out, at + 4, x)
        _put(out, at + 6, y)
        out[count] += 1
        at += SUPPLY_SIZE

    count = at
    out[count] = 0
    at += 1
    last = int(state[s.EVENT_COUNT])
    new = (last - int(state[s.EVENTS_BEFORE])) % 16384
    if new > s.EVENTS:
        new = s.EVENTS
    for event in range(new):
        ep = s.EVENT + s.EVENT_SIZE * ((last - new + event) % s.EVENTS)
        written = _put_event(state, seat, ep, out, at)
        if written != 0:
            out[count] += 1
            at += written
    return at
