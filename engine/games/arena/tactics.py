"""What a scripted player does without a goal: fight, help up, heal, loot, keep to zone and squad.

Each function writes (part of) a plan (plan.py). Weaker players skip some of this. Not for how to fight
(fighting.py), nor for what somebody was asked to do (orders.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import asked, goals, hands, hearing, person, senses, zone
from engine.games.arena import state as s
from engine.games.arena.angles import cosine, length, sine
from engine.games.arena.fighting import fight, fight_monster, fight_on_the_move, hide
from engine.games.arena.plan import BODY, HANDS, LOOK, PACE, REST, RUN, SLOT, STANCE, WALK, away, go, yaw_to
from engine.games.arena.senses import METRE, STRONG, WEAK
from engine.games.arena.world import SPOT, SPOT_COUNT
from engine.simulation.jit import inner, rule

HEAL_AT = np.array([30, 45, 65], np.int32)  # health at which a player treats itself, when nobody is about
MEMORIES = np.array([40, 120, 240], np.int32)  # ticks for which it goes after somebody who was seen
UNARMED_RANGE = 22 * METRE  # within which somebody with a pistol fights
EARLY_RANGE = 32 * METRE  # within which everybody does before the zone closes
PEACE_STAGES = 3  # of the zone in a calm match, in which nobody looks for a fight …
PEACE = 10 * METRE  # … but with those who come as near as this
MATES_APART = 11 * METRE  # units from the leader from which one follows
FAR_APART = 18 * METRE  # … for those who are to keep apart
RUN_UNITS = 60  # units a tick that a long way takes, with rests


@inner
def heal(scratch):
    """Plan to treat oneself."""
    scratch[PACE] = REST
    scratch[STANCE] = s.CROUCH
    scratch[HANDS] = s.TREATING


@inner
def help_up(state, seat, mate, scratch):
    """Plan to go to a downed mate and help them up."""
    mp = s.player(mate)
    x = int(state[mp + s.X])
    y = int(state[mp + s.Y])
    if away(state, seat, x, y) < hands.ARM - 70 or int(state[s.player(seat) + s.RESCUED]) == mate + 1:
        scratch[PACE] = REST
        scratch[STANCE] = s.CROUCH
        scratch[BODY] = s.B_RESCUE
        return
    go(scratch, x, y, RUN)


@rule
def take(state, seat, number, scratch):
    """Plan to go to a supply and pick it up."""
    at = s.player(seat)
    sp = s.SUPPLY + 4 * number
    x = int(state[sp + 2])
    y = int(state[sp + 3])
    far = away(state, seat, x, y)
    kind = int(state[sp])
    go(scratch, x, y, RUN if far > 5 * METRE else WALK)
    if kind <= s.SNIPER and int(state[at + s.WEAPON_2]) != s.NO_WEAPON and far < 3 * METRE:
        # What is picked up takes the place of what is in hand.
        first = int(senses.RANKS[int(state[at + s.WEAPON])])
        scratch[SLOT] = 0 if first < int(senses.RANKS[int(state[at + s.WEAPON_2])]) else 1
    if far < 100:
        scratch[PACE] = REST
    if far < hands.ARM - 20 and int(scratch[SLOT]) == int(state[at + s.SLOT]):
        if hands.nearest_supply(state, seat, hands.ARM) == number:
            scratch[HANDS] = s.PICK


@inner
def into_white(state, seat, scratch, pace):
    """Plan to go to where the white circle is nearest, well inside."""
    x = int(state[s.WHITE_X])
    y = int(state[s.WHITE_Y])
    at = s.player(seat)
    far = length(int(state[at + s.X]) - x, int(state[at + s.Y]) - y)
    room = (int(state[s.WHITE_R]) * 3) // 5
    if far > room and far > 0:
        x += ((int(state[at + s.X]) - x) * room) // far
        y += ((int(state[at + s.Y]) - y) * room) // far
    go(scratch, x, y, pace)


@rule
def zone_presses(state, seat):
    """How urgent it is to go to the white circle: 0 not at all, 1 time to go, 2 outside of the blue one."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    if not zone.inside(state, s.BLUE_X, x, y):
        return 2
    out = length(x - int(state[s.WHITE_X]), y - int(state[s.WHITE_Y])) - int(state[s.WHITE_R])
    if out < -METRE:
        return 0
    if int(state[s.SHRINKING]) != 0:
        room = int(state[s.BLUE_R]) - length(x - int(state[s.BLUE_X]), y - int(state[s.BLUE_Y]))
        return 1 if room < 9 * METRE else 0
    return 1 if int(state[s.PHASE_LEFT]) < out // RUN_UNITS + 40 else 0


