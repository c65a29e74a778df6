"""A player that leaves an even heap where it can."""

from __future__ import annotations

from engine.simulation.jit import njit

from . import rules

HEAP, MOST = rules.HEAP, rules.MOST


@njit
def even_many(states, values, actions):
    for row in range(states.shape[0]):
        heap = int(states[row, HEAP])
        for action in range(MOST):
            values[row, action] = 1.0 if (heap - action - 1) % 2 == 0 else 0.0
        actions[row] = 0 if heap % 2 == 1 else 1


BOTS_MANY = {"even": even_many}
