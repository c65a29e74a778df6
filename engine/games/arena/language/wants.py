"""What instructions ask for in sub-goals (engine.games.arena.chips): of those that stand for a seat in a
match, of a text that nobody has sent yet, and where a player takes a sub-goal away or changes its value.

Not for whether an instruction is obeyed or done (follow.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import games
from engine.games.arena import chips
from engine.games.arena.language import kept, say, standing
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

Program = dict[str, Any]
SPEAKER, HEARER = 0, 1  # in the match that stands for any


def now(programs: list[Program], sim: Simulation, seat: int) -> list[dict[str, Any]]:
    """{"subgoals": [chips.told], "far": [chips.far]} of each of all instructions to a seat, oldest first, of
    the clauses that are carried out now; call it after follow.progresses.
    """
    begun = kept.standing(sim)
    found = []
    for program in programs:
        each = [_now(begun.of(part, sim, seat), sim, seat) for part in begun.parts(program)]
        found.append({name: [one for part in each for one in part[name]] for name in ("subgoals", "far")})
    return found


def _now(begun: kept.Begun, sim: Simulation, seat: int) -> dict[str, Any]:
    asked = [] if begun.over else chips.of_goal(begun.goal, sim, seat)
    return {"subgoals": asked, "far": chips.far(begun.goal, sim, seat) if asked else []}


def of_program(program: Program) -> list[dict[str, Any]]:
    """The sub-goals (chips.told) that a program asks for, each with "clause", the number of its clause, and
    "values", what else it could be (chips.choices).
    """
    sim, found = _any_match(), []
    for at, one in enumerate(program["clauses"]):
        alone = {**program, "clauses": [{**one, "to": None}], "from_seat": SPEAKER}
        begun = standing.begun(alone, sim, HEARER)
        if begun.steps:
            asked = map(_to_you, chips.of_goal(begun.goal, sim, HEARER))
            found += [{**told, "clause": at, "values": chips.choices(told["name"])} for told in asked]
    return found


def _to_you(told: dict[str, Any]) -> dict[str, Any]:
    """Whoever says it, in the speaker's eyes."""
    you = f"Player {SPEAKER + 1}"
    return {**told, **{name: told[name].replace(you, "you") for name in ("label", "sentence")}}


@cache
def _any_match() -> Simulation:
    """A match of the most players, in which any of them can be named."""
    return Simulation("arena", games.spec("arena").validate({"teams": 5, "team_size": 4, "map_seed": 1}), 1)


def instead(program: Program, asked: list[dict[str, Any]]) -> Program:
    """The program with these sub-goals, [{"clause", "name", "value"}], in place of all that `of_program`
    finds. A clause that loses all of its own goes; one that keeps them stays as it is. Raises Refusal for
    what isn't in the table, contradicts itself, or leaves nothing to do.
    """
    before, after = _by_clause(of_program(program)), _by_clause(asked)
    if unknown := [at for at in after if at not in before]:
        raise Refusal(f"Part {unknown[0] + 1} of the instruction has no sub-goals that could be changed.")
    clauses = []
    for at, one in enumerate(program["clauses"]):
        values = after.get(at, {})
        if values == before.get(at, {}):
            clauses.append(one)
        elif values:
            kept = {name: value for name, value in one.items() if name not in ("what", "result")}
            clauses.append({**kept, "wants": chips.checked(values)})
    if not clauses:
        raise Refusal("Nothing would be left to do; take the instruction back instead.")
    read = {name: value for name, value in program.items() if name != "means"}  # which is of words alone
    changed = {**read, "clauses": clauses, "subgoals": {}}
    return {**changed, "reading": say.sentence(changed)}


def _by_clause(asked: list[dict[str, Any]]) -> dict[int, chips.Values]:
    found: dict[int, chips.Values] = {}
    for one in asked:
        found.setdefault(one["clause"], {})[one["name"]] = one["value"]
    return found
