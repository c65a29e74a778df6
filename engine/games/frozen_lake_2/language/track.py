"""How far a seat has got with a program: which part of it is to be done now, found from where both players
stood at every tick since it was said. Not for what is done about it (follow.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.frozen_lake_2 import rules, words
from engine.games.frozen_lake_2.language.carried import asks
from engine.games.frozen_lake_2.places import Scene, cells, targets
from engine.games.frozen_lake_2.ways import Cell, beside
from engine.language.declared import Clause, values

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Stood = tuple[Cell, Cell]  # where both players stand, by seat
MOVED = ("step", "target", "hole")


@dataclass(frozen=True)
class Standing:
    """The clauses that hold now, which of them are over, and the scene; `over`: all of the program is."""

    clauses: tuple[Clause, ...]
    done: frozenset[int]
    scene: Scene
    ticks: int  # since they began
    over: bool

    def to_do(self) -> Clause | None:
        """What the seat is to do now."""
        left = (one for at, one in enumerate(self.clauses) if at not in self.done and asks(one))
        return None if self.over else next(left, None)

    def bans(self) -> list[Clause]:
        """What it keeps from now."""
        if self.over:
            return []
        return [one for at, one in enumerate(self.clauses) if at not in self.done and not asks(one)]


def standing(program: dict[str, Any], sim: Simulation, seat: int) -> Standing:
    """`program["since_tick"]`, if there, is the tick of the instruction."""
    state, other = np.asarray(sim.state), 1 - seat
    since = min(int(program.get("since_tick", 0)), int(state[rules.TICK]))
    trail = trail_of(sim, since)
    runs = runs_of(program["clauses"])
    at, began, done = 0, 0, frozenset[int]()
    for tick in range(len(trail)):
        while True:
            scene = _scene(state, trail, began, tick, seat, other)
            ended = (
                index
                for index, one in enumerate(runs[at])
                if _is_over(one, scene, trail[began : tick + 1], seat)
            )
            done = done.union(ended)
            if not _run_over(runs[at], done):
                break
            if at == len(runs) - 1:
                return Standing(tuple(runs[at]), done, scene, tick - began, over=True)
            at, began, done = at + 1, tick, frozenset()
    return Standing(tuple(runs[at]), done, scene, len(trail) - 1 - began, over=False)


def trail_of(sim: Simulation, since: int) -> list[Stood]:
    """Where both stood at each tick from `since` to now."""
    state = np.asarray(sim.state)
    moves: dict[int, list[dict[str, Any]]] = {}
    for event in reversed(sim.events):
        if event["tick"] <= since:
            break
        if event["kind"] in MOVED:
            moves.setdefault(event["tick"], []).append(event)
    here = [int(state[rules.AT + seat]) for seat in range(rules.SEATS)]
    trail = [(here[0], here[1])]
    for tick in range(int(state[rules.TICK]), since, -1):
        for event in moves.get(tick, ()):
            here[event["seat"]] = beside(here[event["seat"]], (event["action"] + 2) % rules.STAY)
        trail.append((here[0], here[1]))
    return trail[::-1]


def runs_of(clauses: list[Clause]) -> list[list[Clause]]:
    """The clauses that hold together, in their order."""
    runs: list[list[Clause]] = []
    for clause in clauses:
        if clause.get("then") or not runs:
            runs.append([])
        runs[-1].append(clause)
    return runs


def _scene(state: np.ndarray, trail: list[Stood], began: int, tick: int, seat: int, other: int) -> Scene:
    now, then = trail[tick], trail[began]
    return Scene(state, now[seat], now[other], then[seat], then[other], int(state[rules.START + seat]))


def _run_over(run: list[Clause], done: frozenset[int]) -> bool:
    """Whether all that was asked is done; without that, whether all that was forbidden is over."""
    asked = [at for at, one in enumerate(run) if asks(one)] or list(range(len(run)))
    return all(at in done for at in asked)


def holds(event: str, scene: Scene) -> bool:
    """Whether an event of a condition is so."""
    goals = targets(scene.state)
    return {
        "i_there": scene.speaker in goals,
        "i_move": scene.speaker != scene.speaker_began,
        "i_near": scene.here in (beside(scene.speaker, action) for action in range(rules.STAY)),
        "you_there": scene.here in goals,
    }[event]


def _is_over(clause: Clause, scene: Scene, trail: list[Stood], seat: int) -> bool:
    until = values(clause, "until")
    if any(holds(event, scene) for event in until):
        return True
    if not asks(clause):
        return False
    act, times = clause["act"], next(iter(values(clause, "times")), None)
    if act == "go":
        return scene.here in cells(clause, scene)
    if act == "step":
        action = words.WAYS.index(clause["way"])
        steps = zip(trail, trail[1:], strict=False)
        taken = sum(before[seat] != now[seat] == beside(before[seat], action) for before, now in steps)
        return taken >= (times or 1)
    if act == "wait":
        return times is not None and len(trail) > times
    if act == "first":
        mine = values(clause, "by") == ["me"]
        return not (mine and until) and (scene.speaker if mine else scene.here) in targets(scene.state)
    return False
