"""What a seat of Overcooked sees: the lossless encoding of overcooked_ai, 26 numbers a cell.

Channels in order: own place; others' places; own facing (4); others' facing (4); pot, counter, onion, tomato
and dish dispenser, serving window; onions and tomatoes in an idle pot; onions and tomatoes in a soup
(cooking, done or carried), ticks that it still cooks, whether it is done; dishes, onions, tomatoes; urgency
(fewer than 40 ticks left). What a cook holds is drawn at its cell. With 3 or 4 cooks the "other" channels
hold all others.

Flat, in the order (height, width, 26). The kitchen is open: every seat sees everything. Not for what networks
read (`features`).
"""

from __future__ import annotations

from engine.games.overcooked import rules
from engine.games.overcooked.rules import (
    FACING,
    HEIGHT,
    HELD,
    HORIZON,
    IDLE,
    ITEM,
    PLAYERS,
    POSITION,
    POT,
    SOUP,
    TICK,
    TIMER,
    WIDTH,
)
from engine.simulation.jit import inner, rule

CHANNELS = 26
URGENT = 40  # ticks
(
    OWN,
    OTHER,
    OWN_FACING,
    OTHER_FACING,
    TERRAIN,
    IN_POT,
    IN_SOUP,
    TIME_LEFT,
    DONE,
    DISH,
    ONION,
    TOMATO,
    URGENCY,
) = (0, 1, 2, 6, 10, 16, 18, 20, 21, 22, 23, 24, 25)


@rule
def observation_size(state):
    """Numbers in an observation: height x width x 26."""
    return int(state[WIDTH]) * int(state[HEIGHT]) * CHANNELS


@inner
def _draw(out, at, item):
    """Something in a hand or on a counter; nothing else is in its cell."""
    if item >= SOUP:
        out[at + IN_SOUP] = rules.onions_of(item)
        out[at + IN_SOUP + 1] = rules.tomatoes_of(item)
        out[at + DONE] = 1
    elif item == rules.DISH:
        out[at + DISH] = 1
    elif item == rules.ONION:
        out[at + ONION] = 1
    elif item == rules.TOMATO:
        out[at + TOMATO] = 1


@rule
def encode(state, seat, out):
    """Write what a seat sees into out (height x width x 26,), uint8 or float."""
    cells = int(state[WIDTH]) * int(state[HEIGHT])
    urgent = 1 if int(state[HORIZON]) - int(state[TICK]) < URGENT else 0
    for index in range(cells * CHANNELS):
        out[index] = 0
    for cell in range(cells):
        at = cell * CHANNELS
        kind = rules.terrain(state, cell)
        if kind != rules.FLOOR:
            # FLOOR, COUNTER, POT, … -> pot and counter change places in the encoding.
            channel = TERRAIN + kind - 1
            if kind == rules.COUNTER:
                channel = TERRAIN + 1
            elif kind == POT:
                channel = TERRAIN
            out[at + channel] = 1
            item = int(state[ITEM + cell])
            if item != rules.NOTHING:
                if kind == POT:
                    _draw_pot(state, cell, item, out, at)
                else:
                    _draw(out, at, item)
        if urgent != 0:
            out[at + URGENCY] = 1
    for who in range(int(state[PLAYERS])):
        at = int(state[POSITION + who]) * CHANNELS
        facing = int(state[FACING + who])
        if who == seat:
            out[at + OWN] = 1
            out[at + OWN_FACING + facing] = 1
        else:
            out[at + OTHER] = 1
            out[at + OTHER_FACING + facing] = 1
        held = int(state[HELD + who])
        if held != rules.NOTHING:
            _draw(out, at, held)


@rule
def _draw_pot(state, cell, item, out, at):
    timer = int(state[TIMER + cell])
    if timer == IDLE:
        out[at + IN_POT] = rules.onions_of(item)
        out[at + IN_POT + 1] = rules.tomatoes_of(item)
        return
    out[at + IN_SOUP] = rules.onions_of(item)
    out[at + IN_SOUP + 1] = rules.tomatoes_of(item)
    left = rules.cook_time(state, item) - timer
    if left > 0:
        out[at + TIME_LEFT] = left
    else:
        out[at + DONE] = 1
