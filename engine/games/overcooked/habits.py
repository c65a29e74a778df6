"""Habits of cooks, counted tick by tick: waiting, holding a key, bumping into one another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.games.overcooked import rules


def habits(before: np.ndarray, seat: int, action: int, after: np.ndarray) -> Iterator[tuple[str, bool]]:
    """(habit, whether it was followed) for each habit that an action says something about."""
    yield "ticks of waiting", action == rules.STAY
    if action < rules.STAY:
        place = int(before[rules.POSITION + seat])
        if rules.terrain(before, rules.neighbour(before, place, action)) == rules.FLOOR:
            yield "steps that the other cook blocks", int(after[rules.POSITION + seat]) == place
    if action == rules.INTERACT:
        yield "interactions that do nothing", int(after[rules.EVENT + seat]) == rules.NO_EVENT
    if (last := int(before[rules.ACTION + seat])) >= 0 and action != rules.STAY:
        yield "keys that were held from the tick before", last == action
