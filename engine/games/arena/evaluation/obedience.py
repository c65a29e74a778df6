"""Does a squad mate do as it is told? Sub-goals completed under true, no, random and opposite instructions.

A fixed list of instructions is given to three mates of seat 0, one at a time, each withdrawn after a while.
Whether its sub-goal was completed is read off the match with `goals.progress` whatever the mates were really
told. The same matches are played with the true instruction, with none, with another one, and with the
contrary: an agent whose numbers do not move ignores language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.acting import act
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import over_deals, share_over_deals
from engine.games.arena import goals as records
from engine.games.arena import state as s
from engine.games.arena.language.clauses import LASTING
from engine.games.arena.language.standing import standing
from engine.games.arena.zone import inside
from engine.simulation.simulation import Simulation

SPEAKER, TOLD = 0, (1, 2, 3)  # seats
EVERY = 4  # ticks for which a choice is repeated
FIRST, PERIOD, LIMIT = 20, 140, 120  # ticks: the first instruction, from one to the next, and for how long
SETTLED = 40  # ticks after which somebody who was told something lasting should be at it
ENOUGH = 0.5  # the share of the ticks after that in which it has to be obeyed
LONGEST = 13000
CONDITIONS = ("none", "true", "random", "opposite")
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


def _program(text: str, tick: int) -> dict[str, Any]:
    reading = language.read("arena", text)
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    return {**reading.program, "since_tick": tick, "from_seat": SPEAKER}


@dataclass
class _Match:
    """One match under one condition: what is being told, what should be done, and what came of it."""

    sim: Simulation
    condition: str
    order: np.ndarray
    others: np.ndarray
    given: int = 0
    task: Task | None = None
    programs: list[dict[str, Any]] = field(default_factory=list)
    wanted: dict[str, Any] = field(default_factory=dict)
    since: int = 0
    obeying: dict[int, list[bool]] = field(default_factory=dict)
    finished: dict[int, bool] = field(default_factory=dict)
    outcomes: list[tuple[str, bool]] = field(default_factory=list)

    def begin(self) -> None:
        """Give the next instruction that somebody can carry out."""
        up = [seat for seat in TOLD if _field(self.sim, seat, s.LIFE) == s.UP]
        for _ in TASKS:
            index = int(self.order[self.given % len(TASKS)])
            other = (index + int(self.others[self.given % len(self.others)])) % len(TASKS)
            self.given += 1
            task = TASKS[index]
            able = [seat for seat in up if task.needs(self.sim, seat)]
            if able:
                break
        else:
            return
        self.task, self.since = task, self.sim.tick
        self.wanted = _program(task.text, self.since)
        text = {"true": task.text, "random": TASKS[other].text, "opposite": task.opposite}.get(self.condition)
        self.programs = [_program(text, self.since)] if text else []
        self.obeying = {seat: [] for seat in able}
        self.finished = dict.fromkeys(able, False)
        self.watch()

    def watch(self) -> None:
        """See how far the sub-goal is."""
        for seat in self.obeying:
            state = language.progress("arena", self.wanted, self.sim, seat)["state"]
            self.finished[seat] |= standing(self.sim).of(self.wanted, self.sim, seat).over
            if self.sim.tick - self.since >= SETTLED:
                self.obeying[seat].append(state == "obeying")

    def end(self) -> None:
        """Withdraw the instruction and note whether its sub-goal was completed."""
        if self.task is None:
            return
        lasts = self.wanted["clauses"][-1]["kind"] in LASTING
        for seat, ticks in self.obeying.items():
            if not lasts:
                self.outcomes.append((self.task.text, self.finished[seat]))
            elif ticks:
                self.outcomes.append((self.task.text, sum(ticks) / len(ticks) >= ENOUGH))
        self.task, self.programs = None, []


def obedience(
    policy: Policy, others: Policy, options: dict[str, Any] | None = None, episodes: int = 20, seed: int = 1
) -> dict[str, Any]:
    """`policy` in seats 1 to 3, told what to do by seat 0, which `others` plays as well as the other squad.

    {"instructions", condition: {"wins": {"share", "interval"}, "score": {"mean", "interval"}, "completed":
    {"share", "interval"}, "asked": number}, "by_instruction": {text: {condition: share, "asked": number}}}.
    Raises Refusal.
    """
    options = games.spec("arena").validate({**OPTIONS, **(options or {})})
    for one in (policy, others):
        check_fits(one, "arena", options)
    found: dict[str, Any] = {
        "game": "arena",
        "agent": policy.name,
        "partner": others.name,
        "options": options,
        "episodes": episodes,
        "seed": seed,
        "instructions": [task.text for task in TASKS],
    }
    shares: dict[str, dict[str, Any]] = {task.text: {} for task in TASKS}
    for condition in CONDITIONS:
        matches = [_begun(options, seed + i, i, condition) for i in range(episodes)]
        _play(matches, policy, others)
        won = np.array([int(match.sim.state[s.WINNER]) == 0 for match in matches])
        found[condition] = {
            "wins": share_over_deals(won, np.ones(episodes)),
            "score": over_deals(np.array([match.sim.score for match in matches])),
            "completed": _share(matches),
            "asked": sum(len(match.outcomes) for match in matches),
        }
        for task in TASKS:
            shares[task.text][condition] = _share(matches, task.text)["share"]
            count = sum(text == task.text for match in matches for text, _ in match.outcomes)
            shares[task.text].setdefault("asked", {})[condition] = count
    return {**found, "by_instruction": shares}


def _begun(options: dict[str, Any], seed: int, index: int, condition: str) -> _Match:
    # The same order and the same random instructions whatever the agent and the condition.
    rng = np.random.default_rng([seed, index])
    sim = Simulation("arena", options, seed=seed)
    return _Match(sim, condition, rng.permutation(len(TASKS)), rng.integers(1, len(TASKS), 100))


def _play(matches: list[_Match], policy: Policy, others: Policy) -> None:
    rng = np.random.default_rng(matches[0].sim.seed)
    for tick in range(0, LONGEST, EVERY):
        going = [match for match in matches if not match.sim.over]
        if not going:
            break
        at = (tick - FIRST) % PERIOD
        for match in going:
            if tick >= FIRST and at == 0:
                match.begin()
            elif match.task is not None:
                match.watch()
            if tick >= FIRST and at == LIMIT:
                match.end()
        heads = _heads(going, policy, others, rng)
        for match, chosen in zip(going, heads, strict=True):
            for _ in range(EVERY):
                if not match.sim.over:
                    match.sim.step([match.sim.resolve(seat, own) for seat, own in enumerate(chosen)])
    for match in matches:
        match.end()


def _heads(
    going: list[_Match], policy: Policy, others: Policy, rng: np.random.Generator
) -> list[list[list[int]]]:
    """Six heads for every seat of every match: those who are told follow the match's programs."""
    seats = going[0].sim.seats
    out: list[list[list[int]]] = [[[] for _ in range(seats)] for _ in going]
    for player, own in ((policy, TOLD), (others, tuple(seat for seat in range(seats) if seat not in TOLD))):
        rows = [(row, seat) for row in range(len(going)) for seat in own]
        sims, seats_of = [going[row].sim for row, _ in rows], [seat for _, seat in rows]
        told = [going[row].programs if player is policy else [] for row, _ in rows]
        for (row, seat), choice in zip(rows, act(player, sims, seats_of, rng, told), strict=True):
            out[row][seat] = [int(number) for number in choice]
    return out


