"""The words in which a player reads about a seat of their own team: no more than their own snapshots show.

A team's memory of enemies, which agents read, is in no person's snapshot, nor is what a mate alone is shown
(rounds, bullets, kits, what hands do). So whoever asks about themselves is told their whole record and the
enemies that they were shown. Whoever asks about a mate is told what the mate looks like, and which of the
enemies that they were shown themselves the mate sees: the map and the places tell that, too.

Not for: who may ask about whom (webapp.host.streams), the sentences (words.py), spectators, who are
told everything, late.
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.games.arena import words
from engine.games.arena.sight import FORGOTTEN
from engine.games.arena.snapshot import GRACE, shown


def as_shown(state: np.ndarray, seen: np.ndarray, reader: int) -> np.ndarray:
    """A copy of the record in which the reader's team sees and remembers only the enemies that the reader's
    own snapshots had. `seen`: as snapshot.note_sight keeps it.
    """
    known = state.copy()
    size, team = int(state[s.TEAM_SIZE]), int(state[s.player(reader) + s.TEAM])
    tick = int(state[s.TICK])
    for other in range(int(state[s.SEATS])):
        if other // size == team:
            continue
        if not shown(state, seen, reader, other):
            for mate in range(team * size, team * size + size):
                at = int(s.player(mate))
                for field in (s.SIGHT, s.SEES):
                    known[at + field + other // 10] &= ~(1 << other % 10)
        entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
        # Where the team last knew the enemy was in the reader's snapshot of that tick, or it isn't told.
        if int(state[entry]) > int(seen[reader, other]) + GRACE:
            known[entry] = tick - FORGOTTEN
    return known


def spoken_to(
    start: tuple[np.ndarray, np.ndarray], now: tuple[np.ndarray, np.ndarray], reader: int, seat: int
) -> dict[str, object]:
    """{"sees", "details"} (engine.simulation.spoken) of a seat for a reader of its team; `start` and `now`
    are (state, seen) at both ends of the window.
    """
    known = as_shown(*now, reader)
    if reader != seat:
        return {"sees": words.observation_text(known, seat, own_eyes=False), "details": []}
    details = words.details(as_shown(*start, reader), known, seat)
    return {"sees": words.observation_text(known, seat), "details": details}
