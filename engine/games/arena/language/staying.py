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
from engine.simulation.jit import rule

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

HELPED = 40 * senses.METRE  # within which somebody of the squad who is down is helped up
AT_HAND = 10 * senses.METRE  # from the person within which supplies are taken
OUTSIDE = 2  # what tactics.zone_presses says of somebody outside of the blue circle
_KINDS = ("rescue", "rotate", "loot", "cover")
_RESCUE, _ROTATE, _LOOT, _COVER = range(4)
_NUMBERS = 256  # more than there are seats and supplies
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
    kind, number = divmod(int(_takes(sim.state, seat, person)), _NUMBERS)
    return _KINDS[kind], number - 1


@rule
def _takes(state, seat, person):
    """The same as one number: the kind's place in _KINDS times _NUMBERS, and one more than the number."""
    fallen = senses.downed_to_help(state, seat, HELPED)
    if fallen >= 0:
        return _RESCUE * _NUMBERS + fallen + 1
    if tactics.zone_presses(state, seat) == OUTSIDE:
        return _ROTATE * _NUMBERS
    if goals.known_enemy(state, seat, goals.KNOWN) < 0:
        supply = senses.supply(state, seat, senses.LOOT_RANGE, 0)
        at = s.SUPPLY + 4 * supply + 2
        if supply >= 0 and away(state, person, int(state[at]), int(state[at + 1])) <= AT_HAND:
            return _LOOT * _NUMBERS + supply + 1
    return _COVER * _NUMBERS + person + 1
