"""The part of an observation that describes what isn't a player: obstacles, monster, circles, events, door,
supplies.

Not for players (observation_units.py) and the seat itself (observation.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import combat, hands, hearing, monsters, zone
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, cosine, length, sine, wrap
from engine.games.arena.observation_units import flag, hot, inside, place, put
from engine.games.arena.sight import eyes, looks_at
from engine.games.arena.world import (
    DOOR_CELL,
    DOOR_SPOTS,
    FLOOR,
    KINDS,
    STEP_HEIGHT,
    WALL_TOP,
    kind_at,
    opaque,
    top,
)
from engine.simulation.jit import inner, rule

RAYS = 16
REACHES = np.array([160, 384, 640, 896, 1152, 1408, 1664, 1920], np.int32)  # units along a ray
SHORT = 5  # looks of every second ray, up to 4.5 m; the others go to 7.5 m
WALKABLE = 200  # units that the ground may rise between two looks and still be a slope
HIGH = 330  # units above the feet from which on an obstacle can't be shot over
MONSTER_SEEN, MONSTER_HEARD = 25 * 256, 12 * 256
SUPPLY_SEEN, SUPPLY_NEAR = 25 * 256, 6 * 256
USELESS = 1 << 32  # puts what is of no use behind all else
NEVER = 1 << 40
IN_VIEW = 9397  # the cosine of half the view
DOOR_SHOWN = 15 * 256
EVENTS_READ = 20  # of the ring, latest first
EVENT_AGE = 30  # ticks


@rule
def rays(state, world, seat, yaw, out, at, cover):
    """How far the ground is free in 16 directions (127: 8 m), then where a high obstacle ends it: 32 numbers.

    Whether there is an obstacle within 1.5 m, and in what direction the nearest lies, is written at `cover`.
    """
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    z = int(state[me + s.Z])
    row = int(state[s.MAP])
    nearest = 500
    towards = -1
    for number in range(RAYS):
        angle = yaw + number * 4096
        east = sine(angle)
        south = -cosine(angle)
        ground = z
        free = 2047
        for look in range(SHORT if number & 1 else 8):
            reach = int(REACHES[look])
            cell = ((y + ((south * reach) >> 14)) >> 8) * s.SIDE + ((x + ((east * reach) >> 14)) >> 8)
            if not 0 <= cell < s.CELLS:
                break
            height = int(world[row, cell]) * STEP_HEIGHT
            kind = int(world[row, KINDS + cell])
            if kind >= DOOR_CELL and int(state[s.DOOR + kind - DOOR_CELL]) == 0:
                height += WALL_TOP * STEP_HEIGHT
            if height - ground > WALKABLE:
                free = reach
                if height - z > HIGH:
                    out[at + RAYS + number] = 127
                break
            ground = height
        out[at + number] = free >> 4
        if free < nearest:
            nearest = free
            towards = number
    if towards >= 0:
        out[cover] = 127
        put(out, cover + 1, (sine(towards * 4096) * 127) >> 14)
        put(out, cover + 2, (cosine(towards * 4096) * 127) >> 14)
    return at + 2 * RAYS


@rule
def clear(state, world, seat, x, y, z):
    """Whether nothing stands between a seat's eyes and a point, looked at once a cell."""
    me = s.player(seat)
    from_x = int(state[me + s.X])
    from_y = int(state[me + s.Y])
    from_z = eyes(state, seat)
    dx = x - from_x
    dy = y - from_y
    far = dx if dx >= 0 else -dx
    other = dy if dy >= 0 else -dy
    far = other if other > far else far
    samples = far >> 8
    if samples == 0:
        return True
    step_x = (dx * 256) // (samples + 1)
    step_y = (dy * 256) // (samples + 1)
    step_z = ((z - from_z) * 256) // (samples + 1)
    at_x = from_x * 256
    at_y = from_y * 256
    at_z = from_z * 256
    standing = (from_y >> 8) * s.SIDE + (from_x >> 8)
    for _ in range(samples):
        at_x += step_x
        at_y += step_y
        at_z += step_z
        cell = (at_y >> 16) * s.SIDE + (at_x >> 16)
        if (at_z >> 8) < opaque(state, world, cell) and cell != standing:
            return False
    return True


