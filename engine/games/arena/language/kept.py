"""What has begun of the instructions of a match, kept with it (`Standing`, one a live Simulation): which
clauses of each are a seat's, and how far they have got. A match that is taken up in the middle begins the
instructions that stand anew. What stands beside the rest of its program ("beside" in carried.py) is like an
instruction of its own (`parts`). Not for which of several stands (standing.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.games.arena import GOALS, goals
from engine.games.arena import state as s
from engine.games.arena.language import events, manners, places
from engine.games.arena.language.programs import ALWAYS, Clause

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Program = dict[str, Any]
STANCES = {"prone": "lying", "crouch": "crouched"}
KNOWN = 256  # programs of a match that are known by their identity


@dataclass
class Begun:
    """One instruction as one seat carries it out: the clauses that are its, which one it is at, its goal."""

    steps: list[Clause]
    changes: list[Clause]  # what acts on other instructions
    adds: bool
    at: int = -1
    goal: np.ndarray = field(default_factory=lambda: np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE))
    over: bool = False
    missing: str = ""  # why the present clause can't be carried out
    kind: str = ""  # of the present clause, as it turned out
    given: int = 0  # the tick of the instruction
    tick: int = 0  # from which the present clause counts
    since: events.Since = field(default_factory=events.Since)
    rose: int = -1  # the tick in which the present clause's condition came to hold, -1 while it doesn't
    waits: str = ""  # why it isn't followed now
    got: set[str] = field(default_factory=set)  # of the things that it was to find
    is_rule: bool = False  # followed before what else is asked, each time that its condition comes to hold
    is_way: bool = False  # says how, not what
    point: tuple[int, int] = (0, 0)  # the place of a manner, in units
    is_manner: bool = False  # is to be kept in whatever is done (manners.py)
    asks: bool = False  # whether there are conditions


@dataclass
class Order:
    """What stands for a seat: the instruction that says what to do and those that say how; by index."""

    main: int | None = None
    quiet: int | None = None
    hurry: int | None = None
    stance: int | None = None
    dropped: int = 0  # flags of the main one that were taken back
    rules: list[int] = field(default_factory=list)
    leads: int | None = None  # the rule that is followed before the main one now


class Standing:
    """What has begun in one match, by seat and instruction. A live match asks for the same programs many
    times a second, so those that were asked for last are known by their identity (and kept, so that it stays
    theirs): what has begun of them, their parts, and what stands.
    """

    def __init__(self) -> None:
        self.begun: dict[tuple[int, str], Begun] = {}
        self.waiting: list[tuple[int, Begun]] = []  # seats, and what has conditions
        # With the programs by whose identity they are found, so that no later one gets it.
        self.orders: dict[tuple[Any, ...], tuple[list[Program], Order]] = {}
        self._known: dict[tuple[int, int], tuple[Program, Begun]] = {}
        self._parts: dict[int, tuple[Program, list[Program]]] = {}

    def of(self, program: Program, sim: Simulation, seat: int) -> Begun:
        """What has begun of a program that is one of `parts`."""
        known = self._known.get((seat, id(program)))
        if known is not None:
            return known[1]
        key = (seat, repr({name: value for name, value in program.items() if name != "dropped"}))
        if key not in self.begun:
            self.begun[key] = unbegun(program, sim, seat)
            self.waiting += [(seat, self.begun[key])] if self.begun[key].asks else []
        self._make_room()
        self._known[seat, id(program)] = program, self.begun[key]
        return self.begun[key]

    def parts(self, program: Program) -> list[Program]:
        """`parts` of a program, the same ones each time."""
        known = self._parts.get(id(program))
        if known is None:
            self._make_room()
            known = self._parts[id(program)] = program, parts(program)
        return known[1]

    def _make_room(self) -> None:
        if len(self._known) + len(self._parts) >= KNOWN:
            for known in (self._known, self._parts, self.orders):
                known.clear()


_MATCHES: WeakKeyDictionary[Simulation, Standing] = WeakKeyDictionary()


def standing(sim: Simulation) -> Standing:
    """What has begun in a match."""
    kept = _MATCHES.get(sim)
    if kept is None:
        kept = _MATCHES[sim] = Standing()
    return kept


def parts(program: Program) -> list[Program]:
    """A program as those that stand beside each other, its main one first; itself where nothing does."""
    if not any("beside" in one for one in program["clauses"]):
        return [program]
    lanes = sorted({one.get("beside", 0) for one in program["clauses"]})
    clauses = [[one for one in program["clauses"] if one.get("beside", 0) == lane] for lane in lanes]
    return [{**program, "clauses": own} for own in clauses]


def speaker_of(program: Program, sim: Simulation, seat: int) -> int:
    """Who gave an instruction; where that isn't noted, the first other one of the squad."""
    said = program.get("from_seat")
    if said is not None and 0 <= int(said) < sim.seats:
        return int(said)
    return next((mate for mate in places.squad_of(sim, seat) if mate != seat), seat)


def unbegun(program: Program, sim: Simulation, seat: int) -> Begun:
    """A program as a seat carries it out that hasn't begun with its first clause yet."""
    speaker = speaker_of(program, sim, seat)
    same = places.team(sim, speaker) == places.team(sim, seat)
    mine = [one for one in program["clauses"] if same and _means(one, sim, seat, speaker)]
    steps = [one for one in mine if one["kind"] in (*GOALS, "help", "stay", *ALWAYS) and not one["negated"]]
    changes = [one for one in mine if one not in steps]
    steps = steps or [one for one in mine if manners.manner(one)][-1:]
    begun = Begun(steps, changes, bool(mine) and mine[0]["adds"])
    now = int(sim.state[s.TICK])
    begun.given = begun.tick = min(now, now - sim.tick + int(program.get("since_tick", sim.tick)))
    begun.since = events.Since(begun.given)
    begun.asks = any("if" in one or one["seconds"] and one in changes for one in mine)
    begun.is_manner = len(steps) == 1 and bool(manners.manner(steps[0]))
    begun.is_way = begun.is_manner or bool(steps) and steps[-1]["kind"] in ("hold_fire", *STANCES)
    begun.is_rule = any("beside" in one and {"when", "after"} & one.get("if", {}).keys() for one in mine)
    return begun


def _means(one: Clause, sim: Simulation, seat: int, speaker: int) -> bool:
    """Whether a clause is meant for a seat."""
    to = one["to"]
    if to is None or to == "all":
        return True
    others = [mate for mate in places.squad_of(sim, speaker) if mate != speaker]
    if to in ("two", "one"):
        others.sort(key=lambda mate: places.apart(sim, speaker, mate))
        return seat in others[: 2 if to == "two" else 1]
    return places.numbered(sim, speaker, to) == seat
