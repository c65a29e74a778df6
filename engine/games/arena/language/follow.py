"""Instructions to squad mates in a live match: the goal that a seat has now, and how far each has got.

A policy takes the goal as an input, so nothing is added to its logits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.arena import goals as records
from engine.games.arena import state as s
from engine.games.arena.language import places
from engine.games.arena.language.standing import Begun, Order, advance, ends_at_once, order, standing
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Program = dict[str, Any]
_STATES = {records.WAITING: State.WAITING, records.OBEYING: State.OBEYING, records.DONE: State.DONE}
# By kind: what is told while it is obeyed, and while it isn't yet or can't be.
_TEXTS = {
    "follow": ("following", "coming"),
    "hold": ("on the spot", "not there yet"),
    "go": ("on the way", "held up"),
    "attack": ("attacking", "no enemy to attack"),
    "cover": ("covering", "coming to cover"),
    "take_cover": ("in cover", "looking for cover"),
    "loot": ("looking for supplies", "nothing to take yet"),
    "heal": ("treating wounds", "not treating yet"),
    "rescue": ("on the way to help", "can't help yet"),
    "prone": ("lying", "not lying yet"),
    "hold_fire": ("holding fire", "has just shot"),
    "rotate": ("on the way into the zone", "held up"),
    "regroup": ("on the way to the squad", "held up"),
    "retreat": ("falling back", "held up"),
    "crouch": ("crouching", "not crouching yet"),
}


def goals(programs: list[Program], sim: Simulation, seat: int) -> np.ndarray:
    """The goal of a seat under all instructions to it, oldest first: int16 (GOAL_SIZE,) as in
    engine.games.arena.goals; zeros if nothing is asked of it.

    `program["since_tick"]` is the tick of the instruction, `program["from_seat"]` who gave it; instructions
    of other teams mean nothing to a seat.
    """
    none = np.zeros(records.GOAL_SIZE, records.GOAL_DTYPE)
    if not programs or sim.over or not places.alive(sim, seat):
        return none
    found = order(programs, sim, seat)
    kept = standing(sim)
    goal = none
    if found.main is not None:
        main = programs[found.main]
        goal = advance(kept.of(main, sim, seat), main, sim, seat).copy()
        goal[records.FLAGS] &= ~found.dropped
    for index in (found.quiet, found.stance):
        if index is not None:
            _add(goal, programs[index], kept.of(programs[index], sim, seat), sim, seat)
    if found.hurry is not None and goal[records.KIND]:
        goal[records.FLAGS] |= records.HURRYING
    return goal


def _add(goal: np.ndarray, program: Program, begun: Begun, sim: Simulation, seat: int) -> None:
    """Let an instruction that adds to others set a flag of the goal, or be the goal where there is none."""
    own = advance(begun, program, sim, seat)
    kind = int(own[records.KIND])
    if not kind:
        return
    if not goal[records.KIND]:
        goal[:] = own
        return
    flag = {records.PRONE: records.LYING, records.CROUCH: records.CROUCHED}.get(kind, records.QUIETLY)
    goal[records.FLAGS] |= flag


def prior(program: Program, sim: Simulation, seat: int) -> np.ndarray:
    """Nothing: the goal goes into the policy."""
    return priors([program], sim, seat)


def priors(programs: list[Program], sim: Simulation, seat: int) -> np.ndarray:
    """Nothing, float32 (num_actions,): the goal goes into the policy instead."""
    return np.zeros(sim.num_actions, np.float32)


def progresses(programs: list[Program], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """{"state", "text": short words} (engine.language.progress) of each of all instructions to a seat, oldest
    first."""
    if not places.alive(sim, seat):
        return [{"state": State.OUT, "text": "out"} for _ in programs]
    found = order(programs, sim, seat)
    kept = standing(sim)
    return [
        _progress(index, program, kept.of(program, sim, seat), found, sim, seat)
        for index, program in enumerate(programs)
    ]


def _progress(
    index: int, program: Program, begun: Begun, found: Order, sim: Simulation, seat: int
) -> dict[str, str]:
    has_clauses = bool(program["clauses"])  # without, it asks for sub-goals of Table 7 alone
    if not begun.steps and not begun.changes:
        return {"state": State.DONE, "text": "meant for others" if has_clauses else "can't follow that yet"}
    if ends_at_once(begun):
        return {"state": State.DONE, "text": "done"}
    if not begun.steps:
        lasts = index == found.hurry
        return {"state": State.OBEYING if lasts else State.DONE, "text": "hurrying" if lasts else "done"}
    if index not in (found.main, found.quiet, found.stance):
        if begun.over:
            return {"state": State.DONE, "text": "done"}
        return {"state": State.REPLACED, "text": "replaced by a later instruction"}
    goal = advance(begun, program, sim, seat)
    if begun.over:
        return {"state": State.DONE, "text": "done"}
    if int(sim.state[s.player(seat) + s.LIFE]) == s.DOWNED:
        return {"state": State.UNABLE, "text": "down"}
    if begun.missing:
        return {"state": State.WAITING, "text": begun.missing}
    state = _STATES[int(records.progress(sim.state, sim.world, seat, goal))]
    obeying, waiting = _TEXTS[begun.kind]
    return {"state": state, "text": waiting if state == State.WAITING else obeying}
