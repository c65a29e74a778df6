"""Which events a seat notices: those that it sees, hears, or reads in the kill feed. Observations, views and
snapshots all use this. Not for who sees whom (sight.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.simulation.jit import rule

UNNOTICED, TOLD, HEARD, SEEN = range(4)
BLUR = 1024  # units, 4 m: how exactly one hears where a sound comes from
FASTEST = 100  # units a tick that nobody exceeds
# How far an event can be heard (metres), by kind; 0 makes no sound.
LOUDNESS = np.array([0, 60, 20, 20, 20, 0, 20, 5, 5, 5, 8, 10, 25, 25, 0, 0], np.int32)
RUNNING_STEP = 16  # metres


@rule
def source(state, event, axis):
    """Where (0: x, 1: y, 2: z) an event is heard: a shot where its shooter was, not where it ended."""
    if int(state[event + s.E_KIND]) == s.SHOT:
        tick = int(state[event + s.E_TICK]) % s.HISTORY
        return int(state[s.PAST + 4 * (s.MAX_SEATS * tick + int(state[event + s.E_SEAT])) + axis])
    return int(state[event + s.E_X + axis])


@rule
def blurred(position):
    """A coordinate as one hears it: the middle of 4 m."""
    return (position & ~(BLUR - 1)) + BLUR // 2


@rule
def notice(state, seat, event):
    """How a seat notices the event at index `event` of the record.

    SEEN: all of it is known. HEARD: its kind and the `blurred` place of its `source`, not who. TOLD: who and
    whom, not where (the kill feed, for everybody). UNNOTICED: nothing. Sight counts for what has just
    happened; older events are heard only by who must have been near enough then.
    """
    kind = int(state[event + s.E_KIND])
    who = int(state[event + s.E_SEAT])
    other = int(state[event + s.E_OTHER])
    age = int(state[s.TICK]) - int(state[event + s.E_TICK]) - 1
    at = s.player(seat)
    size = int(state[s.TEAM_SIZE])
    team = int(state[at + s.TEAM])
    if kind == s.ZONE_MOVES or kind == s.WIN:
        return SEEN
    if who >= 0 and who // size == team:
        return SEEN
    victim = kind == s.HIT or kind == s.KNOCK or kind == s.KILL or kind == s.MONSTER_BITES
    if victim and other // size == team:
        # A wounded team doesn't know by whom unless it sees them, but the kill feed says it.
        if kind == s.KILL or who < 0 or s.sees(state, seat, who) != 0:
            return SEEN
        return HEARD
    if age <= 0 and int(state[at + s.LIFE]) != s.OUT:
        if who >= 0 and s.sees(state, seat, who) != 0:
            return SEEN
        if victim and s.sees(state, seat, other) != 0 and who < 0:
            return SEEN
    loud = int(LOUDNESS[kind])
    if kind == s.STEP and int(state[event + s.E_VALUE]) != 0:
        loud = RUNNING_STEP
    if kind == s.SHOT and age > s.HISTORY - 2:
        return UNNOTICED  # where the shooter was isn't kept
    if int(state[at + s.LIFE]) != s.OUT and loud > 0:
        dx = source(state, event, 0) - int(state[at + s.X])
        dy = source(state, event, 1) - int(state[at + s.Y])
        reach = loud * 256 - FASTEST * (age if age > 0 else 0)
        if reach >= 0 and dx * dx + dy * dy <= reach * reach:
            return HEARD
    return TOLD if kind == s.KILL else UNNOTICED
