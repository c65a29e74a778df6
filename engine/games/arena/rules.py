"""The rules of Arena: a small battle royale, as scalar functions over one state record (state.py).

Up to 20 players in teams of one to four, on a map made from a seed. One tick (1/20 s): everybody turns
and moves; hands act; all who shoot do so; monsters and the safe zone take their turn; wounds are dealt;
then it is worked out who sees whom. The last team with somebody on their feet wins.

All functions are plain Python that `engine.simulation.jit.rule` compiles, whole numbers only. `world` is
the maps' bytes (world.py). Here is the tick; its parts are in move, combat, hands, monsters, zone and
sight.

What Table 5 of the OpenContra paper rewards is counted here, row by row, in whole numbers; what each is
worth is in rewards.py.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import combat, hands, monsters, sight, zone
from engine.games.arena import state as s
from engine.games.arena.aim import AIM_ERROR, aim_target
from engine.games.arena.angles import bearing, bounded_pitch, cosine, length, sine, wrap
from engine.games.arena.move import SPEEDS, STAMINA_MAX, move, wants_to_move
from engine.games.arena.world import DEN, DENS, FLOOR, KINDS, OPEN, SPOT, SPOT_COUNT, STEP_HEIGHT
from engine.simulation.jit import inner, rule
from engine.simulation.rng import get32, put32

RULES_VERSION = 1
STEP_SOUND = 420  # units walked between two steps that can be heard
LOOT_AMOUNTS = np.array([0, 12, 30, 30, 6, 5, 30, 1, 60], np.int32)  # by kind of supply
# Of 100 supplies: which kind.
LOOT = np.array([1] * 8 + [2] * 12 + [3] * 12 + [4] * 9 + [5] * 5 + [6] * 26 + [7] * 16 + [8] * 12, np.int32)


# --- What a seat may do ----------------------------------------------------------------------------------


@rule
def legal(state, world, seat, out):
    """The masks of the six heads, one after the other (54 numbers), 1 where a choice does something.

    Turning and moving always do. A player who is out has one choice a head: the first movement, no turn,
    level, none, pick up, no switch.
    """
    at = s.player(seat)
    for choice in range(54):
        out[choice] = 1
    life = int(state[at + s.LIFE])
    if life == s.OUT or int(state[s.OVER]) != 0:
        for choice in range(54):
            out[choice] = 0
        out[0] = 1
        out[16] = 1
        out[33] = 1
        out[35 + s.B_NONE] = 1
        out[44 + s.PICK] = 1
        out[51 + s.KEEP] = 1
        return
    body = 35
    basic = 44
    if life == s.DOWNED:
        for choice in range(9):
            out[body + choice] = 1 if choice == s.B_STOP or choice == s.B_NONE else 0
        for choice in range(7):
            out[basic + choice] = 1 if choice == s.PICK else 0
        out[51] = 0
        out[52] = 0
        return
    stamina = int(state[at + s.STAMINA])
    still = int(state[at + s.STANCE_WAIT]) > 0 or int(state[at + s.AIRBORNE]) != 0
    if still:
        out[body + s.B_SLIDE] = 0
        out[body + s.B_CROUCH] = 0
        out[body + s.B_JUMP] = 0
        out[body + s.B_PRONE] = 0
    if int(state[at + s.STANCE]) != s.STAND or stamina < 60 or int(state[at + s.MOVING]) == 0:
        out[body + s.B_SLIDE] = 0
    if hands.nearest_door(state, world, seat, hands.DOOR_ARM) < 0:
        out[body + s.B_DOOR] = 0
    if hands.downed_mate(state, seat, hands.ARM) < 0:
        out[body + s.B_RESCUE] = 0
    slot = int(state[at + s.SLOT])
    weapon = int(state[at + s.WEAPON + slot])
    loaded = int(state[at + s.MAGAZINE + slot])
    ammo = int(state[at + s.AMMO])
    if weapon == s.NO_WEAPON or (loaded == 0 and ammo == 0):
        out[basic + s.FIRE] = 0
        out[basic + s.STOP_FIRE] = 0
        out[basic + s.ADJUST_FIRE] = 0
    if weapon == s.NO_WEAPON or ammo == 0 or loaded >= int(combat.MAGAZINES[weapon]):
        out[basic + s.RELOADING] = 0
    if int(state[at + s.MEDKITS]) == 0 or int(state[at + s.HP]) >= combat.FULL_HP:
        out[basic + s.TREATING] = 0
    if weapon == s.NO_WEAPON:
        out[basic + s.DROP] = 0
    for other in range(2):
        if other != slot and int(state[at + s.WEAPON + other]) == s.NO_WEAPON:
            out[51 + other] = 0


# --- A new match -----------------------------------------------------------------------------------------


@rule
def _walkable(state, world, cell):
    kind = int(world[int(state[s.MAP]), KINDS + cell])
    return kind in (OPEN, FLOOR)


@inner
def _free_cell(state, world, x, y):
    """The walkable cell nearest to a cell, looked for in growing squares."""
    for ring in range(s.SIDE):
        for j in range(-ring, ring + 1):
            for i in range(-ring, ring + 1):
                edge = i == ring or i == -ring or j == ring or j == -ring
                cx = x + i
                cy = y + j
                if edge and 2 <= cx < s.SIDE - 2 and 2 <= cy < s.SIDE - 2:
                    if _walkable(state, world, cy * s.SIDE + cx):
                        return cy * s.SIDE + cx
    return (s.SIDE // 2) * s.SIDE + s.SIDE // 2


@rule
def _place(state, world, seat, cell, yaw):
    at = s.player(seat)
    for field in range(s.PLAYER):
        state[at + field] = 0
    state[at + s.X] = (cell % s.SIDE) * 256 + 128
    state[at + s.Y] = (cell // s.SIDE) * 256 + 128
    state[at + s.Z] = int(world[int(state[s.MAP]), cell]) * STEP_HEIGHT
    state[at + s.YAW] = wrap(yaw)
    state[at + s.YAW_BEFORE] = state[at + s.YAW]
    state[at + s.LIFE] = s.UP
    state[at + s.HP] = combat.FULL_HP
    state[at + s.STAMINA] = STAMINA_MAX
    state[at + s.WEAPON] = s.PISTOL
    state[at + s.MAGAZINE] = combat.MAGAZINES[s.PISTOL]
    state[at + s.AMMO] = 36
    state[at + s.MEDKITS] = 1
    state[at + s.HIT_TICK] = -1000
    state[at + s.SHOT_TICK] = -1000
    state[at + s.TEAM] = seat // int(state[s.TEAM_SIZE])
    state[at + s.LAST + s.BODY] = s.B_STOP
    state[at + s.LAST + s.PITCH_HEAD] = 1


@rule
def new_game(state, world):
    """Begin the next match of the record's stream: a map, teams around the zone, supplies, monsters."""
    episode = get32(state, s.EPISODE) + 1
    put32(state, s.EPISODE, episode)
    for field in range(s.TICK, s.PLAYERS):
        state[field] = 0
    # What the last tick of the match before earned can still be read (rewards.py).
    for field in range(s.MEMORY, s.STATE_SIZE):
        state[field] = 0
    seats = int(state[s.SEATS])
    teams = int(state[s.TEAMS])
    size = int(state[s.TEAM_SIZE])
    state[s.MAP] = (s.draw(state, 5, 0) * int(state[s.MAPS])) >> 32
    state[s.WINNER] = -1
    state[s.LEFT] = teams

    radius = zone.first_radius(seats)
    room = 62 * 256 - radius
    turn = s.draw(state, 6, 0) & 0xFFFF
    away = ((s.draw(state, 7, 0) & 0xFFFF) * (room if room > 0 else 0)) >> 16
    state[s.BLUE_X] = 64 * 256 + ((sine(turn) * away) >> 14)
    state[s.BLUE_Y] = 64 * 256 - ((cosine(turn) * away) >> 14)
    state[s.BLUE_R] = radius
    zone.choose_white(state)
    zone.wait(state)

    first = s.draw(state, 8, 0) & 0xFFFF
    for team in range(teams):
        turn = first + (65536 * team) // teams
        x = int(state[s.BLUE_X]) + ((sine(turn) * ((radius * 3) >> 2)) >> 14)
        y = int(state[s.BLUE_Y]) - ((cosine(turn) * ((radius * 3) >> 2)) >> 14)
        for mate in range(size):
            cell = _free_cell(state, world, (x >> 8) + 2 * (mate & 1), (y >> 8) + 2 * (mate >> 1))
            _place(state, world, team * size + mate, cell, turn + 32768)

    spots = int(world[int(state[s.MAP]), SPOT_COUNT])
    start = (s.draw(state, 9, 0) * spots) >> 32
    supply = 0
    for number in range(spots):
        spot = SPOT + 3 * ((start + number) % spots)
        x = int(world[int(state[s.MAP]), spot]) * 256 + 128
        y = int(world[int(state[s.MAP]), spot + 1]) * 256 + 128
        if supply < s.SUPPLIES - 8 and zone.inside(state, s.BLUE_X, x, y):
            kind = int(LOOT[(s.draw(state, 10, number) * 100) >> 32])
            sp = s.SUPPLY + 4 * supply
            state[sp] = kind
            state[sp + 1] = LOOT_AMOUNTS[kind]
            state[sp + 2] = x
            state[sp + 3] = y
            supply += 1

    if int(state[s.PACE]) == zone.NO_ZONE:
        zone.open_up(state)
    for monster in range(int(state[s.MONSTER_COUNT])):
        mp = s.MONSTER + s.MONSTER_SIZE * monster
        den = DEN + 2 * ((((s.draw(state, 11, 0) * DENS) >> 32) + monster) % DENS)
        x = int(world[int(state[s.MAP]), den])
        y = int(world[int(state[s.MAP]), den + 1])
        state[mp + s.M_X] = x * 256 + 128
        state[mp + s.M_Y] = y * 256 + 128
        state[mp + s.M_Z] = int(world[int(state[s.MAP]), y * s.SIDE + x]) * STEP_HEIGHT
        state[mp + s.M_HOME_X] = state[mp + s.M_X]
        state[mp + s.M_HOME_Y] = state[mp + s.M_Y]
        state[mp + s.M_HP] = monsters.MONSTER_HP
        state[mp + s.M_TARGET] = -1
    for entry in range(s.MAX_SEATS * teams):
        state[s.MEMORY + 3 * entry] = -2000
    for tick in range(s.HISTORY):
        state[s.TICK] = tick
        sight.keep_positions(state)
    state[s.TICK] = 0
    sight.look_around(state, world)


