"""What everybody sees: the heap, one bit a pebble, and whether it is one's turn."""

from __future__ import annotations

from engine.simulation.jit import rule

from . import rules

SIZE = 16
HEAP, TURN = rules.HEAP, rules.TURN


@rule
def encode(state, seat, out):
    for bit in range(SIZE - 1):
        out[bit] = 1 if bit < int(state[HEAP]) else 0
    out[SIZE - 1] = 1 if seat == int(state[TURN]) else 0
