"""How a scripted player carries out a goal (goals.py): the plan for each kind of goal.

A goal goes before own plans; what it leaves open (whom to shoot, how to stand) the player decides itself. It
shoots back unless the goal forbids it. Not for what it does of its own accord (tactics.py).
"""

from __future__ import annotations

from engine.games.arena import asked, fighting, goals, plan, senses, tactics
from engine.games.arena import state as s
from engine.games.arena.angles import cosine, length, sine
from engine.games.arena.navigation import cover_cell
from engine.games.arena.plan import HANDS, LOOK, PACE, REST, RUN, SLOT, STANCE, WALK
from engine.games.arena.senses import METRE
from engine.games.arena.zone import inside
from engine.simulation.jit import inner, rule

FOREVER = 1200  # ticks for which a team knows where it saw somebody
LONG_AGO = 600  # ticks after which a danger is over
STAY_BY = 4 * METRE  # units within which a follower stays
ESCORT = 7 * METRE
COVER_REACH = 8  # cells in which cover is looked for
RETREAT = 25 * METRE


@rule
def kind_of(state, seat, goal):
    """The kind of goal that a seat has now; NONE when it has run out."""
    kind = int(goal[goals.KIND])
    until = int(goal[goals.UNTIL])
    if until > 0 and int(state[s.TICK]) >= until:
        return goals.NONE
    if kind < 0 or kind > goals.FREE:
        return goals.NONE
    who = int(goal[goals.WHO])
    if kind in (goals.FOLLOW, goals.COVER):
        if who < 0 or who == seat or int(state[s.player(who) + s.LIFE]) == s.OUT:
            return goals.NONE
    return kind


@inner
def _idle_hands(state, seat, scratch):
    """Reload, look to where shots come from, or look about: what goes with any goal."""
    at = s.player(seat)
    if int(scratch[HANDS]) < 0 and senses.wants_reload(state, at, 2):
        scratch[HANDS] = s.RELOADING
    if not tactics.alarm(state, seat, scratch) and int(scratch[PACE]) == REST:
        tactics.look_about(state, seat, scratch)


@inner
def _with_shots(state, world, seat, strength, enemy, still, scratch):
    """Add what to do about an enemy in view: stop and shoot, or shoot on the way."""
    if enemy < 0:
        _idle_hands(state, seat, scratch)
    elif still != 0:
        fighting.fight_in_place(state, world, seat, strength, enemy, scratch)
    else:
        fighting.fight_on_the_move(state, seat, strength, enemy, scratch)


@inner
def _go_to(state, world, seat, strength, enemy, x, y, near, pace, scratch):
    """Go to a point and stay there."""
    far = plan.away(state, seat, x, y)
    if far > near:
        plan.go(scratch, x, y, RUN if far > 6 * METRE else pace)
    _with_shots(state, world, seat, strength, enemy, 1 if far <= near else 0, scratch)


@inner
def _stay_by(state, world, seat, strength, enemy, who, near, scratch):
    """Stay near a mate; who is far behind doesn't stop to shoot."""
    behind = senses.distance(state, seat, who) > near + 8 * METRE
    going = tactics.follow(state, seat, who, near, scratch)
    stop = enemy >= 0 and not behind
    _with_shots(state, world, seat, strength, enemy, 1 if stop or not going else 0, scratch)


@rule
def _attack(state, world, seat, strength, enemy, who, scratch):
    """Go for an enemy, whom a team may have seen long ago, or look for one."""
    if enemy >= 0 and (who < 0 or enemy == who):
        fighting.fight(state, world, seat, strength, enemy, scratch)
        return
    if who < 0:
        who = senses.suspect(state, seat, FOREVER, 1 << 20, scratch)
        if who >= 0 and asked.spared(state, scratch, who):
            who = -1
    if who >= 0 and senses.ticks_since_seen(state, seat, who) <= FOREVER:
        x = senses.last_known(state, seat, who, 0)
        y = senses.last_known(state, seat, who, 1)
        far = plan.away(state, seat, x, y)
        if far > 2 * METRE:
            plan.go(scratch, x, y, RUN if far > 20 * METRE else WALK)
            scratch[LOOK] = plan.yaw_to(state, seat, x, y) if far < 25 * METRE else -1
    else:
        tactics.patrol(state, world, seat, scratch)
    if enemy >= 0:
        fighting.fight_on_the_move(state, seat, strength, enemy, scratch)
    elif int(scratch[PACE]) == REST:
        _idle_hands(state, seat, scratch)


