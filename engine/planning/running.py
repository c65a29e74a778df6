"""A plan through a game: which steps are done, which failed or were overtaken, and what is planned then.

`Running` gets the records of a log as they come (`note`) and looks at the game from time to time (`look`);
what it finds are records for the log (engine.simulation.planned). So a match's plans, those of experiments
and those that are computed again from a log are one. A failed step is noticed by its checker, said in words,
and not planned again for its seat for a while (self-reflection, SAMA section 3.4). Not for live matches
(serve).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from engine import brings, games, language
from engine.games.plans import Wanted
from engine.language.declared import Clause, parse, values
from engine.planning.fitting import fitted
from engine.planning.planners import Planner, planner
from engine.planning.planners.search import UNKNOWN_TICKS, alike, world
from engine.planning.steps import Proposal, Proposed, asked_of_all, made, named
from engine.refusal import Refusal
from engine.simulation.life import OVER, TAKEN_BACK, State
from engine.simulation.planned import BY_PERSON, Outcome, Record, Step
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

RENEW_EVERY = 25
"""Ticks after which it is looked whether what is being done can still be done."""
SOON = 5
"""The same where a person did something."""
SLOW = 8.0
"""How many times as long as an agent a person is thought to take for their share, which nobody makes them do:
so nothing that an agent can do waits for it.
"""
LATE = 3.0
"""A step has failed once it took so many times as long as was thought, and SLACK ticks."""
SLACK = 25
AGAIN_AFTER = 60
"""Ticks for which a seat isn't given again what it failed at."""
TRUST = 3.0
"""How many steps the first guess of how long an act takes weighs as much as."""


