"""What a scripted player knows: enemies that it sees, that its squad saw or that it hears, mates, supplies.

A person in the same seat sees the same. Strengths differ in how soon they notice somebody. Nothing is
remembered here; what looks random depends on match, seat and tick alone, so games can be repeated.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import asked, hands, hearing, person
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, length, wrap
from engine.games.arena.combat import MAGAZINES
from engine.games.arena.zone import inside
from engine.simulation.jit import inner, rule
from engine.simulation.rng import MASK32, get32, hash32

WEAK, MIDDLE, STRONG = range(3)
METRE = s.UNIT
LOOT_RANGE = 25 * METRE  # units within which supplies are shown
STRAY = 18 * METRE  # units from the leader within which one goes for supplies
# Percent of the spells of 24 ticks in which an enemy in view is noticed.
NOTICES = np.array([55, 92, 100], np.int32)
SPELL = 24
# How good a weapon is, and by distance (metres: to 6, 14, 28, 55, more): points.
RANKS = np.array([0, 1, 3, 5, 2, 3], np.int32)
BANDS = np.array([6, 14, 28, 55], np.int32)
WORTH = np.array(
    [
        [0, 0, 0, 0, 0],
        [4, 4, 3, 2, 0],
        [9, 8, 5, 2, 0],
        [8, 9, 9, 8, 4],
        [10, 6, 1, 0, 0],
        [4, 5, 7, 9, 9],
    ],
    np.int32,
)


@inner
def luck(state, seat, salt, spell):
    """A random word (32 bits) that stays the same for `spell` ticks."""
    word = hash32((get32(state, s.KEY_A) + salt * 0x9E3779B1) & MASK32)
    word = hash32((word + get32(state, s.EPISODE)) & MASK32)
    # Seats begin their spells at different ticks.
    return hash32((word + ((int(state[s.TICK]) + 7 * seat) // spell) * 64 + seat) & MASK32)


@rule
def distance(state, a, b):
    """Units between two seats."""
    pa = s.player(a)
    pb = s.player(b)
    return length(int(state[pa + s.X]) - int(state[pb + s.X]), int(state[pa + s.Y]) - int(state[pb + s.Y]))


@inner
def ticks_since_seen(state, seat, other):
    """Ticks since a seat's team last saw an enemy; 1200 and more when it doesn't know any longer."""
    entry = s.MEMORY + 3 * (s.MAX_SEATS * int(state[s.player(seat) + s.TEAM]) + other)
    return int(state[s.TICK]) - int(state[entry])


@inner
def last_known(state, seat, other, axis):
    """Where a seat's team last saw an enemy: x (axis 0) or y (1)."""
    return int(state[s.MEMORY + 3 * (s.MAX_SEATS * int(state[s.player(seat) + s.TEAM]) + other) + 1 + axis])


@inner
def hit_lately(state, seat, ticks):
    """Whether a shot or bite hit a seat within so many ticks."""
    at = s.player(seat)
    by = int(state[at + s.HIT_BY])
    recent = int(state[s.TICK]) - int(state[at + s.HIT_TICK]) <= ticks
    return recent and by != 0 and by != s.ZONE_HIT and by != s.FALL_HIT


@inner
def _under_fire_of_mates(state, seat, other):
    """Whether a mate hit an enemy in the last two seconds."""
    size = int(state[s.TEAM_SIZE])
    team = int(state[s.player(seat) + s.TEAM])
    count = int(state[s.EVENT_COUNT])
    for back in range(1, 25):
        if back > count:
            break
        event = s.EVENT + s.EVENT_SIZE * ((count - back) % s.EVENTS)
        if int(state[s.TICK]) - int(state[event + s.E_TICK]) > 40:
            break
        if int(state[event + s.E_KIND]) == s.HIT and int(state[event + s.E_OTHER]) == other:
            by = int(state[event + s.E_SEAT])
            if by != seat and by // size == team:
                return True
    return False


