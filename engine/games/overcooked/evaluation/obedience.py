"""Does a cook do as it is told? Sub-goals completed under true, no, random and opposite instructions.

A fixed list of instructions is given to seat 1 (engine.evaluation.obedience). Whether its sub-goal was
completed is read off the events and places of the game, not off the planner that obeys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import language
from engine.agents.acting import Programs, act
from engine.agents.policy import Policy
from engine.evaluation.intervals import over_deals
from engine.evaluation.obedience import CONDITIONS, Given, cell, given, tasks_done
from engine.evaluation.obedience import table as compared
from engine.games import spec
from engine.games.overcooked import rules, view
from engine.games.overcooked.evaluation.probes import reaches
from engine.simulation.simulation import Simulation

PARTNER = "overcooked/greedy"  # who gives instructions, unless somebody says
TOLD, PLAYER = 1, 0  # seats
STANDS = 8  # ticks in one place that count as waiting there
TWIN = 12  # ticks that a game is played on without the instruction to see when behaviour changes


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
        for place in self.places:
            near = any(rules.terrain(state, rules.neighbour(state, place, d)) == kind for d in range(4))
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
    """`policy` in seat 1, told what to do, `partner` in the others; random starts, the same in all
    conditions.

    `tasks_done` with the instructions that the seat can carry out there, each condition with its "return":
    {"mean", "stderr", "interval"}, and "completed" as a share alone; "layout", "changed": {"asked", "ticks":
    {"median", "largest"}, "within_two": share}. Ticks to a change count from the first tick at which the
    untold agent would not do what was asked. Raises Refusal.
    """
    options = spec("overcooked").validate({**(options or {}), "start": "random"})
    tasks, horizon = _possible(options), options["horizon"]
    result = tasks_done(Cook, policy, partner, options, tasks, episodes, seed, horizon)
    by = {
        text: {name: share or 0.0 for name, share in row.items()}
        for text, row in result["by_instruction"].items()
    }
    changed = result["true"]["changed"]
    for name in CONDITIONS:
        del result[name]["changed"]
    return {**result, "layout": options["layout"], "changed": changed, "by_instruction": by}


def _possible(options: dict[str, Any]) -> list[Task]:
    """The instructions that seat 1 can carry out in this kitchen."""
    sim = Simulation("overcooked", {**options, "start": "fixed"}, seed=0)
    tasks = []
    for task in TASKS:
        asked = given("overcooked", task.text, PLAYER)
        if reaches(*task.needs)(np.array(sim.state), TOLD):
            if "both reach" not in language.progress("overcooked", asked, sim, TOLD)["text"]:
                tasks.append(task)
    return tasks


@dataclass(eq=False, kw_only=True)
class Cook(Given):
    """A game in which seat 1 gets tasks, and what it does with them."""

    SPEAKER, TOLD = PLAYER, (TOLD,)
    FIRST, PERIOD, LIMIT = 20, 60, 50
    changes: list[int] = field(default_factory=list, init=False)

    def able(self, task: Task) -> list[int]:
        return [TOLD] if task.item != int(self.sim.state[rules.HELD + TOLD]) else []

    def begin(self) -> bool:
        self.places: list[int] = []
        return super().begin()

    def step(self) -> None:
        super().step()
        if self.task is not None:
            self.places.append(int(self.sim.state[rules.POSITION + TOLD]))

    def completed(self) -> list[bool]:
        events = [e for e in self.sim.events if e["seat"] == TOLD and e["tick"] > self.since]
        actions = [joint[TOLD] for joint in self.sim.actions[self.since :]]
        return [self.task.completed(Window(self.sim, events, actions, self.places))]

    @classmethod
    def draws(cls, seed: int) -> Callable[[int], np.random.Generator]:
        """By tick, so that told and untold differ by what was told and not by chance."""
        return lambda tick: np.random.default_rng([seed, tick])

    @classmethod
    def begun(cls, games: list[Cook]) -> None:
        if games[0].condition == "true":
            for game, ticks in zip(games, _first_changes(games), strict=True):
                game.changes += ticks

    @classmethod
    def figures(cls, games: list[Cook]) -> dict[str, Any]:
        done = [ok for game in games for _, ok in game.outcomes]
        return {
            "return": over_deals(np.array([game.sim.score for game in games])),
            "completed": sum(done) / max(1, len(done)),
            "changed": _changes([ticks for game in games for ticks in game.changes]),
        }


def _joints(sims: list[Simulation], programs: list[Programs], cast: Sequence[Policy]) -> list[list[int]]:
    """Everybody's next action, where seat 1 has these instructions; drawn as by `Cook.draws`."""
    rng = np.random.default_rng([sims[0].seed, sims[0].tick])
    by_seat = [
        act(cook, sims, [seat] * len(sims), rng, programs if seat == TOLD else None)
        for seat, cook in enumerate(cast)
    ]
    return [list(joint) for joint in zip(*by_seat, strict=True)]


def _first_changes(games: list[Cook]) -> list[list[int]]:
    """For each game, [ticks from when the untold agent would stray to the first other action], or []."""
    sims, cast = [game.sim.copy() for game in games], games[0].cast
    programs = [game.heard for game in games]
    strays = [-1] * len(games)
    first: list[list[int]] = [[] for _ in games]
    for tick in range(min(TWIN, sims[0].options["horizon"] - sims[0].tick)):
        untold, told = _joints(sims, [[]] * len(sims), cast), _joints(sims, programs, cast)
        for row, sim in enumerate(sims):
            wanted = language.priors("overcooked", programs[row], sim, TOLD)
            if strays[row] < 0 and wanted.max() > 0 and wanted[untold[row][TOLD]] <= 0:
                strays[row] = tick
            if not first[row] and strays[row] >= 0 and untold[row][TOLD] != told[row][TOLD]:
                first[row] = [tick - strays[row] + 1]
            sim.step(told[row])
    return [ticks or [TWIN + 1] if stray >= 0 else [] for ticks, stray in zip(first, strays, strict=True)]


def _changes(ticks: list[int]) -> dict[str, Any]:
    if not ticks:
        return {"asked": 0, "ticks": None, "within_two": None}
    return {
        "asked": len(ticks),
        "ticks": {"median": float(np.median(ticks)), "largest": max(ticks)},
        "within_two": sum(t <= 2 for t in ticks) / len(ticks),
    }


def table(result: dict[str, Any]) -> list[str]:
    """The result as text."""
    rows = {
        f"return on {result['layout']}": lambda row: f"{row['return']['mean']:.1f}",
        "sub-goals completed": lambda row: cell(row["completed"]),
    }
    changed = result["changed"]
    if not changed["asked"]:
        return compared(result, rows)
    return [
        *compared(result, rows),
        f"behaviour changes after {changed['ticks']['median']:g} tick (median), "
        f"{changed['ticks']['largest']} at most ({changed['asked']} cases)",
    ]