# --- A tick ----------------------------------------------------------------------------------------------


@inner
def _make_noise(state, seat):
    """Add the events of steps that others may hear; crouched and lying players make none."""
    at = s.player(seat)
    walked = int(state[at + s.VX])
    walked = walked if walked >= 0 else -walked
    aside = int(state[at + s.VY])
    walked += aside if aside >= 0 else -aside
    if walked == 0 or int(state[at + s.AIRBORNE]) != 0:
        return
    total = int(state[at + s.WALKED]) + (walked >> 4)
    state[at + s.WALKED] = total if total < 32000 else 32000
    if int(state[at + s.STANCE]) != s.STAND and int(state[at + s.STANCE]) != s.SLIDING:
        return
    steps = int(state[at + s.STEPS]) + walked
    if steps >= STEP_SOUND:
        steps -= STEP_SOUND
        running = 1 if walked > 62 else 0
        x = int(state[at + s.X])
        y = int(state[at + s.Y])
        s.tell(state, s.STEP, seat, -1, x, y, int(state[at + s.Z]), running)
    state[at + s.STEPS] = steps


@inner
def _act(state, world, seat, action):
    """Turn, move, and everything that hands do but shooting, for one player on their feet or downed."""
    at = s.player(seat)
    state[at + s.YAW_BEFORE] = state[at + s.YAW]
    state[at + s.YAW] = wrap(int(action[s.ABS_YAW]))
    state[at + s.PITCH] = bounded_pitch(int(action[s.ABS_PITCH]))
    for head in range(6):
        state[at + s.LAST + head] = int(action[head])
    for field in (s.FIRE_WAIT, s.HAND_WAIT):
        if int(state[at + field]) > 0:
            state[at + field] -= 1
    recoil = int(state[at + s.RECOIL])
    state[at + s.RECOIL] = recoil - 45 if recoil > 45 else 0
    bloom = int(state[at + s.BLOOM])
    state[at + s.BLOOM] = bloom - 18 if bloom > 18 else 0
    state[at + s.ACTED] = 0

    blue_x = int(state[s.BLUE_X])
    blue_y = int(state[s.BLUE_Y])
    outside = not zone.inside(state, s.BLUE_X, int(state[at + s.X]), int(state[at + s.Y]))
    far = length(blue_x - int(state[at + s.X]), blue_y - int(state[at + s.Y]))
    wished = wants_to_move(state, at, action)
    points = move(state, world, seat, action)
    if points > 0:
        combat.wound(state, seat, points, s.FALL_HIT, 0)
    if wished != 0:
        moved = int(state[at + s.VX]) * int(state[at + s.VX]) + int(state[at + s.VY]) * int(state[at + s.VY])
        speed = int(SPEEDS[int(state[at + s.STANCE])]) // 3
        if moved < speed * speed:
            s.reward_row(state, seat, s.R_OBSTACLE, 1)
    if outside:
        now = length(blue_x - int(state[at + s.X]), blue_y - int(state[at + s.Y]))
        s.reward_row(state, seat, s.R_TO_BLUE, far - now)
    _make_noise(state, seat)
    if int(state[at + s.LIFE]) != s.UP:
        return

    body = int(action[s.BODY])
    helping = hands.rescue(state, seat, body == s.B_RESCUE)
    if body == s.B_DOOR:
        hands.use_door(state, world, seat)
    basic = hands.basic_of(state, at, action)
    hands.switch(state, seat, action)
    treating = hands.treat(state, seat, basic == s.TREATING and helping == 0)
    state[at + s.SLOW] = 1 if treating != 0 or helping != 0 else 0
    acted = treating
    if helping == 0 and basic == s.RELOADING:
        acted = hands.begin_reload(state, seat)
    elif helping == 0 and basic == s.PICK:
        acted = hands.pick_up(state, seat)
    elif helping == 0 and basic == s.DROP:
        acted = hands.drop(state, seat)
    hands.reload_on(state, seat)
    if acted != 0:
        state[at + s.ACTED] = basic + 1
    if wished == 0 and acted == 0 and helping == 0 and basic != s.FIRE and basic < s.STOP_FIRE:
        s.reward_row(state, seat, s.R_NO_OP, 1)
    if int(state[at + s.SEES]) == 0 and int(state[at + s.SEES_2]) == 0 and wished != 0:
        s.reward_row(state, seat, s.R_SCOUT, 1)
    mate = hands.downed_mate(state, seat, 40 * 256)
    if mate >= 0:
        mp = s.player(mate)
        dx = int(state[mp + s.X]) - int(state[at + s.X])
        dy = int(state[mp + s.Y]) - int(state[at + s.Y])
        before = length(dx + int(state[at + s.VX]), dy + int(state[at + s.VY]))
        s.reward_row(state, seat, s.R_APPROACH, before - length(dx, dy))


