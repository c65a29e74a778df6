"""Angles and lengths in integers: the same numbers in plain Python, compiled, on a GPU and in the browser.

A full turn is 65,536 units. Yaw 0 looks north (towards smaller y), a quarter turn (16,384) looks east;
pitch is positive upwards. Sines are scaled by 16,384. Not for: anything that isn't a pure function of its
arguments.
"""

from __future__ import annotations

import math

import numpy as np

from engine.simulation.jit import inner, rule

TURN = 65536
QUARTER = TURN // 4
STEEPEST = 16000  # turn units up or down that a player can look, nearly a quarter turn
ONE = 16384  # the sine of a quarter turn
SINES = np.array([round(ONE * math.sin(2 * math.pi * i / 1024)) for i in range(1025)], np.int32)
ARCS = np.array([round(math.atan(i / 1024) / (2 * math.pi) * TURN) for i in range(1025)], np.int32)


@rule
def sine(angle):
    """16,384 times the sine of an angle in turn units (any integer)."""
    angle = angle & 0xFFFF
    index = angle >> 6
    low = int(SINES[index])
    return low + (((int(SINES[index + 1]) - low) * (angle & 63)) >> 6)


@rule
def cosine(angle):
    """16,384 times the cosine of an angle in turn units."""
    return sine(angle + 16384)


@rule
def wrap(angle):
    """An angle in -32,768 .. 32,767."""
    return ((angle + 32768) & 0xFFFF) - 32768


@inner
def _arc(small, large):
    """The angle whose tangent is small / large, 0 <= small <= large, large > 0: 0 .. 8,192."""
    return int(ARCS[(small << 10) // large])


@rule
def bearing(dx, dy):
    """The yaw (0 .. 65,535) in which a point dx to the east and dy to the south lies; 0 for no distance."""
    east = dx if dx >= 0 else -dx
    north = dy if dy >= 0 else -dy
    if east == 0 and north == 0:
        return 0
    if east <= north:
        angle = _arc(east, north)
    else:
        angle = 16384 - _arc(north, east)
    if dy > 0:
        angle = 32768 - angle
    if dx < 0:
        angle = 65536 - angle
    return angle & 0xFFFF


@rule
def bounded_pitch(pitch):
    """A pitch in turn units (any integer), kept to -STEEPEST .. STEEPEST."""
    return STEEPEST if pitch > STEEPEST else -STEEPEST if pitch < -STEEPEST else pitch


@rule
def elevation(distance, rise):
    """The pitch (-16,384 .. 16,384) of a point `distance` away and `rise` higher."""
    up = rise if rise >= 0 else -rise
    if up == 0:
        return 0
    if up <= distance:
        angle = _arc(up, distance)
    else:
        angle = 16384 - _arc(distance, up)
    return angle if rise > 0 else -angle


@rule
def length(dx, dy):
    """The length of a vector, at most 0.2 % off; 0 for (0, 0)."""
    a = dx if dx >= 0 else -dx
    b = dy if dy >= 0 else -dy
    if a < b:
        a, b = b, a
    if a == 0:
        return 0
    guess = a + ((3 * b) >> 3)
    return (guess + (a * a + b * b) // guess) >> 1