@inner
def _threat(state, seat, axis, scratch):
    """Where the nearest danger that a seat knows of is: x (axis 0) or y (1). Without any, where the last hit
    came from, or the middle of the zone.
    """
    at = s.player(seat)
    enemy = senses.suspect(state, seat, LONG_AGO, 60 * METRE, scratch)
    if enemy >= 0:
        return senses.last_known(state, seat, enemy, axis)
    if not senses.hit_lately(state, seat, LONG_AGO):
        # A little off, so that somebody in the middle has a danger, too.
        return int(state[s.BLUE_X + axis]) + (1 - axis) * 5 * METRE
    yaw = int(state[at + s.HIT_YAW])
    ahead = 25 * METRE
    if axis == 0:
        return int(state[at + s.X]) + ((sine(yaw) * ahead) >> 14)
    return int(state[at + s.Y]) - ((cosine(yaw) * ahead) >> 14)


@inner
def _take_cover(state, world, seat, strength, enemy, scratch):
    """Run out of sight of the nearest danger, else behind a low wall, else lie down."""
    at = s.player(seat)
    x = _threat(state, seat, 0, scratch)
    y = _threat(state, seat, 1, scratch)
    z = int(state[at + s.Z]) + 425
    cell = cover_cell(state, world, seat, x, y, z, COVER_REACH, 1)
    if cell < 0:
        cell = cover_cell(state, world, seat, x, y, z, COVER_REACH, 0)
    if cell >= 0 and not plan.go_to_cell(state, seat, scratch, cell, RUN):
        if enemy >= 0:
            fighting.fight_on_the_move(state, seat, strength, enemy, scratch)
        return
    scratch[STANCE] = s.CROUCH if cell >= 0 else s.PRONE
    low = int(scratch[STANCE])
    _with_shots(state, world, seat, strength, enemy, 1, scratch)
    scratch[STANCE] = low


@rule
def _loot(state, world, seat, strength, enemy, scratch):
    """Take what is worth most, else look elsewhere."""
    supply = senses.supply(state, seat, senses.LOOT_RANGE, 0)
    if supply >= 0 and tactics.leaves(state, world, supply, scratch):
        supply = -1
    if enemy >= 0 and senses.distance(state, seat, enemy) < 30 * METRE:
        fighting.fight_in_place(state, world, seat, strength, enemy, scratch)
        return
    if supply >= 0:
        tactics.take(state, seat, supply, scratch)
        return
    # In peace nobody walks into others for it.
    spot = tactics.spot_to_visit(state, world, seat, 31, s.BLUE_X, 1 if tactics.peaceful(state) else 0)
    if spot >= 0:
        row = int(state[s.MAP])
        x = int(world[row, spot]) * METRE + 128
        plan.go(scratch, x, int(world[row, spot + 1]) * METRE + 128, RUN)
    _idle_hands(state, seat, scratch)


@inner
def _heal(state, world, seat, strength, enemy, scratch):
    at = s.player(seat)
    if int(state[at + s.MEDKITS]) == 0:
        # Somebody must find a kit first.
        _loot(state, world, seat, strength, enemy, scratch)
        return
    if int(state[at + s.HP]) >= 100:
        _with_shots(state, world, seat, strength, enemy, 1, scratch)
        return
    if enemy >= 0 and strength > senses.WEAK and fighting.hide(state, world, seat, enemy, 5, scratch):
        if int(scratch[PACE]) != REST:
            return
    tactics.heal(scratch)


@inner
def _rescue(state, world, seat, strength, enemy, who, scratch):
    at = s.player(seat)
    team = int(state[at + s.TEAM])
    size = int(state[s.TEAM_SIZE])
    best = 1 << 30
    nearest = -1
    for mate in range(team * size, team * size + size):
        if mate == seat or int(state[s.player(mate) + s.LIFE]) != s.DOWNED or (who >= 0 and mate != who):
            continue
        helper = int(state[s.player(mate) + s.HELPED_BY])
        far = senses.distance(state, seat, mate)
        if far < best and (helper == 0 or helper == seat + 1):
            best = far
            nearest = mate
    if nearest < 0:
        _with_shots(state, world, seat, strength, enemy, 1, scratch)
        return
    tactics.help_up(state, seat, nearest, scratch)
    if enemy >= 0 and int(scratch[PACE]) != REST:
        fighting.fight_on_the_move(state, seat, strength, enemy, scratch)
        scratch[SLOT] = state[at + s.SLOT]


