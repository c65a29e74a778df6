"""How a scripted player gets somewhere on foot: a straight line, else a path round what is in the way.

Everybody has the map, so it may be planned on; doors count as passable, whoever comes to a closed one opens
it. Nothing is remembered between calls: `scratch` is room to work in (make it with `new_scratch`), and what
it holds decides nothing. Not for what somebody wants there (tactics.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import asked, hands, sight
from engine.games.arena import state as s
from engine.games.arena.angles import length
from engine.games.arena.move import EYES, RADIUS
from engine.games.arena.state import CELLS, SIDE
from engine.games.arena.world import COVER, DOOR_CELL, DOOR_SPOTS, KINDS, ROCK, STEP_HEIGHT, WALL, WATER
from engine.simulation.jit import inner, rule

# Heights of steps in eighths of a metre: what is walked up, and what is jumped on.
STEP, LEAP = 3, 10
MARGIN = RADIUS + 12  # units to each side that a straight way needs
STRIDE = 110  # units between two looks at a straight way
MOST = 1500  # cells from which a search goes on before it takes the best that it found
ROUND = 4  # cells around a point in which somewhere to stand is looked for
# What a step costs: a straight one 10, a diagonal one 14, and more for
LEAP_COST, DOOR_COST, WATER_COST = 40, 12, 8
AROUND = np.array([1, -1, SIDE, -SIDE, SIDE + 1, SIDE - 1, -SIDE + 1, -SIDE - 1], np.int32)
SIDEWAYS = np.array([1, -1, 0, 0, 1, -1, 1, -1], np.int32)
DOWNWARDS = np.array([0, 0, 1, -1, 1, 1, -1, -1], np.int32)

# The scratch array: a search's number, the plan of bots.py, what a person remembers (person.py), what is to
# be heeded (asked.py), then by cell what a search has found.
SEARCH, PLAN, MIND = 0, 1, 10
COSTS = asked.END
MARKS = COSTS + CELLS
ORIGINS = MARKS + CELLS
PATH = ORIGINS + CELLS
LONGEST = 1024
HEAP = PATH + LONGEST
HEAP_SIZE = 8 * MOST + 64
SCRATCH_SIZE = HEAP + HEAP_SIZE


def new_scratch() -> np.ndarray:
    """Room for one caller at a time: int32 (SCRATCH_SIZE,)."""
    return np.zeros(SCRATCH_SIZE, np.int32)


@inner
def cell_at(x, y):
    """The cell under a point."""
    return (y >> 8) * SIDE + (x >> 8)


@rule
def standable(world, row, cell):
    """Whether one can stand in a cell without climbing: no rock, wall or low wall."""
    kind = int(world[row, KINDS + cell])
    return kind not in (WALL, ROCK, COVER)


@rule
def straight(state, world, x, y, to_x, to_y):
    """Whether one can walk from a point to another in a straight line, dry-shod, if doors are opened."""
    row = int(state[s.MAP])
    dx = to_x - x
    dy = to_y - y
    wide = dx if dx >= 0 else -dx
    tall = dy if dy >= 0 else -dy
    steps = (wide if wide > tall else tall) // STRIDE + 1
    before = int(world[row, cell_at(x, y)])
    wet = int(world[row, KINDS + cell_at(x, y)]) == WATER
    for step in range(1, steps + 1):
        px = x + (dx * step) // steps
        py = y + (dy * step) // steps
        # Compared with the middle: whoever walks along an edge may slip down.
        height = int(world[row, cell_at(px, py)])
        for corner in range(4):
            cx = px - MARGIN if corner & 1 else px + MARGIN
            cy = py - MARGIN if corner & 2 else py + MARGIN
            if int(world[row, cell_at(cx, cy)]) > height + STEP:
                return False
        if height > before + STEP:
            return False
        before = height
        if not wet and int(world[row, KINDS + cell_at(px, py)]) == WATER:
            return False
    return True


@rule
def _keeps_out(state, world, scratch, x, y, to_x, to_y):
    """Whether a straight line leads into no place to keep out of; from within one, any does."""
    if not asked.shuns(scratch) or asked.shunned(state, world, scratch, x, y):
        return True
    steps = length(to_x - x, to_y - y) // STRIDE + 1
    for step in range(1, steps + 1):
        px = x + ((to_x - x) * step) // steps
        if asked.shunned(state, world, scratch, px, y + ((to_y - y) * step) // steps):
            return False
    return True


@inner
def _nearest_standable(world, row, cell):
    """The cell nearest to a cell in which one can stand, itself if possible."""
    if standable(world, row, cell):
        return cell
    x = cell % SIDE
    y = cell // SIDE
    best = 1000
    nearest = cell
    for j in range(-ROUND, ROUND + 1):
        for i in range(-ROUND, ROUND + 1):
            if 2 <= x + i < SIDE - 2 and 2 <= y + j < SIDE - 2 and i * i + j * j < best:
                other = cell + j * SIDE + i
                if standable(world, row, other):
                    best = i * i + j * j
                    nearest = other
    return nearest


@rule
def _guess(cell, goal):
    """At least what the way from a cell to the goal costs."""
    dx = cell % SIDE - goal % SIDE
    dy = cell // SIDE - goal // SIDE
    dx = dx if dx >= 0 else -dx
    dy = dy if dy >= 0 else -dy
    return 10 * dx + 4 * dy if dx > dy else 10 * dy + 4 * dx


@inner
def _push(scratch, size, key):
    """Add a key to the heap of `size` keys."""
    at = size
    while at > 0:
        parent = (at - 1) >> 1
        if int(scratch[HEAP + parent]) <= key:
            break
        scratch[HEAP + at] = scratch[HEAP + parent]
        at = parent
    scratch[HEAP + at] = key


@inner
def _pop(scratch, size):
    """Take the smallest of `size` keys off the heap and return it."""
    first = int(scratch[HEAP])
    last = int(scratch[HEAP + size - 1])
    size -= 1
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and int(scratch[HEAP + child + 1]) < int(scratch[HEAP + child]):
            child += 1
        if int(scratch[HEAP + child]) >= last:
            break
        scratch[HEAP + at] = scratch[HEAP + child]
        at = child
    scratch[HEAP + at] = last
    return first


@inner
def _step_cost(state, world, row, cell, turn):
    """What the step from a cell to its neighbour in a direction costs, -1 where it can't be done."""
    other = cell + int(AROUND[turn])
    height = int(world[row, cell])
    rise = int(world[row, other]) - height
    if rise > LEAP:
        return -1
    if turn >= 4:
        # No cutting of corners.
        if rise > STEP:
            return -1
        for side in (cell + int(SIDEWAYS[turn]), cell + SIDE * int(DOWNWARDS[turn])):
            if int(world[row, side]) - height > STEP or int(world[row, KINDS + side]) >= DOOR_CELL:
                return -1
    cost = 10 if turn < 4 else 14
    if rise > STEP:
        cost += LEAP_COST
    kind = int(world[row, KINDS + other])
    if kind == WATER:
        cost += WATER_COST
    elif kind >= DOOR_CELL:
        if turn >= 4:
            return -1
        if int(state[s.DOOR + kind - DOOR_CELL]) == 0:
            cost += DOOR_COST
    return cost


