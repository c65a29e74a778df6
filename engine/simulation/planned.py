"""The plan of a team in a log: who does what next, computed from the log and nothing else.

Whoever plays a game notes plans in its log (engine.planning makes them):

    {"type": "plan", "tick": 12, "id": "2", "side": 0, "seat": who asked or null, "goal": "three soups",
     "planner": "search", "why": "{1} is nearer to the plates.", "steps": [step, …]}
    {"type": "planned", "tick": 15, "id": of a step, "state": Outcome, "why": "nobody left any soup"}
    {"type": "plan_edit", "tick": 16, "seat": who, "side": 0, "do": "on" | "off" | "drop" | "move" | "add", …}

A step is {"id": "0.2.1", "seat": 1, "program": {… "means": notation}, "says": "I put an onion into the pot.",
"after": [ids], "place": [x, y] or null, "by": null or the seat of a person who put it there}. Until when it
goes on is said by its program ("cover until=clear"), and so by its sentence. In words "{1}" is the name of
seat 1. A plan lists all that is left to do: what a seat is doing keeps its id from plan to plan. The first
step of a seat whose `after` are over is being done; agents follow its program while no instruction of a
person says otherwise. Pure; not for what is planned (engine.planning).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from enum import StrEnum
from typing import Any

Record = dict[str, Any]
Step = dict[str, Any]


class Outcome(StrEnum):
    """What has become of a step."""

    AHEAD = "ahead"
    DOING = "doing"
    DONE = "done"
    FAILED = "failed"  # it took too long
    OVERTAKEN = "overtaken"  # it can't be done any more, or somebody else did it
    DROPPED = "dropped"  # a later plan, or a person, left it out


LEFT = (Outcome.AHEAD, Outcome.DOING)
BY_PERSON = "person"
"""The planner of a plan that somebody changed."""
SHOWN = ("id", "seat", "says", "after", "place", "by")  # of a step


class Planned:
    """The plans of a game so far, one a side: `note` every record of its log that is about plans."""

    def __init__(self) -> None:
        self.on: dict[int, bool] = {}  # by side
        self.plans: dict[int, Record] = {}
        self.states: dict[str, Outcome] = {}
        self.since: dict[str, int] = {}  # the tick at which a step was begun
        self.whys: dict[str, str] = {}
        self.known: dict[str, Step] = {}  # every step that was ever planned, by its id
        self.instead: dict[str, set[str]] = {}  # by a step that a plan left out: what came with that plan
        self.crossed: set[str] = set()  # what people crossed out, or left when they turned the plan off

    def note(self, record: Record) -> None:
        if record["type"] == "plan":
            left = self.steps(record["side"])
            self.plans[record["side"]] = record
            steps = {step["id"]: step for step in record["steps"]}
            came = steps.keys() - self.known.keys()
            self.known |= steps
            self.instead |= dict.fromkeys(self._drop(left, steps), came)
        elif record["type"] == "plan_edit" and record["do"] == "drop":
            self.crossed.add(record["step"])
        elif record["type"] == "plan_edit" and record["do"] in ("on", "off"):
            self.on[record["side"]] = record["do"] == "on"
            if record["do"] == "off":
                self.crossed |= self._drop(self.steps(record["side"]))
        elif record["type"] == "planned":
            self.states[record["id"]] = Outcome(record["state"])
            self.whys[record["id"]] = record.get("why", "")
            if record["state"] == Outcome.DOING:
                self.since[record["id"]] = record["tick"]

    def _drop(self, steps: Iterable[Step], but: Container[str] = ()) -> set[str]:
        dropped = {step["id"] for step in steps if step["id"] not in but}
        self.states |= dict.fromkeys(dropped, Outcome.DROPPED)
        return dropped

    def state(self, step: Step) -> Outcome:
        return self.states.get(step["id"], Outcome.AHEAD)

    def steps(self, side: int) -> list[Step]:
        """What a side's plan has left, what is being done included, in its order."""
        plan = self.plans.get(side)
        return [step for step in (plan["steps"] if plan else ()) if self.state(step) in LEFT]

    def shown(self, side: int) -> Record | None:
        """A side's plan as its players see it: each step with its "state" and what it "means"."""
        plan = self.plans.get(side)
        if plan is None:
            return None
        steps = [
            {name: step[name] for name in SHOWN}
            | {"means": step["program"]["means"], "state": self.state(step)}
            for step in plan["steps"]
        ]
        return {name: plan[name] for name in ("id", "goal", "planner", "why")} | {"steps": steps}

    def doing(self, seat: int) -> Step | None:
        """The step that a seat is at."""
        for plan in self.plans.values():
            for step in plan["steps"]:
                if step["seat"] == seat and self.state(step) == Outcome.DOING:
                    return step
        return None

    def program(self, seat: int) -> Record | None:
        """The program of that step, with "since_tick" and "from_seat"."""
        step = self.doing(seat)
        if step is None:
            return None
        asked = self.asker(step)
        return {**step["program"], "since_tick": self.since[step["id"]], "from_seat": asked}

    def asker(self, step: Step) -> int:
        """The seat that speaks in a step: who put it there, else who asked for the plan, else its own."""
        by = step.get("by")
        if by is None:
            by = next((plan["seat"] for plan in self.plans.values() if step in plan["steps"]), None)
        return step["seat"] if by is None else by

    def begun(self, tick: int, side: int) -> list[Record]:
        """Records of a side's steps that begin now: of each seat that does nothing the first one, if its
        `after` are over; noted here.
        """
        records: list[Record] = []
        left = self.steps(side)
        waited = {step["id"] for step in left}
        busy = {step["seat"] for step in left if self.state(step) == Outcome.DOING}
        for step in left:
            if step["seat"] in busy:
                continue
            busy.add(step["seat"])  # the later ones of this seat wait for this one, whether it begins
            if not waited & set(step["after"]):
                records.append({"type": "planned", "tick": tick, "id": step["id"], "state": Outcome.DOING})
        for record in records:
            self.note(record)
        return records
