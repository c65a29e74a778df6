"""Instructions in a log: which are in force for a seat at a tick, computed from the log and nothing else.

An instruction is in force from its confirmation until it is withdrawn or rewritten (records of type
"instruction"), or until it is done or replaced by a later one, which whoever plays or re-simulates the game
notes for each seat (records of type "standing", see engine.language.standings). Live play, replays, marks,
datasets, training and ratings all use this module. Not for what a program means (engine.language).

Tick t is the state in which a move is made: an instruction of tick 5 is in force for the move that leads to
tick 6, and one that ended at tick 9 is not in force for the move that leads to tick 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.simulation import registry
from engine.simulation.life import OVER, TAKEN_BACK, State
from engine.simulation.log import EpisodeLog
from engine.simulation.planned import Planned

PLANS = ("plan", "planned", "plan_edit")  # records about the plan of a side (engine.simulation.planned)
PLANNED = "planned"
"""Why an instruction ended that the plan of a side goes by from then on."""


@dataclass
class Span:
    """One instruction of one seat, with the words that were typed: in force at the ticks `start` to `end` -
    1, to the last tick if `end` is None. `why` it ended: the state that it came to (engine.simulation.life),
    or PLANNED; `by`: the instruction that replaced it.
    """

    id: str
    seat: int
    speaker: int
    text: str
    program: dict[str, Any]
    start: int
    end: int | None = None
    why: str = ""
    by: str = ""

    def holds(self, tick: int) -> bool:
        """Whether it is in force at a tick."""
        return self.start <= tick and (self.end is None or tick < self.end)


class Told:
    """The instructions of a game so far: `note` every record of its log, then ask for those `of` a seat."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.header = header
        self.spans: list[Span] = []
        self.plan = Planned()
        self.to_all: dict[str, dict[str, Any]] = {}  # confirmed instructions to all of a side, oldest first
        self.tick = 0  # of the state that the game has come to, as far as the records say
        self._open: dict[int, dict[str, Span]] = {seat: {} for seat in range(len(header["seats"]))}

    def audience(self, speaker: int, target: int | None) -> list[int]:
        """The seats that an instruction is for: the one that is spoken to, or all others of the speaker's
        side. Nobody instructs themselves or another side.
        """
        spec, options = registry.spec(self.header["game"]), self.header["options"]
        side = spec.side_of(options, speaker)
        return [
            seat
            for seat in self._open
            if seat != speaker and target in (None, seat) and spec.side_of(options, seat) == side
        ]

    def note(self, record: dict[str, Any]) -> None:
        """Take the next record of the log; records that are not about instructions change nothing."""
        # A record that tells a change again may carry the tick of an older one; order is what counts.
        self.tick = max(self.tick, int(record["tick"]) + (record["type"] == "step"))
        if record["type"] == "instruction":
            self._note_instruction(record)
        elif record["type"] in PLANS:
            was_on = self.plan.on.copy()
            self.plan.note(record)
            for side, is_on in self.plan.on.items():
                if is_on != was_on.get(side, False):
                    self._turned(side)
        elif record["type"] == "standing":
            span = self._open.get(record["seat"], {}).get(record["id"])
            if span is None:
                return
            if record["state"] in OVER:
                self._end(span, record["state"], record.get("by") or "")
            else:  # still confirmed, in older logs "changed": a later one took a part of it away
                span.program = {**record["program"], **_origin(span.start, span.speaker)}

    def _note_instruction(self, record: dict[str, Any]) -> None:
        name = record["id"]
        if record["status"] in TAKEN_BACK:
            self.to_all.pop(name, None)
            for standing in self._open.values():
                if name in standing:
                    self._end(standing[name], record["status"])
        if record["status"] != State.CONFIRMED or not (record.get("reading") or {}).get("program"):
            return
        if record.get("target_seat") is None:
            self.to_all.pop(name, None)
            self.to_all[name] = record
        if not self.goes_to_plan(record):
            self._give(record, self.tick)

    def _give(self, record: dict[str, Any], since: int) -> None:
        """An instruction becomes that of all whom it is for; `since`: the tick from which on it counts."""
        name, speaker = record["id"], int(record.get("seat") or 0)
        for seat in self.audience(speaker, record.get("target_seat")):
            if name not in self._open[seat]:
                dated = {**record["reading"]["program"], **_origin(since, speaker)}
                span = Span(name, seat, speaker, record.get("text", ""), dated, self.tick)
                self._open[seat][name] = span
                self.spans.append(span)

    def goes_to_plan(self, record: dict[str, Any]) -> bool:
        """Whether an instruction is one to all of a side whose work is planned: it is what the plan is for,
        and nobody's own.
        """
        return record.get("target_seat") is None and self.plan.on.get(self.side(record), False)

    def _turned(self, side: int) -> None:
        """A plan was turned on or off: what was said to all is what it is for, or each one's own again."""
        for name, record in list(self.to_all.items()):
            if self.side(record) != side:
                continue
            if not self.plan.on[side]:
                if not record["reading"].get("wish"):  # which asks nothing of anybody
                    self._give(record, int(record["tick"]))
                continue
            spans = [standing[name] for standing in self._open.values() if name in standing]
            for span in spans:
                self._end(span, PLANNED)
            if not spans and not record["reading"].get("wish"):  # everybody is through with it
                del self.to_all[name]

    def side(self, record: dict[str, Any]) -> int:
        """That of an instruction's speaker."""
        spec = registry.spec(self.header["game"])
        return spec.side_of(self.header["options"], int(record.get("seat") or 0))

    def _end(self, span: Span, why: str, by: str = "") -> None:
        del self._open[span.seat][span.id]
        span.end, span.why, span.by = self.tick, why, by
        if why == State.ASIDE:
            self.spans.remove(span)

    def of(self, seat: int) -> list[Span]:
        """The instructions in force for a seat now, oldest first."""
        return list(self._open.get(seat, {}).values())

    def programs(self, seat: int) -> list[dict[str, Any]]:
        """Their programs, each with "since_tick" and "from_seat", after the one that stands without them."""
        return [*self.default(seat), *(span.program for span in self.of(seat))]

    def default(self, seat: int) -> list[dict[str, Any]]:
        """The program that a seat follows while no instruction replaces it, if there is one: its step of the
        team's plan, else what the game says (the header's "defaults", by seat).
        """
        program = self.plan.program(seat) or self.header.get("defaults", {}).get(str(seat))
        return [program] if program else []


