"""How a player moves in one tick: walking, stances, jumping, sliding, falling, doors in the way.

The browser predicts its own player with the same arithmetic (static/js/games/arena/move.js, tested against
vectors made here), so: whole numbers, intermediates below 2**53, shifts and `&` of 32-bit numbers only, and
nothing of other players. Not here: hands, shots and damage (combat.py), except the points that a fall costs.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena.angles import cosine, sine
from engine.games.arena.state import (
    AIRBORNE,
    B_CROUCH,
    B_JUMP,
    B_NONE,
    B_PRONE,
    B_RUN,
    B_SLIDE,
    B_STOP,
    BASIC,
    BODY,
    CROUCH,
    DOWN,
    FALL_FROM,
    LIFE,
    MOVE,
    MOVING,
    PRONE,
    SIDE,
    SLIDE,
    SLIDE_YAW,
    SLIDING,
    SLOT,
    SLOW,
    STAMINA,
    STANCE,
    STANCE_WAIT,
    STAND,
    STOP_FIRE,
    SWITCH,
    UP,
    VX,
    VY,
    VZ,
    YAW,
    X,
    Y,
    Z,
    player,
)
from engine.games.arena.world import WATER, kind_at, top
from engine.simulation.jit import inner, rule

RADIUS = 77  # units, 0.3 m
CLIMB = 115  # the highest step that is walked up, 0.45 m
JUMP = 59  # units a tick upwards
GRAVITY = 6  # units a tick less each tick
STAMINA_MAX = 400
RUN_COST, SLIDE_COST, JUMP_COST, REST = 3, 60, 30, 2
STANCE_TICKS = 8
SLIDE_TICKS = 14
HARMLESS_FALL = 900  # units, 3.5 m
# Units a tick by stance: stand, crouch, prone, slide (at its beginning), downed; and running.
SPEEDS = np.array([51, 28, 12, 100, 8], np.int32)
RUNNING = 77
# Heights of a body and of its eyes above the feet, by stance.
HEIGHTS = np.array([460, 310, 130, 230, 130], np.int32)
EYES = np.array([425, 270, 95, 200, 95], np.int32)


@rule
def blocked(state, world, x, y, z):
    """Whether a body at x, y with its feet at z would stand in something too high to step on."""
    for corner in range(4):
        cx = x - RADIUS if corner & 1 else x + RADIUS
        cy = y - RADIUS if corner & 2 else y + RADIUS
        if top(state, world, (cy >> 8) * SIDE + (cx >> 8)) > z + CLIMB:
            return True
    return False


@inner
def floor_under(state, world, x, y, z):
    """The height on which a body at x, y rests when its feet are at z."""
    best = 0
    for corner in range(4):
        cx = x - RADIUS if corner & 1 else x + RADIUS
        cy = y - RADIUS if corner & 2 else y + RADIUS
        height = top(state, world, (cy >> 8) * SIDE + (cx >> 8))
        if height <= z + CLIMB and height > best:
            best = height
    return best


@inner
def _choose_stance(state, at, body):
    """What a body action does to the stance; a slide or a jump begins here."""
    stance = int(state[at + STANCE])
    if int(state[at + LIFE]) != UP or int(state[at + STANCE_WAIT]) > 0 or int(state[at + AIRBORNE]) != 0:
        return
    stamina = int(state[at + STAMINA])
    if body == B_CROUCH:
        state[at + STANCE] = STAND if stance == CROUCH else CROUCH
        state[at + STANCE_WAIT] = STANCE_TICKS
    elif body == B_PRONE:
        state[at + STANCE] = STAND if stance == PRONE else PRONE
        state[at + STANCE_WAIT] = STANCE_TICKS
    elif body == B_SLIDE:
        if stance == STAND and stamina >= SLIDE_COST and int(state[at + MOVING]) != 0:
            state[at + STANCE] = SLIDING
            state[at + SLIDE] = SLIDE_TICKS
            state[at + STAMINA] = stamina - SLIDE_COST
            state[at + STANCE_WAIT] = STANCE_TICKS
    elif body == B_JUMP:
        if stance != STAND:
            state[at + STANCE] = STAND
            state[at + STANCE_WAIT] = STANCE_TICKS
        elif stamina >= JUMP_COST:
            state[at + VZ] = JUMP
            state[at + AIRBORNE] = 1
            state[at + FALL_FROM] = state[at + Z]
            state[at + STAMINA] = stamina - JUMP_COST
            state[at + STANCE_WAIT] = STANCE_TICKS
    elif body == B_RUN and stance in (CROUCH, PRONE):
        state[at + STANCE] = STAND
        state[at + STANCE_WAIT] = STANCE_TICKS


@inner
def wants_to_move(state, at, action):
    """Whether the feet move: none and run walk on, stop stands, and the others leave it as it was."""
    body = int(action[BODY])
    # Stopping to fire is a basic action; naming the slot in hand means that there is none (rules.py).
    if int(action[BASIC]) >= STOP_FIRE and int(action[SWITCH]) != int(state[at + SLOT]):
        return 0
    if body == B_STOP:
        return 0
    if body in (B_NONE, B_RUN):
        return 1
    return int(state[at + MOVING])


@rule
def move(state, world, seat, action):
    """Move a living player by its action (the RECORD numbers of a seat; `YAW` is already the new one).

    Returns the points that the fall that ended in this tick costs.
    """
    at = player(seat)
    if int(state[at + STANCE_WAIT]) > 0:
        state[at + STANCE_WAIT] -= 1
    body = int(action[BODY])
    moving = wants_to_move(state, at, action)
    state[at + MOVING] = moving
    _choose_stance(state, at, body)
    stance = int(state[at + STANCE])
    stamina = int(state[at + STAMINA])

    speed = int(SPEEDS[stance])
    yaw = int(state[at + YAW]) + int(action[MOVE]) * 4096
    if stance == SLIDING:
        left = int(state[at + SLIDE])
        if left == SLIDE_TICKS:
            state[at + SLIDE_YAW] = ((yaw + 32768) & 0xFFFF) - 32768
        yaw = int(state[at + SLIDE_YAW])
        speed -= 4 * (SLIDE_TICKS - left)
        state[at + SLIDE] = left - 1
        moving = 1
        if left <= 1:
            state[at + STANCE] = CROUCH
    elif body == B_RUN and stance == STAND and moving != 0 and stamina >= RUN_COST:
        speed = RUNNING
        stamina -= RUN_COST
    elif stamina < STAMINA_MAX:
        stamina += REST
        if stamina > STAMINA_MAX:
            stamina = STAMINA_MAX
    state[at + STAMINA] = stamina

    x = int(state[at + X])
    y = int(state[at + Y])
    z = int(state[at + Z])
    if kind_at(state, world, x, y) == WATER and stance != DOWN:
        speed = (speed * 3) // 5
    if int(state[at + SLOW]) != 0:
        speed = (speed * 2) // 5
    new_x = x
    new_y = y
    if moving != 0:
        new_x = x + ((speed * sine(yaw) + 8192) >> 14)
        new_y = y - ((speed * cosine(yaw) + 8192) >> 14)
        if blocked(state, world, new_x, y, z):
            new_x = x
        if blocked(state, world, new_x, new_y, z):
            new_y = y
    state[at + VX] = new_x - x
    state[at + VY] = new_y - y
    state[at + X] = new_x
    state[at + Y] = new_y

    ground = floor_under(state, world, new_x, new_y, z)
    if int(state[at + AIRBORNE]) == 0:
        if z - ground <= CLIMB:
            state[at + Z] = ground
            state[at + VZ] = 0
            return 0
        state[at + AIRBORNE] = 1
        state[at + FALL_FROM] = z
        state[at + VZ] = 0
    speed_up = int(state[at + VZ]) - GRAVITY
    z += speed_up
    if z > int(state[at + FALL_FROM]):
        state[at + FALL_FROM] = z
    if z > ground:
        state[at + VZ] = speed_up
        state[at + Z] = z
        return 0
    fallen = int(state[at + FALL_FROM]) - ground
    state[at + Z] = ground
    state[at + VZ] = 0
    state[at + AIRBORNE] = 0
    if fallen <= HARMLESS_FALL:
        return 0
    return (fallen - HARMLESS_FALL) // 16
