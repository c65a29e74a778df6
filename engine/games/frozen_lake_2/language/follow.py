"""What instructions ask of a player's next step: a prior over its actions, how far it has got, and what is
left of them once later ones came. Where nothing is asked it does as it sees fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.frozen_lake_2 import rules, words
from engine.games.frozen_lake_2.language import say
from engine.games.frozen_lake_2.language.carried import PLACES, asks
from engine.games.frozen_lake_2.language.track import Standing, holds, standing
from engine.games.frozen_lake_2.places import Scene, cells, targets
from engine.games.frozen_lake_2.ways import Cell, beside, distances, ice
from engine.language.declared import Clause, values
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Program = dict[str, Any]
STRENGTH = 100.0  # logits
HOLE, NO_CELL, NO_WAY, EDGE = (
    "there is a hole",
    "there is no such place",
    "no way leads there",
    "the lake ends there",
)


def prior(program: Program, sim: Simulation, seat: int) -> np.ndarray:
    """Preference among the actions of `seat`, float32 (5,), in logits; 0 where the program is silent."""
    return priors([program], sim, seat)


def priors(programs: list[Program], sim: Simulation, seat: int) -> np.ndarray:
    """The same for all instructions to a seat, oldest first: later ones replace what they contradict."""
    out = np.zeros(rules.NUM_ACTIONS, np.float32)
    left = [program for program in remaining(programs, sim, seat) if program]
    if sim.over or not left:
        return out
    stands = [standing(program, sim, seat) for program in left]
    here, banned = stands[0].scene.here, frozenset[Cell]()
    for one in stands:
        banned |= _banned(one)
        for action in _ways_banned(one):
            out[action] = -STRENGTH
    for action in range(rules.STAY):
        if beside(here, action) in banned:
            out[action] = -STRENGTH
    for one in reversed(stands):
        clause = one.to_do()
        if clause is not None:
            for action in _asked(clause, one.scene, banned)[0]:
                out[action] = max(out[action], 0) + STRENGTH if out[action] >= 0 else out[action]
            break
    return out


def progresses(programs: list[Program], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """How far a seat has got with each instruction: {"state", "text"}."""
    left = remaining(programs, sim, seat)
    return [
        {"state": State.REPLACED, "text": "replaced by a later instruction"}
        if program is None
        else _progress(standing(program, sim, seat))
        for program in left
    ]


def _progress(stands: Standing) -> dict[str, str]:
    if stands.over:
        return {"state": State.DONE, "text": "done"}
    clause = stands.to_do()
    if clause is None:
        bans = stands.bans()
        return {
            "state": State.OBEYING,
            "text": say.clause(bans[0]).removeprefix("I ") if bans else "going on",
        }
    why = _asked(clause, stands.scene, _banned(stands))[1]
    if why:
        return {"state": State.UNABLE, "text": why}
    if not _applies(clause, stands.scene):
        return {"state": State.WAITING, "text": say.clause(clause).removeprefix("I ")}
    if clause["act"] == "wait" or clause["act"] == "first" and values(clause, "by") == ["me"]:
        return {"state": State.WAITING, "text": say.clause(clause).removeprefix("I ")}
    return {"state": State.OBEYING, "text": say.clause(clause).removeprefix("I ")}


def remaining(programs: list[Program], sim: Any, seat: int) -> list[Program | None]:
    """What is left of each program: of those before one that asks for something only what they forbid, and of
    what contradicts a later one nothing.
    """
    left: list[Program | None] = []
    for index, program in enumerate(programs):
        later = [clause for other in programs[index + 1 :] for clause in other["clauses"]]
        told = any(asks(clause) for clause in later)
        kept = [
            clause
            for clause in program["clauses"]
            if not (told and asks(clause)) and not any(_contradict(clause, other) for other in later)
        ]
        if len(kept) == len(program["clauses"]):
            left.append(program)
            continue
        first, *more = [*kept, None]
        if first is None:
            left.append(None)
            continue
        first = {name: value for name, value in first.items() if name != "then"}
        left.append({**program, "clauses": [first, *(one for one in more if one)]})
    return left


def _contradict(one: Clause, other: Clause) -> bool:
    """Whether one says to go where the other says not to."""
    same = all(values(one, name) == values(other, name) for name in PLACES)
    placed = one["act"] == other["act"] == "go"
    return placed and same and asks(one) != asks(other)


def _applies(clause: Clause, scene: Scene) -> bool:
    """Whether its conditions let it be done now."""
    when, unless = values(clause, "when"), values(clause, "unless")
    return (not when or any(holds(event, scene) for event in when)) and not any(
        holds(event, scene) for event in unless
    )


def _banned(stands: Standing) -> frozenset[Cell]:
    """The cells that a seat keeps off."""
    found = frozenset[Cell]()
    for clause in stands.bans():
        if clause["act"] == "go" and _applies(clause, stands.scene):
            own = cells(clause, stands.scene)
            # Who takes "a goal" without saying which leaves either to the agent.
            if not (values(clause, "by") == ["me"] and own >= set(targets(stands.scene.state))):
                found |= own
    return found


def _ways_banned(stands: Standing) -> list[int]:
    return [
        words.WAYS.index(clause["way"])
        for clause in stands.bans()
        if clause["act"] == "step" and _applies(clause, stands.scene)
    ]


def _asked(clause: Clause, scene: Scene, banned: frozenset[Cell]) -> tuple[list[int], str]:
    """(the actions that a clause asks for now, why it can't be done)."""
    act, here = clause["act"], scene.here
    if not _applies(clause, scene):
        return ([] if act == "wait" else [rules.STAY]), ""
    if act == "wait" or act == "first" and values(clause, "by") == ["me"]:
        return [rules.STAY], ""
    free = ice(scene.state) - (banned - {here})
    if act == "step":
        action = words.WAYS.index(clause["way"])
        there = int(rules.neighbour(scene.state, here, action))
        if there == here:
            return [], EDGE
        return ([action], "") if there in ice(scene.state) else ([], HOLE)
    if act == "follow":
        goals = cells({"act": "go", "at": "me"}, scene) & free
        return ([rules.STAY], "") if here in goals else _towards(goals, scene, free)
    place = {"act": "go", "at": "goal"} if act == "first" else clause
    meant = cells(place, scene)
    if not meant:
        return [], NO_CELL
    if not meant & ice(scene.state):
        return [], HOLE
    return _towards(meant & free, scene, free)


def _towards(
    goals: frozenset[Cell], scene: Scene, free: frozenset[Cell] | set[Cell]
) -> tuple[list[int], str]:
    """The steps that lead nearer: round the other player, or behind them where there is no way round."""
    for ground in (free - {scene.speaker}, free):
        far = distances(goals, {*ground, scene.here})
        if scene.here in far:
            steps = [
                action
                for action in range(rules.STAY)
                if far.get(beside(scene.here, action), rules.NOWHERE) < far[scene.here]
            ]
            return (steps or [rules.STAY]), ""
    return [], NO_WAY
