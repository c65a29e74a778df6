"""What networks read: for each of the five actions what lies there and how far both targets are from there,
the same of the other player's place, the own number, how many steps are left. So one network plays on every
lake. Where players see coordinates alone, nothing of the lake is written and the coordinates are.
"""

from __future__ import annotations

from engine.simulation.jit import njit

from . import rules

AT, SIDE, CELLS, SEATS, STAY = rules.AT, rules.SIDE, rules.CELLS, rules.SEATS, rules.STAY
FEATURES_VERSION = 1
PER_ACTION = 4 + SEATS  # a hole, the other one, no step, a target; how far the targets are
PER_PLACE = 2 + SEATS
FARTHEST = 16.0  # steps; what is farther counts as that
_SIZE = (STAY + 1) * PER_ACTION + SEATS * PER_PLACE + 2


def input_size(state: object) -> int:
    return _SIZE


@njit
def encode_many(states, seats, out):
    for row in range(states.shape[0]):
        state, seat, seen = states[row], int(seats[row]), int(states[row, rules.SIGHT]) == 0
        here, there = int(state[AT + seat]), int(state[AT + 1 - seat])
        at = 0
        for action in range(STAY + 1):
            beside = rules.neighbour(state, here, action)
            out[row, at + 1] = 1.0 if beside == there else 0.0
            out[row, at + 2] = 1.0 if beside == here else 0.0
            if seen:
                out[row, at] = 1.0 if int(state[rules.GRID + beside]) == rules.HOLE else 0.0
                out[row, at + 3] = 1.0 if rules.on_target(state, beside) >= 0 else 0.0
                for target in range(SEATS):
                    out[row, at + 4 + target] = min(1.0, rules.far(state, target, beside) / FARTHEST)
            at += PER_ACTION
        for place in range(SEATS):
            cell = here if place == 0 else there
            out[row, at] = (cell % SIDE) / SIDE
            out[row, at + 1] = (cell // SIDE) / SIDE
            if seen:
                for target in range(SEATS):
                    out[row, at + 2 + target] = min(1.0, rules.far(state, target, cell) / FARTHEST)
            at += PER_PLACE
        out[row, at] = seat
        out[row, at + 1] = (int(state[rules.HORIZON]) - int(state[rules.TICK])) / 256.0
