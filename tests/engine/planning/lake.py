"""A game of the small lake whose work is planned, for tests: the planner proposes what the test says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.plans import Wanted
from engine.planning.edits import edited
from engine.planning.running import Running
from engine.planning.steps import Proposal, Proposed, carried
from engine.simulation.planned import Outcome, Planned, Step
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

GAME = "frozen_lake_2"
LEFT, DOWN, RIGHT, UP, STAY = range(5)
Record = dict[str, Any]


def header(people: Sequence[int] = (1,), **options: Any) -> Record:
    seats = [{"kind": "person" if seat in people else "agent", "name": f"seat {seat}"} for seat in (0, 1)]
    return {"game": GAME, "options": Simulation(GAME, options).options, "seed": 1, "seats": seats}


class Lake:
    """`proposed`: the steps of the next plans, None while the planner thinks; `asked`: what was wanted of it.
    `records`: the log so far.
    """

    def __init__(self, *proposed: Proposed, people: Sequence[int] = (1,)) -> None:
        self.header = header(people)
        self.sim = Simulation(GAME, self.header["options"], 1)
        self.proposed: Sequence[Proposed] | None = proposed
        self.asked: list[Wanted] = []
        self.records: list[Record] = []
        self.running = Running(self.header, 0, "test", self.propose)
        self.note({"type": "plan_edit", "seat": 1, "side": 0, "do": "on"})

    def propose(self, sim: Simulation, wanted: Wanted) -> Proposal | None:
        self.asked.append(wanted)
        return None if self.proposed is None else Proposal(tuple(self.proposed))

    @property
    def plan(self) -> Planned:
        return self.running.told.plan

    def note(self, record: Record) -> None:
        record = {"tick": self.sim.tick, **record}
        self.records.append(record)
        self.running.note(record)

    def look(self) -> list[Record]:
        records = self.running.look(self.sim)
        self.records += records
        return records

    def step(self, *joint: int) -> list[Record]:
        """A step of the game, and a look."""
        tick = self.sim.tick
        self.sim.step(list(joint))
        self.note({"type": "step", "tick": tick, "actions": list(joint)})
        return self.look()

    def say(self, name: str, notation: str, target: int | None = None, seat: int = 1, **more: Any) -> None:
        """Seat 1 says something, to all or to one."""
        program = carried(GAME, notation)
        record = {"type": "instruction", "id": name, "seat": seat, "target_seat": target, "text": notation}
        self.note({**record, "status": "confirmed", "reading": {"program": program}, **more})

    def edit(self, do: str, **more: Any) -> list[Record]:
        """Seat 1 changes the plan, as a match host does it."""
        edit = {"type": "plan_edit", "tick": self.sim.tick, "seat": 1, "side": 0, "do": do, **more}
        copy = Told(self.header)
        for record in self.records:
            copy.note(record)
        records = edited(copy, (0, 1), edit, self.running.people)
        for record in records:
            self.records.append(record)
            self.running.note(record)
        return records

    def steps(self) -> list[tuple[int, str, Outcome]]:
        """(seat, notation, state) of what is left of the plan."""
        return [(step["seat"], means(step), self.plan.state(step)) for step in self.plan.steps(0)]

    def ids(self) -> list[str]:
        return [step["id"] for step in self.plan.steps(0)]


def means(step: Step) -> str:
    return str(step["program"]["means"])


def go(seat: int, column: int, row: int, *after: int, ticks: float = 3.0) -> Proposed:
    return Proposed(seat, f"go column={column} row={row}", ticks, (column - 1, row - 1), after)
