"""Which instruction of several stands, how far it has got, and the goal that comes of it.

Goals begin in a tick and end some time later, and clauses are done one after the other, so what has begun is
kept with the match (`Standing`, one a live Simulation); a match that is taken up in the middle begins the
instructions that stand anew. Not for the words (`clauses`), nor for where and whom they mean (`places`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.games.arena import goals
from engine.games.arena import state as s
from engine.games.arena.language import places
from engine.games.arena.language.clauses import ADDING, FLAGS, GOALS, Clause

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Program = dict[str, Any]
FLAG_BITS = dict(zip(FLAGS, (goals.QUIETLY, goals.LYING, goals.CROUCHED, goals.HURRYING), strict=True))
STANCES = {"prone": "lying", "crouch": "crouched"}


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


@dataclass
class Order:
    """What stands for a seat: the instruction that says what to do and those that say how; by index."""

    main: int | None = None
    quiet: int | None = None
    hurry: int | None = None
    stance: int | None = None
    dropped: int = 0  # flags of the main one that were taken back


class Standing:
    """What has begun in one match, by seat and instruction."""

    def __init__(self) -> None:
        self.begun: dict[tuple[int, str], Begun] = {}

    def of(self, program: Program, sim: Simulation, seat: int) -> Begun:
        key = (seat, repr({name: value for name, value in program.items() if name != "dropped"}))
        if key not in self.begun:
            self.begun[key] = _begun(program, sim, seat)
        return self.begun[key]


_MATCHES: WeakKeyDictionary[Simulation, Standing] = WeakKeyDictionary()


def standing(sim: Simulation) -> Standing:
    """What has begun in a match."""
    return _MATCHES.setdefault(sim, Standing())


def speaker_of(program: Program, sim: Simulation, seat: int) -> int:
    """Who gave an instruction; where that isn't noted, the first other one of the squad."""
    said = program.get("from_seat")
    if said is not None and 0 <= int(said) < sim.seats:
        return int(said)
    return next((mate for mate in places.squad_of(sim, seat) if mate != seat), seat)


def _begun(program: Program, sim: Simulation, seat: int) -> Begun:
    speaker = speaker_of(program, sim, seat)
    same = places.team(sim, speaker) == places.team(sim, seat)
    mine = [one for one in program["clauses"] if same and _means(one, sim, seat, speaker)]
    steps = [one for one in mine if one["kind"] in GOALS or one["kind"] == "help"]
    steps = [one for one in steps if not one["negated"]]
    changes = [one for one in mine if one not in steps]
    return Begun(steps, changes, bool(mine) and mine[0]["adds"])


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


# --- Which one stands ------------------------------------------------------------------------------------


def order(programs: list[Program], sim: Simulation, seat: int) -> Order:
    """What stands of all instructions to a seat, oldest first: a later one replaces an earlier one unless it
    adds to it.
    """
    kept, found = standing(sim), Order()
    for index, program in enumerate(programs):
        begun = kept.of(program, sim, seat)
        for one in begun.changes:
            _change(found, one, [kept.of(p, sim, seat) for p in programs])
        steps = begun.steps
        if not steps:
            if any(one["kind"] == "hurry" for one in begun.changes):
                found.hurry = index
            continue
        kinds = [one["kind"] for one in steps]
        if kinds == ["hold_fire"]:
            found.quiet = index
            continue
        if begun.adds and found.main is not None and len(kinds) == 1 and kinds[0] in STANCES:
            found.stance = index
            continue
        shoots = any(kind in ("attack", "cover", "help") for kind in kinds)
        dropped = int(program.get("dropped", 0))
        found = Order(main=index, quiet=None if shoots else found.quiet, dropped=dropped)
    return found


def remaining(programs: list[Program], sim: Simulation, seat: int) -> list[Program | None]:
    """What is left of each program for a seat (engine.language.remaining): the clauses that are the seat's,
    without the flags that were taken back since ("dropped", bits of engine.games.arena.goals).
    """
    kept, found = standing(sim), order(programs, sim, seat)
    standing_ones = (found.main, found.quiet, found.hurry, found.stance)
    left: list[Program | None] = []
    for index, program in enumerate(programs):
        begun = kept.of(program, sim, seat)
        own = [{**one, "to": None} for one in program["clauses"] if one in begun.steps + begun.changes]
        if program["clauses"] and not own or begun.steps and index not in standing_ones:
            left.append(None)
            continue
        rest = program if own == program["clauses"] else {**program, "clauses": own}
        if index == found.main and found.dropped != rest.get("dropped", 0):
            rest = {**rest, "dropped": found.dropped}
        left.append(rest)
    return left


def _change(found: Order, one: Clause, begun: list[Begun]) -> None:
    """What a clause that isn't a goal does to what stands."""
    kind = one["kind"]
    if kind == "cancel":
        found.main = found.quiet = found.hurry = found.stance = None
    elif kind == "fire":
        found.quiet = None
        found.dropped |= goals.QUIETLY
    elif kind == "stand" or (one["negated"] and kind in STANCES):
        found.stance = None
        found.dropped |= goals.LYING | goals.CROUCHED
        if found.main is not None and begun[found.main].steps[-1]["kind"] in STANCES:
            found.main = None
    elif kind == "hurry" and one["negated"]:
        found.hurry = None
        found.dropped |= goals.HURRYING
    elif one["negated"] and found.main is not None:
        asked = {step["kind"] for step in begun[found.main].steps}
        asked |= {"rescue", "cover"} if "help" in asked else set()
        if kind in asked or kind == "help" and asked & {"rescue", "cover"}:
            found.main = None


