"""A scripted leader's reaction time and errors of aim, like people's.

Two numbers a skill, from published figures:

- REACTION, ms from what is shown to what is done about it. The middle one is the mean simple visual reaction
  time of 1,469 adults, 231 ms (Woods et al. 2015, Frontiers in Human Neuroscience 9:131); the others lie a
  tenth apart, which is our own choice. Choosing among n enemies in view adds 150 ms x log2(n) (Hick 1952,
  Hyman 1953; the rate is that of Card, Moran & Newell 1983).
- THROUGHPUT, bits/s of aiming with a mouse: ends and middle of the 3.7 to 4.9 that Soukoreff & MacKenzie
  (2004, International Journal of Human-Computer Studies 61) give for studies by ISO 9241-9. Fitts' law holds
  for turning the view of a shooter, too (Looser, Cockburn & Savage 2005).

A movement over an angle A to a target of width W takes log2(A / W + 1) / throughput. So what is left of the
angle halves with every bit, error(t) = A x 2^(-throughput x t), and where it is as large as the target, 96 %
of the shots hit: the standard deviation is error / 4.133 (the effective width of ISO 9241-9). What a target
and one's own steps move the bearing by, and a weapon's kick, comes on top, and is caught up at the same rate.

Our own choices: how times vary, what the corners of the eye miss, when fire is opened, that somebody who
disappears for a second is no surprise, and that sounds are heeded as bots do. What it does with all that is
the tactics of the scripted strengths. It remembers MEMORY numbers of a match for a seat, in scratch during a
decision. Not for what is known of others (senses.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import sight
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.navigation import MIND
from engine.simulation.jit import inner, rule

PEOPLE = 3  # strengths from here on are people's, with the tactics of the strength so many below
NOVICE, CASUAL, SKILLED = range(PEOPLE, PEOPLE + 3)
REACTION = np.array([243, 231, 219], np.int32)  # ms
THROUGHPUT = (3.7, 4.3, 4.9)  # bits/s

TICK_MS = 1000 // s.TICKS_PER_SECOND
# Of 65,536 parts of an error, those that are left after a tick.
LEFT = np.array([65536 * 2 ** (-bits / s.TICKS_PER_SECOND) for bits in THROUGHPUT], np.int32)
CHOICE = (150 * np.log2(np.maximum(1, np.arange(s.MAX_SEATS + 1)))).astype(np.int32)  # ms, by enemies in view
# A single reaction takes 65 to 135 % of the mean: a standard deviation of a fifth.
LEAST_PERCENT, PERCENTS = 65, 71
CENTRE = (
    2731  # turn units to either side of the view, 15 degrees, in which whoever appears is noticed at once
)
GLANCE_MS = 230  # a glance to somewhere else (Card, Moran & Newell 1983) …
GLANCES = 2  # … of so many that take in the rest of the view, to one side and the other
KEPT = 20  # ticks unseen, by the whole team, after which an enemy has to be noticed again
OPENS = 3  # widths of a target by which the aim may be off for fire to be opened
PAUSE = 8  # ticks between two decisions at most; after more, all begins anew
BODY = 180  # units, the width of a body (twice combat.BODY_RADIUS)
EYES_DRAW, SHOT_DRAW = 201, 202  # purposes of random draws

# In scratch: the skill + 1 (0: a bot with eyes and hands of its own), ticks since the last decision, and what
# is remembered: the decision's tick + 1; from which tick + 1 on it acts upon being hit; the tick + 1 in which
# it last aimed, by how much its aim was off (turn units), where to, its recoil; by seat, from which
# tick + 1 on it acts upon having seen them.
SKILL, SINCE, CLOCK, HURT, AIMED, ERROR, WHERE, KICK, NOTICED = range(MIND, MIND + 9)
MEMORY = NOTICED + s.MAX_SEATS - CLOCK


@rule
def forget(scratch):
    """Remember nothing."""
    for field in range(CLOCK, CLOCK + MEMORY):
        scratch[field] = 0


@rule
def _due(state, seat, seen, which, scratch):
    """The tick + 1 from which on a seat acts upon something that it has just noticed."""
    word = s.draw(state, EYES_DRAW, 64 * seat + which)
    ms = int(REACTION[int(scratch[SKILL]) - 1]) + int(CHOICE[seen])
    ms = (ms * (LEAST_PERCENT + word % PERCENTS)) // 100
    # Ticks are whole; and what is noticed at a decision began on average half the time between two decisions
    # before, and is acted upon half of it later.
    ticks = (ms + (word >> 8) % TICK_MS) // TICK_MS - int(scratch[SINCE]) + 1
    return int(state[s.TICK]) + 1 + (ticks if ticks > 1 else 1)


@rule
def observe(state, seat, hit, scratch):
    """Bring up to date what a seat has noticed; `hit`: whether a shot hit it lately."""
    at = s.player(seat)
    now = int(state[s.TICK]) + 1
    since = now - int(scratch[CLOCK])
    if since < 0 or since > PAUSE:
        forget(scratch)
        since = 1
    scratch[SINCE] = since
    scratch[CLOCK] = now
    seen = 0
    for other in range(int(state[s.SEATS])):
        seen += s.sees(state, seat, other)
    if not hit:
        scratch[HURT] = 0
    elif int(scratch[HURT]) == 0:
        scratch[HURT] = _due(state, seat, 0, s.MAX_SEATS, scratch)
    for other in range(int(state[s.SEATS])):
        if s.sees(state, seat, other) == 0:
            if sight.knows(state, int(state[at + s.TEAM]), other) > KEPT:
                scratch[NOTICED + other] = 0
        elif int(scratch[NOTICED + other]) == 0:
            op = s.player(other)
            way = bearing(
                int(state[op + s.X]) - int(state[at + s.X]), int(state[op + s.Y]) - int(state[at + s.Y])
            )
            off = wrap(way - int(state[at + s.YAW]))
            glance = s.draw(state, EYES_DRAW, 64 * seat + 32 + other) % (GLANCE_MS * GLANCES)
            if -CENTRE <= off <= CENTRE or glance < since * TICK_MS or felt(scratch):
                scratch[NOTICED + other] = _due(state, seat, seen, other, scratch)


@rule
def noticed(scratch, other):
    """Whether a seat may act upon seeing another one; bots see at once."""
    return int(scratch[SKILL]) == 0 or 0 < int(scratch[NOTICED + other]) <= int(scratch[CLOCK])


@inner
def felt(scratch):
    """Whether a seat that was hit may act upon that."""
    return int(scratch[SKILL]) == 0 or 0 < int(scratch[HURT]) <= int(scratch[CLOCK])


@rule
def left(error, scratch):
    """What is left of an error after the time between two decisions."""
    for _ in range(int(scratch[SINCE])):
        error = (error * int(LEFT[int(scratch[SKILL]) - 1])) >> 16
    return error


@rule
def width(far):
    """The angle (turn units) that a body takes up at a distance."""
    return (BODY * 10430) // (far + 64)


@rule
def aim(state, seat, yaw, scratch):
    """Turn units by which the aim of a seat that now aims at `yaw` is off; remembered."""
    at = s.player(seat)
    recoil = int(state[at + s.RECOIL])
    if int(scratch[AIMED]) == int(scratch[CLOCK]) - int(scratch[SINCE]) and int(scratch[AIMED]) > 0:
        moved = wrap(yaw - int(scratch[WHERE]))
        kicked = recoil - int(scratch[KICK])
        error = left(int(scratch[ERROR]), scratch)
        error += (moved if moved >= 0 else -moved) + (kicked if kicked > 0 else 0)
    else:
        error = wrap(yaw - int(state[at + s.YAW]))
        error = error if error >= 0 else -error
    scratch[AIMED] = scratch[CLOCK]
    scratch[ERROR] = error
    scratch[WHERE] = yaw & 0xFFFF
    scratch[KICK] = recoil
    return error


@rule
def stray(state, seat, error):
    """By how many turn units a shot goes to a side (normal, standard deviation error / 4.133)."""
    word = s.draw(state, SHOT_DRAW, seat)
    # Four bytes have a mean of 510 and a standard deviation of 147.8.
    off = (word & 255) + ((word >> 8) & 255) + ((word >> 16) & 255) + ((word >> 24) & 255) - 510
    return (off * error) // 611


@rule
def turned(state, at, look, scratch):
    """The yaw to which a person gets on the way to another one until the next decision."""
    if int(scratch[SKILL]) == 0 or int(scratch[AIMED]) == int(scratch[CLOCK]):
        return look
    off = wrap(look - int(state[at + s.YAW]))
    done = off - left(off, scratch) if off >= 0 else off + left(-off, scratch)
    # At least a step of the yaw head.
    least = 1100 if off > 1100 else off if off >= -1100 else -1100
    if (off >= 0 and done < least) or (off < 0 and done > least):
        done = least
    return (int(state[at + s.YAW]) + done) & 0xFFFF
