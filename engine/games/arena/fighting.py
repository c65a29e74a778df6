"""How a scripted player fights whom it sees: weapon, aim, stance, cover, distance.

Strengths differ in aim and in the use of cover; the aim of people is in person.py. Not for whether to fight
(tactics.py, orders.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import person, senses
from engine.games.arena import state as s
from engine.games.arena.angles import cosine, sine, wrap
from engine.games.arena.combat import REACH
from engine.games.arena.navigation import cover_cell, sees_from
from engine.games.arena.plan import (
    DIRECT,
    HANDS,
    LOOK,
    PACE,
    REST,
    RUN,
    SLOT,
    STANCE,
    WALK,
    away,
    go,
    go_to_cell,
    yaw_to,
)
from engine.games.arena.senses import METRE, MIDDLE, STRONG, WEAK
from engine.simulation.jit import inner, rule

ADJUSTS = np.array([25, 68, 100], np.int32)  # percent of the spells in which it aims well
WOBBLE = np.array([2600, 900, 0], np.int32)  # turn units by which it aims wrongly in the others
CLOSE, FAR = 6 * METRE, 26 * METRE  # distances from which it fights crouched, and lying
HURT = 40
BESIDE = 1100  # turn units, the least by which a person's shot goes wide


@inner
def _sidestep(state, seat, scratch, yaw):
    """Plan to walk across a direction, now to one side, now to the other."""
    at = s.player(seat)
    side = 16384 if senses.luck(state, seat, 21, 30) & 1 else -16384
    x = int(state[at + s.X]) + ((sine(yaw + side) * 4 * METRE) >> 14)
    y = int(state[at + s.Y]) - ((cosine(yaw + side) * 4 * METRE) >> 14)
    go(scratch, x, y, WALK)
    scratch[DIRECT] = 1


@inner
def _shoot_by_hand(state, seat, yaw, off, far, still, scratch):
    """Plan to bring a person's aim to `yaw`, `off` turn units away, and to fire once it is near enough."""
    now = int(state[s.player(seat) + s.YAW])
    side = 1 if wrap(now - yaw) >= 0 else -1  # of the target on which the view is
    error = person.aim(state, seat, yaw, scratch)
    width = person.width(far)
    if error > person.OPENS * width or off >= 11500:
        scratch[LOOK] = (yaw + side * person.left(error, scratch)) & 0xFFFF
        return
    stray = person.stray(state, seat, error)
    stray = stray if stray >= 0 else -stray
    scratch[HANDS] = s.FIRE
    if 2 * stray < width:
        if still != 0:
            scratch[HANDS] = s.ADJUST_FIRE
    elif 2 * off > width:
        scratch[LOOK] = now & 0xFFFF  # it is beside the target already
    else:
        # To the other side of it, by a step of the yaw head at least.
        scratch[LOOK] = (yaw - side * (stray if stray > BESIDE else BESIDE)) & 0xFFFF


@rule
def shoot(state, seat, strength, yaw, far, still, scratch):
    """Plan to fire at what lies `far` away at `yaw`, as well as the seat can; `still` 0 goes on moving."""
    at = s.player(seat)
    slot = int(scratch[SLOT])
    scratch[LOOK] = yaw
    if slot != int(state[at + s.SLOT]) or int(state[at + s.RELOAD]) > 0:
        return
    if int(state[at + s.MAGAZINE + slot]) == 0:
        scratch[HANDS] = s.RELOADING
        return
    off = wrap(yaw - int(state[at + s.YAW]))
    off = off if off >= 0 else -off
    if int(scratch[person.SKILL]) != 0:
        _shoot_by_hand(state, seat, yaw, off, far, still, scratch)
        return
    good = senses.luck(state, seat, 22, 16) % 100 < int(ADJUSTS[strength]) - (
        0 if strength == STRONG else far // (2 * METRE)
    )
    if still != 0 and good:
        # Whoever is far to the side isn't aimed at; turn first.
        if off < 11500:
            scratch[HANDS] = s.ADJUST_FIRE
        return
    wobble = int(WOBBLE[strength])
    error = senses.luck(state, seat, 23, 12) % (2 * wobble + 1) - wobble
    scratch[LOOK] = (yaw + error) & 0xFFFF
    if off < 1100 + wobble:
        scratch[HANDS] = s.FIRE
    if still != 0 and strength == MIDDLE:
        scratch[HANDS] = s.STOP_FIRE if off < 1100 + wobble else -1