@rule
def target(state, seat, strength, wanted, guarded, scratch):
    """The enemy in view whom a seat would shoot at, -1 for none.

    `wanted`: a seat to prefer to all others, -1 for none; `guarded`: a mate near whom enemies come first.
    """
    at = s.player(seat)
    if int(state[at + s.SEES]) == 0 and int(state[at + s.SEES_2]) == 0:
        return -1
    best_enemy = -1
    best = 1 << 30
    alert = hit_lately(state, seat, 40)
    for other in range(int(state[s.SEATS])):
        if s.sees(state, seat, other) == 0:
            continue
        # Only strong players shoot at those who are down.
        down = int(state[s.player(other) + s.LIFE]) == s.DOWNED
        if down and strength < STRONG and other != wanted:
            continue
        if not person.noticed(scratch, other) or asked.spared(state, scratch, other):
            continue
        if not alert and other != wanted and int(scratch[person.SKILL]) == 0:
            word = luck(state, seat, 11 + other, SPELL)
            if word % 100 >= int(NOTICES[strength]):
                continue
        op = s.player(other)
        dx = int(state[op + s.X]) - int(state[at + s.X])
        dy = int(state[op + s.Y]) - int(state[at + s.Y])
        off = wrap(bearing(dx, dy) - int(state[at + s.YAW]))
        off = off if off >= 0 else -off
        cost = length(dx, dy) + off // 8
        if down:
            cost += 40 * METRE
        if strength == STRONG and _under_fire_of_mates(state, seat, other):
            cost -= 6 * METRE
        if guarded >= 0:
            cost += distance(state, other, guarded)
        if other == wanted:
            cost -= 200 * METRE
        if cost < best:
            best = cost
            best_enemy = other
    return best_enemy


@inner
def suspect(state, seat, oldest, reach, scratch):
    """The enemy on their feet nearest to a seat among those whom its team saw lately, -1 for none."""
    at = s.player(seat)
    team = int(state[at + s.TEAM])
    best = reach
    suspected = -1
    for other in range(int(state[s.SEATS])):
        op = s.player(other)
        if int(state[op + s.TEAM]) == team or int(state[op + s.LIFE]) != s.UP:
            continue
        ago = ticks_since_seen(state, seat, other)
        if ago > oldest or (s.sees(state, seat, other) != 0 and not person.noticed(scratch, other)):
            continue
        far = length(
            last_known(state, seat, other, 0) - int(state[at + s.X]),
            last_known(state, seat, other, 1) - int(state[at + s.Y]),
        )
        # What is old counts as farther.
        far += ago * 16
        if far < best:
            best = far
            suspected = other
    return suspected


@rule
def heard(state, seat):
    """Where in the record the last shot or step of another team that a seat hears lies, -1 for none."""
    count = int(state[s.EVENT_COUNT])
    size = int(state[s.TEAM_SIZE])
    team = int(state[s.player(seat) + s.TEAM])
    for back in range(1, 33):
        if back > count:
            break
        event = s.EVENT + s.EVENT_SIZE * ((count - back) % s.EVENTS)
        if int(state[s.TICK]) - int(state[event + s.E_TICK]) > s.HISTORY - 2:
            break
        kind = int(state[event + s.E_KIND])
        if (kind == s.SHOT or kind == s.STEP) and int(state[event + s.E_SEAT]) // size != team:
            if hearing.notice(state, seat, event) == hearing.HEARD:
                return event
    return -1


@inner
def monster_near(state, seat, reach):
    """The living monster nearest to a seat within `reach` units, -1 for none."""
    at = s.player(seat)
    best = reach
    best_monster = -1
    for monster in range(int(state[s.MONSTER_COUNT])):
        mp = s.MONSTER + s.MONSTER_SIZE * monster
        if int(state[mp + s.M_HP]) <= 0:
            continue
        far = length(
            int(state[mp + s.M_X]) - int(state[at + s.X]), int(state[mp + s.M_Y]) - int(state[at + s.Y])
        )
        if far < best:
            best = far
            best_monster = monster
    return best_monster


@rule
def leader(state, seat):
    """The first of a seat's team who is on their feet; the seat itself if there is nobody else."""
    size = int(state[s.TEAM_SIZE])
    team = int(state[s.player(seat) + s.TEAM])
    for mate in range(team * size, team * size + size):
        if int(state[s.player(mate) + s.LIFE]) == s.UP:
            return mate
    return seat


@inner
def downed_to_help(state, seat, reach):
    """The downed mate whom a seat should help up: nobody else on their feet is nearer; -1 for none."""
    size = int(state[s.TEAM_SIZE])
    team = int(state[s.player(seat) + s.TEAM])
    best = reach
    nearest = -1
    for mate in range(team * size, team * size + size):
        mp = s.player(mate)
        helper = int(state[mp + s.HELPED_BY])
        if mate == seat or int(state[mp + s.LIFE]) != s.DOWNED or (helper != 0 and helper != seat + 1):
            continue
        far = distance(state, seat, mate)
        if far >= best:
            continue
        nearer = False
        for other in range(team * size, team * size + size):
            if other != seat and other != mate and int(state[s.player(other) + s.LIFE]) == s.UP:
                theirs = distance(state, other, mate)
                if theirs < far or (theirs == far and other < seat):
                    nearer = True
        if helper == seat + 1 or not nearer:
            best = far
            nearest = mate
    return nearest


