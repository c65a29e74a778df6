"""People's decisions in Arena in the form of agents' decisions: one choice for each head from the ticks
between two decisions of agents. Not for what a person's input does in one tick (protocol.to_record).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s

PASSING = (s.B_SLIDE, s.B_CROUCH, s.B_JUMP, s.B_PRONE, s.B_DOOR, s.B_RESCUE)  # done once, in one of the ticks


def decided(state: np.ndarray, seat: int, records: np.ndarray) -> list[int]:
    """The six heads that come nearest to what a seat did in some ticks from `state` on: records (k, RECORD).

    Feet and pitch are those of most ticks, the turn is the mean one; of what is done in single ticks (a jump,
    a door, hands that don't rest), the first counts.
    """
    turns = (records[:, s.TURN_HEAD] + 8) % 16 - 8
    turn = min(7, max(-8, int(np.floor(turns.mean() + 0.5)))) & 15
    move, pitch, body = (_most(records[:, head]) for head in (s.MOVE, s.PITCH_HEAD, s.BODY))
    if done := [int(body) for body in records[:, s.BODY] if body in PASSING]:
        body = done[0]
    slot = int(state[s.player(seat) + s.SLOT])
    busy = records[records[:, s.SWITCH] != slot]
    hands = (busy if len(busy) else records)[0]
    return [move, turn, pitch, body, int(hands[s.BASIC]), int(hands[s.SWITCH])]


def _most(choices: np.ndarray) -> int:
    """The commonest choice, of equally common ones the first."""
    return max((int(choice) for choice in choices), key=[int(choice) for choice in choices].count)