@inner
def _shoot(state, world, seat, action):
    """Fire if the action says so; "stop, adjust and fire" only when the target is in line."""
    at = s.player(seat)
    if int(state[at + s.LIFE]) != s.UP or int(state[at + s.RESCUED]) != 0:
        return
    basic = hands.basic_of(state, at, action)
    if basic != s.FIRE and basic < s.STOP_FIRE:
        return
    if basic == s.ADJUST_FIRE:
        target = aim_target(state, seat)
        if target < 0:
            return
        if target < 100:
            op = s.player(target)
            dx = int(state[op + s.X]) - int(state[at + s.X])
            dy = int(state[op + s.Y]) - int(state[at + s.Y])
        else:
            mp = s.MONSTER + s.MONSTER_SIZE * (target - 100)
            dx = int(state[mp + s.M_X]) - int(state[at + s.X])
            dy = int(state[mp + s.M_Y]) - int(state[at + s.Y])
        off = wrap(bearing(dx, dy) - int(state[at + s.YAW]))
        # Near targets are broad.
        near = AIM_ERROR + (65536 * 60) // (length(dx, dy) + 64)
        if off > near or off < -near:
            return
    if combat.fire(state, world, seat, action) != 0:
        state[at + s.ACTED] = basic + 1


@inner
def _count_teams(state):
    """Teams without anybody on their feet get their place; the match is over when at most one is left."""
    teams = int(state[s.TEAMS])
    size = int(state[s.TEAM_SIZE])
    left = 0
    last = -1
    gone = 0
    for team in range(teams):
        if int(state[s.TEAM_PLACE + team]) != 0:
            continue
        standing = 0
        for seat in range(team * size, team * size + size):
            if int(state[s.player(seat) + s.LIFE]) == s.UP:
                standing += 1
        if standing > 0:
            left += 1
            last = team
        else:
            gone += 1
    if gone > 0:
        for team in range(teams):
            if int(state[s.TEAM_PLACE + team]) != 0:
                continue
            standing = 0
            for seat in range(team * size, team * size + size):
                if int(state[s.player(seat) + s.LIFE]) == s.UP:
                    standing += 1
            if standing == 0:
                # Teams that go in one tick share the place.
                state[s.TEAM_PLACE + team] = left + 1
        state[s.LEFT] = left
    alone = left <= 1 and teams > 1
    if alone or left == 0:
        state[s.OVER] = 1
        if left == 1:
            state[s.WINNER] = last
            state[s.TEAM_PLACE + last] = 1
        s.tell(state, s.WIN, -1, -1, 0, 0, 0, int(state[s.WINNER]))


