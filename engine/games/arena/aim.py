"""From the six heads of an action to the record that is logged and stepped; aiming for those without a
mouse.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import hands, sight
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, bounded_pitch, elevation, length, wrap
from engine.games.arena.move import HEIGHTS
from engine.simulation.jit import inner, rule

TURN_STEP = 512  # turn units a tick for each step of the yaw head: 16 even steps of -22.5 to 19.7 degrees
PITCH_STEP = 1400  # turn units a tick at which the pitch head turns
AIM_STEP = 2600  # turn units a tick at which "stop, adjust and fire" turns
AIM_ERROR = 400  # turn units off the target within which it fires
AIM_RANGE = 13000  # turn units from the view within which it looks for a target
PITCHES = np.array([-8192, 0, 8192], np.int32)  # of the pitch head: -45, 0, 45 degrees


@rule
def aim_target(state, seat):
    """The enemy (seat) or monster (100 + number) in view that is nearest to the crosshair, -1 for none."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    yaw = int(state[at + s.YAW])
    target = -1
    best = AIM_RANGE
    for other in range(int(state[s.SEATS])):
        if s.sees(state, seat, other) == 0:
            continue
        op = s.player(other)
        off = wrap(bearing(int(state[op + s.X]) - x, int(state[op + s.Y]) - y) - yaw)
        off = off if off >= 0 else -off
        if int(state[op + s.LIFE]) == s.DOWNED:
            off += 6000  # those on their feet first
        if off < best:
            best = off
            target = other
    if target >= 0:
        return target
    for monster in range(int(state[s.MONSTER_COUNT])):
        mp = s.MONSTER + s.MONSTER_SIZE * monster
        dx = int(state[mp + s.M_X]) - x
        dy = int(state[mp + s.M_Y]) - y
        if int(state[mp + s.M_HP]) <= 0 or dx * dx + dy * dy > (15 * 256) * (15 * 256):
            continue
        off = wrap(bearing(dx, dy) - yaw)
        off = off if off >= 0 else -off
        if off < best:
            best = off
            target = 100 + monster
    return target


@rule
def aim_at(state, seat, target, out):
    """Write the yaw and pitch that look at the middle of a target into out[0], out[1]."""
    at = s.player(seat)
    if target >= 100:
        mp = s.MONSTER + s.MONSTER_SIZE * (target - 100)
        dx = int(state[mp + s.M_X]) - int(state[at + s.X])
        dy = int(state[mp + s.M_Y]) - int(state[at + s.Y])
        z = int(state[mp + s.M_Z]) + 150
    else:
        op = s.player(target)
        dx = int(state[op + s.X]) - int(state[at + s.X])
        dy = int(state[op + s.Y]) - int(state[at + s.Y])
        z = int(state[op + s.Z]) + (int(HEIGHTS[int(state[op + s.STANCE])]) * 5) // 8
    out[0] = bearing(dx, dy)
    rise = z - sight.eyes(state, seat)
    out[1] = elevation(length(dx, dy), rise) - int(state[at + s.RECOIL])


@inner
def _towards(now, wanted, step):
    """An angle turned towards another by at most `step`."""
    off = wrap(wanted - now)
    if off > step:
        off = step
    elif off < -step:
        off = -step
    return now + off


@rule
def resolve(state, world, seat, heads, out):
    """The record (RECORD numbers) of what a seat does with these six heads: what is logged and stepped.

    The yaw head turns by -8 .. 7 even steps, the pitch head towards -45, 0 or 45 degrees; "stop, adjust and
    fire" turns to the target instead and fires when it is in line.
    """
    at = s.player(seat)
    for head in range(6):
        out[head] = int(heads[head])
    yaw = int(state[at + s.YAW])
    pitch = int(state[at + s.PITCH])
    basic = hands.basic_of(state, at, heads)
    target = aim_target(state, seat) if basic == s.ADJUST_FIRE else -1
    if target >= 0:
        aim_at(state, seat, target, out[s.ABS_YAW :])
        yaw = _towards(yaw, int(out[s.ABS_YAW]), AIM_STEP)
        pitch = _towards(pitch, int(out[s.ABS_PITCH]), AIM_STEP)
    else:
        turn = int(heads[s.TURN_HEAD])
        yaw += (turn if turn < 8 else turn - 16) * TURN_STEP
        pitch = _towards(pitch, int(PITCHES[int(heads[s.PITCH_HEAD])]), PITCH_STEP)
    out[s.ABS_YAW] = yaw & 0xFFFF
    out[s.ABS_PITCH] = bounded_pitch(pitch)  # recoil may take it past the vertical
    out[s.SEEN] = int(state[s.TICK])
