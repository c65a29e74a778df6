"""The inputs of the value network alone: the nearest enemy that the seat doesn't see, in full. 104 numbers.

Never part of an observation and never sent to anybody who plays.
"""

from __future__ import annotations

from engine.games.arena import state as s
from engine.games.arena.angles import cosine, sine
from engine.games.arena.observation_fields import CRITIC_SIZE
from engine.games.arena.observation_units import TOLD, attribute, enemy_status, unit_pose
from engine.simulation.jit import inner, rule

SIZE = CRITIC_SIZE


@inner
def nearest_unseen(state, seat):
    """The nearest living enemy that a seat doesn't see, -1 for none."""
    at = s.player(seat)
    nearest = -1
    best = 1 << 40
    for other in range(int(state[s.SEATS])):
        op = s.player(other)
        if int(state[op + s.TEAM]) == int(state[at + s.TEAM]) or int(state[op + s.LIFE]) == s.OUT:
            continue
        if s.sees(state, seat, other) != 0:
            continue
        dx = int(state[op + s.X]) - int(state[at + s.X])
        dy = int(state[op + s.Y]) - int(state[at + s.Y])
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            nearest = other
    return nearest


@rule
def encode_critic(state, world, seat, out):
    """Write the nearest unseen enemy (attribute 28, status 33, pose 43) into out (104,); zeros if none."""
    for index in range(104):
        out[index] = 0
    at = s.player(seat)
    other = nearest_unseen(state, seat) if int(state[at + s.LIFE]) != s.OUT else -1
    if other < 0:
        return
    op = s.player(other)
    x = int(state[op + s.X])
    y = int(state[op + s.Y])
    yaw = int(state[at + s.YAW])
    next_at = attribute(state, seat, other, TOLD, out, 0)
    next_at = enemy_status(state, seat, other, TOLD, x, y, 0, 0xFFFFFF, out, next_at)
    unit_pose(state, world, seat, other, sine(yaw), cosine(yaw), out, next_at)
