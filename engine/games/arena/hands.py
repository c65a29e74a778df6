"""Actions of hands besides shooting: treat, reload, pick up, drop, switch weapons, open doors, help up."""

from __future__ import annotations

from engine.games.arena.angles import length
from engine.games.arena.combat import FULL_HP, MAGAZINES, RAISED_HP, let_go, start_reload
from engine.games.arena.monsters import put_supply
from engine.games.arena.state import (
    AMMO,
    ARMOUR,
    ASSISTS,
    BULLETS,
    DOOR,
    DOOR_EVENT,
    DOWNED,
    DROPPED,
    FIRE_WAIT,
    HAND_WAIT,
    HEALS,
    HELPED_BY,
    HP,
    KEEP,
    LIFE,
    LOOTS,
    MAGAZINE,
    MAP,
    MEDKIT,
    MEDKITS,
    NO_WEAPON,
    OUT,
    PICKED,
    R_BULLET,
    R_HEALTH,
    R_HELP,
    R_HELPED_UP,
    R_INTERRUPT,
    R_TEAM_UP,
    RELOAD,
    RELOADED,
    RESCUE,
    RESCUED,
    RESCUED_EVENT,
    RESCUES,
    SEATS,
    SLOT,
    STANCE,
    STANCE_WAIT,
    STAND,
    SUPPLIES,
    SUPPLY,
    SWITCH,
    TEAM,
    TEAM_SIZE,
    TREAT,
    TREATED,
    UP,
    VEST,
    WEAPON,
    X,
    Y,
    Z,
    player,
    reward_row,
    tell,
)
from engine.games.arena.world import DOOR_COUNT, DOOR_SPOTS
from engine.simulation.jit import inner, rule

ARM = 384  # units within which hands reach, 1.5 m
DOOR_ARM = 450
TREAT_TICKS = 60
TREAT_POINTS = 45
RESCUE_TICKS = 60
HAND_TICKS = 8
SWITCH_TICKS = 8
MAX_AMMO, MAX_MEDKITS, MAX_ARMOUR = 240, 5, 100


@rule
def nearest_supply(state, seat, reach):
    """The number of the nearest supply of use to a seat within `reach` units, -1 for none."""
    at = player(seat)
    best = reach * reach + 1
    lying = -1
    x = int(state[at + X])
    y = int(state[at + Y])
    for supply in range(SUPPLIES):
        sp = SUPPLY + 4 * supply
        if int(state[sp]) == 0:
            continue
        dx = int(state[sp + 2]) - x
        dy = int(state[sp + 3]) - y
        if dx * dx + dy * dy < best and useful(state, at, sp):
            best = dx * dx + dy * dy
            lying = supply
    return lying


@inner
def useful(state, at, sp):
    """Whether a player has room for a supply: a weapon that they haven't, ammunition, kits, armour."""
    kind = int(state[sp])
    if kind == BULLETS:
        return int(state[at + AMMO]) < MAX_AMMO
    if kind == MEDKIT:
        return int(state[at + MEDKITS]) < MAX_MEDKITS
    if kind == VEST:
        return int(state[at + ARMOUR]) < int(state[sp + 1])
    return int(state[at + WEAPON]) != kind and int(state[at + WEAPON + 1]) != kind


@inner
def pick_up(state, seat):
    """Take the nearest supply in reach. Returns 1 if there was one."""
    at = player(seat)
    if int(state[at + HAND_WAIT]) > 0:
        return 0
    supply = nearest_supply(state, seat, ARM)
    if supply < 0:
        return 0
    state[at + HAND_WAIT] = HAND_TICKS
    sp = SUPPLY + 4 * supply
    kind = int(state[sp])
    amount = int(state[sp + 1])
    if kind == BULLETS:
        room = MAX_AMMO - int(state[at + AMMO])
        taken = amount if amount < room else room
        state[at + AMMO] += taken
        state[sp + 1] = amount - taken
        if amount == taken:
            state[sp] = 0
    elif kind == MEDKIT:
        state[at + MEDKITS] += 1
        state[sp] = 0
    elif kind == VEST:
        state[sp] = 0
        old = int(state[at + ARMOUR])
        state[at + ARMOUR] = amount
        if old > 0:
            state[sp] = VEST
            state[sp + 1] = old
    else:
        slot = int(state[at + SLOT])
        if int(state[at + WEAPON]) == NO_WEAPON:
            slot = 0
        elif int(state[at + WEAPON + 1]) == NO_WEAPON:
            slot = 1
        # The weapon that makes room lies where the other lay.
        state[sp] = state[at + WEAPON + slot]
        state[sp + 1] = state[at + MAGAZINE + slot]
        state[at + WEAPON + slot] = kind
        state[at + MAGAZINE + slot] = amount
        state[at + SLOT] = slot
        state[at + RELOAD] = 0
        state[at + FIRE_WAIT] = SWITCH_TICKS
    state[at + LOOTS] += 1
    tell(state, PICKED, seat, -1, int(state[at + X]), int(state[at + Y]), int(state[at + Z]), kind)
    return 1


