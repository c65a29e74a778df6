"""A game on the lake that is over, told. Not for single steps (words.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import rules

if TYPE_CHECKING:
    from engine.games.stories import Ending
    from engine.simulation.simulation import Simulation


def headline(end: Ending, seat: int | None) -> str:
    return "Both goals are reached" if end.score == rules.SEATS else "The goals aren't both reached"


def result(end: Ending, seat: int | None) -> tuple[str, str]:
    return f"{end.score:g}", f"of {rules.SEATS} goals"


def story(moments: Iterable[Simulation], names: Sequence[str], seat: int | None) -> str:
    """How it ended, and after how many steps."""
    last = None
    for last in moments:  # noqa: B007
        pass
    if last is None:
        return ""
    state, steps = np.asarray(last.state), f"{last.tick} step{'' if last.tick == 1 else 's'}"
    fallen = [who for who in range(rules.SEATS) if int(state[rules.DID + who]) == rules.IN_HOLE]
    if fallen:
        who = " and ".join("you" if one == seat else names[one] for one in fallen)
        return f"{who[0].upper()}{who[1:]} fell into a hole after {steps}."
    if int(state[rules.OVER]) == rules.SOLVED:
        return f"Both stood on a goal after {steps}."
    return f"The time was up after {steps}." if last.over else f"It was left after {steps}."


def advice(end: Ending, last: Simulation, seat: int | None) -> tuple[str, str] | None:
    """What happened where not both goals were reached, and what to try."""
    over = int(last.state[rules.OVER])
    if over == rules.FELL:
        return (
            "A hole ended the game for both of you.",
            "Look where each step leads before you take it; round the holes there is always a way.",
        )
    if over != rules.TIME_IS_UP:
        return None
    return (
        f"Time was up with {end.score:g} of {rules.SEATS} goals reached.",
        "Say which goal is whose before you walk, and let the one go first who has to pass a narrow place: "
        "“you go first”.",
    )
