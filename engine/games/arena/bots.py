"""Scripted squads of three strengths, and leaders like people of three skills, by name: partners and
opponents of people on a fresh site, and stand-ins for people when squads are measured.

`act` decides for one seat: six heads. A bot is `bot_many(states, world, seats, goals, values, actions)`: for
records (n, STATE_SIZE) in one world, seats (n,) and goals (n, GOAL_SIZE) it fills `values` (n, 54), how much
it likes each choice of each head in points, and `actions` (n, 6). Those that REMEMBERS names are given what
they remember besides, float32 (n, REMEMBERS[name]), zeros where a match begins, and bring it up to date.

Bots decide every few ticks (their heads are repeated in between) and keep nothing else between calls. They
know what a person in their seat is shown (senses.py); what they do of their own accord is in tactics.py, how
they do what they were asked to do in orders.py. What a person should know about a bot is in its card.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.games.arena import (
    asked,
    goals,
    hands,
    heed,
    navigation,
    orders,
    person,
    plan,
    rules,
    senses,
    tactics,
)
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.combat import FULL_HP, MAGAZINES
from engine.games.arena.move import JUMP_COST, RUN_COST
from engine.games.arena.plan import BODY, DIRECT, HANDS, LOOK, PACE, REST, RUN, SLOT, STANCE, TO_X, TO_Y, WALK
from engine.games.arena.senses import MIDDLE, STRONG, WEAK
from engine.simulation.jit import inner, njit, rule
from engine.simulation.rng import below

BotMany = Callable[..., None]
INTERVAL = 4  # ticks for which heads are taken to be repeated; turns end right for fewer, too
TURN_UNIT = 512 * INTERVAL  # turn units of a step of the yaw head in that time
RESERVE = JUMP_COST + 4 * RUN_COST  # stamina that is kept for a jump
LIKED = 6.0  # points of what a bot chooses; the rest has 0
OFFSETS = np.array([0, 16, 32, 35, 44, 51, 54], np.int32)
LEVEL = 1  # of the pitch head
RANDOM, IDLE = 10, 11
NOTHING = np.zeros((0, 0), np.float32)  # what most bots remember


@rule
def _rest(state, seat, out):
    """Heads that do nothing."""
    life = int(state[s.player(seat) + s.LIFE])
    out[s.MOVE] = 0
    out[s.TURN_HEAD] = 0
    out[s.PITCH_HEAD] = LEVEL
    out[s.BODY] = s.B_NONE if life == s.OUT or int(state[s.OVER]) != 0 else s.B_STOP
    out[s.BASIC] = s.PICK
    out[s.SWITCH] = s.KEEP if life != s.UP or int(state[s.OVER]) != 0 else state[s.player(seat) + s.SLOT]


@rule
def _turn(state, at, yaw):
    """The steps (-8 .. 7) of the yaw head that bring the view to a yaw in INTERVAL ticks."""
    off = wrap(yaw - int(state[at + s.YAW]))
    steps = (off + TURN_UNIT // 2) // TURN_UNIT
    return -8 if steps < -8 else 7 if steps > 7 else steps


@inner
def _walk_head(state, at, yaw, steps, aiming):
    """The movement head for a direction, seen from where the view will be half-way through the turn."""
    view = int(state[at + s.YAW])
    if aiming == 0:
        view += steps * 512 * (INTERVAL + 1) // 2
    return ((yaw - view + 2048) >> 12) & 15


@inner
def _stance_key(now, wanted):
    """The body action that leads from a stance to another, B_NONE for none."""
    if now == wanted or now == s.SLIDING:
        return s.B_NONE
    if wanted == s.PRONE or (wanted == s.STAND and now == s.PRONE):
        return s.B_PRONE
    return s.B_CROUCH


@inner
def _stuck(state, at):
    """Whether a player wants to walk and doesn't get anywhere."""
    still = int(state[at + s.VX]) == 0 and int(state[at + s.VY]) == 0
    return int(state[at + s.MOVING]) != 0 and still and int(state[at + s.AIRBORNE]) == 0


@inner
def _basic(state, at, scratch, out):
    """Write the basic action and the switch head."""
    slot = int(state[at + s.SLOT])
    weapon = int(state[at + s.WEAPON + slot])
    rounds = int(state[at + s.MAGAZINE + slot])
    ammo = int(state[at + s.AMMO])
    wanted = int(scratch[HANDS])
    can_reload = weapon != s.NO_WEAPON and ammo > 0 and rounds < int(MAGAZINES[weapon])
    can_treat = int(state[at + s.MEDKITS]) > 0 and int(state[at + s.HP]) < FULL_HP
    if (
        (wanted == s.RELOADING and not can_reload)
        or (wanted == s.TREATING and not can_treat)
        or (wanted in (s.FIRE, s.STOP_FIRE, s.ADJUST_FIRE) and (weapon == 0 or rounds + ammo == 0))
    ):
        wanted = -1
    out[s.BASIC] = wanted if wanted >= 0 else s.PICK
    out[s.SWITCH] = s.KEEP if wanted >= 0 else slot
    other = int(scratch[SLOT])
    if other != slot and wanted < 0 and int(state[at + s.WEAPON + other]) != s.NO_WEAPON:
        out[s.SWITCH] = other
        # Naming the other slot lets the basic action take place; one that does no harm.
        if can_reload:
            out[s.BASIC] = s.RELOADING
        elif can_treat:
            out[s.BASIC] = s.TREATING


