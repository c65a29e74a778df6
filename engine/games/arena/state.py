"""The state record of an Arena match: which field is where, in which unit. One row of int16.

Lengths are in units of 1/256 m (a cell is 256 units, the map 128 cells), speeds in units a tick, angles
in turn units (angles.py), times in ticks (20 a second). x grows to the east, y to the south, z upwards.

Not here: what changes the record (rules.py and the files it calls) and the map (world.py).
"""

from __future__ import annotations

import numpy as np

from engine.simulation.jit import inner, rule
from engine.simulation.rng import get32, hash32, random32

STATE_DTYPE = np.int16
TICKS_PER_SECOND = 20
UNIT = 256  # units a metre
SIDE = 128  # cells (metres) of the map's side
CELLS = SIDE * SIDE
MAX_SEATS = 20
MAX_TEAMS = 20
SUPPLIES = 64
DOORS = 32
MONSTERS = 8
HISTORY = 6  # ticks of positions kept for lag compensation (250 ms and the present)
EVENTS = 64  # events kept
ROWS = 22  # of Table 5 (OpenContra) without the goal's, which isn't the rules'

# --- The match -------------------------------------------------------------------------------------------
KEY_A, KEY_B, EPISODE = 0, 2, 4  # two fields each
(
    MAP,  # the row of the world in which this match takes place
    MAPS,  # rows of the world
    MAP_SEED_HIGH,  # the map's seed, two fields
    MAP_SEED_LOW,
    TEAMS,
    TEAM_SIZE,
    SEATS,
    PACE,  # 0 short, 1 normal, 2 long, 3 calm
    MONSTER_COUNT,
    TICK,
    OVER,
    LEFT,  # teams that are still in
    WINNER,  # team, -1 for none
    STAGE,
    SHRINKING,  # whether blue is closing in on white
    PHASE_LEFT,  # ticks
    PHASE_LENGTH,
    BLUE_X,
    BLUE_Y,
    BLUE_R,
    WHITE_X,
    WHITE_Y,
    WHITE_R,
    FROM_X,  # blue when it began to shrink
    FROM_Y,
    FROM_R,
    EVENT_COUNT,  # events so far
    EVENTS_BEFORE,  # events before the last tick
) = range(6, 34)
TEAM_PLACE = 34  # by team: 0 while it is in, then its place
DOOR = TEAM_PLACE + MAX_TEAMS  # by door: 1 open
PLAYERS = DOOR + DOORS

# --- A player: PLAYERS + PLAYER * seat + field -----------------------------------------------------------
PLAYER = 80
(
    X,
    Y,
    Z,
    VX,
    VY,
    VZ,
    YAW,
    PITCH,
    LIFE,
    STANCE,
    STANCE_WAIT,  # ticks until the stance can change again
    STAMINA,
    MOVING,
    AIRBORNE,
    FALL_FROM,  # the highest z since the ground was left
    SLIDE,  # ticks left
    SLIDE_YAW,
    SLOW,  # 1 while treating or rescuing
    HP,  # points; of a downed player: what is left to bleed
    ARMOUR,
    SLOT,
    WEAPON,  # two slots
    WEAPON_2,
    MAGAZINE,
    MAGAZINE_2,
    AMMO,
    MEDKITS,
    FIRE_WAIT,
    RELOAD,  # ticks left, 0 for none
    TREAT,  # ticks so far
    RESCUE,  # ticks so far
    RESCUED,  # seat + 1 of the downed mate who is being helped up
    HELPED_BY,  # seat + 1 of the mate who helps this one up
    HAND_WAIT,  # ticks until doors, supplies and weapons can be touched again
    RECOIL,  # turn units by which the next shot goes too high
    BLOOM,  # turn units of extra spread
    HIT_BY,  # seat + 1, MONSTER_HIT, ZONE_HIT, 0
    HIT_TICK,  # -1000 before the first
    HIT_YAW,  # from where
    SHOT_TICK,
    STEPS,  # units walked since the last step that can be heard
    SIGHT,  # two fields: seats in line of sight, ten bits each
    SIGHT_2,
    SEES,  # two fields: enemies seen (in line of sight and in view)
    SEES_2,
    EVER,  # two fields: enemies ever seen
    EVER_2,
    ACTED,  # a basic action that took effect in the last tick, + 1
    LAST,  # six fields: the last heads
) = range(49)
YAW_BEFORE = 55  # the yaw one tick ago
DAMAGE, SHOOTER, HEAD = 56, 57, 58  # collected in a tick: points, seat + 1 of the last who hit, head shots
KILLS, KNOCKS, DEALT, SHOTS, HITS, LOOTS, HEALS, RESCUES, ASSISTS, OUTSIDE, WALKED, PLACE = range(60, 72)
TEAM = 72

