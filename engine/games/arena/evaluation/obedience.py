"""Does a squad mate do as it is told? Sub-goals completed under true, no, random and opposite instructions.

A fixed list of instructions is given to three mates of seat 0 (engine.evaluation.obedience). Whether its
sub-goal was completed is read off the match with `goals.progress` whatever the mates were really told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.policy import Policy
from engine.evaluation.intervals import over_deals, share_over_deals
from engine.evaluation.obedience import Given, cell, tasks_done
from engine.evaluation.obedience import table as compared
from engine.games.arena import goals as records
from engine.games.arena import state as s
from engine.games.arena.language.carried import LASTING
from engine.games.arena.language.kept import standing
from engine.games.arena.zone import inside
from engine.simulation.life import State
from engine.simulation.simulation import Simulation

SPEAKER, TOLD = 0, (1, 2, 3)  # seats
SETTLED = 40  # ticks after which somebody who was told something lasting should be at it
ENOUGH = 0.5  # the share of the ticks after that in which it has to be obeyed
LONGEST = 13000
PARTNER = "arena/strong"  # who else plays, unless somebody says
OPTIONS = {"teams": 2, "team_size": 4, "pace": "short"}

Need = Callable[[Simulation, int], bool]


@dataclass(frozen=True)
class Task:
    """An instruction, its contrary, and whether a seat is in a place to carry it out."""

    text: str
    opposite: str
    needs: Need


def _field(sim: Simulation, seat: int, name: int) -> int:
    return int(sim.state[int(s.player(seat)) + name])


def _always(sim: Simulation, seat: int) -> bool:
    return True


def _hurt(sim: Simulation, seat: int) -> bool:
    return _field(sim, seat, s.HP) <= 70 and _field(sim, seat, s.MEDKITS) > 0


def _mate_down(sim: Simulation, seat: int) -> bool:
    squad = [SPEAKER, *TOLD]
    return any(_field(sim, mate, s.LIFE) == s.DOWNED for mate in squad if mate != seat)


def _outside_white(sim: Simulation, seat: int) -> bool:
    return not inside(sim.state, s.WHITE_X, _field(sim, seat, s.X), _field(sim, seat, s.Y))


def _enemy_known(sim: Simulation, seat: int) -> bool:
    return int(records.known_enemy(sim.state, seat, records.KNOWN)) >= 0


def _away_from_speaker(sim: Simulation, seat: int) -> bool:
    return _field(sim, SPEAKER, s.LIFE) == s.UP


TASKS = (
    Task("follow me", "stay here", _away_from_speaker),
    Task("hold here", "follow me", _away_from_speaker),
    Task("go 20 metres north", "go 20 metres south", _always),
    Task("go to the house", "hold here", _always),
    Task("attack", "retreat", _enemy_known),
    Task("cover me", "retreat", _away_from_speaker),
    Task("take cover", "attack", _enemy_known),
    Task("loot", "hold here", _always),
    Task("heal", "attack", _hurt),
    Task("rescue our mate", "retreat", _mate_down),
    Task("go prone", "follow me", _always),
    Task("crouch", "stand up", _always),
    Task("hold your fire", "attack", _enemy_known),
    Task("rotate to the zone", "hold here", _outside_white),
    Task("regroup", "go 20 metres north", _always),
    Task("retreat", "attack", _enemy_known),
)


@dataclass(eq=False, kw_only=True)
class Match(Given):
    """A match in which seat 0's mates get tasks, and how far they are with them."""

    SPEAKER, TOLD = SPEAKER, TOLD
    FIRST, PERIOD, LIMIT = 20, 140, 120

    @property
    def every(self) -> int:
        """Those above are multiples of it, and recorded figures were made with it."""
        return 4

    def able(self, task: Task) -> list[int]:
        up = [seat for seat in TOLD if _field(self.sim, seat, s.LIFE) == s.UP]
        return [seat for seat in up if task.needs(self.sim, seat)]

    def begin(self) -> bool:
        new = super().begin()
        if new:
            self.wanted = self.program(self.task.text)
            self.obeying: dict[int, list[bool]] = {seat: [] for seat in self.seats}
            self.finished = dict.fromkeys(self.seats, False)
        return new

    def watch(self) -> None:
        for seat in self.seats:
            state = language.progress("arena", self.wanted, self.sim, seat)["state"]
            self.finished[seat] |= standing(self.sim).of(self.wanted, self.sim, seat).over
            if self.sim.tick - self.since >= SETTLED:
                self.obeying[seat].append(state == State.OBEYING)

    def completed(self) -> list[bool]:
        if self.wanted["clauses"][-1]["kind"] not in LASTING:
            return list(self.finished.values())
        return [sum(ticks) / len(ticks) >= ENOUGH for ticks in self.obeying.values() if ticks]

    @classmethod
    def figures(cls, games: list[Match]) -> dict[str, Any]:
        won = np.array([int(match.sim.state[s.WINNER]) == 0 for match in games])
        return {
            "wins": share_over_deals(won, np.ones(len(games))),
            "score": over_deals(np.array([match.sim.score for match in games])),
        }


def obedience(
    policy: Policy, others: Policy, options: dict[str, Any] | None = None, episodes: int = 20, seed: int = 1
) -> dict[str, Any]:
    """`tasks_done` of `policy` in seats 1 to 3, told what to do by seat 0, which `others` plays as well as
    the other squad; each condition with its "wins": {"share", "interval"} and "score": {"mean", "interval"}.
    """
    complete = games.spec("arena").validate({**OPTIONS, **(options or {})})
    return tasks_done(Match, policy, others, complete, TASKS, episodes, seed, LONGEST)


def table(result: dict[str, Any]) -> list[str]:
    """The result as text."""
    titles = {"matches won": "wins", "sub-goals completed": "completed"}
    return compared(result, {title: partial(_row, key) for title, key in titles.items()})


def _row(key: str, row: dict[str, Any]) -> str:
    return cell(row[key]["share"], row[key]["interval"])
