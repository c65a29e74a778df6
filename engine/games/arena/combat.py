"""Shots, wounds, and what hands do: reload, treat, pick up, drop, open doors, help a mate up.

Shots hit where their targets were in the tick that the shooter saw, up to 250 ms ago. All wounds of a tick
take effect together, after all have shot, so that seat order decides nothing.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena.angles import cosine, sine
from engine.games.arena.move import EYES, HEIGHTS
from engine.games.arena.sight import ray
from engine.games.arena.state import (
    AIRBORNE,
    AMMO,
    ARMOUR,
    BLOOM,
    CROUCH,
    DAMAGE,
    DEALT,
    DOWN,
    DOWNED,
    FIRE_WAIT,
    HEAD,
    HELPED_BY,
    HISTORY,
    HIT,
    HIT_BY,
    HIT_TICK,
    HIT_YAW,
    HITS,
    HP,
    KILL,
    KILLS,
    KNOCK,
    KNOCKS,
    LIFE,
    M_HIT_BY,
    M_HP,
    M_X,
    M_Y,
    M_Z,
    MAGAZINE,
    MAX_SEATS,
    MONSTER,
    MONSTER_COUNT,
    MONSTER_SIZE,
    OUT,
    PAST,
    PITCH,
    PRONE,
    R_BULLET,
    R_DAMAGE,
    R_DEAD,
    R_HEALTH,
    R_KILL,
    R_KNOCK,
    R_KNOCKED,
    R_NOT_SAVED,
    R_TEAM_DAMAGE,
    RECOIL,
    RELOAD,
    RESCUE,
    RESCUED,
    SEATS,
    SEEN,
    SHOOTER,
    SHOT,
    SHOT_TICK,
    SHOTGUN,
    SHOTS,
    SLOT,
    SLOW,
    STANCE,
    TEAM,
    TEAM_SIZE,
    TICK,
    TREAT,
    UP,
    VX,
    VY,
    VZ,
    WEAPON,
    YAW,
    X,
    Y,
    Z,
    draw,
    player,
    reward_row,
    sees,
    tell,
)
from engine.simulation.jit import inner, rule

# By weapon: none, pistol, submachine gun, rifle, shotgun, sniper rifle.
POINTS = np.array([0, 20, 15, 23, 10, 80], np.int32)  # a hit; the shotgun's a pellet
MAGAZINES = np.array([0, 12, 30, 30, 6, 5], np.int32)
INTERVALS = np.array([0, 5, 2, 3, 14, 26], np.int32)  # ticks between shots
RELOADS = np.array([0, 24, 36, 44, 50, 60], np.int32)  # ticks
SPREADS = np.array([0, 150, 260, 120, 600, 24], np.int32)  # turn units, standing still
RECOILS = np.array([0, 150, 90, 110, 400, 600], np.int32)  # turn units a shot
REACH = np.array([0, 50, 45, 80, 22, 110], np.int32)  # metres
PELLETS = 7
BODY_RADIUS = 90  # units
HEAD_HEIGHT = 80  # units below the top in which a hit counts double
MONSTER_HEIGHT, MONSTER_RADIUS = 300, 120
FULL_HP = 100
KNOCKED_HP = 100  # points a downed player may bleed
RAISED_HP = 30


@rule
def spread_of(state, at, weapon):
    """Turn units to each side within which a shot goes."""
    spread = int(SPREADS[weapon])
    stance = int(state[at + STANCE])
    if int(state[at + AIRBORNE]) != 0:
        spread *= 4
    elif int(state[at + VX]) != 0 or int(state[at + VY]) != 0:
        spread *= 2
    elif stance == CROUCH:
        spread = (spread * 3) >> 2
    elif stance == PRONE:
        spread >>= 1
    return spread + int(state[at + BLOOM])


@inner
def _past(state, seat, tick):
    """Where the position of a seat in a tick lies in the record."""
    return PAST + 4 * (MAX_SEATS * (tick % HISTORY) + seat)


@inner
def wound(state, target, points, shooter, yaw):
    """Note points for the end of the tick; `shooter` is a seat + 1 or MONSTER_HIT, ZONE_HIT, FALL_HIT."""
    at = player(target)
    state[at + DAMAGE] += points
    state[at + SHOOTER] = shooter
    state[at + HIT_BY] = shooter
    state[at + HIT_TICK] = state[TICK]
    state[at + HIT_YAW] = ((yaw + 32768 + 32768) & 0xFFFF) - 32768


@inner
def _pellet(state, world, seat, weapon, yaw, pitch, tick):
    """One bullet: what it hits first. Returns the distance at which it ends."""
    at = player(seat)
    x = int(state[at + X])
    y = int(state[at + Y])
    z = int(state[at + Z]) + int(EYES[int(state[at + STANCE])])
    reach = int(REACH[weapon]) * 256
    level = cosine(pitch)
    rise = sine(pitch)
    # A step of ONE goes `level` along the ground and `rise` up.
    east = (sine(yaw) * level) >> 14
    south = -((cosine(yaw) * level) >> 14)
    best = reach
    victim = -1
    head = 0
    team = int(state[at + TEAM])
    for other in range(int(state[SEATS])):
        op = player(other)
        past = _past(state, other, tick)
        stance = int(state[past + 3])
        if other == seat or stance < 0 or int(state[op + LIFE]) == OUT or int(state[op + TEAM]) == team:
            continue
        dx = int(state[past]) - x
        dy = int(state[past + 1]) - y
        along = (dx * east + dy * south) >> 14
        if along <= 0 or along >= best:
            continue
        across = (dx * south - dy * east) >> 14
        if across < -BODY_RADIUS or across > BODY_RADIUS:
            continue
        height = z + ((along * rise) >> 14) - int(state[past + 2])
        tall = int(HEIGHTS[stance])
        if 0 <= height <= tall:
            best = along
            victim = other
            head = 1 if height > tall - HEAD_HEIGHT and stance < PRONE else 0
    for monster in range(int(state[MONSTER_COUNT])):
        mp = MONSTER + MONSTER_SIZE * monster
        if int(state[mp + M_HP]) <= 0:
            continue
        dx = int(state[mp + M_X]) - x
        dy = int(state[mp + M_Y]) - y
        along = (dx * east + dy * south) >> 14
        if along <= 0 or along >= best:
            continue
        across = (dx * south - dy * east) >> 14
        height = z + ((along * rise) >> 14) - int(state[mp + M_Z])
        if -MONSTER_RADIUS <= across <= MONSTER_RADIUS and 0 <= height <= MONSTER_HEIGHT:
            best = along
            victim = 100 + monster
    to_x = x + ((east * best) >> 14)
    to_y = y + ((south * best) >> 14)
    # Nothing flies out of the map.
    to_x = 0 if to_x < 0 else 32767 if to_x > 32767 else to_x
    to_y = 0 if to_y < 0 else 32767 if to_y > 32767 else to_y
    reached = ray(state, world, x, y, z, to_x, to_y, z + ((rise * best) >> 14), best, 1)
    if reached < best:
        return reached
    if victim < 0:
        return best
    points = int(POINTS[weapon])
    if best > reach >> 1:
        points = (points * 3) >> 2
    if victim >= 100:
        mp = MONSTER + MONSTER_SIZE * (victim - 100)
        state[mp + M_HP] -= points
        state[mp + M_HIT_BY] = seat + 1
        state[at + HITS] += 1
        return best
    if head != 0:
        points *= 2
        state[player(victim) + HEAD] = 1
    wound(state, victim, points, seat + 1, yaw)
    state[at + HITS] += 1
    tell(state, HIT, seat, victim, to_x, to_y, z + ((rise * best) >> 14), points)
    return best


@inner
def fire(state, world, seat, action):
    """Shoot if the weapon in hand is ready; an empty one is reloaded. Returns 1 for a shot."""
    at = player(seat)
    slot = int(state[at + SLOT])
    weapon = int(state[at + WEAPON + slot])
    if weapon == 0 or int(state[at + FIRE_WAIT]) > 0 or int(state[at + RELOAD]) > 0:
        return 0
    if int(state[at + MAGAZINE + slot]) == 0:
        start_reload(state, seat)
        return 0
    state[at + MAGAZINE + slot] -= 1
    state[at + FIRE_WAIT] = INTERVALS[weapon]
    tick = int(state[TICK])
    seen = int(action[SEEN])
    if seen > tick:
        seen = tick
    if seen < tick - (HISTORY - 1):
        seen = tick - (HISTORY - 1)
    if seen < 0:
        seen = 0
    spread = spread_of(state, at, weapon)
    pellets = PELLETS if weapon == SHOTGUN else 1
    yaw = int(state[at + YAW])
    pitch = int(state[at + PITCH]) + int(state[at + RECOIL])
    end = 0
    for pellet in range(pellets):
        word = draw(state, 1, seat * 16 + pellet)
        aside = (((word & 0xFFFF) * (2 * spread + 1)) >> 16) - spread
        above = (((word >> 16) * (2 * spread + 1)) >> 16) - spread
        end = _pellet(state, world, seat, weapon, yaw + aside, pitch + above, seen)
    level = (cosine(pitch) * end) >> 14
    to_x = int(state[at + X]) + ((sine(yaw) * level) >> 14)
    to_y = int(state[at + Y]) - ((cosine(yaw) * level) >> 14)
    to_x = 0 if to_x < 0 else 32767 if to_x > 32767 else to_x
    to_y = 0 if to_y < 0 else 32767 if to_y > 32767 else to_y
    to_z = int(state[at + Z]) + int(EYES[int(state[at + STANCE])]) + ((sine(pitch) * end) >> 14)
    to_z = -32768 if to_z < -32768 else 32767 if to_z > 32767 else to_z
    tell(state, SHOT, seat, -1, to_x, to_y, to_z, weapon)
    recoil = int(state[at + RECOIL]) + int(RECOILS[weapon])
    state[at + RECOIL] = recoil if recoil < 1500 else 1500
    bloom = int(state[at + BLOOM]) + int(RECOILS[weapon]) // 2
    state[at + BLOOM] = bloom if bloom < 900 else 900
    state[at + SHOT_TICK] = tick
    state[at + SHOTS] += 1
    for other in range(int(state[SEATS])):
        if sees(state, seat, other) != 0:
            reward_row(state, seat, R_BULLET, 1)
            break
    return 1


@inner
def start_reload(state, seat):
    """Begin to reload if there is a weapon, room in it and ammunition. Returns 1 if it begins."""
    at = player(seat)
    slot = int(state[at + SLOT])
    weapon = int(state[at + WEAPON + slot])
    room = int(state[at + MAGAZINE + slot]) < int(MAGAZINES[weapon])
    if weapon != 0 and room and int(state[at + RELOAD]) == 0 and int(state[at + AMMO]) > 0:
        state[at + RELOAD] = RELOADS[weapon]
        return 1
    return 0


@inner
def stop_hands(state, at):
    """Whatever takes time is broken off."""
    state[at + RELOAD] = 0
    state[at + TREAT] = 0
    state[at + SLOW] = 0


@inner
def let_go(state, at):
    """A rescuer lets go of the mate they were helping up."""
    mate = int(state[at + RESCUED]) - 1
    if mate >= 0:
        state[player(mate) + HELPED_BY] = 0
    state[at + RESCUED] = 0
    state[at + RESCUE] = 0


@inner
def _standing_mates(state, seat):
    """How many of a seat's team are on their feet, without the seat."""
    team = int(state[player(seat) + TEAM])
    size = int(state[TEAM_SIZE])
    count = 0
    for mate in range(team * size, team * size + size):
        if mate != seat and int(state[player(mate) + LIFE]) == UP:
            count += 1
    return count


