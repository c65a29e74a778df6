"""What several instructions to one seat come to: which are replaced, in part or whole, and which are done.

Whoever plays a game notes this in its log, as records of type "standing", so that everybody who reads the log
later finds the same (engine.simulation.told):

    {"type": "standing", "tick": 12, "seat": 1, "id": of the instruction, "state": "done" | "out"}
    {…, "state": "replaced" | "aside", "by": id of the later one}
    {…, "state": "confirmed", "by": id of one that replaces a part of it, "program": what is left of it}

(states: engine.simulation.life).

Older logs without these records are `completed`. Not for what contradicts what in a game (its `standing.py`),
nor for how far an instruction has got in a live match (`engine.language.progresses`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import language
from engine.simulation.life import State
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.told import Told

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Record = dict[str, Any]
LOOK_EVERY = 5  # ticks between two looks at whether an instruction is done, where the log doesn't say
# States of a progress after which the seat is asked nothing more.
ENDED = (State.DONE, State.OUT, State.REPLACED)
_OWN = ("since_tick", "from_seat")


def settled(told: Told, sim: Simulation) -> list[Record]:
    """Records of the instructions that others in force have replaced by now: each seat's later ones replace
    what they contradict in its earlier ones. They are noted in `told`; none if nothing has changed since the
    last call.
    """
    records: list[Record] = []
    for seat in range(sim.seats):
        spans = told.of(seat)
        if not spans:
            continue
        left = language.remaining(sim.game, [span.program for span in spans], sim, seat)
        for index, (span, program) in enumerate(zip(spans, left, strict=True)):
            if program == span.program:
                continue
            last = index == len(spans) - 1
            record: Record = {"type": "standing", "tick": sim.tick, "seat": seat, "id": span.id}
            record["state"] = State.CONFIRMED if program else State.ASIDE if last else State.REPLACED
            if not last:
                record["by"] = spans[-1].id
            if program:
                record["program"] = {name: value for name, value in program.items() if name not in _OWN}
            records.append(record)
    for record in records:
        told.note(record)
    return records


def done(told: Told, sim: Simulation) -> list[Record]:
    """Records of the instructions that have come to their end by now, or whose seat is out; noted
    in `told`.
    """
    records: list[Record] = []
    for seat in range(sim.seats):
        spans = told.of(seat)
        if not spans:
            continue
        states = language.progresses(sim.game, [span.program for span in spans], sim, seat)
        records += [
            ended(sim.tick, seat, span.id, progress["state"])
            for span, progress in zip(spans, states, strict=True)
            if progress["state"] in ENDED
        ]
    for record in records:
        told.note(record)
    return records


def ended(tick: int, seat: int, name: str, state: str) -> Record:
    """The record of an instruction that is over for a seat: a `state` of ENDED."""
    return {"type": "standing", "tick": tick, "seat": seat, "id": name, "state": state}


def completed(log: EpisodeLog) -> EpisodeLog:
    """The log with the standings of its instructions, re-simulated if they were not noted; raises
    Refusal.
    """
    noted = any(record["type"] == "standing" for record in log.records)
    if noted or not any(record.get("status") == State.CONFIRMED for record in log.instructions):
        return log
    out, told = EpisodeLog(log.header), Told(log.header)
    states = walk(log)
    sim = next(states)
    for record in log.records:
        out.append(record)
        told.note(record)
        if record["type"] == "instruction":
            more = settled(told, sim)
        elif record["type"] == "step":
            sim = next(states)
            happened = bool(sim.events) and sim.events[-1]["tick"] == sim.tick
            look = happened or sim.over or sim.tick % LOOK_EVERY == 0
            more = done(told, sim) if look else []
        else:
            more = []
        for standing in more:
            out.append(standing)
    return out
