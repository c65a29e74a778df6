"""Why a squad mate can't do now what it was asked, in a sentence; not for those who are on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

# By the words of a progress (follow, standing): what they say, and whether that is sure at once. Who has just
# been told something hasn't turned round yet, and isn't held up.
_WHY = {
    "down": ("I’m down", True),
    "there is nobody whom that could mean": ("I don’t know whom you mean", True),
    "no enemy to attack": ("I see no enemy to attack", True),
    "nobody is down": ("Nobody is down", True),
    "nothing to take yet": ("I find nothing to take here", False),
    "can't help yet": ("I can’t get to our mate yet", False),
    "not treating yet": ("I can’t treat myself now", False),
    "looking elsewhere": ("Something else needs my eyes", False),
    "too near a mate": ("I can’t get away from our mates yet", False),
    "held up": ("I’m held up, something is in my way", False),
}


def why_not(
    program: dict[str, Any], sim: Simulation, seat: int, progress: dict[str, str]
) -> tuple[str, bool]:
    """(why an instruction that has this progress can't be obeyed now, "" if it can; whether that is sure)."""
    text = progress["text"]
    if progress["state"] == State.WAITING and text.endswith((" is not down", " is out", " are not down")):
        return text, True
    return _WHY.get(text, ("", True)) if progress["state"] in (State.WAITING, State.UNABLE) else ("", True)