class Running:
    """The plan of one side of a game. `people`: the seats in which people play now. `reflects`: whether what
    fails is noticed and planned anew; without it (a control) a plan is followed to its end.
    """

    def __init__(
        self,
        header: Record,
        side: int = 0,
        name: str = "search",
        plan: Planner | None = None,
        reflects: bool = True,
    ) -> None:
        self.game, self.side, self.name = header["game"], side, name
        self.told = Told(header)
        spec = games.spec(self.game)
        count = len(header["seats"])
        self.seats = tuple(seat for seat in range(count) if spec.side_of(header["options"], seat) == side)
        self.people = {seat for seat in self.seats if header["seats"][seat].get("kind") == "person"}
        self.declared = brings.Language.of(self.game).DECLARED
        self.plan = plan or planner(name)
        self.reflects = reflects
        self.crossed: dict[int, list[Clause]] = defaultdict(list)
        self.failed: dict[tuple[int, str], int] = {}
        self.took: dict[str, list[float]] = defaultdict(list)  # by act: ticks, as shares of what was thought
        self.due = "It begins."  # why it is to be planned anew; "" if it isn't
        self.looked = 0
        self.thinks = False  # whether the planner has been asked and hasn't answered yet
        self.number = 0

    # --- What the log says ---------------------------------------------------------------------------------

    def note(self, record: Record) -> None:
        """The next record of the log, but for those that `look` made."""
        kind, plan = record["type"], self.told.plan
        if kind == "plan_edit" and record["side"] == self.side:
            self._edited(record)
        elif kind == "instruction" and record["status"] != State.READ and self._speaks_here(record):
            self._instructed(record)
        elif kind == "control" and record["seat"] in self.seats:
            person = record["controller"]["kind"] == "person"
            (self.people.add if person else self.people.discard)(record["seat"])
            self.due = self.due or f"Somebody else plays {named(record['seat'])} now."
        elif kind == "standing" and record["state"] in OVER and record["seat"] in self.seats:
            self.due = self.due or f"{named(record['seat'])} is through with what it was told."
        if kind == "plan" and record["side"] == self.side:
            self.number = max(self.number, int(record["id"]))
            self.due = record["why"] if record["planner"] == BY_PERSON else ""
        self.told.note(record)
        if kind == "planned" and (step := self._step(record["id"])):
            self._became(step, record)
            over = record["state"] in (Outcome.DONE, Outcome.FAILED, Outcome.OVERTAKEN)
            if over and (self.reflects or not plan.steps(self.side)):
                self.due = self.due or plan.whys.get(record["id"], "") or " "

    def _became(self, step: Step, record: Record) -> None:
        """Learn from what has become of a step."""
        if record["state"] == Outcome.FAILED and self.reflects:
            self.failed[step["seat"], alike(step["program"]["means"])] = record["tick"]
        if record["state"] == Outcome.DONE and step["ticks"] > 0 and step["seat"] not in self.people:
            taken = record["tick"] - self.told.plan.since[step["id"]]
            act = parse(self.declared, step["program"]["means"])[0]["act"]
            self.took[act].append(min(4.0, max(0.25, taken / step["ticks"])))

    def _speaks_here(self, record: Record) -> bool:
        return int(record.get("seat") or 0) in self.seats

    def _edited(self, record: Record) -> None:
        if record["do"] == "drop":
            step = self.told.plan.known.get(record["step"])
            if step:
                self.crossed[step["seat"]] += parse(self.declared, alike(step["program"]["means"]))
        elif record["do"] == "on":
            self.due = "The work is planned from now on."
            if not self.told.plan.on.get(self.side):
                self.crossed.clear()  # it begins anew, and nothing else would bring back what was crossed out

    def _step(self, name: str) -> Step | None:
        plan = self.told.plan.plans.get(self.side)
        return next((step for step in (plan["steps"] if plan else ()) if step["id"] == name), None)

    def _instructed(self, record: Record) -> None:
        if not self.told.plan.on.get(self.side):
            return
        if record["status"] in TAKEN_BACK:
            if any(one["id"] == record["id"] for one in self.asked):
                self.due = "The goal was taken back."
            elif any(span.id == record["id"] for span in self.told.spans):
                self.due = "An instruction was taken back."
        elif record["status"] == State.CONFIRMED and (record.get("reading") or {}).get("program"):
            if self.told.goes_to_plan(record):
                self.due = f"{named(record.get('seat') or 0)} asked for it."
                self.crossed.clear()
            else:
                self.due = f"{named(record['target_seat'])} was told something."

    @property
    def asked(self) -> list[Record]:
        """The instructions to all that are planned for, oldest first. A goal replaces the one before; what
        somebody isn't to do holds beside it.
        """
        said = [record for record in self.told.to_all.values() if self._speaks_here(record)]
        goals = [record for record in said if self._asks(record)[0]]
        return [record for record in said if record not in goals[:-1]]

    # --- What the game says --------------------------------------------------------------------------------

    def look(self, sim: Simulation) -> list[Record]:
        """Records of what has become of steps by now, of a new plan where one is due, and of the steps that
        begin; already noted here.
        """
        if not self.told.plan.on.get(self.side) or sim.over:
            return []
        records = self._ended(sim)
        renews = sim.tick - self.looked >= (SOON if self._people_did(sim) else RENEW_EVERY)
        if renews and not self.told.plan.steps(self.side):
            self.due = self.due or " "  # there was nothing to do: now there may be
        if self.due or self.reflects and renews:
            records += self._planned(sim)
        begun = self.told.plan.begun(sim.tick, self.side)
        return records + begun

    def _people_did(self, sim: Simulation) -> bool:
        """Whether people did anything since it was last looked."""
        new = takewhile(lambda event: event["tick"] > self.looked, reversed(sim.events))
        return any(event.get("seat") in self.people for event in new)

    def _ended(self, sim: Simulation) -> list[Record]:
        records: list[Record] = []
        for step in self.told.plan.steps(self.side):
            if self.told.plan.state(step) != Outcome.DOING:
                continue
            outcome, why = self._outcome(sim, step)
            if outcome is not None:
                records.append(self._record(sim, step, outcome, why))
        return records

    def _record(self, sim: Simulation, step: Step, outcome: Outcome, why: str) -> Record:
        record: Record = {"type": "planned", "tick": sim.tick, "id": step["id"], "state": outcome, "why": why}
        self.note(record)
        return record

    def _outcome(self, sim: Simulation, step: Step) -> tuple[Outcome | None, str]:
        seat, plan = step["seat"], self.told.plan
        program = plan.program(seat)
        assert program is not None
        taken = sim.tick - program["since_tick"]
        state = language.progress(self.game, program, sim, seat)["state"]
        if state == State.DONE:
            return Outcome.DONE, ""
        if state == State.OUT:
            return Outcome.FAILED, f"{named(seat)} is out."
        if taken > LATE * step["ticks"] + SLACK:
            return Outcome.FAILED, f"{named(seat)} didn't get it done in time."
        spoken = [span.program for span in self.told.of(seat)]
        if spoken and language.remaining(self.game, [program, *spoken], sim, seat)[0] is None:
            return Outcome.OVERTAKEN, f"{named(seat)} was told something else."
        return None, ""

    # --- Planning ------------------------------------------------------------------------------------------

    def wanted(self, sim: Simulation) -> Wanted:
        """What is to be planned in the state of now."""
        goal: tuple[Clause, ...] = ()
        since = 0
        banned: dict[int, list[Clause]] = {seat: list(self.crossed[seat]) for seat in self.seats}
        for record in self.asked:
            own_goal, bans = self._asks(record)
            if own_goal:
                goal, since = own_goal, int(record["tick"])
            for seat, own in bans.items():
                banned[seat] += own
        busy = {seat for seat in self.seats if seat not in self.people and self._heeds(seat, banned[seat])}
        for (seat, means), tick in self.failed.items():
            if sim.tick - tick < AGAIN_AFTER:
                banned[seat] += parse(self.declared, means)
        left = self.told.plan.steps(self.side)
        fixed = {seat: self._fixed(seat, left) for seat in self.seats if seat not in busy}
        return Wanted(
            tuple(seat for seat in self.seats if seat not in busy),
            frozenset(self.people),
            goal,
            since,
            {seat: tuple(clauses) for seat, clauses in banned.items() if clauses},
            frozenset(busy),
            {act: (TRUST + sum(took)) / (TRUST + len(took)) for act, took in self.took.items()},
            dict.fromkeys(self.people, SLOW),
            fixed,
        )

    def _asks(self, record: Record) -> tuple[tuple[Clause, ...], dict[int, tuple[Clause, ...]]]:
        """What an instruction to all comes to: the goal, and by seat what it isn't to do."""
        clauses = parse(self.declared, record["reading"]["program"]["means"])
        return asked_of_all(clauses, int(record.get("seat") or 0), self.seats)

    def _fixed(self, seat: int, left: Iterable[Step]) -> tuple[str, ...]:
        """What a seat does first: what it is at, and all up to the last step that a person put there. What
        people are at is theirs to say.
        """
        own = [step for step in left if step["seat"] == seat]
        doing = None if seat in self.people else self.told.plan.doing(seat)
        stays = [at for at, step in enumerate(own) if step["by"] is not None or step == doing]
        return tuple(step["program"]["means"] for step in own[: max(stays, default=-1) + 1])

    def _heeds(self, seat: int, banned: list[Clause]) -> bool:
        """Whether a seat does something that a person told it; what it was told not to do is only banned."""
        orders = False
        for span in self.told.of(seat):
            for clause in parse(self.declared, span.program["means"]) if "means" in span.program else ():
                if clause.get("not"):
                    banned.append({key: value for key, value in clause.items() if key != "not"})
                elif values(clause, "by") != ["me"]:
                    orders = True
        return orders

    def _planned(self, sim: Simulation) -> list[Record]:
        """A new plan, where it differs from what is left of the old one; what can't be done any more is
        overtaken.
        """
        records = [] if self.thinks else self._lost(sim)
        wanted = self.wanted(sim)
        proposal = self.plan(sim, wanted) if self.due else None
        self.thinks = bool(self.due) and proposal is None
        if proposal is None:
            return records
        why, self.due = self.due.strip(), ""
        new = self._record_of(sim, proposal, wanted, why)
        if _same(new["steps"], self.told.plan.steps(self.side)):
            return records
        self.note(new)
        return [*records, new]

    def _lost(self, sim: Simulation) -> list[Record]:
        """Records of what is being done and can't be done any more."""
        self.looked = sim.tick
        wanted = self.wanted(sim)
        lost = fitted(world(sim, wanted), wanted).lost
        return [
            self._record(
                sim, step, Outcome.OVERTAKEN, f"There is nothing left of that for {named(step['seat'])}."
            )
            for step in self.told.plan.steps(self.side)
            if step["by"] is None
            and self.told.plan.state(step) == Outcome.DOING
            and (step["seat"], step["program"]["means"]) in lost
        ]

    def _record_of(self, sim: Simulation, proposal: Proposal, wanted: Wanted, why: str) -> Record:
        """A plan's record; steps that are in the old one, too, keep their ids. What is fixed stays in it even
        if the planner didn't look so far.
        """
        self.number += 1
        old = list(self.told.plan.steps(self.side))
        steps: list[Step] = []
        for proposed in proposal.steps:
            self._add(steps, proposed, old)
        has = Counter(map(_meant, steps))
        left = Counter((seat, one) for seat in wanted.seats for one in wanted.fixed.get(seat, ())) - has
        for seat, program in left.elements():
            self._add(steps, Proposed(seat, program, UNKNOWN_TICKS), old)
        said = " ".join(part for part in (why, proposal.why) if part)
        speaker = self.asked[-1].get("seat") if self.asked else None
        record: Record = {"type": "plan", "tick": sim.tick, "id": str(self.number), "side": self.side}
        record |= {"seat": speaker, "goal": self._goal(), "planner": self.name, "why": said, "steps": steps}
        return record | ({"asked": list(proposal.asked)} if proposal.asked else {})

    def _add(self, steps: list[Step], proposed: Proposed, old: list[Step]) -> None:
        """A proposed step at the end, as what it was in the old plan, of which it is taken."""
        names = [step["id"] for step in steps]
        try:
            step = made(self.game, f"{self.side}.{self.number}.{len(steps)}", proposed, names)
        except Refusal as error:
            raise ValueError(f"The planner {self.name} proposed what can't be done: {error}") from error
        kept = next((one for one in old if _meant(one) == _meant(step)), None)
        if kept:
            old.remove(kept)
            step |= {"id": kept["id"], "by": kept["by"], "ticks": kept["ticks"] or step["ticks"]}
        steps.append(step)

    def _goal(self) -> str:
        return " ".join(one["text"] for one in self.asked) or brings.Planning.of(self.game).GOAL


def _meant(step: Step) -> tuple[int, str]:
    return step["seat"], step["program"]["means"]


def _same(new: Iterable[Step], old: Iterable[Step]) -> bool:
    def shown(steps: Iterable[Step]) -> list[Any]:
        return [(step["id"], step["after"], step["place"]) for step in steps]

    return shown(new) == shown(old)
