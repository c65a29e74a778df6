"""Training of squads in many matches at once: goals to obey, how far they are met, inputs of critics. Not for
rewards of events (rewards.py), nor for live matches.

A goal is an order of goals.py, or a goal vector that is drawn: at random, or from what a window of these
matches came to that began alike (hindsight; OpenContra, section 4.2). A window begins with a goal, or without
one, and ends after 5 to 20 seconds; how it began and ended is kept in a ring.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.games.arena import goals, hands, rules, subgoals, wanted
from engine.games.arena import state as s
from engine.games.arena.observation_critic import SIZE, encode_critic
from engine.games.arena.subgoal_table import CONTROLLABLE, COUNT, SIZES
from engine.refusal import Refusal
from engine.simulation.jit import inner, njit, rule
from engine.simulation.rng import below, random32

SHORTEST, LONGEST = 100, 400  # ticks of a window
ORDERS, RANDOM, HINDSIGHT = range(3)
KINDS = ("orders", "random", "hindsight")
SELDOM = 4  # one in so many orders is to help up, treat wounds or loot, where that can be done
HURT = 70  # points of health from which on wounds are worth a kit
RING = 4096  # windows that are kept
ALIKE = 16  # of them that are looked at for one that began like the present one
MOST_DIMENSIONS = 4  # sub-goals of a drawn goal
STEP = 5  # sub-goals that are added when goals are met as often as they will be
TRIES = 24  # draws of a sub-goal that a goal could have
HELD_OUT = 5  # one in so many combinations of sub-goals is never drawn, for evaluation
# Where the counts are in what is kept of a training.
ACTIVE, FILLED, NEXT, ENDED, LATELY, BEST, SINCE_BEST = range(7)
TALLY = 7
SPAN = 2000  # windows over which it is seen whether goals are met more often than before
# The sub-goals that a seat can bring about, in the order in which they are activated, which is by chance.
ORDER = np.array(
    [index for index in np.random.default_rng(1).permutation(COUNT) if CONTROLLABLE[index]], np.int32
)


@inner
def _draw_order(state, world, seat, word, goal):
    """Ask a seat for something that makes sense now; leaves the goal empty where it doesn't."""
    at = s.player(seat)
    kind = 1 + below(word, goals.KINDS - 1)
    word = random32(word, seat, 1)
    if below(random32(word, seat, 5), SELDOM) == 0:  # what seldom makes sense, where it does
        hurt = int(state[at + s.HP]) <= HURT and int(state[at + s.MEDKITS]) > 0
        if hands.downed_mate(state, seat, 40 * s.UNIT) >= 0:
            kind = goals.RESCUE
        elif hurt:
            kind = goals.HEAL
        elif hands.nearest_supply(state, seat, 25 * s.UNIT) >= 0:
            kind = goals.LOOT
    team = int(state[at + s.TEAM])
    size = int(state[s.TEAM_SIZE])
    who = -1
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    if kind in (goals.FOLLOW, goals.COVER):
        who = team * size + below(word, size)
        if who == seat or int(state[s.player(who) + s.LIFE]) != s.UP:
            return
    elif kind == goals.ATTACK:
        who = below(word, int(state[s.SEATS]))
        if s.sees(state, seat, who) == 0:
            who = -1
    elif kind == goals.GO:
        cell = _cell_near(state, world, seat, word)
        if cell < 0:
            return
        x = (cell % s.SIDE) * s.UNIT + s.UNIT // 2
        y = (cell // s.SIDE) * s.UNIT + s.UNIT // 2
    flags = 0
    if kind in (goals.FOLLOW, goals.GO, goals.ROTATE, goals.REGROUP):
        draw = below(random32(word, seat, 3), 12)
        flags = 1 << draw if draw < 4 else 0
    until = int(state[s.TICK]) + SHORTEST + below(random32(word, seat, 4), LONGEST - SHORTEST)
    goals.give(state, seat, kind, who, x, y, until, flags, goal)


@rule
def order(state, world, seat, word, goal):
    """Ask a seat for one of the orders that make sense now; leaves the goal empty where the draw doesn't."""
    _draw_order(state, world, seat, random32(word, int(state[s.TICK]), seat), goal)


@inner
def _cell_near(state, world, seat, word):
    """A cell within 25 metres to which one can walk, -1 for none."""
    at = s.player(seat)
    x = int(state[at + s.X]) + below(word, 50 * s.UNIT) - 25 * s.UNIT
    y = int(state[at + s.Y]) + below(random32(word, seat, 2), 50 * s.UNIT) - 25 * s.UNIT
    x = x if x > 4 * s.UNIT else 4 * s.UNIT
    y = y if y > 4 * s.UNIT else 4 * s.UNIT
    x = x if x < 123 * s.UNIT else 123 * s.UNIT
    y = y if y < 123 * s.UNIT else 123 * s.UNIT
    cell = (y >> 8) * s.SIDE + (x >> 8)
    return cell if rules._walkable(state, world, cell) else -1


@rule
def held_out(goal):
    """Whether a goal's combination of sub-goals is one that is kept for evaluation; single ones aren't."""
    word = 0
    count = 0
    for index in range(COUNT):
        if int(goal[goals.VECTOR + index]) != 0:
            word = random32(0x60A1, word & 0xFFFF, index)
            count += 1
    return count > 1 and below(word, HELD_OUT) == 0


@inner
def _alike(word, windows, tally, values):
    """A window that began with many of these values, of ALIKE that are drawn."""
    best = -1
    chosen = 0
    for draw in range(ALIKE):
        place = below(random32(word, 0, draw), int(tally[FILLED]))
        same = 0
        for index in range(COUNT):
            same += 1 if windows[0, place, index] == int(values[index]) else 0
        if same > best:
            best = same
            chosen = place
    return chosen


@inner
def _want(goal, index, value, now):
    """Let a goal want a value of a sub-goal, unless there is none, it is so now, or one is wanted already;
    returns 1 if it does from now on, else 0.
    """
    if value < 0 or value == now or int(goal[goals.VECTOR + index]) != 0:
        return 0
    goal[goals.VECTOR + index] = 1 + value
    return 1


@inner
def _draw_vector(state, world, seat, word, windows, tally, hindsight, values, goal):
    """Ask a seat for the values of some sub-goals; leaves the goal empty where none was found."""
    at = s.player(seat)
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    cell = _cell_near(state, world, seat, random32(word, seat, 5))
    if cell >= 0:
        x = (cell % s.SIDE) * s.UNIT + s.UNIT // 2
        y = (cell // s.SIDE) * s.UNIT + s.UNIT // 2
    until = int(state[s.TICK]) + SHORTEST + below(random32(word, seat, 4), LONGEST - SHORTEST)
    goals.give(state, seat, goals.FREE, -1, x, y, until, 0, goal)
    subgoals.measure(goal[goals.START : goals.LEFT], state, world, seat, x, y, values)
    most = 1 + below(random32(word, seat, 6), MOST_DIMENSIONS)
    like = _alike(random32(word, seat, 7), windows, tally, values) if hindsight else 0
    active = len(ORDER) if hindsight else min(len(ORDER), int(tally[ACTIVE]))
    count = 0
    for draw in range(TRIES):
        word = random32(word, seat, 8 + draw)
        index = int(ORDER[below(word, active)])
        value = below(random32(word, seat, 64), int(SIZES[index]))
        if hindsight and not wanted.OF_POINT[index]:
            value = int(windows[1, like, index])
        count += _want(goal, index, value, int(values[index]))
        if count == most:
            break
    if count == 0 or held_out(goal):
        for field in range(goals.GOAL_SIZE):
            goal[field] = 0


@njit
def came_to(starts, ends, world, seats, key, out):
    """Fill out (k, GOAL_SIZE) with goals that windows from `starts` to `ends` (k, STATE_SIZE) met, of seats
    (k,): of up to MOST_DIMENSIONS sub-goals that weren't so at the start; NONE where there was nothing.
    """
    before = np.zeros(COUNT, np.float32)
    after = np.zeros(COUNT, np.float32)
    for row in range(starts.shape[0]):
        seat = int(seats[row])
        goal = out[row]
        at = s.player(seat)
        x = int(ends[row, at + s.X])
        y = int(ends[row, at + s.Y])
        goals.give(starts[row], seat, goals.FREE, -1, x, y, int(ends[row, s.TICK]), 0, goal)
        subgoals.measure(goal[goals.START : goals.LEFT], starts[row], world, seat, x, y, before)
        subgoals.measure(goal[goals.START : goals.LEFT], ends[row], world, seat, x, y, after)
        word = random32(key, row, seat)
        most = 1 + below(word, MOST_DIMENSIONS)
        count = 0
        for draw in range(TRIES):
            index = int(ORDER[below(random32(word, row, draw), len(ORDER))])
            count += _want(goal, index, int(after[index]), int(before[index]))
            if count == most:
                break
        if count == 0 or held_out(goal):
            goal[goals.KIND] = goals.NONE


@inner
def _note(state, world, seat, goal, began, windows, tally, asked, values, there):
    """Note what a window has come to, for hindsight, and whether its goal vector was met."""
    left = wanted.unmet(state, world, seat, goal, asked, values, there)
    if int(goal[goals.KIND]) == goals.FREE:  # a goal vector
        tally[ENDED] += 1
        tally[LATELY] += (10_000 * (1 if left == 0.0 else 0) - tally[LATELY]) // 256
    place = int(tally[NEXT])
    subgoals.measure(goal[goals.START : goals.LEFT], state, world, seat, -1, -1, values)
    for index in range(COUNT):
        windows[0, place, index] = began[index]
        windows[1, place, index] = values[index]
    tally[NEXT] = (place + 1) % windows.shape[1]
    tally[FILLED] = max(int(tally[FILLED]), place + 1)


@njit
def renew(states, world, asked_for, share, mix, key, count, began, windows, tally):
    """Let windows end, and draw new goals for about a `share` of them; `asked_for` is (n, seats, GOAL_SIZE).
    `mix` (3,) are the shares of KINDS. What is kept: how the present windows began (n, seats, COUNT), how
    `windows` (2, RING, COUNT) began and ended, and `tally` (TALLY,).
    """
    asked = np.zeros(COUNT, np.int8)
    values = np.zeros(COUNT, np.float32)
    there = np.zeros(2, np.int32)
    for i in range(states.shape[0]):
        state = states[i]
        tick = int(state[s.TICK])
        for seat in range(asked_for.shape[1]):
            goal = asked_for[i, seat]
            at = s.player(seat)
            word = random32(key, i * 64 + seat, count)
            gone = tick < int(goal[goals.SINCE]) or int(state[at + s.LIFE]) != s.UP
            if not gone and tick < int(goal[goals.UNTIL]):
                continue
            if not gone and int(goal[goals.UNTIL]) > 0:
                _note(state, world, seat, goal, began[i, seat], windows, tally, asked, values, there)
            for field in range(goals.GOAL_SIZE):
                goal[field] = 0
            if gone:
                continue
            if (word & 0xFFFF) < share * 65536:
                drawn = (random32(word, seat, 9) & 0xFFFF) / 65536.0
                if drawn < mix[ORDERS]:
                    _draw_order(state, world, seat, random32(word, seat, 0), goal)
                else:
                    hindsight = drawn >= mix[ORDERS] + mix[RANDOM] and int(tally[FILLED]) > 0
                    draw = random32(word, seat, 0)
                    _draw_vector(state, world, seat, draw, windows, tally, hindsight, values, goal)
            if int(goal[goals.KIND]) == goals.NONE:
                until = tick + SHORTEST + below(word, LONGEST - SHORTEST)
                goals.give(state, seat, goals.NONE, -1, -1, -1, until, 0, goal)
            subgoals.measure(goal[goals.START : goals.LEFT], state, world, seat, -1, -1, values)
            for index in range(COUNT):
                began[i, seat, index] = values[index]


@njit
def nearer(states, world, asked_for, bare, out):
    """Fill out (n, seats) with the reward of the last decision for goals: by how much less of each isn't met
    (OpenContra, equation 3), or, if `bare`, 1 where all of it is; 0 where nothing is asked.
    """
    asked = np.zeros(COUNT, np.int8)
    values = np.zeros(COUNT, np.float32)
    there = np.zeros(2, np.int32)
    for i in range(states.shape[0]):
        for seat in range(asked_for.shape[1]):
            goal = asked_for[i, seat]
            out[i, seat] = 0.0
            if int(goal[goals.KIND]) == goals.NONE or int(states[i, s.TICK]) < int(goal[goals.SINCE]):
                continue
            part = wanted.unmet(states[i], world, seat, goal, asked, values, there)
            left = int(part * goals.WHOLE + 0.5)
            before = int(goal[goals.LEFT]) - 1
            if bare:
                out[i, seat] = 1.0 if left == 0 else 0.0
            elif before >= 0:
                out[i, seat] = (before - left) / goals.WHOLE
            goal[goals.LEFT] = 1 + left


class Asking:
    """What the seats of matches (n, seats) are asked to do: goals for a `share` of their windows, of these
    kinds (KINDS, shares that sum up to 1). Random goals are drawn from STEP sub-goals at first; once they
    aren't met more often than before, STEP more are added (OpenContra, section 4.2). Raises Refusal.
    """

    def __init__(
        self, shape: tuple[int, int], share: float, seed: int, kinds: Mapping[str, float], bare: bool
    ) -> None:
        if strange := sorted(set(kinds) - set(KINDS)):
            raise Refusal(f"There are no goals {strange[0]!r}; there are {', '.join(KINDS)}.")
        self.share, self.key, self.bare = share, seed, bare
        self.mix = np.array([kinds.get(name, 0.0) for name in KINDS], np.float32)
        self.began = np.full((*shape, COUNT), -1, np.int8)
        self.windows = np.full((2, RING, COUNT), -1, np.int8)
        self.tally = np.zeros(TALLY, np.int64)
        self.tally[ACTIVE] = STEP

    def renew(self, states: np.ndarray, world: np.ndarray, asked_for: np.ndarray, count: int) -> None:
        """Ask for something else in `asked_for` (n, seats, goal_size) where it is time to; `count` is how
        often that was done.
        """
        renew(states, world, asked_for, self.share, self.mix, self.key, count, *self.kept().values())
        tally = self.tally
        if tally[LATELY] > tally[BEST] + 100:  # a hundredth more of them
            tally[BEST], tally[SINCE_BEST] = tally[LATELY], tally[ENDED]
        elif tally[ENDED] - tally[SINCE_BEST] > SPAN and tally[ACTIVE] < len(ORDER):
            tally[ACTIVE] += STEP
            tally[BEST], tally[SINCE_BEST] = 0, tally[ENDED]

    def reached(self, states: np.ndarray, world: np.ndarray, asked_for: np.ndarray) -> np.ndarray:
        """The reward of the last decision for each seat's goal: float32 (n, seats)."""
        out = np.zeros(asked_for.shape[:2], np.float32)
        nearer(states, world, asked_for, self.bare, out)
        return out

    def came_to(
        self, starts: np.ndarray, ends: np.ndarray, world: np.ndarray, seats: np.ndarray, word: int
    ) -> np.ndarray:
        """Goals (k, goal_size) that windows from `starts` to `ends` (k, state_size) met, of seats (k,), drawn
        by a random `word`; zeros first where a window met none.
        """
        out = np.zeros((len(starts), goals.GOAL_SIZE), goals.GOAL_DTYPE)
        came_to(starts, ends, world, seats, word, out)
        return out

    def figures(self) -> dict[str, float]:
        """Of goals that were drawn: how many sub-goals they are drawn from, and which share was met."""
        return {"dimensions": float(self.tally[ACTIVE]), "met": float(self.tally[LATELY]) / 10_000}

    def kept(self) -> dict[str, np.ndarray]:
        """What a training that goes on needs, by name: arrays to write into as well."""
        return {"began": self.began, "windows": self.windows, "tally": self.tally}


@njit
def encode_critics(states, world, out):
    """Fill out (n, seats, SIZE) float32: the inputs that only critics have."""
    row = np.zeros(SIZE, np.int8)
    for i in range(states.shape[0]):
        for seat in range(out.shape[1]):
            encode_critic(states[i], world, seat, row)
            for index in range(SIZE):
                out[i, seat, index] = row[index] / 127.0
