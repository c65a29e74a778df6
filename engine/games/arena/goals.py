"""A goal: what an instruction asks a seat to do, as numbers that policies and scripted players read.

A goal names a kind (FOLLOW, GO, …) and what it is about: a seat, a point. From WITHIN on it says what else is
to be heeded, whatever the seat does; networks don't read that. From VECTOR on it is a goal vector: the values
of sub-goals (subgoals.py) that are to hold in the end, and what there was when it was given. `give` writes a
goal, `progress` says how it goes. Scripted players (bots.py) read kinds, networks goal vectors, into which
wanted.py turns kinds. Not for words (engine.language), nor for how somebody goes about a goal.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import GOALS, subgoals
from engine.games.arena import state as s
from engine.games.arena.angles import length
from engine.games.arena.subgoal_table import COUNT
from engine.simulation.jit import inner, rule

GOAL_DTYPE = np.int16
KIND, WHO, X, Y, UNTIL, FLAGS, SINCE, BEFORE, WITHIN, LOOK, SPARED, BARS, SHUN = range(13)
SHUN_SIZE = 4
VECTOR = SHUN + 2 * SHUN_SIZE  # by sub-goal 1 + the value that is wanted, 0 where none is
START = VECTOR + COUNT  # what `subgoals.opened` took from the state in which it was given
LEFT = START + subgoals.OPENED  # 1 + how much of it wasn't met at the last decision, in WHOLE; 0: none yet
GOAL_SIZE = LEFT + 1
WHOLE = 10_000
# SINCE: the tick in which it was given. BEFORE: what the seat had done by then (loots, heals, …).
# WITHIN: units within which to follow, 0 for as usual.
# LOOK: 1 + a quarter of the yaw in which to look while nothing else needs the eyes. SPARED: 1 + the enemy who
# isn't to be shot at. SHUN: two places to keep out of: x, y, radius, 1 + the kind of ground (0: all of it).
# 0 where nothing is asked.
(
    NONE,
    FOLLOW,  # WHO
    HOLD,  # stay at X, Y
    GO,  # to X, Y
    ATTACK,  # WHO, -1 for the nearest
    COVER,  # stay near WHO and shoot at whoever threatens them
    TAKE_COVER,
    LOOT,
    HEAL,
    RESCUE,  # WHO, -1 for the nearest
    PRONE,
    HOLD_FIRE,
    ROTATE,  # into the white circle
    REGROUP,
    RETREAT,
    CROUCH,
    FREE,  # what the seat sees fit, but for what else the goal says
) = range(17)
KINDS = 16  # that networks know; FREE is none for them
NAMES = ("none", *GOALS)
# FLAGS: ways in which any kind may be done.
QUIETLY, LYING, CROUCHED, HURRYING, SLOWLY = 1, 2, 4, 8, 16  # without shooting; prone; crouched; running; not
# BARS: what isn't to be done: loot, heal, help up, shoot at who is down (SPARED, if that is somebody), stand
# near mates.
NO_LOOT, NO_HEAL, NO_RESCUE, NO_FINISHING, APART = 1, 2, 4, 8, 16
WAITING, OBEYING, DONE = range(3)

NEAR = 8 * s.UNIT  # units within which somebody is followed, covered or with the squad
HERE = 2 * s.UNIT  # units within which a point is reached
ESCORT = 12 * s.UNIT  # units within which somebody is covered
LATELY = 40  # ticks within which a shot counts as attacking
SAFE = 25 * s.UNIT  # units from known enemies at which a retreat is over
KNOWN = 200  # ticks for which a sighting of an enemy counts


@rule
def give(state, seat, kind, who, x, y, until, flags, goal):
    """Write a goal (GOAL_SIZE numbers) for a seat, given now."""
    at = s.player(seat)
    goal[KIND] = kind
    goal[WHO] = who
    goal[X] = x
    goal[Y] = y
    goal[UNTIL] = until
    goal[FLAGS] = flags
    goal[SINCE] = state[s.TICK]
    for field in range(BEFORE, GOAL_SIZE):
        goal[field] = 0
    if kind == LOOT:
        goal[BEFORE] = state[at + s.LOOTS]
    elif kind == HEAL:
        goal[BEFORE] = state[at + s.HEALS]
    elif kind == RESCUE:
        goal[BEFORE] = state[at + s.RESCUES]
    elif kind == ATTACK:
        goal[BEFORE] = int(state[at + s.KILLS]) + int(state[at + s.KNOCKS])
    subgoals.opened(state, seat, goal[START:LEFT])


@rule
def _far(state, at, x, y):
    """Units from a player to a point."""
    return length(x - int(state[at + s.X]), y - int(state[at + s.Y]))


@inner
def _towards(state, at, x, y):
    """Whether a player moves to a point or round something, not away from it."""
    vx = int(state[at + s.VX])
    vy = int(state[at + s.VY])
    dx = x - int(state[at + s.X])
    dy = y - int(state[at + s.Y])
    speed = length(vx, vy)
    return speed > 0 and 2 * (vx * dx + vy * dy) >= -speed * length(dx, dy)


@rule
def _reach(state, at, x, y, near, last):
    """How going to a point goes: `last` once it is within `near` units."""
    if _far(state, at, x, y) <= near:
        return last
    return OBEYING if _towards(state, at, x, y) else WAITING


@rule
def known_enemy(state, seat, oldest):
    """The enemy on their feet nearest to a seat whom its team saw at most `oldest` ticks ago, -1 for none."""
    at = s.player(seat)
    team = int(state[at + s.TEAM])
    enemy = -1
    best = 1 << 30
    for other in range(int(state[s.SEATS])):
        op = s.player(other)
        if int(state[op + s.TEAM]) == team or int(state[op + s.LIFE]) != s.UP:
            continue
        entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
        if int(state[s.TICK]) - int(state[entry]) > oldest:
            continue
        far = _far(state, at, int(state[entry + 1]), int(state[entry + 2]))
        if far < best:
            best = far
            enemy = other
    return enemy


@inner
def squad_middle(state, seat, field):
    """The mean of a field (X or Y of state.py) over a seat's mates in the match; -1 without any."""
    team = int(state[s.player(seat) + s.TEAM])
    size = int(state[s.TEAM_SIZE])
    count = 0
    total = 0
    for mate in range(team * size, team * size + size):
        mp = s.player(mate)
        if mate != seat and int(state[mp + s.LIFE]) != s.OUT:
            total += int(state[mp + field])
            count += 1
    return total // count if count > 0 else -1