def _origin(tick: int, speaker: int) -> dict[str, int]:
    return {"since_tick": tick, "from_seat": speaker}


def told(log: EpisodeLog) -> Told:
    """The instructions of a whole log."""
    instructions = Told(log.header)
    for record in log.records:
        instructions.note(record)
    return instructions


def in_force(log: EpisodeLog, seat: int, tick: int) -> list[Span]:
    """The instructions in force for a seat at a tick, oldest first, with the programs that stood then."""
    instructions = Told(log.header)
    for record in log.records:
        if record["type"] == "step" and record["tick"] >= tick:
            break
        instructions.note(record)
    return instructions.of(seat)


def changes(log: EpisodeLog, seat: int) -> list[tuple[int, list[dict[str, Any]]]]:
    """(tick, programs in force from then on) for each tick at which they change for a seat, in order."""
    instructions = Told(log.header)
    by_tick = {0: instructions.default(seat)}
    for record in log.records:
        instructions.note(record)
        if record["type"] in ("instruction", "standing", *PLANS):
            by_tick[instructions.tick] = instructions.programs(seat)
    kept: list[tuple[int, list[dict[str, Any]]]] = []
    for tick, programs in by_tick.items():
        if programs != (kept[-1][1] if kept else []):
            kept.append((tick, programs))
    return kept
