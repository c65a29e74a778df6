"""What agents do for the people of their squad unless they are told something: stay with them, cover them and
help them up, so that nobody wins by what others do alone.

It is a program like every other one, with a clause for each person: who is out of the match is followed no
longer, and the next one is. The log's header has it. Not for which of several programs stands (standing.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.games.arena import goals, senses, tactics
from engine.games.arena import state as s
from engine.games.arena.language.programs import VERSION, clause
from engine.games.arena.plan import away

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

HELPED = 40 * senses.METRE  # within which somebody of the squad who is down is helped up
AT_HAND = 10 * senses.METRE  # from the person within which supplies are taken
OUTSIDE = 2  # what tactics.zone_presses says of somebody outside of the blue circle
SAYS = "I stay with you, cover you and help you up, unless you tell me something else."


def defaults(options: dict[str, Any], people: list[int]) -> dict[int, dict[str, Any]]:
    """The program of each agent of a squad that has people in it, by seat. Of several people of a squad,
    agents begin with different ones.
    """
    size, programs = options["team_size"], {}
    for seat in range(options["teams"] * size):
        mine = [person for person in people if person // size == seat // size]
        if seat in mine or not mine:
            continue
        first = seat % len(mine)
        clauses = [clause("stay", who=person) for person in (*mine[first:], *mine[:first])]
        programs[seat] = {"game": "arena", "version": VERSION, "clauses": clauses, "reading": SAYS}
        programs[seat] |= {"since_tick": 0, "from_seat": mine[first]}
    return programs


def now(sim: Simulation, seat: int, person: int) -> tuple[str, int]:
    """What staying with a person takes now: the kind of goal, and the number of whom or what it is about, -1
    for nobody.
    """
    fallen = int(senses.downed_to_help(sim.state, seat, HELPED))
    if fallen >= 0:
        return "rescue", fallen
    if int(tactics.zone_presses(sim.state, seat)) == OUTSIDE:
        return "rotate", -1
    if int(goals.known_enemy(sim.state, seat, goals.KNOWN)) < 0:
        supply = int(senses.supply(sim.state, seat, senses.LOOT_RANGE, 0))
        at = s.SUPPLY + 4 * supply + 2
        if supply >= 0 and away(sim.state, person, int(sim.state[at]), int(sim.state[at + 1])) <= AT_HAND:
            return "loot", supply
    return "cover", person
