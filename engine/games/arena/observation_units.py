"""The part of an observation that describes other players: mates, enemies seen, enemies remembered.

Also the small writers that all blocks share. Numbers are -127 .. 127; a flag is 0 or 127; what isn't known is
0. Directions are in the seat's own frame: forward is where it looks. Not for choosing who is described
(observation.py).
"""

from __future__ import annotations

from engine.games.arena import combat, zone
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, cosine, elevation, length, sine, wrap
from engine.games.arena.move import EYES, HEIGHTS
from engine.games.arena.world import BUSH, DOOR_CELL, FLOOR, WATER, kind_at
from engine.simulation.jit import inner, rule

FULL = 127
REMEMBERED, SEEN, TOLD = range(3)  # how much is known: a place, what the eye shows, everything
BODY = 120  # units beside the middle of a body at which a shot still hits it
LATELY = 20  # ticks


@rule
def put(out, at, value):
    """Write a number, cut to -127 .. 127; returns the next place."""
    out[at] = 127 if value > 127 else -127 if value < -127 else value
    return at + 1


@rule
def flag(out, at, yes):
    """Write a flag."""
    out[at] = 127 if yes else 0
    return at + 1


@inner
def hot(out, at, count, which):
    """Set one of `count` flags, which are 0 before."""
    if 0 <= which < count:
        out[at + which] = 127
    return at + count


@rule
def lately(state, tick):
    """127 for what happened now, 4 less for each tick since, at least 0."""
    since = 127 - 4 * (int(state[s.TICK]) - tick)
    return since if since > 0 else 0


@rule
def place(right, forward, far, out, at):
    """Where something is, in the seat's own frame: direction, distance on two scales, offsets."""
    share = (127 << 16) // (far + 1)
    at = put(out, at, (right * share) >> 16)
    at = put(out, at, (forward * share) >> 16)
    at = put(out, at, far >> 5)
    at = put(out, at, far >> 8)
    at = put(out, at, forward >> 5)
    return put(out, at, right >> 5)


@rule
def inside(state, circle, x, y):
    """Units from the edge of a circle (BLUE_X or WHITE_X), positive inside."""
    return int(state[circle + 2]) - length(x - int(state[circle]), y - int(state[circle + 1]))


@inner
def speed_of(vx, vy):
    """Units a tick along the ground, at most 7 % too many: for a number that is cut to a byte."""
    a = vx if vx >= 0 else -vx
    b = vy if vy >= 0 else -vy
    return a + ((3 * b) >> 3) if a > b else b + ((3 * a) >> 3)


