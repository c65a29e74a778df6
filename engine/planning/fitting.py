"""Whether steps that somebody thought of fit the game: they are followed through the game's `World`
(engine.games.plans), which says what can be done when, how long it takes, where, and what has to be over
first. Not for who thinks of them (planners), nor for what a notation means (steps).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.games.plans import Option, Wanted, World
from engine.language.declared import FLAGS
from engine.planning.planners.search import UNKNOWN_TICKS, alike, like
from engine.planning.steps import Proposed

PAUSE = 4.0
"""Ticks for which a seat waits at a time until it can do what comes next."""
PATIENCE = 20
"""How often it waits for one step, until it is taken that it can't do it."""
FARTHEST = 400
"""Moves of a world that are looked at, at most."""
AHEAD = 24
"""Moves for which it is looked what can be done later."""


@dataclass
class Followed:
    """`found`: by place, what the game knows of a step, None for a step that it doesn't offer in its turn;
    `instead`: what it offers then. Steps that aren't reached are in neither.
    """

    found: dict[int, Option | None] = field(default_factory=dict)
    instead: dict[int, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Fitted:
    """`steps`: what is fixed, then the others. `lost`: (seat, notation) of what is fixed and can't be done;
    `wrong`: by place in `steps`, why one of the others can't be done; `origin`: their places as they came.
    """

    steps: tuple[Proposed, ...]
    lost: frozenset[tuple[int, str]]
    wrong: dict[int, str]
    origin: dict[int, int]

    def right(self) -> tuple[Proposed, ...]:
        """The steps without the wrong ones; nobody waits for those."""
        return only(self.steps, [at for at in range(len(self.steps)) if at not in self.wrong])


def fitted(begin: World, wanted: Wanted, steps: Sequence[Proposed] = ()) -> Fitted:
    """Steps in the order in which they are to begin, after what is fixed. One that is fixed isn't done twice.
    The game says nothing of acts that its world doesn't have: those fit.
    """
    fixed = [Proposed(seat, program) for seat in wanted.seats for program in wanted.fixed.get(seat, ())]
    again = _repeated(steps, fixed)
    rest = [at for at in range(len(steps)) if at not in again]
    count = len(fixed)
    places = again | {old: count + new for new, old in enumerate(rest)}
    every = [*fixed, *(replace(step, after=_mapped(step, places)) for step in (steps[at] for at in rest))]
    acts = {_act(option.program) for option in ahead(begin)} - {""}
    followed = follow(begin, every, acts)
    lost, wrong = set(), {}
    for at, option in followed.found.items():
        if option is not None or _act(every[at].program) not in acts:
            continue
        if at < count:
            lost.add((every[at].seat, every[at].program))
        else:
            offered = ", ".join(f"“{one}”" for one in followed.instead[at]) or "nothing"
            wrong[at] = (
                f"seat {every[at].seat} can't do “{every[at].program}” then; what it could do: {offered}."
            )
    origin = {places[at]: at for at in rest}
    return Fitted(tuple(_timed(every, followed)), frozenset(lost), wrong, origin)


def ahead(world: World) -> list[Option]:
    """What can be done, by anybody, now and later: all options on the way that looks best at each move."""
    options: list[Option] = []
    for _ in range(AHEAD):
        here = list(world.options()) if world.turn() is not None else []
        if not here:
            break
        options += here
        world = max(here, key=lambda option: option.then.value()).then
    return options


def follow(world: World, steps: Sequence[Proposed], acts: set[str]) -> Followed:
    """Steps, each in its seat's turn; a seat waits for what comes before and for what others make possible.
    `acts`: those that the game's world has.
    """
    followed, waited = Followed(), Counter[int]()
    for _ in range(FARTHEST):
        seat = world.turn()
        if seat is None or len(followed.found) == len(steps):
            break
        left = [at for at in range(len(steps)) if at not in followed.found]
        own = next((at for at in left if steps[at].seat == seat), None)
        if own is None:
            world = world.later(PAUSE)
            continue
        step, options = steps[own], world.options()
        ready = not set(step.after) & set(left)
        option = like(options, step.program) if ready else None
        if option is not None:
            followed.found[own], world = option, option.then
        elif not ready or _act(step.program) in acts and _may_come(steps, left, seat, waited[own]):
            waited[own] += 1
            world = world.later(PAUSE)
        else:
            followed.found[own] = None
            followed.instead[own] = [one.program for one in options if one.program]
            world = world.later(step.ticks or UNKNOWN_TICKS)
    return followed


def _may_come(steps: Sequence[Proposed], left: Sequence[int], seat: int, waited: int) -> bool:
    """Whether others may yet make possible what a seat can't do."""
    return waited < PATIENCE and any(steps[at].seat != seat for at in left)


def _timed(steps: Sequence[Proposed], followed: Followed) -> Iterator[Proposed]:
    """The steps with their ticks and places, and what the game says has to be over before each."""
    gave: dict[str, int] = {}
    before: dict[int, set[int]] = {}
    for at, option in followed.found.items():
        if option is not None:
            givers = {gave[need] for need in option.needs if need in gave}
            before[at] = {one for one in givers if one < at and steps[one].seat != steps[at].seat}
            gave |= dict.fromkeys(option.gives, at)
    for at, step in enumerate(steps):
        option = followed.found.get(at)
        if option is None:
            yield replace(step, ticks=step.ticks or UNKNOWN_TICKS)
        else:
            after = tuple(sorted({*step.after, *before[at]}))
            yield replace(step, ticks=option.ticks, place=option.place, after=after)


def _repeated(steps: Sequence[Proposed], fixed: Sequence[Proposed]) -> dict[int, int]:
    """The places of steps that are fixed already, with that of the fixed one, which counts once."""
    places: dict[int, int] = {}
    for place, one in enumerate(fixed):
        same = (
            at
            for at, step in enumerate(steps)
            if at not in places and step.seat == one.seat and alike(step.program) == alike(one.program)
        )
        places |= {at: place for at in [next(same, -1)] if at >= 0}
    return places


def only(steps: Sequence[Proposed], kept: Sequence[int]) -> tuple[Proposed, ...]:
    """Some of the steps, which wait for others of them."""
    places = {old: new for new, old in enumerate(kept)}
    return tuple(replace(steps[at], after=_mapped(steps[at], places)) for at in kept)


def _mapped(step: Proposed, places: Mapping[int, int]) -> tuple[int, ...]:
    """What a step waits for, by other places; what has none is left out."""
    return tuple(sorted({places[one] for one in step.after if one in places}))


def _act(program: str) -> str:
    """The first act of a notation."""
    return next((token for token in program.split() if "=" not in token and token not in FLAGS), "")