def _share(matches: list[_Match], text: str = "") -> dict[str, Any]:
    """The share of sub-goals (of one instruction) that were completed; those of one match belong together."""
    done = [[ok for told, ok in match.outcomes if text in ("", told)] for match in matches]
    return share_over_deals(np.array([sum(own) for own in done]), np.array([len(own) for own in done]))


def table(found: dict[str, Any]) -> str:
    """The result as a text table."""
    lines = [f"{found['agent']} told by {found['partner']}, against the same, {found['episodes']} matches"]
    lines.append(f"{'':24}" + "".join(f"{name:>18}" for name in CONDITIONS))
    for title, key in (("matches won", "wins"), ("sub-goals completed", "completed")):
        cells = [_cell(found[name][key]["share"], found[name][key]["interval"]) for name in CONDITIONS]
        lines.append(f"{title:24}" + "".join(f"{cell:>18}" for cell in cells))
    for text, shares in found["by_instruction"].items():
        cells = [f"{_cell(shares[name])} of {shares['asked'][name]}" for name in CONDITIONS]
        lines.append(f"{text:24}" + "".join(f"{cell:>18}" for cell in cells))
    return "\n".join(lines)


def _cell(share: float | None, interval: list[float] | None = None) -> str:
    if share is None:
        return "-"
    return f"{share:.0%}" + (f" ({interval[0]:.0%} to {interval[1]:.0%})" if interval else "")