# --- The rest of the record ------------------------------------------------------------------------------
ROW = PLAYERS + PLAYER * MAX_SEATS  # amounts of Table 5 in the last tick, ROW + ROWS * seat + row
MEMORY = (
    ROW + ROWS * MAX_SEATS
)  # tick, x, y at which a team last knew a seat: MEMORY + 3 * (20 * team + seat)
SUPPLY = MEMORY + 3 * MAX_TEAMS * MAX_SEATS  # kind, amount, x, y
MONSTER = SUPPLY + 4 * SUPPLIES
MONSTER_SIZE = 12
M_X, M_Y, M_Z, M_YAW, M_HP, M_TARGET, M_WAIT, M_HOME_X, M_HOME_Y, M_KIND, M_DAMAGE, M_HIT_BY = range(12)
PAST = MONSTER + MONSTER_SIZE * MONSTERS  # x, y, z, height: PAST + 4 * (20 * (tick % HISTORY) + seat)
EVENT = PAST + 4 * MAX_SEATS * HISTORY
EVENT_SIZE = 8
E_KIND, E_TICK, E_SEAT, E_OTHER, E_X, E_Y, E_Z, E_VALUE = range(8)
STATE_SIZE = EVENT + EVENT_SIZE * EVENTS

# --- Values ----------------------------------------------------------------------------------------------
OUT, DOWNED, UP = range(3)  # LIFE
STAND, CROUCH, PRONE, SLIDING, DOWN = range(5)  # STANCE
MONSTER_HIT, ZONE_HIT, FALL_HIT = 100, 101, 102  # HIT_BY
NO_WEAPON, PISTOL, SMG, RIFLE, SHOTGUN, SNIPER = range(6)
# Kinds of supplies: 0 none, 1 to 5 the weapons, then
BULLETS, MEDKIT, VEST = 6, 7, 8
(
    NO_EVENT,
    SHOT,  # x, y, z: where it ended; value: weapon
    HIT,  # other: who was hit; value: points
    KNOCK,  # seat knocked other down
    KILL,  # seat (or -1: zone, monster, fall, bleeding) put other out
    RESCUED_EVENT,  # seat helped other up
    DOOR_EVENT,  # value: 1 opened, 0 closed
    PICKED,  # value: kind
    DROPPED,
    TREATED,
    RELOADED,
    STEP,  # value: 1 running
    MONSTER_DEAD,
    MONSTER_BITES,
    ZONE_MOVES,  # value: stage
    WIN,  # value: team
) = range(16)

# The joint action of a seat: the six heads of Table 6, then what makes a person's input exact.
(MOVE, TURN_HEAD, PITCH_HEAD, BODY, BASIC, SWITCH, ABS_YAW, ABS_PITCH, SEEN) = range(9)
RECORD = 9
HEADS = (16, 16, 3, 9, 7, 3)
B_SLIDE, B_STOP, B_CROUCH, B_RUN, B_JUMP, B_PRONE, B_DOOR, B_RESCUE, B_NONE = range(9)
FIRE, RELOADING, TREATING, PICK, DROP, STOP_FIRE, ADJUST_FIRE = range(7)
KEEP = 2  # SWITCH: no switch

# Rows of Table 5.
(
    R_DISCOVER,
    R_DISCOVERED,
    R_SCOUT,
    R_NO_OP,
    R_BULLET,
    R_HEALTH,
    R_KNOCKED,
    R_DEAD,
    R_DAMAGE,
    R_KNOCK,
    R_KILL,
    R_APPROACH,
    R_HELP,
    R_NOT_SAVED,
    R_TO_BLUE,
    R_WHITE,
    R_OUTSIDE,
    R_TEAM_DAMAGE,
    R_TEAM_UP,
    R_HELPED_UP,
    R_INTERRUPT,
    R_OBSTACLE,
) = range(22)


@rule
def player(seat):
    """Where the record of a seat's player begins."""
    return PLAYERS + PLAYER * seat


@inner
def reward_row(state, seat, row, amount):
    """Note an amount of a row of Table 5 for a seat in this tick."""
    state[ROW + ROWS * seat + row] += amount


@rule
def draw(state, purpose, index):
    """A 32-bit random word for a purpose (0 .. 255) and an index, in this tick of this match."""
    stream = random32(get32(state, KEY_A), get32(state, KEY_B), get32(state, EPISODE))
    word = (stream + int(state[TICK]) * 0x9E3779B1 + (purpose * 4096 + index) * 0x85EBCA6B) & 0xFFFFFFFF
    return hash32(word)


@rule
def tell(state, kind, seat, other, x, y, z, value):
    """Add an event to the ring."""
    count = int(state[EVENT_COUNT])
    at = EVENT + EVENT_SIZE * (count % EVENTS)
    state[at + E_KIND] = kind
    state[at + E_TICK] = state[TICK]
    state[at + E_SEAT] = seat
    state[at + E_OTHER] = other
    state[at + E_X] = x
    state[at + E_Y] = y
    state[at + E_Z] = z
    state[at + E_VALUE] = value
    # Counted modulo a multiple of the ring's length that fits the field.
    state[EVENT_COUNT] = (count + 1) % 16384


@rule
def sees(state, seat, other):
    """Whether a seat sees an enemy now."""
    field = SEES if other < 10 else SEES_2
    return (int(state[PLAYERS + PLAYER * seat + field]) >> (other % 10)) & 1


@rule
def in_sight(state, seat, other):
    """Whether nothing stands between two seats, wherever they look."""
    field = SIGHT if other < 10 else SIGHT_2
    return (int(state[PLAYERS + PLAYER * seat + field]) >> (other % 10)) & 1
