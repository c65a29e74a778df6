"""The plan of a scripted player, in its scratch array: where to go and how, where to look, what hands do.

tactics.py, fighting.py and orders.py write it; bots.py makes heads of it. Not for deciding anything.
"""

from __future__ import annotations

from engine.games.arena import state as s
from engine.games.arena.angles import bearing, length
from engine.games.arena.navigation import PLAN
from engine.games.arena.senses import METRE
from engine.simulation.jit import inner, rule

# The plan, in scratch.
(
    PACE,  # REST, WALK, RUN
    TO_X,
    TO_Y,
    DIRECT,  # 1: straight on, without looking for a way
    LOOK,  # yaw 0 .. 65,535, -1 for where it goes
    STANCE,
    HANDS,  # a basic action, -1 for none
    SLOT,
    BODY,  # B_RESCUE, -1 for none
) = range(PLAN, PLAN + 9)
REST, WALK, RUN = range(3)


@rule
def reset(state, seat, scratch):
    """An empty plan: stand, look ahead, keep the weapon."""
    at = s.player(seat)
    scratch[PACE] = REST
    scratch[TO_X] = state[at + s.X]
    scratch[TO_Y] = state[at + s.Y]
    scratch[DIRECT] = 0
    scratch[LOOK] = -1
    scratch[STANCE] = s.STAND
    scratch[HANDS] = -1
    scratch[SLOT] = state[at + s.SLOT]
    scratch[BODY] = -1


@rule
def go(scratch, x, y, pace):
    """Plan to go to a point, within the map."""
    low = 3 * METRE
    high = (s.SIDE - 3) * METRE
    scratch[TO_X] = low if x < low else high if x > high else x
    scratch[TO_Y] = low if y < low else high if y > high else y
    scratch[PACE] = pace


@inner
def go_to_cell(state, seat, scratch, cell, pace):
    """Plan to go to the middle of a cell; returns whether the seat is there."""
    at = s.player(seat)
    x = (cell % s.SIDE) * METRE + 128
    y = (cell // s.SIDE) * METRE + 128
    if length(x - int(state[at + s.X]), y - int(state[at + s.Y])) < 90:
        scratch[PACE] = REST
        return True
    go(scratch, x, y, pace)
    return False


@rule
def away(state, seat, x, y):
    """Units from a seat to a point."""
    at = s.player(seat)
    return length(x - int(state[at + s.X]), y - int(state[at + s.Y]))


@inner
def yaw_to(state, seat, x, y):
    """The yaw in which a seat sees a point."""
    at = s.player(seat)
    return bearing(x - int(state[at + s.X]), y - int(state[at + s.Y]))