@rule
def ready(state, seat):
    """Whether a seat is armed for more than defending itself: a better weapon than a pistol, and rounds."""
    at = s.player(seat)
    first = int(senses.RANKS[int(state[at + s.WEAPON])])
    second = int(senses.RANKS[int(state[at + s.WEAPON_2])])
    rounds = int(state[at + s.AMMO]) + int(state[at + s.MAGAZINE]) + int(state[at + s.MAGAZINE_2])
    return (first > 1 or second > 1) and rounds >= 45


@inner
def peaceful(state):
    """Whether a calm match is so young that squads look for supplies and let others be."""
    return int(state[s.PACE]) == zone.CALM and int(state[s.STAGE]) < PEACE_STAGES


@inner
def provoked(state, seat, enemy):
    """Whether an enemy in view is to be fought: always, but at the beginning of a calm match."""
    if not peaceful(state):
        return True
    return senses.distance(state, seat, enemy) < PEACE or senses.hit_lately(state, seat, 60)


@rule
def late(state):
    """Whether the zone has begun to close: time to look for others, no longer for supplies alone."""
    begun = int(state[s.STAGE]) > 0 or int(state[s.SHRINKING]) != 0
    return begun and not peaceful(state)


@inner
def spot_to_visit(state, world, seat, salt, circle, own_side):
    """A spot in a circle (BLUE_X, WHITE_X) where supplies may lie, for ten seconds the same; -1 for none.

    `own_side` 1: one on the seat's side of the circle's middle.
    """
    row = int(state[s.MAP])
    at = s.player(seat)
    word = senses.luck(state, seat, salt, 200)
    to_x = int(state[at + s.X]) - int(state[circle])
    to_y = int(state[at + s.Y]) - int(state[circle + 1])
    far = length(to_x, to_y)
    near = 7 if peaceful(state) else 4  # eighths: the least cosine to the own direction
    best = 1 << 30
    best_spot = -1
    for number in range(int(world[row, SPOT_COUNT])):
        rank = (((word + number * 40503) * 2654435) >> 4) & 1023
        if rank >= best:
            continue
        x = int(world[row, SPOT + 3 * number]) * METRE + 128
        y = int(world[row, SPOT + 3 * number + 1]) * METRE + 128
        dx = x - int(state[circle])
        dy = y - int(state[circle + 1])
        if own_side != 0 and 8 * (dx * to_x + dy * to_y) < near * far * length(dx, dy):
            continue
        if zone.inside(state, circle, x, y):
            best = rank
            best_spot = SPOT + 3 * number
    return best_spot


@inner
def patrol(state, world, seat, scratch):
    """Plan to go from spot to spot: on one's own side at first, later through the white circle."""
    team = int(state[s.player(seat) + s.TEAM])
    if int(state[s.STAGE]) == 0:
        spot = spot_to_visit(state, world, seat, 30 + team, s.BLUE_X, 1)
    else:
        spot = spot_to_visit(state, world, seat, 30 + team, s.WHITE_X, 1 if peaceful(state) else 0)
    x = int(state[s.WHITE_X])
    y = int(state[s.WHITE_Y])
    if spot >= 0:
        row = int(state[s.MAP])
        x = int(world[row, spot]) * METRE + 128
        y = int(world[row, spot + 1]) * METRE + 128
    if away(state, seat, x, y) > 2 * METRE:
        go(scratch, x, y, WALK if ready(state, seat) else RUN)


