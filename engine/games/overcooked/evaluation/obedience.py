"""Does a cook do as it is told? Sub-goals completed under true, no, random and opposite instructions.

A fixed list of instructions is given to seat 1 at fixed ticks, one at a time, each withdrawn after a while.
Whether its sub-goal was completed is read off the events and places of the game, not off the planner that
obeys. The same games are played with the true instruction, with none, with another one, and with the
contrary: an agent whose numbers do not move ignores language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import language
from engine.agents.acting import act
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import over_deals
from engine.games import spec
from engine.games.overcooked import planner, rules, view
from engine.simulation.simulation import Simulation

PARTNER = "overcooked/greedy"  # who gives instructions, unless somebody says
TOLD, PLAYER = 1, 0  # seats
FIRST, EVERY, LIMIT = 20, 60, 50  # ticks: the first instruction, from one to the next, and for how long
STANDS = 8  # ticks in one place that count as waiting there
TWIN = 12  # ticks that a game is played on without the instruction to see when behaviour changes
CONDITIONS = ("none", "true", "random", "opposite")


@dataclass
class Window:
    """What the told cook did while an instruction stood: its events, its actions, and its cells by tick."""

    sim: Simulation
    events: list[dict[str, Any]]
    actions: list[int]
    places: list[int]

    def had(self, item: str) -> bool:
        """Whether it took such a thing, used one, or has one in its hand at the end."""
        held = view.thing(int(self.sim.state[rules.HELD + TOLD])) or {}
        handled = any(self.did(kind, item) for kind in ("pick", "pick_counter", "put_pot"))
        return handled or held.get("kind") == item

    def did(self, kind: str, item: str | None = None) -> int:
        return sum(e["kind"] == kind and item in (None, (e["item"] or {}).get("kind")) for e in self.events)

    def stood_by(self, kind: int) -> bool:
        """Whether it kept to cells next to a kind of station for some ticks on end."""
        state = np.array(self.sim.state)
        run = longest = 0
        for cell in self.places:
            near = any(rules.terrain(state, rules.neighbour(state, cell, d)) == kind for d in range(4))
            run = run + 1 if near else 0
            longest = max(longest, run)
        return longest >= STANDS

    def left_pot(self) -> int:
        """Onions put into a leftmost pot."""
        state = self.sim.state
        width = int(state[rules.WIDTH])
        pots = [int(cell) % width for cell in state[rules.POTS : rules.POTS + int(state[rules.POT_COUNT])]]
        return sum(e["kind"] == "put_pot" and e["x"] == min(pots) for e in self.events)


@dataclass(frozen=True)
class Task:
    """An instruction, its contrary, whether a window shows that its sub-goal was completed, what stations it
    takes, and the thing that must not be in the hand already when it is given.
    """

    text: str
    opposite: str
    completed: Callable[[Window], bool]
    needs: tuple[int, ...] = ()
    item: int = -1


def _moved(window: Window) -> bool:
    return any(action != rules.STAY for action in window.actions[1:20])


def _brought(window: Window) -> bool:
    return window.did("place_counter", "dish") > 0


TASKS = (
    Task("bring me a plate", "don't fetch plates", _brought, (rules.DISHES,), rules.DISH),
    Task("get an onion", "don't touch the onions", lambda w: w.had("onion"), (rules.ONIONS,), rules.ONION),
    Task(
        "put two onions in the left pot",
        "don't put onions in the left pot",
        lambda w: w.left_pot() > 1,
        (rules.ONIONS, rules.POT),
    ),
    Task(
        "serve a soup",
        "don't serve",
        lambda w: w.did("deliver") > 0,
        (rules.DISHES, rules.POT, rules.SERVE),
    ),
    Task(
        "put an onion on a counter",
        "don't put onions on the counter",
        lambda w: w.did("place_counter", "onion") > 0,
        (rules.ONIONS,),
        rules.ONION,
    ),
    Task(
        "wait by the serving window",
        "stay away from the serving window",
        lambda w: w.stood_by(rules.SERVE),
        (rules.SERVE,),
    ),
    Task("stop", "don't stop", lambda w: not _moved(w)),
    Task(
        "you do plates, I do onions",
        "you do onions, I do plates",
        lambda w: w.had("dish") and not w.did("pick", "onion"),
        (rules.DISHES, rules.ONIONS),
    ),
    Task(
        "you do onions, I serve",
        "you serve, I do onions",
        lambda w: w.had("onion") and not w.did("deliver") and not w.did("pick", "dish"),
        (rules.DISHES, rules.ONIONS),
    ),
    Task(
        "go to the plates", "stay away from the plates", lambda w: w.stood_by(rules.DISHES), (rules.DISHES,)
    ),
    Task(
        "wait by the onions", "stay away from the onions", lambda w: w.stood_by(rules.ONIONS), (rules.ONIONS,)
    ),
    Task(
        "put a plate on a counter", "don't put plates on the counter", _brought, (rules.DISHES,), rules.DISH
    ),
)


def obedience(
    policy: Policy,
    partner: Policy,
    options: dict[str, Any] | None = None,
    episodes: int = 20,
    seed: int = 1,
) -> dict[str, Any]:
    """`policy` in seat 1, told what to do, `partner` in seat 0; random starts, the same in all conditions.

    {"layout", "instructions": those that the seat can carry out there, condition: {"return": {"mean",
    "stderr", "interval"}, "completed": share, "asked": number}, "by_instruction": {text: {condition: share}},
    "changed": {"asked", "ticks": {"median", "largest"}, "within_two": share}}. Ticks to a change count from
    the first tick at which the untold agent would not do what was asked. Raises Refusal.
    """
    options = spec("overcooked").validate({**(options or {}), "start": "random"})
    for cook in (policy, partner):
        check_fits(cook, "overcooked", options)
    tasks = _possible(options)
    found: dict[str, Any] = {
        "game": "overcooked",
        "agent": policy.name,
        "partner": partner.name,
        "layout": options["layout"],
        "episodes": episodes,
        "seed": seed,
        "instructions": [task.text for task in tasks],
    }
    shares: dict[str, dict[str, float]] = {task.text: {} for task in tasks}
    for condition in CONDITIONS:
        games = [_Game(options, seed + i, i, condition, tasks) for i in range(episodes)]
        _play(games, policy, partner, options["horizon"])
        done = [outcome for game in games for outcome in game.outcomes]
        found[condition] = {
            "return": over_deals(np.array([game.sim.score for game in games])),
            "completed": sum(ok for _, ok in done) / max(1, len(done)),
            "asked": len(done),
        }
        for task in tasks:
            outcomes = [ok for text, ok in done if text == task.text]
            shares[task.text][condition] = sum(outcomes) / max(1, len(outcomes))
        if condition == "true":
            found["changed"] = _changes([ticks for game in games for ticks in game.changes])
    return {**found, "by_instruction": shares}


def _possible(options: dict[str, Any]) -> list[Task]:
    """The instructions that seat 1 can carry out in this kitchen."""
    sim = Simulation("overcooked", {**options, "start": "fixed"}, seed=0)
    tasks = []
    for task in TASKS:
        told = language.progress("overcooked", _program(task.text, 0), sim, TOLD)
        state = np.array(sim.state)
        within = all(
            any(planner.reachable(state, TOLD, cell) for cell in planner.stations(state, kind))
            for kind in task.needs
        )
        if within and "both reach" not in told["text"]:
            tasks.append(task)
    return tasks


def _program(text: str, tick: int) -> dict[str, Any]:
    reading = language.read("overcooked", text)
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    return {**reading.program, "since_tick": tick, "from_seat": PLAYER}


class _Game:
    """One episode under one condition: the game, what is being told, and what came of it."""

    def __init__(
        self, options: dict[str, Any], seed: int, index: int, condition: str, tasks: list[Task]
    ) -> None:
        self.sim = Simulation("overcooked", options, seed=seed)
        self.condition, self.tasks = condition, tasks
        # The same order and the same random instructions whatever the agent and the condition.
        rng = np.random.default_rng([seed, index])
        self.order = rng.permutation(len(tasks))
        self.others = rng.integers(1, len(tasks), 100)
        self.asked = 0
        self.task: Task | None = None
        self.programs: list[dict[str, Any]] = []
        self.since = 0
        self.places: list[int] = []
        self.outcomes: list[tuple[str, bool]] = []
        self.changes: list[int] = []

    def begin(self) -> None:
        """Give the next instruction that asks for more than what is in the hand already."""
        held = int(self.sim.state[rules.HELD + TOLD])
        while self.tasks[int(self.order[self.asked % len(self.tasks)])].item == held:
            self.asked += 1
        index = int(self.order[self.asked % len(self.tasks)])
        other = (index + int(self.others[self.asked])) % len(self.tasks)
        self.task, self.since, self.places = self.tasks[index], self.sim.tick, []
        text = {
            "true": self.task.text,
            "random": self.tasks[other].text,
            "opposite": self.task.opposite,
        }.get(self.condition)
        self.programs = [_program(text, self.sim.tick)] if text else []
        self.asked += 1

    def end(self) -> None:
        """Withdraw the instruction and see whether its sub-goal was completed."""
        if self.task is None:
            return
        events = [e for e in self.sim.events if e["seat"] == TOLD and e["tick"] > self.since]
        actions = [joint[TOLD] for joint in self.sim.actions[self.since :]]
        window = Window(self.sim, events, actions, self.places)
        self.outcomes.append((self.task.text, bool(self.task.completed(window))))
        self.task, self.programs = None, []

    def step(self, joint: list[int]) -> None:
        self.sim.step(joint)
        self.places.append(int(self.sim.state[rules.POSITION + TOLD]))


def _play(games: list[_Game], policy: Policy, partner: Policy, horizon: int) -> None:
    for tick in range(horizon):
        at = (tick - FIRST) % EVERY
        if tick >= FIRST and at == 0 and tick + LIMIT <= horizon:
            for game in games:
                game.begin()
            if games[0].condition == "true":
                for game, ticks in zip(games, _first_changes(games, policy, partner), strict=True):
                    game.changes += ticks
        if tick >= FIRST and at == LIMIT:
            for game in games:
                game.end()
        joints = _joints([game.sim for game in games], [game.programs for game in games], policy, partner)
        for game, joint in zip(games, joints, strict=True):
            game.step(joint)
    for game in games:
        game.end()


def _joints(
    sims: list[Simulation], programs: list[list[dict[str, Any]]], policy: Policy, partner: Policy
) -> list[list[int]]:
    """Everybody's next action: seat 1 told what `programs` say, all other seats the partner.

    Who draws draws by seed and tick, so that told and untold differ by what was told and not by chance.
    """
    seats = sims[0].seats
    rng = np.random.default_rng([sims[0].seed, sims[0].tick])
    by_seat = []
    for seat in range(seats):
        cook, told = (policy, programs) if seat == TOLD else (partner, None)
        by_seat.append(act(cook, sims, [seat] * len(sims), rng, told))
    return [[by_seat[seat][row] for seat in range(seats)] for row in range(len(sims))]


def _first_changes(games: list[_Game], policy: Policy, partner: Policy) -> list[list[int]]:
    """For each game, [ticks from when the untold agent would stray to the first other action], or []."""
    sims = [game.sim.copy() for game in games]
    programs = [game.programs for game in games]
    strays = [-1] * len(games)
    found: list[list[int]] = [[] for _ in games]
    for tick in range(min(TWIN, sims[0].options["horizon"] - sims[0].tick)):
        untold = _joints(sims, [[]] * len(sims), policy, partner)
        told = _joints(sims, programs, policy, partner)
        for row, sim in enumerate(sims):
            wanted = language.priors("overcooked", programs[row], sim, TOLD)
            asked = wanted.max() > 0
            if strays[row] < 0 and asked and wanted[untold[row][TOLD]] <= 0:
                strays[row] = tick
            if not found[row] and strays[row] >= 0 and untold[row][TOLD] != told[row][TOLD]:
                found[row] = [tick - strays[row] + 1]
            sim.step(told[row])
    return [ticks or [TWIN + 1] if stray >= 0 else [] for ticks, stray in zip(found, strays, strict=True)]


def _changes(ticks: list[int]) -> dict[str, Any]:
    if not ticks:
        return {"asked": 0, "ticks": None, "within_two": None}
    return {
        "asked": len(ticks),
        "ticks": {"median": float(np.median(ticks)), "largest": max(ticks)},
        "within_two": sum(t <= 2 for t in ticks) / len(ticks),
    }


def table(found: dict[str, Any]) -> str:
    """The result as a text table."""
    lines = [f"{found['agent']} told by {found['partner']} on {found['layout']}, {found['episodes']} games"]
    lines.append(f"{'':32}" + "".join(f"{name:>12}" for name in CONDITIONS))
    means = [f"{found[name]['return']['mean']:.1f}" for name in CONDITIONS]
    lines.append(f"{'return':32}" + "".join(f"{text:>12}" for text in means))
    rows = {"sub-goals completed": {name: found[name]["completed"] for name in CONDITIONS}}
    for text, shares in {**rows, **found["by_instruction"]}.items():
        lines.append(f"{text:32}" + "".join(f"{shares[name]:>12.0%}" for name in CONDITIONS))
    changed = found["changed"]
    if changed["asked"]:
        lines.append(
            f"behaviour changes after {changed['ticks']['median']:g} tick (median), "
            f"{changed['ticks']['largest']} at most ({changed['asked']} cases)"
        )
    return "\n".join(lines)