@rule
def drop(state, seat):
    """Lay down the weapon in hand and take the other. Returns 1 if there was one."""
    at = player(seat)
    slot = int(state[at + SLOT])
    weapon = int(state[at + WEAPON + slot])
    if weapon == NO_WEAPON or int(state[at + HAND_WAIT]) > 0:
        return 0
    put_supply(state, weapon, int(state[at + MAGAZINE + slot]), int(state[at + X]), int(state[at + Y]))
    state[at + WEAPON + slot] = NO_WEAPON
    state[at + MAGAZINE + slot] = 0
    state[at + RELOAD] = 0
    state[at + HAND_WAIT] = HAND_TICKS
    if int(state[at + WEAPON + 1 - slot]) != NO_WEAPON:
        state[at + SLOT] = 1 - slot
    tell(state, DROPPED, seat, -1, int(state[at + X]), int(state[at + Y]), int(state[at + Z]), weapon)
    return 1


@rule
def switch(state, seat, action):
    """Take the weapon of the other slot in hand, if there is one."""
    at = player(seat)
    wanted = int(action[SWITCH])
    if wanted == KEEP or wanted == int(state[at + SLOT]):
        return
    if int(state[at + WEAPON + wanted]) == NO_WEAPON:
        return
    state[at + SLOT] = wanted
    state[at + RELOAD] = 0
    state[at + FIRE_WAIT] = SWITCH_TICKS


@inner
def reload_on(state, seat):
    """One tick of reloading."""
    at = player(seat)
    left = int(state[at + RELOAD])
    if left == 0:
        return
    state[at + RELOAD] = left - 1
    if left > 1:
        return
    slot = int(state[at + SLOT])
    missing = int(MAGAZINES[int(state[at + WEAPON + slot])]) - int(state[at + MAGAZINE + slot])
    ammo = int(state[at + AMMO])
    filled = missing if missing < ammo else ammo
    state[at + MAGAZINE + slot] += filled
    state[at + AMMO] = ammo - filled
    reward_row(state, seat, R_BULLET, filled)
    tell(state, RELOADED, seat, -1, int(state[at + X]), int(state[at + Y]), int(state[at + Z]), filled)


@inner
def treat(state, seat, wanted):
    """One tick of treating oneself, or breaking it off. Returns 1 while treating."""
    at = player(seat)
    can = int(state[at + MEDKITS]) > 0 and int(state[at + HP]) < FULL_HP
    if not wanted or not can:
        state[at + TREAT] = 0
        return 0
    state[at + RELOAD] = 0
    state[at + TREAT] += 1
    if int(state[at + TREAT]) >= TREAT_TICKS:
        health = int(state[at + HP])
        gained = TREAT_POINTS if FULL_HP - health > TREAT_POINTS else FULL_HP - health
        state[at + HP] = health + gained
        state[at + MEDKITS] -= 1
        state[at + TREAT] = 0
        state[at + HEALS] += 1
        reward_row(state, seat, R_HEALTH, gained)
        tell(state, TREATED, seat, -1, int(state[at + X]), int(state[at + Y]), int(state[at + Z]), gained)
    return 1


@rule
def downed_mate(state, seat, reach):
    """The nearest downed mate within reach whom nobody else helps, -1 for none."""
    at = player(seat)
    team = int(state[at + TEAM])
    size = int(state[TEAM_SIZE])
    nearest = -1
    best = reach + 1
    for mate in range(team * size, team * size + size):
        mp = player(mate)
        helper = int(state[mp + HELPED_BY])
        if mate == seat or int(state[mp + LIFE]) != DOWNED or (helper != 0 and helper != seat + 1):
            continue
        far = length(int(state[mp + X]) - int(state[at + X]), int(state[mp + Y]) - int(state[at + Y]))
        rise = int(state[mp + Z]) - int(state[at + Z])
        if far < best and -512 < rise < 512:
            best = far
            nearest = mate
    return nearest