@inner
def look_about(state, seat, scratch):
    """Plan to look where one is to, else round while standing: each of a team begins elsewhere."""
    scratch[LOOK] = asked.watch(scratch)
    if int(scratch[LOOK]) >= 0:
        return
    size = int(state[s.TEAM_SIZE])
    sector = (seat % size) * 65536 // size
    scratch[LOOK] = (sector + ((int(state[s.TICK]) // 30) % 8) * 8192) & 0xFFFF


@rule
def follow(state, seat, mate, near, scratch):
    """Plan to stay near a mate; returns whether that takes going."""
    mp = s.player(mate)
    far = senses.distance(state, seat, mate)
    if asked.barred(scratch, goals.APART) and near < FAR_APART:
        near = FAR_APART
    if far <= near:
        return False
    # Each to an own place around the mate.
    turn = seat * 23170
    beside = 2 * METRE if near > 2 * METRE else METRE
    x = int(state[mp + s.X]) + ((sine(turn) * beside) >> 14)
    y = int(state[mp + s.Y]) - ((cosine(turn) * beside) >> 14)
    go(scratch, x, y, RUN if far > near + 4 * METRE else WALK)
    return True


@inner
def alarm(state, seat, scratch):
    """Look to where a shot came from or somebody is heard; returns whether there is such a direction. Who is
    to watch another one doesn't turn to sounds.
    """
    at = s.player(seat)
    if senses.hit_lately(state, seat, 30) and person.felt(scratch):
        scratch[LOOK] = int(state[at + s.HIT_YAW]) & 0xFFFF
        return True
    event = senses.heard(state, seat)
    if event < 0 or asked.watch(scratch) >= 0:
        return False
    x = hearing.blurred(hearing.source(state, event, 0))
    y = hearing.blurred(hearing.source(state, event, 1))
    scratch[LOOK] = yaw_to(state, seat, x, y)
    return True


@inner
def leaves(state, world, number, scratch):
    """Whether a supply isn't to be taken: none is, or it lies where the seat is to keep out."""
    sp = s.SUPPLY + 4 * number
    if asked.barred(scratch, goals.NO_LOOT):
        return True
    return asked.shunned(state, world, scratch, int(state[sp + 2]), int(state[sp + 3]))


@inner
def _forage(state, world, seat, strength, supply, scratch):
    """Plan to take the supply `found` (-1 for none), or to stay with the squad."""
    first = senses.leader(state, seat)
    if supply >= 0 and leaves(state, world, supply, scratch):
        supply = -1
    if supply >= 0:
        take(state, seat, supply, scratch)
        return
    if strength > WEAK and first != seat and follow(state, seat, first, MATES_APART, scratch):
        return
    if strength == WEAK or first == seat:
        patrol(state, world, seat, scratch)


@inner
def _zone_plan(state, world, seat, strength, enemy, press, scratch):
    """Plan to get into the white circle, against whoever is in the way."""
    into_white(state, seat, scratch, RUN)
    if enemy < 0:
        return
    near = senses.distance(state, seat, enemy) < 20 * METRE
    if press == 1 and (near or senses.hit_lately(state, seat, 30)):
        fight(state, world, seat, strength, enemy, scratch)
    else:
        fight_on_the_move(state, seat, strength, enemy, scratch)


@inner
def _pursue(state, seat, suspect, near, scratch):
    """Plan to go to where somebody was last seen."""
    x = senses.last_known(state, seat, suspect, 0)
    y = senses.last_known(state, seat, suspect, 1)
    go(scratch, x, y, RUN if near > 25 * METRE else WALK)
    if near < 30 * METRE:
        scratch[LOOK] = yaw_to(state, seat, x, y)


@inner
def _safety(state, seat, suspect):
    """Units to where an enemy was last seen (a long way for -1)."""
    if suspect < 0:
        return 1 << 20
    return away(
        state, seat, senses.last_known(state, seat, suspect, 0), senses.last_known(state, seat, suspect, 1)
    )


@inner
def _first_things(state, seat, strength, quiet, suspect, scratch):
    """Plan what can't wait while nobody is in view: mates, monsters, wounds. Returns whether there is any."""
    at = s.player(seat)
    near = _safety(state, seat, suspect)
    hit = senses.hit_lately(state, seat, 50)
    safe = near > 14 * METRE and not hit
    if strength > WEAK and not asked.barred(scratch, goals.NO_RESCUE):
        mate = senses.downed_to_help(state, seat, 40 * METRE)
        quick = strength == STRONG and near > 7 * METRE and not hit
        if mate >= 0 and (safe or quick or int(state[at + s.RESCUED]) != 0):
            help_up(state, seat, mate, scratch)
            return True
    monster = senses.monster_near(state, seat, 8 * METRE)
    if monster >= 0 and quiet == 0:
        fight_monster(state, seat, strength, monster, scratch)
        return True
    health = int(state[at + s.HP])
    wounded = health <= int(HEAL_AT[strength]) or (int(state[at + s.TREAT]) > 0 and health < 100)
    wounded = wounded and not asked.barred(scratch, goals.NO_HEAL)
    if wounded and int(state[at + s.MEDKITS]) > 0 and (safe or (strength == STRONG and near > 8 * METRE)):
        heal(scratch)
        alarm(state, seat, scratch)
        return True
    return False


@inner
def _to_fight(state, seat, strength, enemy):
    """Whether to fight an enemy in view now: the badly armed, and everybody before the zone begins to close,
    look for something better while the enemy is far.
    """
    far = senses.distance(state, seat, enemy)
    if not senses.can_shoot(state, seat):
        return False
    if far < UNARMED_RANGE or strength == WEAK:
        return True
    attacked = senses.hit_lately(state, seat, 60)
    if not ready(state, seat):
        return attacked and far < EARLY_RANGE
    return attacked or late(state) or far < EARLY_RANGE


@inner
def own_plan(state, world, seat, strength, enemy, quiet, scratch):
    """Plan what the seat thinks best; `enemy` is in view (-1 for nobody), `quiet` forbids shots."""
    at = s.player(seat)
    press = zone_presses(state, seat)
    if press > 0 and (strength > WEAK or press == 2):
        _zone_plan(state, world, seat, strength, -1 if quiet != 0 else enemy, press, scratch)
        return
    if enemy >= 0 and quiet != 0:
        if not hide(state, world, seat, enemy, 6, scratch):
            scratch[STANCE] = s.CROUCH
        return
    if enemy >= 0 and _to_fight(state, seat, strength, enemy):
        fight(state, world, seat, strength, enemy, scratch)
        return
    suspect = senses.suspect(state, seat, int(MEMORIES[strength]), 45 * METRE, scratch)
    if _first_things(state, seat, strength, quiet, suspect, scratch):
        return
    near = _safety(state, seat, suspect)
    reloads = int(state[at + s.RELOAD]) > 0 or senses.wants_reload(state, at, 3 if suspect >= 0 else 2)
    if reloads:
        scratch[HANDS] = s.RELOADING
        if strength == STRONG and enemy < 0 and near < EARLY_RANGE:
            # Out of sight, and nobody comes out with an empty weapon.
            scratch[STANCE] = s.CROUCH
            x = senses.last_known(state, seat, suspect, 0)
            scratch[LOOK] = yaw_to(state, seat, x, senses.last_known(state, seat, suspect, 1))
            return
    armed = (ready(state, seat) and (late(state) or near < EARLY_RANGE)) or near < UNARMED_RANGE
    eager = quiet == 0 and (strength > WEAK or senses.luck(state, seat, 25, 60) & 1)
    if peaceful(state):
        armed = near < PEACE
    eager = eager and suspect >= 0 and not asked.spared(state, scratch, suspect)
    if enemy < 0 and eager and armed and senses.can_shoot(state, seat):
        _pursue(state, seat, suspect, near, scratch)
        return
    alarmed = alarm(state, seat, scratch)
    supply = senses.supply(state, seat, senses.LOOT_RANGE, 60 if strength == WEAK else 20)
    _forage(state, world, seat, strength, supply, scratch)
    if enemy >= 0:
        fight_on_the_move(state, seat, strength, enemy, scratch)
    elif int(scratch[PACE]) == REST and not alarmed:
        look_about(state, seat, scratch)
