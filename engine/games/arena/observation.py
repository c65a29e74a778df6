"""The observation of a seat in Arena: 1,065 whole numbers of -127 .. 127, by the widths of OpenContra's Table
4.

The seat itself (292 numbers), three mates (101 each), three enemies (104 each), a monster (30), the circles
(15), two events (11 each), a door (13), three supplies (26 each); names in observation_fields.py. Nothing in
it that the seat doesn't see, hear or know from its team: enemies in view with all that the eye shows, other
enemies only where the team last saw them.

Not here: what only the critic is told (observation_critic.py) and local maps (maps.py).
"""

from __future__ import annotations

from engine.games.arena import combat, hands, sight, zone
from engine.games.arena import observation_ground as ground
from engine.games.arena import observation_units as units
from engine.games.arena import state as s
from engine.games.arena.aim import AIM_ERROR
from engine.games.arena.angles import bearing, cosine, elevation, length, sine, wrap
from engine.games.arena.move import (
    EYES,
    HEIGHTS,
    JUMP_COST,
    RUN_COST,
    SLIDE_COST,
    SLIDE_TICKS,
    STANCE_TICKS,
)
from engine.games.arena.observation_fields import COMPACT, FIELDS, NAMES, SIZE
from engine.games.arena.observation_units import REMEMBERED, SEEN, TOLD, flag, hot, lately, put
from engine.games.arena.world import BUSH, DOOR_CELL, FLOOR, WATER, kind_at
from engine.simulation.jit import inner, rule

__all__ = ["COMPACT", "FIELDS", "NAMES", "SIZE", "encode"]

STATUS = FIELDS["hero/status"].start
POSE = FIELDS["hero/pose"].start
ITEM = FIELDS["hero/item"].start
MATE = FIELDS["mate 0"].start
ENEMY = FIELDS["enemy 0"].start
MONSTER = FIELDS["monster"].start
CIRCLE = FIELDS["circle"].start
EVENT = FIELDS["event 0"].start
DOOR = FIELDS["door"].start
SUPPLY = FIELDS["supply 0"].start
COVER = POSE + NAMES[POSE:ITEM].index("hero/pose/next to cover")
TARGET = POSE + NAMES[POSE:ITEM].index("hero/pose/target right of the crosshair")
MIDDLE = POSE + NAMES[POSE:ITEM].index("hero/pose/mates' middle to the right")
NEAR_MONSTER = STATUS + NAMES[STATUS:POSE].index("hero/status/monster near")
SEEN_COUNT = STATUS + NAMES[STATUS:POSE].index("hero/status/enemies seen")
DOOR_IN_REACH = ITEM + NAMES[ITEM:MATE].index("hero/item/door in reach")
FAR = 1 << 40
OLD = 1 << 17  # puts remembered enemies behind those in view
AGEING = 32  # units that a tick of not knowing counts


@rule
def _attribute(state, seat, out):
    """Who one is and how the match stands: 28 numbers."""
    me = s.player(seat)
    size = int(state[s.TEAM_SIZE])
    team = int(state[me + s.TEAM])
    players = 0
    mine = 0
    up = 0
    for other in range(int(state[s.SEATS])):
        op = s.player(other)
        life = int(state[op + s.LIFE])
        if life == s.OUT:
            continue
        players += 1
        if int(state[op + s.TEAM]) == team:
            mine += 1
            if life == s.UP and other != seat:
                up += 1
    at = hot(out, 0, 4, seat - team * size)
    at = put(out, at, int(state[s.TEAMS]) * 6)
    at = put(out, at, size * 30)
    at = put(out, at, int(state[s.LEFT]) * 6)
    at = put(out, at, players * 6)
    at = put(out, at, (players - mine) * 6)
    at = put(out, at, up * 40)
    alive = 1 if int(state[me + s.LIFE]) != s.OUT else 0
    at = put(out, at, (mine - up - alive) * 40)
    at = hot(out, at, 3, int(state[s.PACE]))
    at = put(out, at, int(state[s.MONSTER_COUNT]) * 15)
    ever = units.bits_set(int(state[me + s.EVER])) + units.bits_set(int(state[me + s.EVER_2]))
    at = put(out, at, ever * 8)
    at = put(out, at, int(state[me + s.KILLS]) * 12)
    at = put(out, at, int(state[me + s.KNOCKS]) * 12)
    at = put(out, at, int(state[me + s.DEALT]) >> 3)
    at = put(out, at, int(state[me + s.SHOTS]) >> 2)
    at = put(out, at, int(state[me + s.HITS]) >> 1)
    at = put(out, at, int(state[me + s.LOOTS]) * 6)
    at = put(out, at, int(state[me + s.HEALS]) * 16)
    at = put(out, at, int(state[me + s.RESCUES]) * 25)
    at = put(out, at, int(state[me + s.ASSISTS]) * 25)
    at = put(out, at, int(state[me + s.WALKED]) >> 8)
    at = put(out, at, int(state[s.TICK]) >> 6)
    return put(out, at, int(HEIGHTS[int(state[me + s.STANCE])]) >> 2)