@rule
def attribute(state, seat, other, known, out, at):
    """Who it is and what it carries: 28 numbers."""
    op = s.player(other)
    size = int(state[s.TEAM_SIZE])
    team = int(state[op + s.TEAM])
    at = flag(out, at, True)
    at = flag(out, at, team == int(state[s.player(seat) + s.TEAM]))
    at = hot(out, at, 4, other - team * size)
    at = put(out, at, other * 6)
    left = 0
    for mate in range(team * size, team * size + size):
        if int(state[s.player(mate) + s.LIFE]) != s.OUT:
            left += 1
    at = put(out, at, left * 30)
    at = put(out, at, int(state[op + s.KILLS]) * 12)
    if known == REMEMBERED:
        return at + 19
    at = put(out, at, int(HEIGHTS[int(state[op + s.STANCE])]) >> 2)
    slot = int(state[op + s.SLOT])
    weapon = int(state[op + s.WEAPON + slot])
    at = hot(out, at, 6, weapon)
    at = put(out, at, int(combat.POINTS[weapon]))
    at = put(out, at, int(combat.REACH[weapon]))
    at = put(out, at, int(combat.INTERVALS[weapon]) * 4)
    at = put(out, at, int(combat.SPREADS[weapon]) >> 3)
    if known == SEEN:
        return at + 8
    at = hot(out, at, 6, int(state[op + s.WEAPON + 1 - slot]))
    at = put(out, at, (int(state[op + s.MAGAZINE + slot]) * 127) // (int(combat.MAGAZINES[weapon]) + 1))
    return put(out, at, int(state[op + s.KNOCKS]) * 12)


@inner
def _visible_status(state, op, out, at):
    """The part of a player's state that everybody in view of it sees: 15 numbers."""
    life = int(state[op + s.LIFE])
    at = hot(out, at, 2, life - 1)
    at = hot(out, at, 5, int(state[op + s.STANCE]))
    speed = speed_of(int(state[op + s.VX]), int(state[op + s.VY]))
    at = put(out, at, speed)
    at = flag(out, at, speed > 62)
    at = flag(out, at, int(state[op + s.AIRBORNE]) != 0)
    at = flag(out, at, int(state[op + s.MOVING]) != 0)
    busy = int(state[op + s.TREAT]) > 0 or int(state[op + s.RELOAD]) > 0 or int(state[op + s.RESCUE]) > 0
    at = flag(out, at, busy)
    at = flag(out, at, int(state[op + s.HELPED_BY]) != 0)
    shot = int(state[op + s.SHOT_TICK])
    at = flag(out, at, int(state[s.TICK]) - shot <= LATELY)
    return put(out, at, lately(state, shot))


@inner
def _health(state, op, out, at):
    """What only a mate sees: health, armour, stamina, ammunition, medical kits."""
    at = put(out, at, int(state[op + s.HP]))
    at = put(out, at, int(state[op + s.ARMOUR]))
    at = put(out, at, int(state[op + s.STAMINA]) // 4)
    at = put(out, at, int(state[op + s.AMMO]) >> 1)
    return put(out, at, int(state[op + s.MEDKITS]) * 25)


@inner
def bits_set(bits):
    """How many of ten bits are set."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@rule
def seen_by(state, seat):
    """How many enemies a seat sees now."""
    at = s.player(seat)
    return bits_set(int(state[at + s.SEES])) + bits_set(int(state[at + s.SEES_2]))


@rule
def mate_status(state, seat, other, out, at):
    """How a mate is: 30 numbers."""
    op = s.player(other)
    x = int(state[op + s.X])
    y = int(state[op + s.Y])
    at = _visible_status(state, op, out, at)
    at = flag(out, at, not zone.inside(state, s.BLUE_X, x, y))
    at = flag(out, at, not zone.inside(state, s.WHITE_X, x, y))
    at = _health(state, op, out, at)
    at = put(out, at, int(state[op + s.TREAT]) * 2)
    at = flag(out, at, int(state[op + s.RELOAD]) > 0)
    at = put(out, at, int(state[op + s.RESCUE]) * 2)
    at = put(out, at, lately(state, int(state[op + s.HIT_TICK])))
    seen = seen_by(state, other)
    at = put(out, at, seen * 16)
    at = flag(out, at, seen > 0)
    at = flag(out, at, int(state[op + s.HELPED_BY]) == seat + 1)
    return flag(out, at, int(state[op + s.HP]) < 40)


@rule
def enemy_status(state, seat, other, known, x, y, age, mates, out, at):
    """How an enemy is, last known at x, y `age` ticks ago: 33 numbers. `mates`: three seats, eight bits each
    (255 none).
    """
    op = s.player(other)
    if known == REMEMBERED:
        at += 15
    else:
        at = _visible_status(state, op, out, at)
    at = flag(out, at, not zone.inside(state, s.BLUE_X, x, y))
    at = flag(out, at, not zone.inside(state, s.WHITE_X, x, y))
    at = flag(out, at, known == SEEN)
    at = flag(out, at, known == REMEMBERED)
    at = put(out, at, age >> 3)
    at = put(out, at, age * 4)
    count = 0
    for number in range(3):
        mate = (mates >> (8 * number)) & 255
        if mate != 255 and s.sees(state, mate, other) != 0:
            count += 1
            out[at + 2 + number] = 127
    out[at] = count * 40
    out[at + 1] = 127 if count > 0 and known == REMEMBERED else 0
    at += 5
    ever = s.EVER if other < 10 else s.EVER_2
    at = flag(out, at, (int(state[s.player(seat) + ever]) >> (other % 10)) & 1)
    by = int(state[op + s.HIT_BY]) - 1
    mine = 0 <= by < s.MAX_SEATS and by // int(state[s.TEAM_SIZE]) == int(state[s.player(seat) + s.TEAM])
    at = put(out, at, lately(state, int(state[op + s.HIT_TICK])) if mine and known != REMEMBERED else 0)
    if known == TOLD:
        return _health(state, op, out, at)
    return at + 5


@rule
def _ground(state, world, x, y, out, at):
    """Bush, water, indoors."""
    kind = kind_at(state, world, x, y)
    at = flag(out, at, kind == BUSH)
    at = flag(out, at, kind == WATER)
    return flag(out, at, kind == FLOOR or kind >= DOOR_CELL)


@rule
def _where(x, y, right, forward, far, out, at):
    """The first 14 numbers of a pose: all that a remembered place gives."""
    at = place(right, forward, far, out, at)
    at = put(out, at, (x - 16384) >> 7)
    at = put(out, at, (y - 16384) >> 7)
    m = far >> 8
    return hot(
        out, at, 6, 0 if m < 2 else 1 if m < 5 else 2 if m < 10 else 3 if m < 20 else 4 if m < 40 else 5
    )


@rule
def remembered_pose(state, seat, x, y, sin, cos, out, at):
    """Where an enemy was when the team last knew: 43 numbers, most of them 0."""
    me = s.player(seat)
    end = at + 43
    dx = x - int(state[me + s.X])
    dy = y - int(state[me + s.Y])
    right = (dx * cos + dy * sin) >> 14
    forward = (dx * sin - dy * cos) >> 14
    at = _where(x, y, right, forward, length(dx, dy), out, at) + 2
    off = wrap(bearing(dx, dy) - int(state[me + s.YAW]))
    at = put(out, at, off >> 8)
    put(out, at, off >> 5)
    put(out, end - 9, inside(state, s.BLUE_X, x, y) >> 5)
    return end


@rule
def unit_pose(state, world, seat, other, sin, cos, out, at):
    """Where a player in sight (or a mate) is, looks and goes: 43 numbers.

    Of a mate there is nothing about crosshairs, views and reaches, as nobody hurts their own.
    """
    me = s.player(seat)
    op = s.player(other)
    x = int(state[op + s.X])
    y = int(state[op + s.Y])
    z = int(state[op + s.Z])
    dx = x - int(state[me + s.X])
    dy = y - int(state[me + s.Y])
    far = length(dx, dy)
    right = (dx * cos + dy * sin) >> 14
    forward = (dx * sin - dy * cos) >> 14
    begin = at
    at = _where(x, y, right, forward, far, out, at)
    rise = z - int(state[me + s.Z])
    at = put(out, at, rise >> 4)
    at = put(out, at, rise >> 2)
    at += 4
    turn = int(state[op + s.YAW]) - int(state[me + s.YAW])
    at = put(out, at, (sine(turn) * 127) >> 14)
    at = put(out, at, (cosine(turn) * 127) >> 14)
    at = put(out, at, int(state[op + s.PITCH]) >> 7)
    at += 2
    vx = int(state[op + s.VX])
    vy = int(state[op + s.VY])
    ahead = (vx * sin - vy * cos) >> 14
    aside = (vx * cos + vy * sin) >> 14
    at = put(out, at, ahead)
    at = put(out, at, aside)
    at = put(out, at, int(state[op + s.VZ]) >> 1)
    closing = dx * (int(state[me + s.VX]) - vx) + dy * (int(state[me + s.VY]) - vy)
    at = put(out, at, closing // (far + 1))
    now = int(state[s.TICK]) + s.HISTORY
    for ago in (2, 5):
        past = s.PAST + 4 * (s.MAX_SEATS * ((now - ago) % s.HISTORY) + other)
        east = x - int(state[past])
        south = y - int(state[past + 1])
        at = put(out, at, (east * sin - south * cos) >> 16)
        at = put(out, at, (east * cos + south * sin) >> 16)
    at = put(out, at, z >> 5)
    at = put(out, at, inside(state, s.BLUE_X, x, y) >> 5)
    at = _ground(state, world, x, y, out, at)
    flag(out, at + 4, aside > 25 or aside < -25)
    if int(state[op + s.TEAM]) != int(state[me + s.TEAM]):
        _aim(state, me, op, dx, dy, far, out, begin)
    return begin + 43


@rule
def _aim(state, me, op, dx, dy, far, out, begin):
    """The numbers of an enemy's pose that matter for shooting, and for being shot."""
    direction = bearing(dx, dy)
    off = wrap(direction - int(state[me + s.YAW]))
    eyes = int(state[me + s.Z]) + int(EYES[int(state[me + s.STANCE])])
    tall = int(HEIGHTS[int(state[op + s.STANCE])])
    above = elevation(far, int(state[op + s.Z]) + ((tall * 5) >> 3) - eyes) - int(state[me + s.PITCH])
    at = put(out, begin + 16, off >> 8)
    at = put(out, at, off >> 5)
    at = put(out, at, above >> 8)
    put(out, at, above >> 5)
    view = wrap(direction + 32768 - int(state[op + s.YAW]))
    at = put(out, begin + 23, view >> 8)
    flag(out, at, -2000 < view < 2000)
    beside = (far * sine(off)) >> 14
    up = (far * sine(above)) >> 14
    on_it = -BODY < beside < BODY and -16384 < off < 16384 and -(tall >> 1) < up < (tall >> 1)
    at = flag(out, begin + 38, on_it)
    reach = int(combat.REACH[int(state[me + s.WEAPON + int(state[me + s.SLOT])])]) * 256
    at = flag(out, at, far <= reach)
    at = flag(out, at, far <= reach >> 1)
    flag(out, at, far <= int(combat.REACH[int(state[op + s.WEAPON + int(state[op + s.SLOT])])]) * 256)
