"""Changing a scripted player's plan so that it heeds what else its goal asks for (asked.py): look somewhere,
spare somebody, keep out of a place, keep apart from mates.

Not for what a goal tells to do (orders.py), nor for what isn't to be begun at all (tactics.py asks for that).
"""

from __future__ import annotations

from engine.games.arena import aim, asked, goals, navigation, plan, senses
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, cosine, sine, wrap
from engine.games.arena.plan import BODY, DIRECT, HANDS, LOOK, PACE, REST, RUN, TO_X, TO_Y, WALK
from engine.games.arena.senses import METRE
from engine.games.arena.world import DOOR_CELL, KINDS
from engine.games.arena.zone import inside
from engine.simulation.jit import inner, rule

OUTSIDE = 12  # cells around a point in which one is looked for where one may go
BESIDE = 1500  # turn units from the view within which a shot may hit somebody who is to be spared
TOO_NEAR = 10 * METRE  # to a mate, for those who are to keep apart


@inner
def _outside(state, world, scratch, x, y):
    """The cell nearest to a point in which one can stand and may be, -1 for none nearby."""
    row = int(state[s.MAP])
    best = 2 * OUTSIDE * OUTSIDE + 1
    nearest = -1
    for j in range(-OUTSIDE, OUTSIDE + 1):
        for i in range(-OUTSIDE, OUTSIDE + 1):
            cx = (x >> 8) + i
            cy = (y >> 8) + j
            if i * i + j * j >= best or cx < 3 or cy < 3 or cx >= s.SIDE - 3 or cy >= s.SIDE - 3:
                continue
            cell = cy * s.SIDE + cx
            if not navigation.standable(world, row, cell) or int(world[row, KINDS + cell]) >= DOOR_CELL:
                continue
            if not asked.shunned(state, world, scratch, cx * METRE + 128, cy * METRE + 128):
                best = i * i + j * j
                nearest = cell
    return nearest


@rule
def _keep_out(state, world, seat, scratch):
    """Turn a plan that leads into a place to keep out of to its edge; leave the place before all else."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    within = asked.shunned(state, world, scratch, x, y)
    to_x = x if within else int(scratch[TO_X])
    to_y = y if within else int(scratch[TO_Y])
    if not within:
        if int(scratch[PACE]) == REST or not asked.shunned(state, world, scratch, to_x, to_y):
            return
    cell = _outside(state, world, scratch, to_x, to_y)
    scratch[DIRECT] = 0
    if cell < 0:
        scratch[PACE] = REST
    elif not plan.go_to_cell(state, seat, scratch, cell, RUN) and within:
        scratch[BODY] = -1


@inner
def _keep_apart(state, seat, scratch):
    """Walk away from a mate who stands too near, while there is nothing else to do."""
    at = s.player(seat)
    team = int(state[at + s.TEAM])
    size = int(state[s.TEAM_SIZE])
    best = TOO_NEAR
    nearest = -1
    for mate in range(team * size, team * size + size):
        far = senses.distance(state, seat, mate)
        if mate != seat and int(state[s.player(mate) + s.LIFE]) == s.UP and far < best:
            best = far
            nearest = mate
    if nearest < 0:
        return
    mp = s.player(nearest)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    way = bearing(x - int(state[mp + s.X]), y - int(state[mp + s.Y])) if best > 0 else seat * 23170
    # Straight away from them, else to a side, where that leads into a wall or out of the zone.
    for turn in (0, 8192, -8192, 16384, -16384):
        to_x = x + ((sine(way + turn) * TOO_NEAR) >> 14)
        to_y = y - ((cosine(way + turn) * TOO_NEAR) >> 14)
        if inside(state, s.BLUE_X, to_x, to_y) and 3 * METRE < to_x < (s.SIDE - 3) * METRE:
            if 3 * METRE < to_y < (s.SIDE - 3) * METRE:
                plan.go(scratch, to_x, to_y, WALK)
                return


@inner
def _would_hit(state, seat, scratch):
    """Whether a shot may be one at somebody who is to be spared."""
    at = s.player(seat)
    if int(scratch[HANDS]) == s.ADJUST_FIRE:
        target = aim.aim_target(state, seat)
        return 0 <= target < s.MAX_SEATS and asked.spared(state, scratch, target)
    for other in range(int(state[s.SEATS])):
        if s.sees(state, seat, other) != 0 and asked.spared(state, scratch, other):
            op = s.player(other)
            dx = int(state[op + s.X]) - int(state[at + s.X])
            off = wrap(bearing(dx, int(state[op + s.Y]) - int(state[at + s.Y])) - int(state[at + s.YAW]))
            if -BESIDE < off < BESIDE:
                return True
    return False


@rule
def heed(state, world, seat, kind, scratch):
    """Change a plan so that it heeds what else a goal asks for (asked.py)."""
    hands = int(scratch[HANDS])
    if asked.watch(scratch) >= 0 and int(scratch[LOOK]) < 0:
        scratch[LOOK] = asked.watch(scratch)
    if hands in (s.FIRE, s.STOP_FIRE, s.ADJUST_FIRE) and _would_hit(state, seat, scratch):
        scratch[HANDS] = -1
    if asked.barred(scratch, goals.APART) and int(scratch[PACE]) == REST and int(scratch[BODY]) < 0:
        # Somebody who is told where to be stays there.
        placed = kind in (goals.GO, goals.HOLD, goals.TAKE_COVER, goals.REGROUP)
        if not placed and hands in (-1, s.RELOADING):
            _keep_apart(state, seat, scratch)
    if asked.shuns(scratch):
        _keep_out(state, world, seat, scratch)
