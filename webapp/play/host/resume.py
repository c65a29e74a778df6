"""From an episode log to a match in full swing: what a host does when it takes a match over.

A pure function of what was loaded; the same whether the match has just begun or its last host died in
mid-game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.simulation.log import iterate
from engine.simulation.simulation import Simulation
from webapp.play.host import frames
from webapp.play.host.storage import Loaded


@dataclass
class Resumed:
    """`history` is the last action after each tick, `past` the latest states (for spectators, who lag
    behind).
    """

    sim: Simulation
    history: list[dict[str, Any]] = field(default_factory=list)
    past: list[Simulation] = field(default_factory=list)
    dialogue: list[dict[str, Any]] = field(default_factory=list)
    instructions: dict[str, dict[str, Any]] = field(default_factory=dict)
    controllers: dict[int, dict[str, Any]] = field(default_factory=dict)


def resume(loaded: Loaded) -> Resumed:
    """Re-simulate the log and gather what was said."""
    states = list(iterate(loaded.log))
    done = Resumed(states[-1].copy())
    done.history = [state.view(None)["last"] for state in states[1:]]
    done.past = states[-loaded.watch_delay - 1 :]
    for seat in loaded.seats:
        controller: dict[str, Any] = {"kind": seat.kind}
        if seat.kind == "agent":
            controller |= {"name": seat.name, "agent": seat.agent, "ref": seat.ref}
        done.controllers[seat.index] = controller
    for record in loaded.log.records:
        if record["type"] == "instruction":
            known = done.instructions.get(record["id"], {})
            # The tick of an instruction is that of its typing; later records say when its status changed.
            done.instructions[record["id"]] = {**known, **record}
            done.dialogue.append(frames.instruction(record))
        elif record["type"] == "utterance":
            done.dialogue.append(frames.utterance(record))
        elif record["type"] == "control":
            done.controllers[record["seat"]] = record["controller"]
            done.dialogue.append(frames.control(record, _control_text(loaded, record)))
    return done


def _control_text(loaded: Loaded, record: dict[str, Any]) -> str:
    name = loaded.seats[record["seat"]].name
    controller = record["controller"]
    return f"{controller['name']} plays for {name}." if controller["kind"] == "agent" else f"{name} plays."
