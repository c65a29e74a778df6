"""What of an instruction a seat can't do in its own move, by what everybody at the table knows.

It is said while that seat is to move, and not before: with a hint or a discard, those who move earlier change
what it may do. Conditions that don't hold are told at any time (events.py). Nothing is said of hands: that
would tell somebody what they hold. Not for what an instruction asks of a move (chances.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.games.hanabi import rules
from engine.games.hanabi.language import chances, events
from engine.games.hanabi.words import may_discard
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

NO_HINT, NO_DISCARD = "no hint is left", "nothing may be discarded while all hints are there"


def progresses(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """{"state": "waiting" | "obeying" | "done", "text"} of each instruction (engine.language.progress)."""
    found, moves = [], sim.current == seat
    for program in programs:
        left = chances.left(program, sim.state, seat)
        whys = [
            events.waits(rule, program, sim.state, seat) or (_why_not(rule, sim) if moves else "")
            for rule in left
        ]
        state = State.OBEYING if left or not program["rules"] else State.DONE
        waits = bool(whys) and all(whys)
        found.append({"state": State.WAITING if waits else state, "text": whys[0] if waits else ""})
    return found


def _why_not(rule: dict[str, Any], sim: Simulation) -> str:
    """Why who moves can't do now what a rule asks for, "" where they can or it waits for an occasion."""
    if rule["weight"] <= 0 or "when" in rule or "when" in rule.get("if", {}):
        return ""
    action = rule["then"]["action"]
    if action.startswith("hint"):
        return NO_HINT if int(sim.state[rules.INFORMATION]) == 0 else ""
    return NO_DISCARD if action == "discard" and not may_discard(sim.state) else ""