@rule
def step(state, world, actions):
    """One tick with everybody's records (seats, RECORD). Returns 0: rewards are counted by row."""
    seats = int(state[s.SEATS])
    state[s.EVENTS_BEFORE] = state[s.EVENT_COUNT]
    for field in range(s.ROW, s.ROW + s.ROWS * seats):
        state[field] = 0
    for seat in range(seats):
        if int(state[s.player(seat) + s.LIFE]) != s.OUT:
            _act(state, world, seat, actions[seat])
    for seat in range(seats):
        _shoot(state, world, seat, actions[seat])
    monsters.advance(state, world)
    zone.advance(state)
    zone.hurt(state)
    combat.deal_wounds(state)
    combat.bleed(state)
    _count_teams(state)
    state[s.TICK] += 1
    sight.keep_positions(state)
    sight.look_around(state, world)
    return 0


@rule
def current(state):
    """Everybody acts at once."""
    return -1


@rule
def over(state):
    """1 once at most one team is left."""
    return int(state[s.OVER])


@rule
def score(state):
    """How far player_0's team has come, 0 to 100: 100 for the last team standing, 0 for the first to go."""
    teams = int(state[s.TEAMS])
    if teams == 1:
        return 100 if int(state[s.OVER]) == 0 else 0
    place = int(state[s.TEAM_PLACE])
    if place == 0:
        place = int(state[s.LEFT])
    return (100 * (teams - place)) // (teams - 1)
