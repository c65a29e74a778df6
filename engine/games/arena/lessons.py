"""Training of squads in many matches at once: goals to obey, progress with them, inputs of critics. Not for
rewards of events (rewards.py), nor for live matches.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import goals, rules
from engine.games.arena import state as s
from engine.games.arena.observation_critic import SIZE, encode_critic
from engine.simulation.jit import inner, njit, rule
from engine.simulation.rng import below, random32

REST_TICKS, ASKED_TICKS = 160, 240  # longest pause between two goals, longest time for one


@inner
def _draw_goal(state, world, seat, word, goal):
    """Ask a seat for something that makes sense now; leaves the goal empty where it doesn't."""
    at = s.player(seat)
    kind = 1 + below(word, goals.KINDS - 1)
    word = random32(word, seat, 1)
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
        x += below(word, 50 * s.UNIT) - 25 * s.UNIT
        y += below(random32(word, seat, 2), 50 * s.UNIT) - 25 * s.UNIT
        x = x if x > 4 * s.UNIT else 4 * s.UNIT
        y = y if y > 4 * s.UNIT else 4 * s.UNIT
        x = x if x < 123 * s.UNIT else 123 * s.UNIT
        y = y if y < 123 * s.UNIT else 123 * s.UNIT
        if not rules._walkable(state, world, (y >> 8) * s.SIDE + (x >> 8)):
            return
    flags = 0
    if kind in (goals.FOLLOW, goals.GO, goals.ROTATE, goals.REGROUP):
        draw = below(random32(word, seat, 3), 12)
        flags = 1 << draw if draw < 4 else 0
    until = int(state[s.TICK]) + 60 + below(random32(word, seat, 4), ASKED_TICKS)
    goals.give(state, seat, kind, who, x, y, until, flags, goal)


@rule
def renew(states, world, wanted, share, key, count):
    """Let goals end, and draw new ones for about a `share` of the time; `wanted` is (n, seats, GOAL_SIZE)."""
    for i in range(states.shape[0]):
        state = states[i]
        tick = int(state[s.TICK])
        for seat in range(wanted.shape[1]):
            goal = wanted[i, seat]
            at = s.player(seat)
            word = random32(key, i * 64 + seat, count)
            if tick < int(goal[goals.SINCE]) or int(state[at + s.LIFE]) != s.UP:
                for field in range(goals.GOAL_SIZE):
                    goal[field] = 0
                continue
            if tick < int(goal[goals.UNTIL]):
                continue
            for field in range(goals.GOAL_SIZE):
                goal[field] = 0
            if (word & 0xFFFF) < share * 65536:
                _draw_goal(state, world, seat, random32(word, seat, 0), goal)
            if int(goal[goals.KIND]) == goals.NONE:
                goal[goals.SINCE] = tick
                goal[goals.UNTIL] = tick + 20 + below(word, REST_TICKS)


@rule
def how_far(states, world, wanted, out):
    """Fill out (n, seats): 1 where a seat's goal is reached, a half where it is obeyed, else 0."""
    for i in range(states.shape[0]):
        for seat in range(wanted.shape[1]):
            out[i, seat] = 0.0
            if int(wanted[i, seat, goals.KIND]) != goals.NONE:
                progress = goals.progress(states[i], world, seat, wanted[i, seat])
                out[i, seat] = 1.0 if progress == goals.DONE else 0.5 if progress == goals.OBEYING else 0.0


@njit
def encode_critics(states, world, out):
    """Fill out (n, seats, SIZE) float32: the inputs that only critics have."""
    row = np.zeros(SIZE, np.int8)
    for i in range(states.shape[0]):
        for seat in range(out.shape[1]):
            encode_critic(states[i], world, seat, row)
            for index in range(SIZE):
                out[i, seat, index] = row[index] / 127.0