def ends_at_once(begun: Begun) -> bool:
    """Whether an instruction only changes others."""
    return not begun.steps and not any(one["kind"] in ADDING for one in begun.changes)


# --- The goal --------------------------------------------------------------------------------------------


def advance(begun: Begun, program: Program, sim: Simulation, seat: int) -> np.ndarray:
    """The goal of an instruction now, (GOAL_SIZE,) int16: of its first clause that isn't done yet."""
    speaker = speaker_of(program, sim, seat)
    if begun.at < 0 and not begun.over:
        _begin(begun, 0, sim, seat, speaker)
    while not begun.over:
        _follow_up(begun, sim, seat, speaker)
        done = not begun.missing and goals.progress(sim.state, sim.world, seat, begun.goal) == goals.DONE
        if not done:
            return begun.goal
        _begin(begun, begun.at + 1, sim, seat, speaker)
    return np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)


def _begin(begun: Begun, at: int, sim: Simulation, seat: int, speaker: int) -> None:
    """Give the goal of a clause, from what is the case now."""
    begun.at, begun.missing = at, ""
    if at >= len(begun.steps):
        begun.over = True
        begun.goal = np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)
        return
    one = begun.steps[at]
    kind, who = _whom(one, sim, seat, speaker)
    begun.kind = kind
    missing = "there is nobody whom that could mean" if who is None else ""
    if kind == "rescue" and who is not None:
        missing = _nobody_down(sim, seat, who, speaker)
    if who is None or missing:
        begun.missing = missing
        begun.goal = np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)
        return
    x = y = 0
    if kind in ("go", "hold"):
        x, y = places.spot(sim, who) if who >= 0 else places.point(sim, seat, speaker, one)
    until = sim.tick + one["seconds"] * s.TICKS_PER_SECOND if one["seconds"] else 0
    flags = sum(FLAG_BITS[flag] for flag in one["flags"])
    number = goals.NAMES.index(kind)
    goals.give(sim.state, seat, number, who, x, y, until, flags, begun.goal)


def _nobody_down(sim: Simulation, seat: int, who: int, speaker: int) -> str:
    """Why nobody can be helped up now, "" where somebody can: whoever is meant has to be down."""
    if who >= 0:
        name = "you" if who == speaker else f"Player {who + 1}"
        life = int(sim.state[s.player(who) + s.LIFE])
        state = {s.DOWNED: "", s.OUT: "out"}.get(life, "not down")
        return state and f"{name} {'are' if name == 'you' else 'is'} {state}"
    mates = [mate for mate in places.squad_of(sim, seat) if mate != seat]
    down = any(int(sim.state[s.player(mate) + s.LIFE]) == s.DOWNED for mate in mates)
    return "" if down else "nobody is down"


def _follow_up(begun: Begun, sim: Simulation, seat: int, speaker: int) -> None:
    """Keep a goal up with those whom it is about: where they are now, whether they are down."""
    one = begun.steps[begun.at]
    if begun.missing:
        _begin(begun, begun.at, sim, seat, speaker)
        return
    who = int(begun.goal[goals.WHO])
    if one["kind"] == "help" and who >= 0 and _whom(one, sim, seat, speaker)[0] != begun.kind:
        _begin(begun, begun.at, sim, seat, speaker)
    elif begun.kind == "go" and who >= 0:
        begun.goal[goals.X], begun.goal[goals.Y] = places.spot(sim, who)


def _whom(one: Clause, sim: Simulation, seat: int, speaker: int) -> tuple[str, int | None]:
    """(the kind of goal, whom it is about: -1 for nobody in particular, None where nobody can be meant)."""
    kind, said = one["kind"], one["who"]
    if kind == "attack":
        return kind, _enemy(said, sim, seat, speaker)
    if kind in ("follow", "cover", "help", "rescue") or kind == "go" and (said or one["place"] == "me"):
        who = _mate("me" if kind == "go" and said is None else said, kind, sim, seat, speaker)
        if who is not None and who >= 0 and places.team(sim, who) != places.team(sim, seat):
            return "attack", who  # who is told to follow an enemy goes after them
        if kind == "help":
            down = who is not None and who >= 0 and int(sim.state[s.player(who) + s.LIFE]) == s.DOWNED
            return "rescue" if down else "cover", who
        return kind, who
    return kind, -1


def _enemy(said: Any, sim: Simulation, seat: int, speaker: int) -> int | None:
    if isinstance(said, int):
        known = said
    elif said == "aim":
        known = places.enemy_looked_at(sim, speaker)
    elif said == "shooter":
        known = places.shooter(sim, speaker, seat)
    elif said is None or said == "nearest":
        return -1
    else:
        number = places.numbered(sim, seat, said)
        if number is None:
            return None
        known = number
    if known >= 0 and places.team(sim, known) == places.team(sim, seat):
        return None if said != "shooter" else -1
    return known


def _mate(said: Any, kind: str, sim: Simulation, seat: int, speaker: int) -> int | None:
    """The seat that a clause is about; -1 where anybody will do."""
    if isinstance(said, int):
        return None if said == seat else said
    if said == "me":
        return None if speaker == seat else speaker
    if said in ("aim", "nearest"):
        found = places.mate_looked_at(sim, speaker if said == "aim" else seat, seat, kind == "rescue")
        if kind == "rescue":
            return found
        return found if found >= 0 else (speaker if speaker != seat else None)
    if said is None or said == "shooter":
        return -1 if kind == "rescue" else None
    number = places.numbered(sim, seat, said)
    return None if number == seat else number
