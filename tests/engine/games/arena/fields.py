"""Small grounds and matches made by hand, for tests of Arena."""

import numpy as np

from engine.games.arena import aim, bots, goals, navigation, rules, sight
from engine.games.arena import state as s
from engine.games.arena import world as w
from engine.simulation.rng import key_from_seed, put32

SIDE = s.SIDE
GROUND = 10  # eighths of a metre
STRENGTHS = {"weak": 0, "middle": 1, "strong": 2}


class Field:
    """A level meadow on which walls, doors and players are put; lengths in metres."""

    def __init__(self, teams=2, team_size=2, seed=1):
        row = np.zeros(w.WORLD_SIZE, np.int8)
        row[w.TOPS : s.CELLS] = GROUND
        edge = np.ones((SIDE, SIDE), bool)
        edge[2:-2, 2:-2] = False
        row[w.KINDS : 2 * s.CELLS][edge.reshape(-1)] = w.ROCK
        row[w.TOPS : s.CELLS][edge.reshape(-1)] = 120
        row[w.SPOT_COUNT] = 1
        row[w.SPOT : w.SPOT + 2] = 64, 64
        row[w.DEN : w.DEN + 2 * w.DENS] = 64
        self.world = row[None]
        self.state = np.zeros(s.STATE_SIZE, s.STATE_DTYPE)
        key = key_from_seed(seed)
        put32(self.state, s.KEY_A, key[0])
        put32(self.state, s.KEY_B, key[1])
        self.seats = teams * team_size
        self.state[s.TEAMS], self.state[s.TEAM_SIZE], self.state[s.SEATS] = teams, team_size, self.seats
        self.state[s.PACE], self.state[s.MAPS] = 2, 1
        rules.new_game(self.state, self.world)
        self.state[s.SUPPLY : s.SUPPLY + 4 * s.SUPPLIES] = 0
        # The zone is everywhere and stays so.
        self.state[s.BLUE_X : s.BLUE_X + 3] = 64 * 256, 64 * 256, 120 * 256
        self.state[s.WHITE_X : s.WHITE_X + 3] = 64 * 256, 64 * 256, 100 * 256
        self.state[s.PHASE_LENGTH] = self.state[s.PHASE_LEFT] = 30000
        self.goals = np.zeros((self.seats, goals.GOAL_SIZE), np.int16)
        # Far from each other, everybody turned away.
        for seat in range(self.seats):
            team = seat // team_size
            self.put(seat, 10 + 100 * (team % 2) + 2 * (seat % team_size), 10 + 12 * team, 0)

    def block(self, x, y, kind, height, width=1, depth=1):
        for j in range(y, y + depth):
            for i in range(x, x + width):
                self.world[0, w.KINDS + j * SIDE + i] = kind
                self.world[0, j * SIDE + i] = GROUND + height

    def wall(self, x, y, width=1, depth=1):
        self.block(x, y, w.WALL, w.WALL_TOP, width, depth)

    def low_wall(self, x, y, width=1, depth=1):
        self.block(x, y, w.COVER, w.COVER_TOP, width, depth)

    def door(self, x, y):
        number = int(self.world[0, w.DOOR_COUNT])
        self.block(x, y, w.DOOR_CELL + number, 0)
        self.world[0, w.DOOR_SPOTS + 2 * number : w.DOOR_SPOTS + 2 * number + 2] = x, y
        self.world[0, w.DOOR_COUNT] = number + 1
        return number

    def put(self, seat, x, y, yaw=0):
        """Put a player at a point; yaw in degrees, clockwise from north."""
        at = s.player(seat)
        self.state[at + s.X], self.state[at + s.Y] = round(x * 256), round(y * 256)
        self.state[at + s.Z] = GROUND * 32
        turn = round(yaw * 65536 / 360)
        self.state[at + s.YAW] = ((turn + 32768) & 0xFFFF) - 32768
        sight.keep_positions(self.state)

    def arm(self, seat, weapon=s.RIFLE, ammo=120):
        at = s.player(seat)
        self.state[at + s.WEAPON], self.state[at + s.MAGAZINE] = weapon, 30
        self.state[at + s.AMMO] = ammo

    def lay(self, number, kind, amount, x, y):
        at = s.SUPPLY + 4 * number
        self.state[at : at + 4] = kind, amount, round(x * 256), round(y * 256)

    def knock(self, seat):
        at = s.player(seat)
        self.state[at + s.LIFE], self.state[at + s.STANCE], self.state[at + s.HP] = s.DOWNED, s.DOWN, 100

    def give(self, seat, kind, who=-1, x=0.0, y=0.0, until=0, flags=0):
        goals.give(
            self.state, seat, kind, who, round(x * 256), round(y * 256), until, flags, self.goals[seat]
        )

    def progress(self, seat):
        return goals.progress(self.state, self.world, seat, self.goals[seat])

    def look(self):
        sight.look_around(self.state, self.world)

    def heads(self, seat, strength="strong"):
        out = np.zeros(6, np.int32)
        scratch = navigation.new_scratch()
        bots.act(self.state, self.world, seat, STRENGTHS[strength], self.goals[seat], scratch, out)
        return out

    def play(self, ticks, acting, strength="strong", every=4, until=None):
        """Let the seats `acting` play and the others stand; stops once `until()` holds. Returns the ticks."""
        self.look()
        heads = np.zeros((self.seats, 6), np.int32)
        records = np.zeros((self.seats, s.RECORD), np.int32)
        masks = np.zeros(54, np.int8)
        for tick in range(ticks):
            for seat in range(self.seats):
                if tick % every == 0:
                    heads[seat] = self.heads(seat, strength) if seat in acting else _still(self.state, seat)
                    rules.legal(self.state, self.world, seat, masks)
                    chosen = heads[seat] + bots.OFFSETS[:6]
                    assert masks[chosen].all(), (seat, heads[seat])
                aim.resolve(self.state, self.world, seat, heads[seat], records[seat])
            rules.step(self.state, self.world, records)
            if until is not None and until():
                return tick + 1
        return ticks

    def player(self, seat, field):
        return int(self.state[s.player(seat) + field])

    def place(self, seat):
        return self.player(seat, s.X) / 256, self.player(seat, s.Y) / 256

    def metres(self, seat, x, y):
        own = self.place(seat)
        return float(np.hypot(own[0] - x, own[1] - y))


def _still(state, seat):
    out = np.zeros(6, np.int32)
    bots._rest(state, seat, out)
    return out