@inner
def _regroup(state, world, seat, strength, enemy, scratch):
    """To the middle of the squad."""
    x = goals.squad_middle(state, seat, s.X)
    if x < 0:
        _with_shots(state, world, seat, strength, enemy, 1, scratch)
    else:
        y = goals.squad_middle(state, seat, s.Y)
        _go_to(state, world, seat, strength, enemy, x, y, 4 * METRE, RUN, scratch)


@inner
def _retreat(state, world, seat, strength, enemy, scratch):
    """Away from the nearest danger, and not out of the zone; back to the squad if there is none."""
    at = s.player(seat)
    known = senses.suspect(state, seat, LONG_AGO, 2 * RETREAT, scratch)
    if known < 0 and not senses.hit_lately(state, seat, LONG_AGO):
        _regroup(state, world, seat, strength, enemy, scratch)
        return
    x = _threat(state, seat, 0, scratch)
    y = _threat(state, seat, 1, scratch)
    own_x = int(state[at + s.X])
    own_y = int(state[at + s.Y])
    far = length(own_x - x, own_y - y)
    to_x = own_x + ((own_x - x) * RETREAT) // (far + 1)
    to_y = own_y + ((own_y - y) * RETREAT) // (far + 1)
    if not inside(state, s.BLUE_X, to_x, to_y):
        to_x = (to_x + int(state[s.BLUE_X])) >> 1
        to_y = (to_y + int(state[s.BLUE_Y])) >> 1
    plan.go(scratch, to_x, to_y, RUN)


@rule
def carry_out(state, world, seat, strength, kind, goal, enemy, scratch):
    """Write the plan for a goal that says where to be or what to do; `enemy` is in view and may be shot at
    (-1 for nobody).
    """
    at = s.player(seat)
    who = int(goal[goals.WHO])
    x = int(goal[goals.X])
    y = int(goal[goals.Y])
    within = int(goal[goals.WITHIN])
    if kind == goals.FOLLOW:
        _stay_by(state, world, seat, strength, enemy, who, within if within > 0 else STAY_BY, scratch)
    elif kind == goals.COVER:
        _stay_by(state, world, seat, strength, enemy, who, ESCORT, scratch)
    elif kind == goals.HOLD:
        _go_to(state, world, seat, strength, enemy, x, y, METRE, WALK, scratch)
    elif kind == goals.GO:
        _go_to(state, world, seat, strength, enemy, x, y, METRE, RUN, scratch)
    elif kind == goals.ATTACK:
        _attack(state, world, seat, strength, enemy, who, scratch)
    elif kind == goals.TAKE_COVER:
        _take_cover(state, world, seat, strength, enemy, scratch)
    elif kind == goals.LOOT:
        _loot(state, world, seat, strength, enemy, scratch)
    elif kind == goals.HEAL:
        _heal(state, world, seat, strength, enemy, scratch)
    elif kind == goals.RESCUE:
        _rescue(state, world, seat, strength, enemy, who, scratch)
    elif kind == goals.PRONE:
        _with_shots(state, world, seat, strength, enemy, 1, scratch)
        scratch[STANCE] = s.PRONE
    elif kind == goals.ROTATE:
        if inside(state, s.WHITE_X, int(state[at + s.X]), int(state[at + s.Y])):
            _with_shots(state, world, seat, strength, enemy, 1, scratch)
        else:
            tactics.into_white(state, seat, scratch, RUN)
            _with_shots(state, world, seat, strength, enemy, 0, scratch)
    elif kind == goals.REGROUP:
        _regroup(state, world, seat, strength, enemy, scratch)
    elif kind == goals.RETREAT:
        _retreat(state, world, seat, strength, enemy, scratch)
    if int(scratch[PACE]) == REST and int(scratch[HANDS]) < 0 and enemy < 0:
        # Somebody who has nothing to do binds their wounds.
        hurt = int(state[at + s.HP]) <= int(tactics.HEAL_AT[strength])
        hurt = hurt and not asked.barred(scratch, goals.NO_HEAL)
        if hurt and int(state[at + s.MEDKITS]) > 0 and not senses.hit_lately(state, seat, 40):
            scratch[HANDS] = s.TREATING


@inner
def prey(kind, goal):
    """The enemy whom a goal names, -1 for none."""
    return int(goal[goals.WHO]) if kind == goals.ATTACK else -1


@inner
def ward(kind, goal):
    """The mate whom a goal tells to protect, -1 for none."""
    return int(goal[goals.WHO]) if kind == goals.COVER else -1
