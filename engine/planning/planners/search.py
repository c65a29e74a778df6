"""Plans by search over what sub-goals do and how long they take: the seat that is free first chooses, a beam
of the best worlds is kept. The default planner: it needs no language model and takes tenths of a second.

How long things take is the game's estimate times what the team has needed so far (`Wanted.pace`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine import brings
from engine.games.plans import Option, Wanted, World
from engine.planning.steps import Proposal, Proposed
from engine.simulation.simulation import Simulation

WIDTH = 24
"""Worlds that are kept at each depth."""
EACH = 5
"""Steps of each seat that are looked ahead."""
UNKNOWN_TICKS = 20.0
"""What something takes of which the game says nothing."""
UNKNOWN = "what the game says nothing of"


@dataclass(frozen=True, slots=True)
class Node:
    """A world and how it came about. `fixed`: how many fixed steps each seat has made."""

    world: World
    steps: tuple[tuple[int, Option], ...] = ()
    fixed: dict[int, int] = field(default_factory=dict)


def plan(sim: Simulation, wanted: Wanted) -> Proposal:
    first = world(sim, wanted)
    return proposal(first, searched(first, wanted))


def world(sim: Simulation, wanted: Wanted) -> World:
    """The game as it is now. Raises ValueError where no work is planned."""
    return brings.Planning.needed(sim.game, "Work is planned").world(sim, wanted)


def proposal(first: World, best: Node) -> Proposal:
    """The steps that lead from a world to a node."""
    steps = [(seat, option) for seat, option in best.steps if option.program]
    lost = frozenset((seat, option.program) for seat, option in steps if UNKNOWN in option.gives)
    return Proposal(tuple(_proposed(steps)), reason(first, steps), lost)


def searched(first: World, wanted: Wanted, width: int = WIDTH, each: int = EACH) -> Node:
    """The best node of a beam search, of those that can't be followed further and those at the last depth:
    one in which all that is fixed is made, if there is any.
    """

    def worth(node: Node) -> tuple[bool, float]:
        left = any(node.fixed.get(seat, 0) < len(wanted.fixed.get(seat, ())) for seat in wanted.seats)
        return not left, node.world.value()

    beam, ended = [Node(first)], []
    for _ in range(each * max(1, len(wanted.seats))):
        reached: dict[Hashable, tuple[float, Node]] = {}
        for node in beam:
            seat = node.world.turn()
            if seat is None:
                ended.append(node)
                continue
            for after in grown(node, seat, wanted):
                value, key = after.world.value(), after.world.key()
                if key not in reached or reached[key][0] < value:
                    reached[key] = value, after
        if not reached:
            return max(ended, key=worth)
        beam = [node for _, node in sorted(reached.values(), key=lambda one: -one[0])[:width]]
    return max([*ended, *beam], key=worth)


def grown(node: Node, seat: int, wanted: Wanted) -> Iterator[Node]:
    """What can come next: the step that is fixed for this seat, as often as one is, else each option."""
    made, fixed = node.fixed.get(seat, 0), wanted.fixed.get(seat, ())
    options = node.world.options()
    if made < len(fixed):
        options = [
            replace(like(options, fixed[made]) or _unknown(node.world, fixed[made]), program=fixed[made])
        ]
    for option in options:
        count = {**node.fixed, seat: made + 1} if made < len(fixed) else node.fixed
        yield Node(option.then, (*node.steps, (seat, option)), count)


def alike(program: str) -> str:
    """A notation without how often, which is less the further a seat has got with it."""
    return " ".join(token for token in program.split() if not token.startswith("times="))


def like(options: Sequence[Option], program: str) -> Option | None:
    """The option that a notation names, if need be with another number of times."""
    exact = (option for option in options if option.program == program)
    return next(exact, next((option for option in options if alike(option.program) == alike(program)), None))


def _unknown(world: World, program: str) -> Option:
    return Option(program, UNKNOWN_TICKS, world.later(UNKNOWN_TICKS), gives=(UNKNOWN,))


def _proposed(steps: list[tuple[int, Option]]) -> Iterator[Proposed]:
    """The steps with what each waits for: the latest earlier ones of other seats that give what it needs."""
    gave: dict[str, int] = {}
    for index, (seat, option) in enumerate(steps):
        after = {gave[need] for need in option.needs if need in gave}
        yield Proposed(
            seat,
            option.program,
            option.ticks,
            option.place,
            tuple(sorted(at for at in after if steps[at][0] != seat)),
        )
        gave |= dict.fromkeys(option.gives, index)


def reason(world: World, steps: list[tuple[int, Option]]) -> str:
    """Why the seat that is free first does what it does: who else would have needed longer for it."""
    mover = world.turn()
    own = next((option for seat, option in steps if seat == mover), None)
    if own is None or mover is None:
        return ""
    first = {seat: option for seat, option in reversed(steps) if seat != mover}
    for seat, option in first.items():
        taken = next((one for one in world.options() if one.program == option.program), None)
        if taken and taken.ticks > option.ticks + 1 and option.place != own.place:
            return (
                f"{{{seat}}} is nearer to the next thing to do ({option.ticks:.0f} against {taken.ticks:.0f} "
                f"ticks for {{{mover}}})."
            )
    return ""