@rule
def _write(state, world, seat, scratch, out):
    """Make heads of the plan in scratch."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    to_x = int(scratch[TO_X])
    to_y = int(scratch[TO_Y])
    pace = int(scratch[PACE])
    cell = -1
    if pace != REST and int(scratch[DIRECT]) == 0:
        cell = navigation.next_cell(state, world, scratch, seat, to_x, to_y)
        if cell == -2 and asked.shuns(scratch):
            pace = REST
        if cell >= 0:
            to_x = (cell % s.SIDE) * 256 + 128
            to_y = (cell // s.SIDE) * 256 + 128
    if to_x == x and to_y == y:
        pace = REST
    way = bearing(to_x - x, to_y - y)
    stuck = pace != REST and _stuck(state, at)
    if stuck and senses.luck(state, seat, 41, 12) % 3 != 0:
        way += 12288 if senses.luck(state, seat, 40, 24) & 1 else -12288
    look = int(scratch[LOOK])
    if look < 0:
        look = way if pace != REST else int(state[at + s.YAW])
    steps = _turn(state, at, person.turned(state, at, look, scratch))
    out[s.TURN_HEAD] = steps & 15
    out[s.PITCH_HEAD] = LEVEL
    out[s.MOVE] = _walk_head(state, at, way, steps, 0) if pace != REST else 0
    _basic(state, at, scratch, out)

    now = int(state[at + s.STANCE])
    ready = int(state[at + s.STANCE_WAIT]) == 0 and int(state[at + s.AIRBORNE]) == 0
    key = _stance_key(now, int(scratch[STANCE])) if ready else s.B_NONE
    moving = int(state[at + s.MOVING]) != 0
    stops = int(out[s.BASIC]) >= s.STOP_FIRE and int(out[s.SWITCH]) == s.KEEP
    if pace == REST:
        helps = int(scratch[BODY]) == s.B_RESCUE and hands.downed_mate(state, seat, hands.ARM) >= 0
        if helps and not moving:
            out[s.BODY] = s.B_RESCUE
        elif key != s.B_NONE and (not moving or stops):
            out[s.BODY] = key
        else:
            out[s.BODY] = s.B_STOP
        return
    stamina = int(state[at + s.STAMINA])
    runs = pace == RUN and int(scratch[STANCE]) == s.STAND and stamina >= RESERVE
    out[s.BODY] = s.B_RUN if runs else s.B_NONE
    if navigation.door_to_open(state, world, seat, to_x - x, to_y - y):
        out[s.BODY] = s.B_DOOR
    elif key != s.B_NONE and int(out[s.BODY]) != s.B_RUN and moving:
        out[s.BODY] = key
    elif ready and moving and now == s.STAND and stamina >= JUMP_COST:
        if (cell >= 0 and navigation.must_leap(state, world, seat, cell)) or (
            stuck and senses.luck(state, seat, 41, 12) % 3 == 0
        ):
            out[s.BODY] = s.B_JUMP


@inner
def _crawl(state, world, seat, scratch, out):
    """A downed player crawls to its nearest mate who is on their feet."""
    _rest(state, seat, out)
    at = s.player(seat)
    size = int(state[s.TEAM_SIZE])
    team = int(state[at + s.TEAM])
    best = 30 * 256
    nearest = -1
    for mate in range(team * size, team * size + size):
        if mate != seat and int(state[s.player(mate) + s.LIFE]) == s.UP:
            far = senses.distance(state, seat, mate)
            if far < best:
                best = far
                nearest = mate
    if nearest < 0 or best < 300 or int(state[at + s.HELPED_BY]) != 0:
        return
    mp = s.player(nearest)
    way = bearing(int(state[mp + s.X]) - int(state[at + s.X]), int(state[mp + s.Y]) - int(state[at + s.Y]))
    steps = _turn(state, at, way)
    out[s.TURN_HEAD] = steps & 15
    out[s.MOVE] = _walk_head(state, at, way, steps, 0)
    out[s.BODY] = s.B_NONE


@rule
def act(state, world, seat, strength, goal, scratch, out):
    """Write the six heads of a seat of a strength that has a goal (goals.py): WEAK, MIDDLE, STRONG, or a
    person's (person.py), who remembers what is in scratch from person.CLOCK on.
    """
    at = s.player(seat)
    life = int(state[at + s.LIFE])
    scratch[person.SKILL] = 0
    if strength >= person.PEOPLE:
        strength -= person.PEOPLE
        scratch[person.SKILL] = strength + 1
        if life == s.UP:
            person.observe(state, seat, senses.hit_lately(state, seat, 40), scratch)
        else:
            person.forget(scratch)
    if life == s.OUT or int(state[s.OVER]) != 0:
        _rest(state, seat, out)
        return
    if life == s.DOWNED:
        _crawl(state, world, seat, scratch, out)
        return
    plan.reset(state, seat, scratch)
    kind = orders.kind_of(state, seat, goal)
    flags = int(goal[goals.FLAGS]) if kind != goals.NONE else 0
    asked.keep(kind, goal, scratch)
    quiet = 1 if kind == goals.HOLD_FIRE or flags & goals.QUIETLY else 0
    enemy = senses.target(state, seat, strength, orders.prey(kind, goal), orders.ward(kind, goal), scratch)
    if enemy >= 0 and kind != goals.ATTACK and not tactics.provoked(state, seat, enemy):
        enemy = -1
    if kind in (goals.NONE, goals.FREE, goals.HOLD_FIRE, goals.CROUCH):
        tactics.own_plan(state, world, seat, strength, enemy, quiet, scratch)
    else:
        orders.carry_out(state, world, seat, strength, kind, goal, -1 if quiet != 0 else enemy, scratch)
    if quiet != 0 and int(scratch[HANDS]) in (s.FIRE, s.STOP_FIRE, s.ADJUST_FIRE):
        scratch[HANDS] = -1
    if kind == goals.CROUCH or flags & goals.CROUCHED:
        scratch[STANCE] = s.CROUCH
    elif flags & goals.LYING:
        scratch[STANCE] = s.PRONE
    if flags & goals.HURRYING and int(scratch[PACE]) != REST:
        scratch[PACE] = RUN
    elif flags & goals.SLOWLY and int(scratch[PACE]) == RUN:
        scratch[PACE] = WALK
    heed.heed(state, world, seat, kind, scratch)
    _write(state, world, seat, scratch, out)


@inner
def _any_heads(state, world, seat, values, out):
    """Any legal choice of every head, each as likely as the others; `values` has room for the masks."""
    rules.legal(state, world, seat, values)
    for head in range(6):
        begin = int(OFFSETS[head])
        count = 0
        for choice in range(begin, int(OFFSETS[head + 1])):
            count += 1 if values[choice] != 0 else 0
        left = below(senses.luck(state, seat, 50 + head, 1), count)
        for choice in range(begin, int(OFFSETS[head + 1])):
            if values[choice] != 0:
                if left == 0:
                    out[head] = choice - begin
                left -= 1


@njit
def _many(states, world, seats, wanted, strength, scratch, values, actions, memory):
    for row in range(states.shape[0]):
        seat = int(seats[row])
        if strength == RANDOM:
            _any_heads(states[row], world, seat, values[row], actions[row])
        elif strength == IDLE:
            _rest(states[row], seat, actions[row])
        else:
            for field in range(memory.shape[1]):
                scratch[person.CLOCK + field] = int(memory[row, field])
            act(states[row], world, seat, strength, wanted[row], scratch, actions[row])
            for field in range(memory.shape[1]):
                memory[row, field] = scratch[person.CLOCK + field]
        for choice in range(54):
            values[row, choice] = 0.0
        for head in range(6):
            values[row, int(OFFSETS[head]) + int(actions[row, head])] = LIKED


def _bot(strength: int) -> BotMany:
    def bot_many(
        states: np.ndarray,
        world: np.ndarray,
        seats: np.ndarray,
        wanted: np.ndarray,
        values: np.ndarray,
        actions: np.ndarray,
        memory: np.ndarray = NOTHING,
    ) -> None:
        """Fill `values` (n, 54) and `actions` (n, 6) for seats (n,) with goals `wanted` (n, GOAL_SIZE)."""
        scratch = navigation.new_scratch()
        _many(states, world, seats, wanted, strength, scratch, values, actions, memory)

    return bot_many


def _peaceful(
    states: np.ndarray,
    world: np.ndarray,
    seats: np.ndarray,
    wanted: np.ndarray,
    values: np.ndarray,
    actions: np.ndarray,
) -> None:
    """The strong player, told by itself to hold its fire, whatever else it is asked to do."""
    quiet = wanted.copy()
    quiet[:, goals.FLAGS] |= goals.QUIETLY
    until = quiet[:, goals.UNTIL]
    over = (until > 0) & (states[:, s.TICK] >= until)
    quiet[(quiet[:, goals.KIND] == goals.NONE) | over] = 0
    quiet[quiet[:, goals.KIND] == goals.NONE, goals.KIND] = goals.HOLD_FIRE
    BOTS_MANY["strong"](states, world, seats, quiet, values, actions)


BOTS_MANY: dict[str, BotMany] = {
    "weak": _bot(WEAK),
    "middle": _bot(MIDDLE),
    "strong": _bot(STRONG),
    "random": _bot(RANDOM),
    "idle": _bot(IDLE),
    "peaceful": _peaceful,
    "leader-novice": _bot(person.NOVICE),
    "leader-casual": _bot(person.CASUAL),
    "leader-skilled": _bot(person.SKILLED),
}
REMEMBERS = {name: person.MEMORY for name in ("leader-novice", "leader-casual", "leader-skilled")}
