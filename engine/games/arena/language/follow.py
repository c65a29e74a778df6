"""Instructions to squad mates in a live match: the goal that a seat has now, and how far each has got.

A policy takes the goal as an input, so nothing is added to its logits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.arena import chips
from engine.games.arena import goals as records
from engine.games.arena import state as s
from engine.games.arena.language import manners, places
from engine.games.arena.language.kept import Begun, Order, standing
from engine.games.arena.language.standing import advance, ends_at_once, order
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
    "approach": ("closing in", "held up"),
    "avoid": ("keeping away", "on guard"),
    "scout": ("scouting", "looking for enemies"),
    "look": ("watching", "looking elsewhere"),
    "spread": ("keeping apart", "too near a mate"),
    "keep_out": ("keeping out", "on the way out"),
    "keep_off": ("keeping off", "keeping off"),
    "spare": ("sparing them", "sparing them"),
    "no_loot": ("taking nothing", "taking nothing"),
    "no_heal": ("not treating wounds", "not treating wounds"),
    "no_rescue": ("helping nobody up", "helping nobody up"),
}
_BEST = (State.OBEYING, State.UNABLE, State.WAITING, State.REPLACED, State.DONE)


def goals(programs: list[Program], sim: Simulation, seat: int) -> np.ndarray:
    """The goal of a seat under all instructions to it, oldest first: int16 (GOAL_SIZE,) as in
    engine.games.arena.goals; zeros if nothing is asked of it.

    `program["since_tick"]` is the tick of the instruction, `program["from_seat"]` who gave it; instructions
    of other teams mean nothing to a seat.
    """
    none = np.zeros(records.GOAL_SIZE, records.GOAL_DTYPE)
    if not programs or sim.over or not places.alive(sim, seat):
        return none
    kept = standing(sim)
    programs = [part for program in programs for part in kept.parts(program)]
    found = order(programs, sim, seat, now=True)
    goal, quiet = none, found.quiet
    if found.main is not None:
        main = programs[found.main]
        goal = advance(kept.of(main, sim, seat), main, sim, seat).copy()
        goal[records.FLAGS] &= ~found.dropped
    if found.leads is not None:
        rule = kept.of(programs[found.leads], sim, seat)
        own = advance(rule, programs[found.leads], sim, seat)
        goal = own.copy() if own[records.KIND] else goal
        shoots = own[records.KIND] in (records.ATTACK, records.COVER)
        quiet = None if shoots and quiet is not None and quiet < found.leads else quiet
    ways = [rule for rule in found.rules if kept.of(programs[rule], sim, seat).is_way]
    for index in (quiet, found.stance, *ways):
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
    if begun.is_manner:
        manners.add(goal, own)
        goal[records.FLAGS] |= own[records.FLAGS]
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
    kept = standing(sim)
    split = [kept.parts(program) for program in programs]
    each = [part for own in split for part in own]
    found = order(each, sim, seat)
    begun = [kept.of(part, sim, seat) for part in each]
    states = (_progress(i, part, begun[i], found, sim, seat) for i, part in enumerate(each))
    return [_together([next(states) for _ in own]) for own in split]


def _together(states: list[dict[str, str]]) -> dict[str, str]:
    """How far an instruction has got, of which some parts may be done while others wait."""
    if len(states) == 1:
        return states[0]
    best = min((one["state"] for one in states), key=lambda state: _BEST.index(State(state)))
    return {"state": best, "text": ", ".join(dict.fromkeys(s["text"] for s in states if s["state"] == best))}


def _progress(
    index: int, program: Program, begun: Begun, found: Order, sim: Simulation, seat: int
) -> dict[str, str]:
    has_clauses = bool(program["clauses"])  # without, it asks for sub-goals of Table 7 alone
    if not begun.steps and not begun.changes:
        return {"state": State.DONE, "text": "meant for others" if has_clauses else "can't follow that yet"}
    if ends_at_once(begun):
        return {"state": State.DONE, "text": "done"}
    if begun.waits and not begun.over:
        return {"state": State.WAITING, "text": begun.waits}
    if not begun.steps and any("if" in one for one in begun.changes):
        over = {"state": State.DONE, "text": "done"}
        return over if begun.over else {"state": State.OBEYING, "text": "as you said"}
    if not begun.steps:
        lasts = index == found.hurry
        return {"state": State.OBEYING if lasts else State.DONE, "text": "hurrying" if lasts else "done"}
    if index not in (found.main, found.quiet, found.stance, *found.rules):
        if begun.over:
            return {"state": State.DONE, "text": "done"}
        return {"state": State.REPLACED, "text": "replaced by a later instruction"}
    goal = advance(begun, program, sim, seat)
    if begun.over:
        return {"state": State.DONE, "text": "done"}
    if int(sim.state[s.player(seat) + s.LIFE]) == s.DOWNED:
        return {"state": State.UNABLE, "text": "down"}
    leads = found.leads is not None and index == found.main
    if leads or begun.is_rule and not begun.is_way and index != found.leads:
        return {"state": State.WAITING, "text": "after that" if leads else "next time"}
    if begun.missing:
        return {"state": State.WAITING, "text": begun.missing}
    state = _STATES[int(records.progress(sim.state, sim.world, seat, goal))]
    if "wants" in begun.steps[begun.at] and int(goal[records.KIND]) == records.FREE:
        shares = [share for share, _ in chips.far(goal, sim, seat)]
        return {"state": State.OBEYING, "text": f"{shares.count(1.0)} of {len(shares)} so far"}
    obeying, waiting = _TEXTS[begun.kind]
    if manners.manner(begun.steps[begun.at]):
        kept = manners.kept(begun.steps[begun.at], sim, seat, goal)
        state = State.OBEYING if kept else State.WAITING
    if state == State.DONE and not begun.over:
        state = State.OBEYING
    return {"state": state, "text": waiting if state == State.WAITING else obeying}
