"""What a seat observes, as in the paper (SAMA, appendix G.1): the coordinates of both, its own first, and
nothing of the lake. Not for what networks read here (features.py), nor for people (view.py).
"""

from __future__ import annotations

from engine.simulation.jit import rule

from . import rules

AT, SIDE, SEATS = rules.AT, rules.SIDE, rules.SEATS
SIZE = 4
HIGH = SIDE - 1


@rule
def encode(state, seat, out):
    """Column and row of the seat, and then of the other one, from 0 in the upper left corner."""
    for place in range(SEATS):
        cell = int(state[AT + (seat + place) % SEATS])
        out[2 * place] = cell % SIDE
        out[2 * place + 1] = cell // SIDE