@inner
def _squad_progress(state, seat):
    """How coming together goes: near the middle of the mates."""
    at = s.player(seat)
    x = squad_middle(state, seat, s.X)
    y = squad_middle(state, seat, s.Y)
    return DONE if x < 0 else _reach(state, at, x, y, NEAR, DONE)


@inner
def _attack_progress(state, seat, goal):
    at = s.player(seat)
    who = int(goal[WHO])
    if who >= 0 and int(state[s.player(who) + s.LIFE]) != s.UP:
        return DONE
    if who < 0 and int(state[at + s.KILLS]) + int(state[at + s.KNOCKS]) > int(goal[BEFORE]):
        return DONE
    shot = int(state[at + s.SHOT_TICK])
    if shot >= int(goal[SINCE]) and int(state[s.TICK]) - shot < LATELY:
        return OBEYING
    if who < 0:
        who = known_enemy(state, seat, 1200)
    if who < 0:
        return WAITING
    entry = s.MEMORY + 3 * (s.MAX_SEATS * int(state[at + s.TEAM]) + who)
    if int(state[s.TICK]) - int(state[entry]) > 1200:
        return WAITING
    return OBEYING if _towards(state, at, int(state[entry + 1]), int(state[entry + 2])) else WAITING


@inner
def _rescue_progress(state, seat, goal):
    at = s.player(seat)
    team = int(state[at + s.TEAM])
    size = int(state[s.TEAM_SIZE])
    who = int(goal[WHO])
    if int(state[at + s.RESCUES]) > int(goal[BEFORE]):
        return DONE
    if who >= 0 and int(state[s.player(who) + s.LIFE]) != s.DOWNED:
        return DONE
    if int(state[at + s.RESCUED]) != 0:
        return OBEYING
    downed = 0
    for mate in range(team * size, team * size + size):
        mp = s.player(mate)
        if mate == seat or int(state[mp + s.LIFE]) != s.DOWNED or (who >= 0 and mate != who):
            continue
        downed += 1
        if _towards(state, at, int(state[mp + s.X]), int(state[mp + s.Y])):
            return OBEYING
    return WAITING if downed > 0 else DONE