@inner
def _put_out(state, seat, killer):
    """A player is out of the match; `killer` is a seat, -1 for none."""
    at = player(seat)
    state[at + LIFE] = OUT
    state[at + HP] = 0
    state[at + VX] = 0
    state[at + VY] = 0
    stop_hands(state, at)
    let_go(state, at)
    helper = int(state[at + HELPED_BY]) - 1
    if helper >= 0:
        let_go(state, player(helper))
    reward_row(state, seat, R_DEAD, 1)
    if killer >= 0:
        state[player(killer) + KILLS] += 1
        reward_row(state, killer, R_KILL, 1)
    tell(state, KILL, killer, seat, int(state[at + X]), int(state[at + Y]), int(state[at + Z]), 0)


@inner
def deal_wounds(state):
    """Take what was collected in this tick off armour and health; knock down and put out."""
    for seat in range(int(state[SEATS])):
        at = player(seat)
        points = int(state[at + DAMAGE])
        state[at + DAMAGE] = 0
        if points == 0 or int(state[at + LIFE]) == OUT:
            continue
        by = int(state[at + SHOOTER])
        shooter = by - 1 if 0 < by <= MAX_SEATS else -1
        state[at + TREAT] = 0
        if shooter >= 0:
            armour = int(state[at + ARMOUR])
            kept = (points * 2) // 5
            kept = armour if kept > armour else kept
            state[at + ARMOUR] = armour - kept
            points -= kept
        health = int(state[at + HP])
        lost = points if points < health else health
        state[at + HP] = health - lost
        reward_row(state, seat, R_HEALTH, -lost)
        if shooter >= 0:
            state[player(shooter) + DEALT] += lost
            reward_row(state, shooter, R_DAMAGE, lost)
            first = int(state[player(shooter) + TEAM]) * int(state[TEAM_SIZE])
            for mate in range(first, first + int(state[TEAM_SIZE])):
                if mate != shooter and int(state[player(mate) + LIFE]) == UP:
                    reward_row(state, mate, R_TEAM_DAMAGE, lost)
        if health > lost:
            continue
        if int(state[at + LIFE]) == UP and _standing_mates(state, seat) > 0:
            _knock_down(state, seat, shooter)
        else:
            _put_out(state, seat, shooter)


