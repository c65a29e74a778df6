"""What a seat sees (section 5.1 of the instructRL paper): Alice the value of every ball and what Bob did
last, Bob the last two numbers that Alice said and, as in the authors' program, what he did last himself.
"""

from __future__ import annotations

from engine.simulation.jit import rule

from . import rules

BALLS, ALICE = rules.BALLS, rules.ALICE
SAID, SAID_BEFORE, PICKED, VALUE = rules.SAID, rules.SAID_BEFORE, rules.PICKED, rules.VALUE
SIZE = 1 + 4 * BALLS


@rule
def encode(state, seat, out):
    """Whether one is Alice; the balls worth +1; the one that Bob picked up last; the last number and the one
    before it. All 0 that isn't for this seat's eyes.
    """
    alice = 1 if seat == ALICE else 0
    out[0] = alice
    for ball in range(BALLS):
        out[1 + ball] = 1 if alice == 1 and int(state[VALUE + ball]) == 1 else 0
        out[1 + BALLS + ball] = 1 if int(state[PICKED]) == ball + 1 else 0
        out[1 + 2 * BALLS + ball] = 1 if alice == 0 and int(state[SAID]) == ball + 1 else 0
        out[1 + 3 * BALLS + ball] = 1 if alice == 0 and int(state[SAID_BEFORE]) == ball + 1 else 0