@rule
def _status(state, world, seat, sin, cos, out):
    """How one is: 44 numbers, of which the enemies in view and the monster are written later."""
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    at = hot(out, STATUS, 3, int(state[me + s.LIFE]))
    stance = int(state[me + s.STANCE])
    at = hot(out, at, 5, stance)
    health = int(state[me + s.HP])
    stamina = int(state[me + s.STAMINA])
    at = put(out, at, health)
    at = put(out, at, int(state[me + s.ARMOUR]))
    at = put(out, at, stamina // 4)
    free = int(state[me + s.STANCE_WAIT]) == 0 and int(state[me + s.AIRBORNE]) == 0
    at = flag(out, at, stance == s.STAND and stamina >= RUN_COST)
    moving = int(state[me + s.MOVING]) != 0
    at = flag(out, at, free and stance == s.STAND and stamina >= SLIDE_COST and moving)
    at = flag(out, at, free and stance == s.STAND and stamina >= JUMP_COST)
    at = put(out, at, (int(state[me + s.STANCE_WAIT]) * 127) // STANCE_TICKS)
    at = flag(out, at, moving)
    at = flag(out, at, int(state[me + s.AIRBORNE]) != 0)
    vx = int(state[me + s.VX])
    vy = int(state[me + s.VY])
    speed = units.speed_of(vx, vy)
    at = flag(out, at, speed > 62)
    at = put(out, at, (int(state[me + s.SLIDE]) * 127) // SLIDE_TICKS if stance == s.SLIDING else 0)
    at = flag(out, at, int(state[me + s.SLOW]) != 0)
    at = put(out, at, speed)
    at = put(out, at, (vx * sin - vy * cos) >> 14)
    at = put(out, at, (vx * cos + vy * sin) >> 14)
    at = put(out, at, int(state[me + s.VZ]) >> 1)
    at = put(out, at, int(state[me + s.TREAT]) * 2)
    at = put(out, at, int(state[me + s.RESCUE]) * 2)
    at = flag(out, at, int(state[me + s.HELPED_BY]) != 0)
    at = put(out, at, int(state[me + s.HAND_WAIT]) * 15)
    hit = int(state[s.TICK]) - int(state[me + s.HIT_TICK])
    recent = hit < 64
    at = put(out, at, 127 - 2 * hit if recent else 0)
    by = int(state[me + s.HIT_BY]) if recent else 0
    at = flag(out, at, 0 < by <= s.MAX_SEATS)
    at = flag(out, at, by == s.MONSTER_HIT)
    at = flag(out, at, by == s.ZONE_HIT)
    turn = int(state[me + s.HIT_YAW]) - int(state[me + s.YAW])
    directed = 0 < by <= s.MONSTER_HIT
    at = put(out, at, (sine(turn) * 127) >> 14 if directed else 0)
    at = put(out, at, (cosine(turn) * 127) >> 14 if directed else 0)
    at = put(out, at, lately(state, int(state[me + s.SHOT_TICK])))
    at = flag(out, at, not zone.inside(state, s.BLUE_X, x, y))
    at = flag(out, at, not zone.inside(state, s.WHITE_X, x, y))
    kind = kind_at(state, world, x, y)
    at = flag(out, at, kind == BUSH)
    at = flag(out, at, kind == WATER)
    at = flag(out, at, kind == FLOOR or kind >= DOOR_CELL)
    return flag(out, at + 3, health < 40)


@rule
def _pose(state, world, seat, sin, cos, out):
    """Where one is, looks and could go: 76 numbers; target and mates are written later."""
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    z = int(state[me + s.Z])
    yaw = int(state[me + s.YAW])
    pitch = int(state[me + s.PITCH])
    at = put(out, POSE, (x - 16384) >> 7)
    at = put(out, at, (y - 16384) >> 7)
    at = put(out, at, z >> 5)
    at = put(out, at, (sin * 127) >> 14)
    at = put(out, at, (cos * 127) >> 14)
    at = put(out, at, pitch >> 7)
    at = put(out, at, pitch >> 4)
    at = put(out, at, wrap(yaw - int(state[me + s.YAW_BEFORE])) >> 5)
    at = put(out, at, int(EYES[int(state[me + s.STANCE])]) >> 2)
    tick = int(state[s.TICK]) + s.HISTORY
    for ago in (2, 5):
        past = s.PAST + 4 * (s.MAX_SEATS * ((tick - ago) % s.HISTORY) + seat)
        east = x - int(state[past])
        south = y - int(state[past + 1])
        at = put(out, at, (east * sin - south * cos) >> 16)
        at = put(out, at, (east * cos + south * sin) >> 16)
    for circle in (s.WHITE_X, s.BLUE_X):
        dx = int(state[circle]) - x
        dy = int(state[circle + 1]) - y
        far = length(dx, dy)
        share = (127 << 16) // (far + 1)
        at = put(out, at, (((dx * cos + dy * sin) >> 14) * share) >> 16)
        at = put(out, at, (((dx * sin - dy * cos) >> 14) * share) >> 16)
        edge = int(state[circle + 2]) - far
        at = put(out, at, edge >> 7)
        at = put(out, at, edge >> 5)
    front = at
    at = ground.rays(state, world, seat, yaw, out, at, COVER)
    for side in range(4):
        angle = yaw + side * 16384
        cell = ((y - ((cosine(angle) * 512) >> 14)) >> 8) * s.SIDE + ((x + ((sine(angle) * 512) >> 14)) >> 8)
        at = put(out, at, (ground.top(state, world, cell) - z) >> 2)
    weapon = int(state[me + s.WEAPON + int(state[me + s.SLOT])])
    at = put(out, TARGET + 7, int(state[me + s.RECOIL]) >> 4)
    at = put(out, at, int(state[me + s.BLOOM]) >> 3)
    at = put(out, at, combat.spread_of(state, me, weapon) >> 4)
    at = put(out, COVER + 3, int(state[me + s.STEPS]) // 4)
    at = flag(out, at, int(out[front]) < 48 and int(out[front + ground.RAYS]) == 0)
    ahead = kind_at(state, world, x + ((sin * 512) >> 14), y - ((cos * 512) >> 14))
    return flag(out, at, ahead == WATER)


@rule
def _weapon(weapon, out, at):
    """A weapon's numbers: 8."""
    at = put(out, at, int(combat.POINTS[weapon]))
    at = put(out, at, int(combat.INTERVALS[weapon]) * 4)
    at = put(out, at, int(combat.MAGAZINES[weapon]) * 4)
    at = put(out, at, int(combat.RELOADS[weapon]) * 2)
    at = put(out, at, int(combat.SPREADS[weapon]) >> 3)
    at = put(out, at, int(combat.RECOILS[weapon]) >> 3)
    at = put(out, at, int(combat.REACH[weapon]))
    pellets = combat.PELLETS if weapon == s.SHOTGUN else 1 if weapon != 0 else 0
    return put(out, at, pellets * 16)


@rule
def _item(state, seat, supply, out):
    """What one carries and did last: 144 numbers; `supply` is the one in reach. The door is written later."""
    me = s.player(seat)
    slot = int(state[me + s.SLOT])
    weapon = int(state[me + s.WEAPON + slot])
    spare = int(state[me + s.WEAPON + 1 - slot])
    loaded = int(state[me + s.MAGAZINE + slot])
    room = int(combat.MAGAZINES[weapon])
    ammo = int(state[me + s.AMMO])
    kits = int(state[me + s.MEDKITS])
    at = hot(out, ITEM, 6, int(state[me + s.WEAPON]))
    at = hot(out, at, 6, int(state[me + s.WEAPON_2]))
    at = hot(out, at, 6, weapon)
    at = hot(out, at, 2, slot)
    for number in range(2):
        magazine = int(state[me + s.MAGAZINE + number])
        size = int(combat.MAGAZINES[int(state[me + s.WEAPON + number])])
        at = put(out, at, magazine * 4)
        at = put(out, at, (magazine * 127) // size if size > 0 else 0)
    at = put(out, at, ammo >> 1)
    at = put(out, at, ammo * 2)
    at = hot(out, at, 6, kits)
    at = _weapon(weapon, out, at)
    at = _weapon(spare, out, at)
    reload = int(state[me + s.RELOAD])
    wait = int(state[me + s.FIRE_WAIT])
    up = int(state[me + s.LIFE]) == s.UP
    at = put(out, at, wait * 5)
    at = put(out, at, reload * 2)
    time = int(combat.RELOADS[weapon])
    at = put(out, at, ((time - reload) * 127) // time if reload > 0 and time > 0 else 0)
    at = flag(out, at, up and weapon != 0 and loaded > 0 and wait == 0 and reload == 0)
    at = flag(out, at, weapon != 0 and loaded * 3 < room and ammo > 0)
    at = flag(out, at, up and weapon != 0 and loaded < room and ammo > 0 and reload == 0)
    at = flag(out, at, up and kits > 0 and int(state[me + s.HP]) < combat.FULL_HP)
    at = flag(out, at, ammo == 0)
    kind = int(state[s.SUPPLY + 4 * supply]) if supply >= 0 else 0
    at = hot(out, at, 9, kind)
    at = put(out, at, int(state[s.SUPPLY + 4 * supply + 1]) if supply >= 0 else 0)
    acted = int(state[me + s.ACTED])
    at = hot(out, at, 7, acted - 1)
    at = flag(out, at + 1, hands.downed_mate(state, seat, hands.ARM) >= 0)
    at = flag(out, at, weapon != 0)
    at = flag(out, at, kits < hands.MAX_MEDKITS)
    at = flag(out, at, ammo < hands.MAX_AMMO)
    at = put(out, at, hands.MAX_ARMOUR - int(state[me + s.ARMOUR]))
    at = put(out, at, (ammo * 8) // room if room > 0 else 0)
    at = put(out, at, 120 // int(combat.INTERVALS[weapon]) if weapon != 0 else 0)
    worth = ground.worth(weapon)
    at = put(out, at, worth)
    at = put(out, at, (int(state[me + s.HITS]) * 127) // (int(state[me + s.SHOTS]) + 1))
    at = flag(out, at, spare != 0)
    at = flag(out, at, weapon != 0 and int(state[me + s.HAND_WAIT]) == 0)
    at = flag(out, at, weapon != 0 and loaded == 0)
    at = flag(out, at, int(state[me + s.TREAT]) > 0)
    at = flag(out, at, int(state[me + s.TREAT]) > 0 or reload > 0 or int(state[me + s.RESCUE]) > 0)
    at = flag(out, at, acted == 0)
    other = ground.worth(spare)
    at = flag(out, at, 0 < kind <= s.SNIPER and ground.worth(kind) > (worth if worth < other else other))
    for head in range(6):
        size = 16 if head < 2 else 3 if head == 2 or head == 5 else 9 if head == 3 else 7
        at = hot(out, at, size, int(state[me + s.LAST + head]))
    return at


@inner
def _mates(state, world, seat, sin, cos, out):
    """The living mates, nearest first. Returns their seats, eight bits each, 255 for none."""
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    size = int(state[s.TEAM_SIZE])
    team = int(state[me + s.TEAM])
    first = FAR
    second = FAR
    third = FAR
    for mate in range(team * size, team * size + size):
        mp = s.player(mate)
        if mate == seat or int(state[mp + s.LIFE]) == s.OUT:
            continue
        dx = int(state[mp + s.X]) - x
        dy = int(state[mp + s.Y]) - y
        # The seat in the key makes the order of two at one distance the same always.
        key = (dx * dx + dy * dy) * 32 + mate
        if key < first:
            third, second, first = second, first, key
        elif key < second:
            third, second = second, key
        elif key < third:
            third = key
    chosen = 0xFFFFFF
    east = 0
    south = 0
    count = 0
    for rank in range(3):
        key = first if rank == 0 else second if rank == 1 else third
        if key == FAR:
            break
        nearest = key & 31
        chosen = (chosen & ~(255 << (8 * rank))) | (nearest << (8 * rank))
        mp = s.player(nearest)
        east += int(state[mp + s.X]) - x
        south += int(state[mp + s.Y]) - y
        count += 1
        at = units.attribute(state, seat, nearest, TOLD, out, MATE + 101 * rank)
        at = units.mate_status(state, seat, nearest, out, at)
        units.unit_pose(state, world, seat, nearest, sin, cos, out, at)
    if count > 0:
        east //= count
        south //= count
        put(out, MIDDLE, (east * cos + south * sin) >> 19)
        put(out, MIDDLE + 1, (east * sin - south * cos) >> 19)
        put(out, MIDDLE + 2, length(east, south) >> 7)
    return chosen


@inner
def _target(state, seat, target, off, out):
    """The enemy in view nearest to the crosshair: 7 numbers."""
    me = s.player(seat)
    op = s.player(target)
    far = length(int(state[op + s.X]) - int(state[me + s.X]), int(state[op + s.Y]) - int(state[me + s.Y]))
    middle = int(state[op + s.Z]) + ((int(HEIGHTS[int(state[op + s.STANCE])]) * 5) >> 3)
    above = elevation(far, middle - sight.eyes(state, seat)) - int(state[me + s.PITCH])
    at = put(out, TARGET, off >> 8)
    at = put(out, at, off >> 4)
    at = put(out, at, above >> 8)
    at = put(out, at, above >> 4)
    near = AIM_ERROR + (65536 * 60) // (far + 64)
    at = flag(out, at, -near <= off <= near)
    at = put(out, at, far >> 7)
    weapon = int(state[me + s.WEAPON + int(state[me + s.SLOT])])
    flag(out, at, far <= int(combat.REACH[weapon]) * 256)


@rule
def _enemies(state, world, seat, mates, sin, cos, out):
    """Three enemies: those in view by distance, then those that the team remembers by distance and age."""
    me = s.player(seat)
    x = int(state[me + s.X])
    y = int(state[me + s.Y])
    yaw = int(state[me + s.YAW])
    team = int(state[me + s.TEAM])
    last = -1
    seen = 0
    known = 0
    for rank in range(3):
        enemy = -1
        best = FAR
        target = -1
        nearest = 65536
        target_off = 0
        for other in range(int(state[s.SEATS])):
            op = s.player(other)
            if int(state[op + s.TEAM]) == team or int(state[op + s.LIFE]) == s.OUT:
                continue
            if s.sees(state, seat, other) != 0:
                dx = int(state[op + s.X]) - x
                dy = int(state[op + s.Y]) - y
                key = length(dx, dy)
                if rank == 0:
                    seen += 1
                    off = wrap(bearing(dx, dy) - yaw)
                    size = off if off >= 0 else -off
                    size += 6000 if int(state[op + s.LIFE]) == s.DOWNED else 0
                    if size < nearest:
                        nearest = size
                        target = other
                        target_off = off
            else:
                age = sight.knows(state, team, other)
                if age >= sight.FORGOTTEN:
                    continue
                known += 1 if rank == 0 else 0
                entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
                key = OLD + AGEING * age
                key += length(int(state[entry + 1]) - x, int(state[entry + 2]) - y)
            key = key * 32 + other
            if last < key < best:
                best = key
                enemy = other
        if target >= 0:
            _target(state, seat, target, target_off, out)
        if enemy < 0:
            break
        last = best
        begin = ENEMY + 104 * rank
        if best < OLD * 32:
            op = s.player(enemy)
            ex = int(state[op + s.X])
            ey = int(state[op + s.Y])
            at = units.attribute(state, seat, enemy, SEEN, out, begin)
            at = units.enemy_status(state, seat, enemy, SEEN, ex, ey, 0, mates, out, at)
            units.unit_pose(state, world, seat, enemy, sin, cos, out, at)
        else:
            entry = s.MEMORY + 3 * (s.MAX_SEATS * team + enemy)
            ex = int(state[entry + 1])
            ey = int(state[entry + 2])
            age = sight.knows(state, team, enemy)
            at = units.attribute(state, seat, enemy, REMEMBERED, out, begin)
            at = units.enemy_status(state, seat, enemy, REMEMBERED, ex, ey, age, mates, out, at)
            units.remembered_pose(state, seat, ex, ey, sin, cos, out, at)
    put(out, SEEN_COUNT, seen * 16)
    put(out, SEEN_COUNT + 1, known * 16)


@rule
def encode(state, world, seat, out):
    """Write what a seat observes into out (1065,), int8 or float32.

    A player who is out observes how the match stands and nothing else.
    """
    for index in range(SIZE):
        out[index] = 0
    me = s.player(seat)
    yaw = int(state[me + s.YAW])
    sin = sine(yaw)
    cos = cosine(yaw)
    _attribute(state, seat, out)
    if int(state[me + s.LIFE]) == s.OUT:
        out[STATUS] = 127
        return
    _status(state, world, seat, sin, cos, out)
    _pose(state, world, seat, sin, cos, out)
    supply = ground.supplies(state, world, seat, sin, cos, out, SUPPLY)
    _item(state, seat, supply, out)
    mates = _mates(state, world, seat, sin, cos, out)
    _enemies(state, world, seat, mates, sin, cos, out)
    if ground.monster(state, world, seat, sin, cos, out, MONSTER):
        out[NEAR_MONSTER] = 127
    ground.circles(state, seat, sin, cos, out, CIRCLE)
    ground.events(state, seat, sin, cos, out, EVENT)
    if ground.door(state, world, seat, sin, cos, out, DOOR):
        out[DOOR_IN_REACH] = 127
