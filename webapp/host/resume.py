"""From an episode log to a match in full swing: what a host does when it takes a match over.

A pure function of what was loaded; the same whether the match has just begun or its last host died in
mid-game. Takes a while for a long game, so it is called in a thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine import brings
from engine.games import first as firsts
from engine.simulation.log import iterate, resimulate
from engine.simulation.simulation import Simulation
from engine.simulation.spoken import last_move
from engine.simulation.told import Told
from webapp.episodes.people import SURPRISE_NAME
from webapp.host import frames
from webapp.host.storage import Loaded


@dataclass
class Resumed:
    """`history` is the last action after each tick, `past` the latest states (for spectators, who lag
    behind); both only where one seat moves at a time. `handed_back`: seats that a co-pilot was playing.
    `course`: how far a guided first game has come.
    """

    sim: Simulation
    in_force: Told
    history: list[dict[str, Any]] = field(default_factory=list)
    past: list[Simulation] = field(default_factory=list)
    dialogue: list[dict[str, Any]] = field(default_factory=list)
    instructions: dict[str, dict[str, Any]] = field(default_factory=dict)
    controllers: dict[int, dict[str, Any]] = field(default_factory=dict)
    handed_back: set[int] = field(default_factory=set)
    course: firsts.Course | None = None


def resume(loaded: Loaded) -> Resumed:
    """Re-simulate the log and gather what was said."""
    if loaded.ticks_per_second is None:
        states = list(iterate(loaded.log))
        done = Resumed(states[-1].copy(), Told(loaded.log.header))
        done.history = [last_move(state) for state in states[1:]]
        done.past = states[-loaded.watch_delay - 1 :]
    else:
        done = Resumed(resimulate(loaded.log).copy(), Told(loaded.log.header))
        warm(done.sim)
    if loaded.first and (first := firsts.of(loaded.game)):
        done.course = firsts.course_of(first, loaded.log, first.seat)
    for seat in loaded.seats:
        controller: dict[str, Any] = {"kind": seat.kind}
        if seat.kind == "agent":
            controller |= {"name": seat.name, "agent": seat.agent, "ref": seat.ref}
        done.controllers[seat.index] = controller
    for record in loaded.log.records:
        done.in_force.note(record)
        if record["type"] == "instruction":
            known = done.instructions.get(record["id"], {})
            # The tick of an instruction is that of its typing; later records say when its status changed.
            done.instructions[record["id"]] = {**known, **record}
            done.dialogue.append(frames.instruction(record, done.in_force.goes_to_plan(record)))
        elif record["type"] == "plan_edit" and record["do"] in ("on", "off"):
            done.dialogue += frames.turned(done.in_force, record)
        elif record["type"] == "standing":
            done.dialogue += frames.standings([record])
        elif record["type"] == "reason":
            done.dialogue.append(frames.reason(record))
        elif record["type"] == "judged":
            done.instructions[record["id"]]["judged"] = record["sign"]
            done.dialogue.append(frames.judged(record))
        elif record["type"] == "utterance":
            done.dialogue.append(frames.utterance(record))
        elif record["type"] == "control":
            _take_control(loaded, done, record)
    return done


def warm(sim: Simulation) -> None:
    """Have the rules of a step loaded, so that the first tick needn't wait for that."""
    if not sim.over:
        trial = sim.copy()
        trial.step([trial.idle(seat) for seat in range(trial.seats)])
        trial.digest()
        if trial.spec.heads:
            protocol_of(trial.game).warm(trial)
        else:
            trial.view(None)


def protocol_of(game: str) -> brings.Protocol:
    """The module that knows the binary frames of a game whose actions have heads."""
    protocol = brings.Protocol.brought(game)
    if protocol is None:
        raise LookupError(f"{game} has actions with heads and brings no protocol.py that could send them.")
    return protocol


def _take_control(loaded: Loaded, done: Resumed, record: dict[str, Any]) -> None:
    """A co-pilot's sockets died with the host: the agent that was there before plays on."""
    seat, controller = record["seat"], record["controller"]
    if controller["kind"] == "copilot":
        done.handed_back.add(seat)
    else:
        done.handed_back.discard(seat)
        done.controllers[seat] = controller
    text, stand_in = _control_text(loaded, record), frames.stand_in_of(loaded.seats[seat], controller)
    record_of = {"type": "control", "tick": record["tick"], "seat": seat, "stand_in": stand_in, "text": text}
    done.dialogue.append(record_of)


def _control_text(loaded: Loaded, record: dict[str, Any]) -> str:
    seat, controller = loaded.seats[record["seat"]], record["controller"]
    name = SURPRISE_NAME if seat.hidden else seat.name
    if controller["kind"] == "copilot":
        return f"A co-pilot plays for {name}."
    if controller.get("asleep"):
        return f"{name} waits."
    if controller["kind"] == "agent" and seat.kind == "person":
        return f"{controller['name']} plays for {name}."
    return f"{name} plays."