@inner
def rescue(state, seat, wanted):
    """One tick of helping a mate up, or letting go. Returns 1 while helping."""
    at = player(seat)
    mate = downed_mate(state, seat, ARM) if wanted else -1
    before = int(state[at + RESCUED]) - 1
    if before >= 0 and before != mate:
        if int(state[player(before) + LIFE]) == DOWNED:
            reward_row(state, seat, R_INTERRUPT, 1)
        let_go(state, at)
    if mate < 0:
        return 0
    if before != mate:
        state[at + RESCUED] = mate + 1
        state[player(mate) + HELPED_BY] = seat + 1
        reward_row(state, seat, R_HELP, 1)
    state[at + RELOAD] = 0
    state[at + RESCUE] += 1
    if int(state[at + RESCUE]) < RESCUE_TICKS:
        return 1
    mp = player(mate)
    state[mp + LIFE] = UP
    state[mp + STANCE] = STAND
    state[mp + STANCE_WAIT] = 0
    state[mp + HP] = RAISED_HP
    let_go(state, at)
    state[at + RESCUES] += 1
    reward_row(state, seat, R_HELPED_UP, 1)
    team = int(state[at + TEAM])
    for other in range(team * int(state[TEAM_SIZE]), (team + 1) * int(state[TEAM_SIZE])):
        if int(state[player(other) + LIFE]) == UP and other != mate:
            reward_row(state, other, R_TEAM_UP, 1)
            if other != seat:
                state[player(other) + ASSISTS] += 1
    tell(state, RESCUED_EVENT, seat, mate, int(state[mp + X]), int(state[mp + Y]), int(state[mp + Z]), 0)
    return 1


@rule
def nearest_door(state, world, seat, reach):
    """The number of the nearest door within reach, -1 for none."""
    at = player(seat)
    row = int(state[MAP])
    nearest = -1
    best = reach + 1
    for door in range(int(world[row, DOOR_COUNT])):
        dx = int(world[row, DOOR_SPOTS + 2 * door]) * 256 + 128 - int(state[at + X])
        dy = int(world[row, DOOR_SPOTS + 2 * door + 1]) * 256 + 128 - int(state[at + Y])
        if -best < dx < best and -best < dy < best:
            far = length(dx, dy)
            if far < best:
                best = far
                nearest = door
    return nearest


@inner
def use_door(state, world, seat):
    """Open or close the nearest door in reach; nobody may stand in one that closes. Returns 1 if it moved."""
    at = player(seat)
    if int(state[at + HAND_WAIT]) > 0:
        return 0
    door = nearest_door(state, world, seat, DOOR_ARM)
    if door < 0:
        return 0
    row = int(state[MAP])
    x = int(world[row, DOOR_SPOTS + 2 * door]) * 256 + 128
    y = int(world[row, DOOR_SPOTS + 2 * door + 1]) * 256 + 128
    if int(state[DOOR + door]) != 0:
        for other in range(int(state[SEATS])):
            op = player(other)
            dx = int(state[op + X]) - x
            dy = int(state[op + Y]) - y
            if int(state[op + LIFE]) != OUT and -210 < dx < 210 and -210 < dy < 210:
                return 0
    state[DOOR + door] = 1 - int(state[DOOR + door])
    state[at + HAND_WAIT] = HAND_TICKS
    tell(state, DOOR_EVENT, seat, door, x, y, int(state[at + Z]), int(state[DOOR + door]))
    return 1


@rule
def basic_of(state, at, action):
    """The basic action that is meant, -1 for none. Table 6 has no basic action that does nothing; switching
    to the slot already in hand means it.
    """
    if int(action[SWITCH]) == int(state[at + SLOT]):
        return -1
    return int(action[4])


@inner
def begin_reload(state, seat):
    """Reload on purpose. Returns 1 if it begins or goes on."""
    return 1 if int(state[player(seat) + RELOAD]) > 0 else start_reload(state, seat)
