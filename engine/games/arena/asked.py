"""What a goal asks a scripted player to heed in whatever it does (goals.LOOK and what follows): where to
look, whom to spare, what to leave alone, which places to keep out of.

It lies in the scratch array during a decision (`keep`), so that all that makes plans can ask for it. Not for
what a goal tells to do (orders.py).
"""

from __future__ import annotations

from engine.games.arena import goals
from engine.games.arena import state as s
from engine.games.arena.angles import length
from engine.games.arena.world import KINDS
from engine.simulation.jit import inner, rule

ASKED = 40  # where it begins in scratch
END = ASKED + goals.VECTOR - goals.LOOK
_SPARED = ASKED + goals.SPARED - goals.LOOK
_BARS = ASKED + goals.BARS - goals.LOOK
_SHUN = ASKED + goals.SHUN - goals.LOOK


@rule
def keep(kind, goal, scratch):
    """Keep what a goal asks for; nothing for the goal NONE."""
    for field in range(goals.LOOK, goals.VECTOR):
        scratch[ASKED + field - goals.LOOK] = goal[field] if kind != goals.NONE else 0


@inner
def watch(scratch):
    """The yaw in which to look while nothing else needs the eyes, 0 .. 65,535; -1 for any."""
    return (int(scratch[ASKED]) - 1) * 4 if int(scratch[ASKED]) > 0 else -1


@inner
def barred(scratch, bar):
    """Whether something (goals.NO_LOOT, …) isn't to be done."""
    return int(scratch[_BARS]) & bar != 0


@inner
def spared(state, scratch, other):
    """Whether an enemy isn't to be shot at."""
    who = int(scratch[_SPARED])
    if barred(scratch, goals.NO_FINISHING):
        return who in (0, other + 1) and int(state[s.player(other) + s.LIFE]) == s.DOWNED
    return who == other + 1


@inner
def shuns(scratch):
    """Whether there is any place to keep out of."""
    return int(scratch[_SHUN + 2]) > 0


@rule
def shunned(state, world, scratch, x, y):
    """Whether a point lies in a place to keep out of."""
    for place in range(_SHUN, END, goals.SHUN_SIZE):
        radius = int(scratch[place + 2])
        if radius > 0 and length(x - int(scratch[place]), y - int(scratch[place + 1])) <= radius:
            kind = int(scratch[place + 3])
            cell = (y >> 8) * s.SIDE + (x >> 8)
            if kind == 0 or int(world[int(state[s.MAP]), KINDS + cell]) == kind - 1:
                return True
    return False