@inner
def _retreat_progress(state, seat):
    at = s.player(seat)
    enemy = known_enemy(state, seat, KNOWN)
    if enemy < 0:
        return DONE
    entry = s.MEMORY + 3 * (s.MAX_SEATS * int(state[at + s.TEAM]) + enemy)
    x = int(state[entry + 1])
    y = int(state[entry + 2])
    unseen = int(state[at + s.SIGHT]) == 0 and int(state[at + s.SIGHT_2]) == 0
    if unseen and _far(state, at, x, y) > SAFE:
        return DONE
    moving = int(state[at + s.VX]) != 0 or int(state[at + s.VY]) != 0
    away = _towards(state, at, 2 * int(state[at + s.X]) - x, 2 * int(state[at + s.Y]) - y)
    return OBEYING if moving and away else WAITING


@rule
def progress(state, world, seat, goal):
    """How far a seat has got with a goal: WAITING (not at it, or it can't), OBEYING, or DONE.

    FOLLOW, HOLD, COVER, TAKE_COVER, PRONE, HOLD_FIRE, CROUCH and FREE last until their tick UNTIL comes, or
    whom they are about is out; the others are done by themselves.
    """
    kind = int(goal[KIND])
    at = s.player(seat)
    tick = int(state[s.TICK])
    who = int(goal[WHO])
    if kind == NONE:
        return WAITING
    if int(state[at + s.LIFE]) == s.OUT or (int(goal[UNTIL]) > 0 and tick >= int(goal[UNTIL])):
        return DONE
    if int(state[at + s.LIFE]) != s.UP:
        return WAITING
    if kind in (FOLLOW, COVER):
        if who < 0 or int(state[s.player(who) + s.LIFE]) == s.OUT:
            return DONE
        near = ESCORT if kind == COVER else NEAR if int(goal[WITHIN]) == 0 else int(goal[WITHIN]) + 3 * s.UNIT
        wp = s.player(who)
        return _reach(state, at, int(state[wp + s.X]), int(state[wp + s.Y]), near, OBEYING)
    if kind == HOLD:
        return _reach(state, at, int(goal[X]), int(goal[Y]), HERE, OBEYING)
    if kind == GO:
        return _reach(state, at, int(goal[X]), int(goal[Y]), HERE, DONE)
    if kind == ATTACK:
        return _attack_progress(state, seat, goal)
    if kind == TAKE_COVER:
        moving = int(state[at + s.VX]) != 0 or int(state[at + s.VY]) != 0
        unseen = int(state[at + s.SIGHT]) == 0 and int(state[at + s.SIGHT_2]) == 0
        low = int(state[at + s.STANCE]) in (s.CROUCH, s.PRONE)
        return OBEYING if moving or unseen or low else WAITING
    if kind == LOOT:
        if int(state[at + s.LOOTS]) > int(goal[BEFORE]):
            return DONE
        moving = int(state[at + s.VX]) != 0 or int(state[at + s.VY]) != 0
        return OBEYING if moving else WAITING
    if kind == HEAL:
        if int(state[at + s.HEALS]) > int(goal[BEFORE]) or int(state[at + s.HP]) >= 100:
            return DONE
        return OBEYING if int(state[at + s.TREAT]) > 0 else WAITING
    if kind == RESCUE:
        return _rescue_progress(state, seat, goal)
    if kind == PRONE:
        return OBEYING if int(state[at + s.STANCE]) == s.PRONE else WAITING
    if kind == CROUCH:
        return OBEYING if int(state[at + s.STANCE]) == s.CROUCH else WAITING
    if kind == HOLD_FIRE:
        shot = int(state[at + s.SHOT_TICK])
        return OBEYING if shot <= int(goal[SINCE]) or tick - shot > LATELY else WAITING
    if kind == ROTATE:
        radius = int(state[s.WHITE_R])
        # The last circle has no room; three metres from its middle will do.
        radius = radius if radius > 3 * s.UNIT else 3 * s.UNIT
        return _reach(state, at, int(state[s.WHITE_X]), int(state[s.WHITE_Y]), radius, DONE)
    if kind == REGROUP:
        return _squad_progress(state, seat)
    if kind == FREE:
        return OBEYING
    return _retreat_progress(state, seat)
