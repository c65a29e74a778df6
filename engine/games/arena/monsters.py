"""Monsters: they keep to their dens, chase whoever comes near, and bite."""

from __future__ import annotations

from engine.games.arena.angles import bearing, cosine, length, sine
from engine.games.arena.combat import wound
from engine.games.arena.move import blocked, floor_under
from engine.games.arena.state import (
    LIFE,
    M_HIT_BY,
    M_HOME_X,
    M_HOME_Y,
    M_HP,
    M_TARGET,
    M_WAIT,
    M_X,
    M_Y,
    M_YAW,
    M_Z,
    MEDKIT,
    MONSTER,
    MONSTER_BITES,
    MONSTER_COUNT,
    MONSTER_DEAD,
    MONSTER_HIT,
    MONSTER_SIZE,
    OUT,
    SEATS,
    SUPPLIES,
    SUPPLY,
    TICK,
    X,
    Y,
    draw,
    player,
    tell,
)
from engine.simulation.jit import inner, rule

MONSTER_HP = 70
SMELL = 11 * 256  # units within which somebody is noticed
LEASH = 24 * 256  # units from the den at which it turns back
BITE = 320  # units
BITE_POINTS = 9
BITE_TICKS = 20
SPEED = 44  # units a tick
BURIED = -1000  # health of a monster whose death was told


@inner
def put_supply(state, kind, amount, x, y):
    """Lay something down in a free place of the list (the list's first if it is full)."""
    place = 0
    for supply in range(SUPPLIES):
        if int(state[SUPPLY + 4 * supply]) == 0:
            place = supply
            break
    at = SUPPLY + 4 * place
    state[at] = kind
    state[at + 1] = amount
    state[at + 2] = x
    state[at + 3] = y


@inner
def _choose(state, mp):
    """The nearest player within smell, -1 for none."""
    best = SMELL * SMELL
    target = -1
    x = int(state[mp + M_X])
    y = int(state[mp + M_Y])
    for seat in range(int(state[SEATS])):
        at = player(seat)
        if int(state[at + LIFE]) == OUT:
            continue
        dx = int(state[at + X]) - x
        dy = int(state[at + Y]) - y
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            target = seat
    return target


@rule
def advance(state, world):
    """One tick of all monsters."""
    tick = int(state[TICK])
    for monster in range(int(state[MONSTER_COUNT])):
        mp = MONSTER + MONSTER_SIZE * monster
        health = int(state[mp + M_HP])
        if health <= 0:
            if health != BURIED:
                state[mp + M_HP] = BURIED
                x = int(state[mp + M_X])
                y = int(state[mp + M_Y])
                tell(
                    state, MONSTER_DEAD, int(state[mp + M_HIT_BY]) - 1, monster, x, y, int(state[mp + M_Z]), 0
                )
                put_supply(state, MEDKIT, 1, x, y)
            continue
        if int(state[mp + M_WAIT]) > 0:
            state[mp + M_WAIT] -= 1
        x = int(state[mp + M_X])
        y = int(state[mp + M_Y])
        home_x = int(state[mp + M_HOME_X])
        home_y = int(state[mp + M_HOME_Y])
        if tick % 8 == monster:
            target = _choose(state, mp)
            if length(home_x - x, home_y - y) > LEASH:
                target = -1
            state[mp + M_TARGET] = target
        target = int(state[mp + M_TARGET])
        speed = SPEED
        if target >= 0 and int(state[player(target) + LIFE]) != OUT:
            at = player(target)
            dx = int(state[at + X]) - x
            dy = int(state[at + Y]) - y
            yaw = bearing(dx, dy)
            if length(dx, dy) < BITE:
                speed = 0
                if int(state[mp + M_WAIT]) == 0:
                    state[mp + M_WAIT] = BITE_TICKS
                    wound(state, target, BITE_POINTS, MONSTER_HIT, yaw)
                    tell(state, MONSTER_BITES, -1, target, x, y, int(state[mp + M_Z]), monster)
        elif length(home_x - x, home_y - y) > 4 * 256:
            yaw = bearing(home_x - x, home_y - y)
        else:
            if tick % 64 == monster * 7:
                state[mp + M_YAW] = ((draw(state, 4, monster) & 0xFFFF) ^ 0x8000) - 32768
            yaw = int(state[mp + M_YAW])
            speed = 12
        state[mp + M_YAW] = ((yaw + 32768) & 0xFFFF) - 32768
        z = int(state[mp + M_Z])
        new_x = x + ((speed * sine(yaw) + 8192) >> 14)
        new_y = y - ((speed * cosine(yaw) + 8192) >> 14)
        if blocked(state, world, new_x, y, z):
            new_x = x
        if blocked(state, world, new_x, new_y, z):
            new_y = y
        state[mp + M_X] = new_x
        state[mp + M_Y] = new_y
        state[mp + M_Z] = floor_under(state, world, new_x, new_y, z)