@inner
def _knock_down(state, seat, shooter):
    at = player(seat)
    state[at + LIFE] = DOWNED
    state[at + STANCE] = DOWN
    state[at + HP] = KNOCKED_HP
    state[at + VZ] = 0
    stop_hands(state, at)
    let_go(state, at)
    reward_row(state, seat, R_KNOCKED, 1)
    if shooter >= 0:
        state[player(shooter) + KNOCKS] += 1
        reward_row(state, shooter, R_KNOCK, 1)
    tell(state, KNOCK, shooter, seat, int(state[at + X]), int(state[at + Y]), int(state[at + Z]), 0)


@inner
def bleed(state):
    """The downed bleed, a point every six ticks; a team without anybody on their feet is out with them."""
    tick = int(state[TICK])
    for seat in range(int(state[SEATS])):
        at = player(seat)
        if int(state[at + LIFE]) != DOWNED:
            continue
        if int(state[at + HELPED_BY]) == 0 and tick % 6 == seat % 6:
            state[at + HP] -= 1
        alone = _standing_mates(state, seat) == 0
        if alone or int(state[at + HP]) <= 0:
            by = int(state[at + SHOOTER])
            _put_out(state, seat, by - 1 if 0 < by <= MAX_SEATS else -1)
            first = int(state[at + TEAM]) * int(state[TEAM_SIZE])
            for mate in range(first, first + int(state[TEAM_SIZE])):
                if int(state[player(mate) + LIFE]) == UP:
                    reward_row(state, mate, R_NOT_SAVED, 1)