@rule
def nearest_monster(state, world, seat):
    """The nearest living monster that a seat has a line of sight to, or hears, -1 for none."""
    me = s.player(seat)
    nearest = -1
    best = MONSTER_SEEN * MONSTER_SEEN
    for number in range(int(state[s.MONSTER_COUNT])):
        mp = s.MONSTER + s.MONSTER_SIZE * number
        if int(state[mp + s.M_HP]) <= 0:
            continue
        x = int(state[mp + s.M_X])
        y = int(state[mp + s.M_Y])
        dx = x - int(state[me + s.X])
        dy = y - int(state[me + s.Y])
        far = dx * dx + dy * dy
        if far >= best:
            continue
        if far <= MONSTER_HEARD * MONSTER_HEARD or clear(
            state, world, seat, x, y, int(state[mp + s.M_Z]) + 200
        ):
            best = far
            nearest = number
    return nearest


@rule
def monster(state, world, seat, sin, cos, out, at):
    """The nearest monster: 30 numbers. Returns whether it is near enough to matter (12 m)."""
    number = nearest_monster(state, world, seat)
    if number < 0:
        return False
    me = s.player(seat)
    mp = s.MONSTER + s.MONSTER_SIZE * number
    x = int(state[mp + s.M_X])
    y = int(state[mp + s.M_Y])
    z = int(state[mp + s.M_Z])
    dx = x - int(state[me + s.X])
    dy = y - int(state[me + s.Y])
    far = length(dx, dy)
    right = (dx * cos + dy * sin) >> 14
    forward = (dx * sin - dy * cos) >> 14
    target = int(state[mp + s.M_TARGET])
    home = length(int(state[mp + s.M_HOME_X]) - x, int(state[mp + s.M_HOME_Y]) - y)
    at = flag(out, at, True)
    at = put(out, at, combat.MONSTER_HEIGHT >> 2)
    at = flag(out, at, target < 0 and home <= 4 * 256)
    at = flag(out, at, target >= 0)
    at = flag(out, at, target < 0 and home > 4 * 256)
    at = flag(out, at, int(state[mp + s.M_WAIT]) == 0)
    at = flag(out, at, clear(state, world, seat, x, y, z + 200))
    at = flag(out, at, looks_at(state, seat, x, y))
    health = int(state[mp + s.M_HP])
    at = put(out, at, health)
    at = put(out, at, (health * 127) // monsters.MONSTER_HP)
    at = flag(out, at, health < 24)
    size = int(state[s.TEAM_SIZE])
    mine = target >= 0 and target // size == seat // size
    at = flag(out, at, target == seat)
    at = flag(out, at, mine and target != seat)
    at = flag(out, at, target >= 0 and not mine)
    at = place(right, forward, far, out, at)
    at = put(out, at, (z - int(state[me + s.Z])) >> 4)
    at = put(out, at, (x - 16384) >> 7)
    at = put(out, at, (y - 16384) >> 7)
    off = wrap(bearing(dx, dy) - int(state[me + s.YAW]))
    at = put(out, at, off >> 8)
    at = put(out, at, off >> 5)
    yaw = int(state[mp + s.M_YAW]) - int(state[me + s.YAW])
    at = put(out, at, (sine(yaw) * 127) >> 14)
    at = put(out, at, (cosine(yaw) * 127) >> 14)
    at = flag(out, at, far < monsters.BITE)
    speed = 0 if target >= 0 and far < monsters.BITE else monsters.SPEED if target >= 0 else 12
    at = put(out, at, (speed * cosine(yaw)) >> 14)
    put(out, at, (speed * sine(yaw)) >> 14)
    return far < MONSTER_HEARD


@rule
def circles(state, seat, sin, cos, out, at):
    """Blue, white and their times: 15 numbers."""
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    stage = int(state[s.STAGE])
    at = flag(out, at, int(state[s.SHRINKING]) != 0)
    at = put(out, at, int(zone.PAIN[stage]) * 5)
    at = put(out, at, int(state[s.BLUE_R]) >> 7)
    at = put(out, at, int(state[s.WHITE_R]) >> 7)
    for circle in (s.BLUE_X, s.WHITE_X):
        dx = int(state[circle]) - x
        dy = int(state[circle + 1]) - y
        at = put(out, at, (dx * sin - dy * cos) >> 21)
        at = put(out, at, (dx * cos + dy * sin) >> 21)
    at = put(out, at, inside(state, s.BLUE_X, x, y) >> 7)
    at = put(out, at, inside(state, s.WHITE_X, x, y) >> 7)
    left = int(state[s.PHASE_LEFT])
    whole = int(state[s.PHASE_LENGTH])
    at = put(out, at, stage * 16)
    at = put(out, at, left >> 3)
    at = put(out, at, left)
    at = put(out, at, ((whole - left) * 127) // whole if whole > 0 else 127)
    return put(out, at, int(state[s.TICK]) >> 6)


@rule
def events(state, seat, sin, cos, out, at):
    """The two latest doings of enemies and monsters that a seat saw or heard: 11 numbers each."""
    me = s.player(seat)
    count = int(state[s.EVENT_COUNT])
    size = int(state[s.TEAM_SIZE])
    first = int(state[me + s.TEAM]) * size
    shown = 0
    for back in range(1, EVENTS_READ + 1):
        event = s.EVENT + s.EVENT_SIZE * ((count - back) % s.EVENTS)
        kind = int(state[event + s.E_KIND])
        age = int(state[s.TICK]) - int(state[event + s.E_TICK])
        # Before the ring is full its other entries are of no kind.
        if kind == s.NO_EVENT or age > EVENT_AGE:
            break
        who = int(state[event + s.E_SEAT])
        # What mates do is told of themselves; what hands do is too quiet to matter.
        if kind >= s.ZONE_MOVES or first <= who < first + size or s.PICKED <= kind <= s.RELOADED:
            continue
        noticed = hearing.notice(state, seat, event)
        if noticed < hearing.HEARD:
            continue
        x = hearing.source(state, event, 0)
        y = hearing.source(state, event, 1)
        if noticed == hearing.HEARD:
            x = hearing.blurred(x)
            y = hearing.blurred(y)
        wound = kind == s.HIT or kind == s.KNOCK or kind == s.KILL
        beast = kind == s.MONSTER_BITES or kind == s.MONSTER_DEAD
        begin = at
        at = flag(out, at, kind == s.SHOT)
        at = flag(out, at, kind == s.STEP)
        at = flag(out, at, wound)
        at = flag(out, at, kind == s.DOOR_EVENT or kind == s.RESCUED_EVENT)
        at = flag(out, at, beast)
        mine = kind == s.HIT and int(state[event + s.E_OTHER]) == seat
        at = put(out, at, int(state[event + s.E_VALUE]) if mine else 0)
        at = flag(out, at, noticed == hearing.SEEN)
        at = put(out, at, age * 4)
        dx = x - int(state[me + s.X])
        dy = y - int(state[me + s.Y])
        far = length(dx, dy)
        share = (127 << 16) // (far + 1)
        at = put(out, at, (((dx * cos + dy * sin) >> 14) * share) >> 16)
        at = put(out, at, (((dx * sin - dy * cos) >> 14) * share) >> 16)
        put(out, at, far >> 7)
        at = begin + 11
        shown += 1
        if shown == 2:
            break


@rule
def door(state, world, seat, sin, cos, out, at):
    """The nearest door within 15 m: 13 numbers. Returns whether it is in reach."""
    number = hands.nearest_door(state, world, seat, DOOR_SHOWN)
    if number < 0:
        return False
    me = s.player(seat)
    row = int(state[s.MAP])
    i = int(world[row, DOOR_SPOTS + 2 * number])
    j = int(world[row, DOOR_SPOTS + 2 * number + 1])
    dx = i * 256 + 128 - int(state[me + s.X])
    dy = j * 256 + 128 - int(state[me + s.Y])
    far = length(dx, dy)
    at = flag(out, at, True)
    at = flag(out, at, int(state[s.DOOR + number]) != 0)
    at = flag(out, at, far <= hands.DOOR_ARM)
    at = flag(out, at, far <= hands.DOOR_ARM and int(state[me + s.HAND_WAIT]) == 0)
    at = flag(out, at, far < 210)
    at = place((dx * cos + dy * sin) >> 14, (dx * sin - dy * cos) >> 14, far, out, at)
    # One passes north to south where floor or ground lies to the north.
    north = int(world[row, KINDS + (j - 1) * s.SIDE + i])
    along = north == FLOOR or int(world[row, KINDS + (j + 1) * s.SIDE + i]) == FLOOR
    at = put(out, at, ((sin if along else cos) * 127) >> 14)
    put(out, at, ((cos if along else sin) * 127) >> 14)
    return far <= hands.DOOR_ARM


@rule
def supplies(state, world, seat, sin, cos, out, at):
    """The three nearest supplies, those of no use after the others: 26 numbers each.

    Shown are those within 6 m, and of the nearest four those within 25 m that nothing hides. Returns the
    number of the one that hands would pick up, -1 for none.
    """
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    first = -1
    second = -1
    third = -1
    fourth = -1
    far_1 = NEVER
    far_2 = NEVER
    far_3 = NEVER
    far_4 = NEVER
    for number in range(s.SUPPLIES):
        sp = s.SUPPLY + 4 * number
        dx = int(state[sp + 2]) - x
        dy = int(state[sp + 3]) - y
        far = dx * dx + dy * dy
        if far > SUPPLY_SEEN * SUPPLY_SEEN or far >= far_4 or int(state[sp]) == 0:
            continue
        if not hands.useful(state, me, sp):
            far += USELESS
        if far < far_4:
            if far < far_1:
                fourth, third, second, first = third, second, first, number
                far_4, far_3, far_2, far_1 = far_3, far_2, far_1, far
            elif far < far_2:
                fourth, third, second = third, second, number
                far_4, far_3, far_2 = far_3, far_2, far
            elif far < far_3:
                fourth, third = third, number
                far_4, far_3 = far_3, far
            else:
                fourth = number
                far_4 = far
    shown = 0
    for rank in range(4):
        number = first if rank == 0 else second if rank == 1 else third if rank == 2 else fourth
        if number < 0 or shown == 3:
            break
        if _supply(state, world, seat, number, sin, cos, out, at):
            at += 26
            shown += 1
    return first if far_1 <= hands.ARM * hands.ARM else -1


@inner
def _supply(state, world, seat, number, sin, cos, out, at):
    """One supply, if it is shown: 26 numbers. Returns whether it is."""
    me = s.player(seat)
    sp = s.SUPPLY + 4 * number
    kind = int(state[sp])
    x = int(state[sp + 2])
    y = int(state[sp + 3])
    dx = x - int(state[me + s.X])
    dy = y - int(state[me + s.Y])
    far = length(dx, dy)
    z = top(state, world, (y >> 8) * s.SIDE + (x >> 8))
    if far > SUPPLY_NEAR and not clear(state, world, seat, x, y, z + 60):
        return False
    right = (dx * cos + dy * sin) >> 14
    forward = (dx * sin - dy * cos) >> 14
    at = flag(out, at, True)
    at = hot(out, at, 8, kind - 1)
    at = put(out, at, int(state[sp + 1]))
    useful = hands.useful(state, me, sp)
    at = flag(out, at, useful)
    at = flag(out, at, far <= hands.ARM)
    at = flag(out, at, far <= hands.ARM and useful and int(state[me + s.HAND_WAIT]) == 0)
    at = put(out, at, worth(kind) if kind <= s.SNIPER else 0)
    at = flag(out, at, forward * 16384 >= far * IN_VIEW)
    ground = kind_at(state, world, x, y)
    at = flag(out, at, ground == FLOOR or ground >= DOOR_CELL)
    at = flag(out, at, not zone.inside(state, s.BLUE_X, x, y))
    at = flag(out, at, not zone.inside(state, s.WHITE_X, x, y))
    nearer = False
    size = int(state[s.TEAM_SIZE])
    team = int(state[me + s.TEAM])
    for mate in range(team * size, team * size + size):
        mp = s.player(mate)
        mx = x - int(state[mp + s.X])
        my = y - int(state[mp + s.Y])
        if int(state[mp + s.LIFE]) == s.UP and mx * mx + my * my < dx * dx + dy * dy:
            nearer = True
    at = flag(out, at, nearer)
    at = place(right, forward, far, out, at)
    put(out, at, (z - int(state[me + s.Z])) >> 4)
    return True


@rule
def worth(weapon):
    """Half of a weapon's damage, in points a second, if every shot hits."""
    if weapon == 0:
        return 0
    pellets = combat.PELLETS if weapon == s.SHOTGUN else 1
    return (int(combat.POINTS[weapon]) * pellets * 10) // int(combat.INTERVALS[weapon])