@inner
def low_stance(state, world, seat, enemy, far, scratch):
    """Plan to crouch or lie while one still sees the enemy so."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    now = int(state[at + s.STANCE])
    if far > FAR - (4 * METRE if now == s.PRONE else 0) and sees_from(state, world, x, y, s.PRONE, enemy):
        scratch[STANCE] = s.PRONE
    elif far > CLOSE - (METRE if now == s.CROUCH else 0) and sees_from(state, world, x, y, s.CROUCH, enemy):
        scratch[STANCE] = s.CROUCH


@inner
def fight_in_place(state, world, seat, strength, enemy, scratch):
    """Plan to shoot at an enemy in view from here."""
    ep = s.player(enemy)
    far = senses.distance(state, seat, enemy)
    scratch[SLOT] = senses.slot_for(state, seat, far)
    yaw = yaw_to(state, seat, int(state[ep + s.X]), int(state[ep + s.Y]))
    scratch[PACE] = REST
    if strength == STRONG:
        low_stance(state, world, seat, enemy, far, scratch)
    elif strength == MIDDLE and far > 2 * CLOSE:
        scratch[STANCE] = s.CROUCH
    shoot(state, seat, strength, yaw, far, 1, scratch)


@inner
def in_range(state, seat, slot, far):
    """Whether the weapon of a slot does much at a distance."""
    weapon = int(state[s.player(seat) + s.WEAPON + slot])
    return far <= (int(REACH[weapon]) * METRE * 3) // 5


@inner
def fight_on_the_move(state, seat, strength, enemy, scratch):
    """Add shots at an enemy in view, if near enough, to a plan to go somewhere."""
    ep = s.player(enemy)
    far = senses.distance(state, seat, enemy)
    slot = senses.slot_for(state, seat, far)
    scratch[SLOT] = slot
    yaw = yaw_to(state, seat, int(state[ep + s.X]), int(state[ep + s.Y]))
    if in_range(state, seat, slot, far):
        shoot(state, seat, strength, yaw, far, 0, scratch)
    else:
        scratch[LOOK] = yaw


@rule
def hide(state, world, seat, enemy, reach, scratch):
    """Plan to run out of an enemy's sight; returns whether there is somewhere to hide."""
    ep = s.player(enemy)
    eyes = int(state[ep + s.Z]) + 425
    cell = cover_cell(state, world, seat, int(state[ep + s.X]), int(state[ep + s.Y]), eyes, reach, 1)
    if cell < 0:
        return False
    if go_to_cell(state, seat, scratch, cell, RUN):
        scratch[STANCE] = s.CROUCH
    return True


@rule
def fight(state, world, seat, strength, enemy, scratch):
    """Plan how to fight an enemy in view, free to move."""
    at = s.player(seat)
    ep = s.player(enemy)
    x = int(state[ep + s.X])
    y = int(state[ep + s.Y])
    far = senses.distance(state, seat, enemy)
    slot = senses.slot_for(state, seat, far)
    scratch[SLOT] = slot
    yaw = yaw_to(state, seat, x, y)
    scratch[LOOK] = yaw
    ready = senses.loaded(state, at, slot)
    downed = int(state[ep + s.LIFE]) == s.DOWNED
    if ready == 0:
        go(scratch, 2 * int(state[at + s.X]) - x, 2 * int(state[at + s.Y]) - y, RUN)
        scratch[LOOK] = -1
        return
    if strength == WEAK:
        if senses.luck(state, seat, 24, 50) % 100 < 50:
            _sidestep(state, seat, scratch, yaw)
            shoot(state, seat, strength, yaw, far, 0, scratch)
        else:
            shoot(state, seat, strength, yaw, far, 1, scratch)
        return
    if not in_range(state, seat, slot, far):
        go(scratch, x, y, RUN)
        fight_on_the_move(state, seat, strength, enemy, scratch)
        return
    if strength == MIDDLE:
        if senses.luck(state, seat, 24, 40) % 100 < 25:
            _sidestep(state, seat, scratch, yaw)
            shoot(state, seat, strength, yaw, far, 0, scratch)
        else:
            fight_in_place(state, world, seat, strength, enemy, scratch)
        return
    helpless = int(state[at + s.RELOAD]) > 0 or ready == 1
    hurt = int(state[at + s.HP]) <= HURT and int(state[at + s.MEDKITS]) > 0
    if not downed and (helpless or hurt) and far > 3 * METRE and hide(state, world, seat, enemy, 5, scratch):
        if helpless:
            scratch[HANDS] = s.RELOADING
        else:
            shoot(state, seat, strength, yaw, far, 0, scratch)
        return
    if helpless:
        _sidestep(state, seat, scratch, yaw)
        scratch[HANDS] = s.RELOADING
        return
    if far > 9 * METRE and not downed:
        near = 1 if senses.hit_lately(state, seat, 30) else 4
        eyes = int(state[ep + s.Z]) + 425
        cell = cover_cell(state, world, seat, x, y, eyes, near, 0)
        if cell >= 0:
            if go_to_cell(state, seat, scratch, cell, RUN):
                scratch[STANCE] = s.CROUCH
                shoot(state, seat, strength, yaw, far, 1, scratch)
            else:
                shoot(state, seat, strength, yaw, far, 0, scratch)
            return
    fight_in_place(state, world, seat, strength, enemy, scratch)


@inner
def fight_monster(state, seat, strength, monster, scratch):
    """Plan to shoot at a monster that is near."""
    at = s.player(seat)
    mp = s.MONSTER + s.MONSTER_SIZE * monster
    yaw = yaw_to(state, seat, int(state[mp + s.M_X]), int(state[mp + s.M_Y]))
    far = away(state, seat, int(state[mp + s.M_X]), int(state[mp + s.M_Y]))
    scratch[SLOT] = senses.slot_for(state, seat, far)
    if senses.loaded(state, at, int(scratch[SLOT])) == 0:
        return
    scratch[PACE] = REST
    shoot(state, seat, strength if strength > WEAK else MIDDLE, yaw, far, 1, scratch)