@inner
def _search(state, world, scratch, begin, goal):
    """A cheapest path between cells (A*), written backwards to PATH; returns its length, 0 for none.

    Where the goal isn't found among MOST cells, the path goes to the cell that came nearest.
    """
    row = int(state[s.MAP])
    x = (begin % SIDE) * 256 + 128
    shuns = asked.shuns(scratch) and not asked.shunned(state, world, scratch, x, (begin // SIDE) * 256 + 128)
    number = (int(scratch[SEARCH]) + 1) & 0x3FFFFFFF
    scratch[SEARCH] = number
    scratch[MARKS + begin] = number
    scratch[COSTS + begin] = 0
    scratch[ORIGINS + begin] = begin
    nearest = _guess(begin, goal)
    end = begin
    size = 1
    scratch[HEAP] = nearest * CELLS + begin
    expanded = 0
    while size > 0 and expanded < MOST:
        key = _pop(scratch, size)
        size -= 1
        cell = key % CELLS
        cost = int(scratch[COSTS + cell])
        left = _guess(cell, goal)
        if cost + left != key // CELLS:
            continue  # reached more cheaply since
        expanded += 1
        if left < nearest:
            nearest = left
            end = cell
        if cell == goal:
            break
        for turn in range(8):
            other = cell + int(AROUND[turn])
            # Reached as cheaply as a level step would: most of the neighbours, whose steps need no look.
            least = cost + (10 if turn < 4 else 14)
            if int(scratch[MARKS + other]) == number and int(scratch[COSTS + other]) <= least:
                continue
            step = _step_cost(state, world, row, cell, turn)
            if step < 0:
                continue
            x = (other % SIDE) * 256 + 128
            if shuns and asked.shunned(state, world, scratch, x, (other // SIDE) * 256 + 128):
                continue
            if int(scratch[MARKS + other]) == number and int(scratch[COSTS + other]) <= cost + step:
                continue
            if size >= HEAP_SIZE:
                continue
            scratch[MARKS + other] = number
            scratch[COSTS + other] = cost + step
            scratch[ORIGINS + other] = cell
            _push(scratch, size, (cost + step + _guess(other, goal)) * CELLS + other)
            size += 1
    count = 0
    while end != begin and count < LONGEST:
        scratch[PATH + count] = end
        count += 1
        end = int(scratch[ORIGINS + end])
    return count if end == begin else 0


@inner
def _can(state, world, scratch, x, y, index):
    """Whether the middle of a path's cell can be walked to straight."""
    cell = int(scratch[PATH + index])
    to_x = (cell % SIDE) * 256 + 128
    to_y = (cell // SIDE) * 256 + 128
    keeps_out = _keeps_out(state, world, scratch, x, y, to_x, to_y)
    return keeps_out and straight(state, world, x, y, to_x, to_y)


@inner
def next_cell(state, world, scratch, seat, to_x, to_y):
    """The cell to walk to now on the way to a point; -1 where one can walk straight to it, -2 for no way."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    keeps_out = _keeps_out(state, world, scratch, x, y, to_x, to_y)
    if keeps_out and straight(state, world, x, y, to_x, to_y):
        return -1
    row = int(state[s.MAP])
    begin = cell_at(x, y)
    goal = _nearest_standable(world, row, cell_at(to_x, to_y))
    if goal == begin:
        return -2
    count = _search(state, world, scratch, begin, goal)
    if count == 0:
        return -2
    # The farthest cell of the path that can be walked to straight: leaps, then halves.
    good = count - 1
    leap = 1
    bad = -1
    while good > 0:
        tried = good - leap if good > leap else 0
        if not _can(state, world, scratch, x, y, tried):
            bad = tried
            break
        good = tried
        leap *= 2
    while bad >= 0 and good - bad > 1:
        tried = (good + bad) >> 1
        if _can(state, world, scratch, x, y, tried):
            good = tried
        else:
            bad = tried
    return int(scratch[PATH + good])


@inner
def must_leap(state, world, seat, cell):
    """Whether a cell next to a seat can only be entered with a jump."""
    at = s.player(seat)
    rise = int(world[int(state[s.MAP]), cell]) * STEP_HEIGHT - int(state[at + s.Z])
    dx = (cell % SIDE) * 256 + 128 - int(state[at + s.X])
    dy = (cell // SIDE) * 256 + 128 - int(state[at + s.Y])
    near = -300 < dx < 300 and -300 < dy < 300
    return near and rise > STEP * STEP_HEIGHT + 19 and rise <= LEAP * STEP_HEIGHT


@inner
def door_to_open(state, world, seat, dx, dy):
    """Whether a seat that walks in a direction should open the door before it: it is closed, in the way, and
    no mate stands nearer (two who use a door in one tick leave it as it was).
    """
    door = hands.nearest_door(state, world, seat, hands.DOOR_ARM)
    if door < 0 or int(state[s.DOOR + door]) != 0:
        return False
    at = s.player(seat)
    if int(state[at + s.HAND_WAIT]) > 0:
        return False
    row = int(state[s.MAP])
    x = int(world[row, DOOR_SPOTS + 2 * door]) * 256 + 128
    y = int(world[row, DOOR_SPOTS + 2 * door + 1]) * 256 + 128
    to_x = x - int(state[at + s.X])
    to_y = y - int(state[at + s.Y])
    far = length(to_x, to_y)
    if (dx * to_x + dy * to_y) * 10 < 7 * far * length(dx, dy):
        return False
    size = int(state[s.TEAM_SIZE])
    team = int(state[at + s.TEAM])
    for mate in range(team * size, team * size + size):
        mp = s.player(mate)
        if mate == seat or int(state[mp + s.LIFE]) != s.UP:
            continue
        other = length(x - int(state[mp + s.X]), y - int(state[mp + s.Y]))
        if other < far or (other == far and mate < seat):
            return False
    return True


# --- Cover -----------------------------------------------------------------------------------------------


@inner
def _open_to(state, world, x, y, z, from_x, from_y, from_z):
    """Whether a bullet from a point would reach another."""
    dx = x - from_x
    dy = y - from_y
    wide = dx if dx >= 0 else -dx
    tall = dy if dy >= 0 else -dy
    far = wide if wide > tall else tall
    return sight.ray(state, world, from_x, from_y, from_z, x, y, z, far, 1) >= far


@inner
def sees_from(state, world, x, y, stance, enemy):
    """Whether one would see an enemy's eyes from a point, in a stance."""
    ep = s.player(enemy)
    z = int(world[int(state[s.MAP]), cell_at(x, y)]) * STEP_HEIGHT + int(EYES[stance])
    dx = int(state[ep + s.X]) - x
    dy = int(state[ep + s.Y]) - y
    wide = dx if dx >= 0 else -dx
    tall = dy if dy >= 0 else -dy
    far = wide if wide > tall else tall
    return sight.ray(state, world, x, y, z, x + dx, y + dy, sight.eyes(state, enemy), far, 0) >= far


@inner
def cover_cell(state, world, seat, x, y, z, reach, hidden):
    """The cell nearest to a seat, at most `reach` cells away, that protects from an enemy whose eyes are at a
    point; -1 for none. `hidden` 0: behind a low wall over which a crouched player shoots, 1: out of sight.
    """
    at = s.player(seat)
    row = int(state[s.MAP])
    own_x = int(state[at + s.X]) >> 8
    own_y = int(state[at + s.Y]) >> 8
    best = reach * reach + 1
    cover = -1
    for j in range(-reach, reach + 1):
        for i in range(-reach, reach + 1):
            cx = own_x + i
            cy = own_y + j
            if i * i + j * j >= best or cx < 3 or cy < 3 or cx >= SIDE - 3 or cy >= SIDE - 3:
                continue
            cell = cy * SIDE + cx
            kind = int(world[row, KINDS + cell])
            if not standable(world, row, cell) or kind == WATER or kind >= DOOR_CELL:
                continue
            px = cx * 256 + 128
            py = cy * 256 + 128
            far = length(x - px, y - py)
            if far < 1024:
                continue
            ahead = cell_at(px + ((x - px) * 230) // far, py + ((y - py) * 230) // far)
            height = int(world[row, cell])
            rise = int(world[row, ahead]) - height
            if ahead == cell or rise < 5 or (hidden == 0 and rise > 8):
                continue
            ground = height * STEP_HEIGHT
            if hidden != 0:
                if _open_to(state, world, px, py, ground + 280, x, y, z):
                    continue
            elif not _open_to(state, world, px, py, ground + 272, x, y, z):
                continue
            best = i * i + j * j
            cover = cell
    return cover
