"""Lines of sight, and what each seat sees, has seen and what its team knows.

A line of sight joins two pairs of eyes; bushes, walls and closed doors break it. Whoever has one to an
enemy and looks the right way sees them; a team shares where it last saw anybody. Everything that a seat
is shown, on a screen or as an observation, is asked for here.
"""

from __future__ import annotations

from engine.games.arena.angles import bearing, wrap
from engine.games.arena.move import EYES
from engine.games.arena.state import (
    EVER,
    EVER_2,
    HISTORY,
    LIFE,
    MAX_SEATS,
    MEMORY,
    OUT,
    PAST,
    R_DISCOVER,
    R_DISCOVERED,
    SEATS,
    SEES,
    SEES_2,
    SIDE,
    SIGHT,
    SIGHT_2,
    STANCE,
    TEAM,
    TICK,
    YAW,
    X,
    Y,
    Z,
    in_sight,
    player,
    reward_row,
    sees,
)
from engine.games.arena.world import opaque, top
from engine.simulation.jit import rule

RANGE = 60 * 256  # units to which players are seen
NEAR = 3 * 256  # units within which one notices what is behind
HALF_VIEW = 10012  # turn units to either side: 55 degrees
SAMPLE = 128  # units between two looks at the map along a ray
FORGOTTEN = 1200  # ticks after which a team forgets where somebody was
AGAIN = 60  # ticks unseen after which an enemy is discovered again


@rule
def ray(state, world, x, y, z, to_x, to_y, to_z, distance, shot):
    """How far (units of `distance`) a ray gets before the map stops it; `distance` if nothing does.

    `shot` 1: bushes don't stop it.
    """
    samples = distance // SAMPLE
    if samples == 0:
        return distance
    # 1/256 of a unit; the last sample lies before the end.
    step_x = ((to_x - x) * 256) // (samples + 1)
    step_y = ((to_y - y) * 256) // (samples + 1)
    step_z = ((to_z - z) * 256) // (samples + 1)
    at_x = x * 256
    at_y = y * 256
    at_z = z * 256
    last = (y >> 8) * SIDE + (x >> 8)
    for sample in range(samples):
        at_x += step_x
        at_y += step_y
        at_z += step_z
        cell = (at_y >> 16) * SIDE + (at_x >> 16)
        height = top(state, world, cell) if shot != 0 else opaque(state, world, cell)
        # One looks out of the cell in which one stands.
        if (at_z >> 8) < height and cell != last:
            return ((sample + 1) * distance) // (samples + 1)
    return distance


@rule
def eyes(state, seat):
    """The height of a seat's eyes."""
    at = player(seat)
    return int(state[at + Z]) + int(EYES[int(state[at + STANCE])])


@rule
def _far(state, world, a, b):
    """Whether two players can't see each other's eyes: too far, or something between."""
    pa = player(a)
    pb = player(b)
    x = int(state[pa + X])
    y = int(state[pa + Y])
    dx = int(state[pb + X]) - x
    dy = int(state[pb + Y]) - y
    far = dx if dx >= 0 else -dx
    other = dy if dy >= 0 else -dy
    if other > far:
        far = other
    if far > RANGE:
        return True
    if dx * dx + dy * dy > RANGE * RANGE:
        return True
    # The longer side counts the samples: at most 1.4 samples' length apart.
    return ray(state, world, x, y, eyes(state, a), x + dx, y + dy, eyes(state, b), far, 0) < far


@rule
def looks_at(state, seat, x, y):
    """Whether a point is in a seat's view, or so near that it is noticed."""
    at = player(seat)
    dx = x - int(state[at + X])
    dy = y - int(state[at + Y])
    if dx * dx + dy * dy <= NEAR * NEAR:
        return True
    turn = wrap(bearing(dx, dy) - int(state[at + YAW]))
    return -HALF_VIEW <= turn <= HALF_VIEW


@rule
def _remember(state, team, seat):
    """A team knows where a seat is now; returns the ticks since it knew before."""
    at = player(seat)
    entry = MEMORY + 3 * (MAX_SEATS * team + seat)
    ago = int(state[TICK]) - int(state[entry])
    state[entry] = state[TICK]
    state[entry + 1] = state[at + X]
    state[entry + 2] = state[at + Y]
    return ago


@rule
def knows(state, team, seat):
    """Ticks since a team last saw a seat; FORGOTTEN or more when it doesn't know where it is."""
    return int(state[TICK]) - int(state[MEMORY + 3 * (MAX_SEATS * team + seat)])


@rule
def look_around(state, world):
    """Renew who is in sight of whom, who sees whom and what teams know, at the end of a tick."""
    seats = int(state[SEATS])
    for seat in range(seats):
        at = player(seat)
        state[at + SIGHT] = 0
        state[at + SIGHT_2] = 0
    for a in range(seats):
        pa = player(a)
        if int(state[pa + LIFE]) == OUT:
            continue
        for b in range(a + 1, seats):
            pb = player(b)
            if int(state[pb + LIFE]) == OUT or int(state[pa + TEAM]) == int(state[pb + TEAM]):
                continue
            if not _far(state, world, a, b):
                state[pa + (SIGHT if b < 10 else SIGHT_2)] |= 1 << (b % 10)
                state[pb + (SIGHT if a < 10 else SIGHT_2)] |= 1 << (a % 10)
    for a in range(seats):
        pa = player(a)
        state[pa + SEES] = 0
        state[pa + SEES_2] = 0
        if int(state[pa + SIGHT]) == 0 and int(state[pa + SIGHT_2]) == 0:
            continue
        for b in range(seats):
            if in_sight(state, a, b) == 0:
                continue
            pb = player(b)
            if looks_at(state, a, int(state[pb + X]), int(state[pb + Y])):
                state[pa + (SEES if b < 10 else SEES_2)] |= 1 << (b % 10)
    for a in range(seats):
        pa = player(a)
        if int(state[pa + SEES]) == 0 and int(state[pa + SEES_2]) == 0:
            continue
        state[pa + EVER] |= state[pa + SEES]
        state[pa + EVER_2] |= state[pa + SEES_2]
        for b in range(seats):
            if sees(state, a, b) == 0:
                continue
            # Nobody is discovered before the match begins.
            if _remember(state, int(state[pa + TEAM]), b) > AGAIN and int(state[TICK]) > 0:
                reward_row(state, a, R_DISCOVER, 1)
                reward_row(state, b, R_DISCOVERED, 1)


@rule
def keep_positions(state):
    """Note where everybody is in this tick, for shots of those who see it late."""
    tick = int(state[TICK])
    for seat in range(int(state[SEATS])):
        at = player(seat)
        past = PAST + 4 * (MAX_SEATS * (tick % HISTORY) + seat)
        state[past] = state[at + X]
        state[past + 1] = state[at + Y]
        state[past + 2] = state[at + Z]
        state[past + 3] = -1 if int(state[at + LIFE]) == OUT else int(state[at + STANCE])
