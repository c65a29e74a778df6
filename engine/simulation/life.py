"""The life of an instruction: its states, and which may follow which.

Rows, logs, messages and pages have these names and no others (static/js/lib/life.js has the same table, and
docs/architecture.md draws it). Not for when an instruction was in force for whom (engine.simulation.told).
"""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    UNREAD = "unread"  # nothing was understood of it
    READ = "read"  # waits for its player's yes
    CONFIRMED = "confirmed"  # in force
    WAITING = "waiting"  # in force for a seat that has nothing to do for it yet
    OBEYING = "obeying"  # in force for a seat that does it now
    UNABLE = "unable"  # in force for a seat that can do nothing now
    DONE = "done"  # over for a seat: it has done it
    OUT = "out"  # over for a seat that never can again
    REPLACED = "replaced"  # over for a seat: a later one contradicts all of it
    ASIDE = "aside"  # was never for this seat
    WITHDRAWN = "withdrawn"  # its player took it back
    REWRITTEN = "rewritten"  # its player said it in other words


S = State
IN_FORCE = (S.CONFIRMED, S.WAITING, S.OBEYING, S.UNABLE)
"""A row and its records in the log say "confirmed"; the others are how a seat is at it, which follows from
the state of the game and is written nowhere."""
OVER = (S.DONE, S.OUT, S.REPLACED, S.ASIDE)
"""Of a seat, as records of type "standing" say it. The row stays confirmed: other seats may go on."""
TAKEN_BACK = (S.WITHDRAWN, S.REWRITTEN)
FOLLOWS: dict[State, tuple[State, ...]] = {
    S.UNREAD: (S.READ, *TAKEN_BACK),  # read once more at the start, when all whom it may name are there
    S.READ: (S.CONFIRMED, *TAKEN_BACK),
    **{state: (*(one for one in IN_FORCE if one is not state), *OVER, *TAKEN_BACK) for state in IN_FORCE},
    **dict.fromkeys((*OVER, *TAKEN_BACK), ()),
}


def may_follow(state: str, after: str) -> bool:
    """Whether an instruction in the state `after` may come to be in `state`."""
    return State(state) in FOLLOWS[State(after)]