@inner
def _worse_rank(state, at):
    """The rank of the worse of a player's two weapons."""
    first = int(RANKS[int(state[at + s.WEAPON])])
    second = int(RANKS[int(state[at + s.WEAPON_2])])
    return first if first < second else second


@inner
def supply_worth(state, at, sp):
    """How much a player wants a supply, 0 for not at all."""
    kind = int(state[sp])
    if kind == 0 or not hands.useful(state, at, sp):
        return 0
    if kind == s.BULLETS:
        ammo = int(state[at + s.AMMO])
        return 50 if ammo == 0 else 24 if ammo < 60 else 8 if ammo < 150 else 0
    if kind == s.MEDKIT:
        kits = int(state[at + s.MEDKITS])
        return 16 if kits == 0 else 9 if kits < 3 else 0
    if kind == s.VEST:
        return 18 if int(state[sp + 1]) > int(state[at + s.ARMOUR]) + 15 else 0
    gain = int(RANKS[kind]) - _worse_rank(state, at)
    return 6 + 6 * gain if gain > 0 else 0


@rule
def supply(state, seat, reach, least):
    """The supply worth most to a seat for the way to it, -1 for none; mates who are nearer have it."""
    at = s.player(seat)
    size = int(state[s.TEAM_SIZE])
    team = int(state[at + s.TEAM])
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    first = s.player(leader(state, seat))
    best = least
    best_supply = -1
    for number in range(s.SUPPLIES):
        sp = s.SUPPLY + 4 * number
        if int(state[sp]) == 0:
            continue
        dx = int(state[sp + 2]) - x
        dy = int(state[sp + 3]) - y
        if dx < -reach or dx > reach or dy < -reach or dy > reach:
            continue
        far = length(dx, dy)
        if far > reach:
            continue
        score = (supply_worth(state, at, sp) * 256) // (far // METRE + 4)
        if score <= best or not inside(state, s.BLUE_X, int(state[sp + 2]), int(state[sp + 3])):
            continue
        # Not far from the squad, unless it was sent for something (`least` 0).
        off_x = int(state[sp + 2]) - int(state[first + s.X])
        off_y = int(state[sp + 3]) - int(state[first + s.Y])
        if least > 0 and first != at and length(off_x, off_y) > STRAY:
            continue
        taken = False
        for mate in range(team * size, team * size + size):
            mp = s.player(mate)
            if mate == seat or int(state[mp + s.LIFE]) != s.UP:
                continue
            theirs = length(
                int(state[sp + 2]) - int(state[mp + s.X]), int(state[sp + 3]) - int(state[mp + s.Y])
            )
            if theirs < far and supply_worth(state, mp, sp) > 0:
                taken = True
        if not taken:
            best = score
            best_supply = number
    return best_supply


@rule
def loaded(state, at, slot):
    """Whether the weapon of a slot can fire now or after reloading: 2, 1, 0."""
    if int(state[at + s.WEAPON + slot]) == s.NO_WEAPON:
        return 0
    if int(state[at + s.MAGAZINE + slot]) > 0:
        return 2
    return 1 if int(state[at + s.AMMO]) > 0 else 0


@inner
def can_shoot(state, seat):
    """Whether a seat has a weapon and rounds for it."""
    at = s.player(seat)
    return loaded(state, at, 0) > 0 or loaded(state, at, 1) > 0


@inner
def slot_for(state, seat, far):
    """The slot whose weapon suits a distance (units); the one in hand among equals."""
    at = s.player(seat)
    band = 0
    while band < 4 and far > int(BANDS[band]) * METRE:
        band += 1
    now = int(state[at + s.SLOT])
    best = -1000
    best_slot = now
    for turn in range(2):
        slot = now if turn == 0 else 1 - now
        ready = loaded(state, at, slot)
        if ready == 0:
            continue
        points = int(WORTH[int(state[at + s.WEAPON + slot]), band]) - (6 if ready == 1 else 0)
        if points > best + (1 if turn == 1 else 0):
            best = points
            best_slot = slot
    return best_slot


@inner
def wants_reload(state, at, part):
    """Whether the weapon in hand has at most 1/`part` of its rounds left, and there are more."""
    slot = int(state[at + s.SLOT])
    weapon = int(state[at + s.WEAPON + slot])
    rounds = int(state[at + s.MAGAZINE + slot])
    return weapon != s.NO_WEAPON and int(state[at + s.AMMO]) > 0 and rounds * part <= int(MAGAZINES[weapon])
