"""Teams that carry out a plan (SAMA): the same games by how steps are planned and who gets them.

Arms: a planner of engine.planning.planners; "random", its steps given to seats by chance; "opposite", the
plan that gets least; "whole", what the first seat says goes to each seat as it is (no decomposition); "none".
Steps are counted by their checkers. Not for live matches (engine.planning.serve).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine import brings, games, language
from engine.agents.acting import Programs
from engine.agents.policy import Policy, check_fits
from engine.evaluation.episodes import Logged, play_on
from engine.evaluation.self_play import summary
from engine.games.plans import Option, Wanted, World
from engine.planning.planners import Planner, names, planner
from engine.planning.planners.search import proposal, searched
from engine.planning.running import Running
from engine.planning.steps import Proposal
from engine.refusal import Refusal
from engine.simulation.planned import Outcome
from engine.simulation.simulation import Simulation

NONE, RANDOM, OPPOSITE, WHOLE = "none", "random", "opposite", "whole"
CONTROLS = (NONE, RANDOM, OPPOSITE, WHOLE)
AT_ONCE = 50  # games


@dataclass(eq=False, kw_only=True)
class Planned(Logged):
    """A game whose sides carry out plans. `looked`: the seconds that each look at a plan took; `people`:
    seats that hear nothing of it.
    """

    running: Sequence[Running] = ()
    looked: list[float] = field(default_factory=list)
    people: Sequence[int] = ()

    def programs(self, seat: int) -> Programs:
        return [] if seat in self.people else super().programs(seat)

    def begin(self) -> None:
        """Turn the plans on."""
        for side in self.running:
            self.write({"type": "plan_edit", "tick": 0, "seat": None, "side": side.side, "do": "on"})
        self.look()

    def write(self, record: dict[str, Any]) -> None:
        super().write(record)
        for side in self.running:
            side.note(record)

    def step(self) -> None:
        super().step()
        self.look()

    def look(self) -> None:
        for side in self.running:
            begun = time.perf_counter()
            records = side.look(self.sim)
            self.looked.append(time.perf_counter() - begun)
            for record in records:
                super().write(record)

    def outcomes(self) -> Counter[str]:
        """How often each outcome of a step was noted."""
        return Counter(record["state"] for record in self.log.records if record["type"] == "planned")

    def done(self) -> Counter[str]:
        """The acts of steps that were done, and "ACT, begun" of those that were begun."""
        acts = {
            step["id"]: step["program"]["means"].split()[0]
            for record in self.log.records
            if record["type"] == "plan"
            for step in record["steps"]
        }
        counts: Counter[str] = Counter()
        for record in self.log.records:
            if record["type"] == "planned" and record["state"] in (Outcome.DONE, Outcome.DOING):
                counts[acts[record["id"]] + (", begun" if record["state"] == Outcome.DOING else "")] += 1
        return counts


def evaluate_plans(
    cast: Sequence[Policy],
    game: str,
    plans: str = "search",
    options: dict[str, Any] | None = None,
    episodes: int = 20,
    seed: int = 0,
    goal: str = "",
    reflects: bool = True,
    hears: bool = True,
    people: Sequence[int] = (),
    check: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Games of a cast (one policy for all seats, or one a seat) of which the first seat's side carries out
    plans: by a planner or a control. `goal`: what the first seat says to all at the start. `reflects`:
    whether what fails is noticed and planned anew; `hears`: whether seats get their steps at all; `people`:
    seats of human proxies, whose share is planned and who hear nothing. The same seed deals the same games.
    {"mean", "stderr", "episodes", "scores", "steps": {outcome: count}, "done": {act: share of those begun},
    "look_ms": {"mean", "p99"}}. Raises Refusal.
    """
    spec = games.spec(game)
    complete = spec.validate(dict(options or {}))
    count = spec.seats(complete)
    by_seat = list(cast) * count if len(cast) == 1 else list(cast)
    if len(by_seat) != count:
        raise ValueError(f"{len(cast)} agents were given for {count} seats.")
    for policy in by_seat:
        check_fits(policy, game, complete)
    brings.Planning.needed(game, "Work is planned")
    if plans == WHOLE and not goal:
        raise Refusal(f"With “{WHOLE}” each seat gets the goal as it is: say one in the option 'goal'.")
    scores: list[int] = []
    looked: list[float] = []
    outcomes: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for start in range(0, episodes, AT_ONCE):
        deals = range(seed + start, seed + min(start + AT_ONCE, episodes))
        played = [
            _begun(Simulation(game, complete, seed=deal), by_seat, plans, goal, reflects, hears, people)
            for deal in deals
        ]
        play_on(played, np.random.default_rng(deals[0]), check)
        for episode in played:
            scores.append(episode.sim.score)
            looked += episode.looked
            outcomes += episode.outcomes()
            done += episode.done()
    score = summary(np.array(scores), spec.max_score(complete))
    return {
        **{
            "mean": score["mean"],
            "stderr": score["stderr"],
            "episodes": episodes,
            "scores": scores,
            "plans": plans,
        },
        "steps": {str(outcome): outcomes[outcome] for outcome in Outcome if outcomes[outcome]},
        "done": {act: done[act] / done[f"{act}, begun"] for act in done if not act.endswith(", begun")},
        "look_ms": {
            "mean": 1000 * float(np.mean(looked or [0.0])),
            "p99": 1000 * float(np.percentile(looked or [0.0], 99)),
        },
    }


def _begun(
    sim: Simulation,
    cast: Sequence[Policy],
    plans: str,
    goal: str,
    reflects: bool,
    hears: bool,
    people: Sequence[int],
) -> Planned:
    episode = Planned.begun(sim, cast, "plans", obeys=hears, people=people)
    for seat in people:
        episode.log.header["seats"][seat]["kind"] = "person"
    if plans not in (NONE, WHOLE):
        rng = np.random.default_rng(sim.seed)
        episode.running = [Running(episode.log.header, 0, plans, _planner(plans, rng), reflects=reflects)]
        episode.begin()
    if goal:
        reading = language.meant(sim.game, goal)
        episode.give(reading, 0, None, "goal")
        if plans == WHOLE:  # nobody instructs themselves
            episode.give(reading, episode.told.audience(0, None)[0], 0, "goal of the first seat")
        episode.look()
    return episode


def _planner(plans: str, rng: np.random.Generator) -> Planner:
    if plans == RANDOM:
        return lambda sim, wanted: _dealt(planner("search")(sim, wanted), wanted, rng)
    if plans == OPPOSITE:
        return _opposite
    return planner(plans, waits=True)


def _dealt(made: Proposal | None, wanted: Wanted, rng: np.random.Generator) -> Proposal | None:
    """The same steps, in the same order, each for a seat by chance; what a seat is at stays."""
    if made is None:
        return None
    seats, fixed, steps = wanted.seats, dict(wanted.fixed), []
    for step in made.steps:
        if step.program in fixed.get(step.seat, ()):
            steps.append(step)
        else:
            steps.append(replace(step, seat=int(rng.choice(seats)), after=()))
    return replace(made, steps=tuple(steps), why="")


def _opposite(sim: Simulation, wanted: Wanted) -> Proposal:
    world = Turned(brings.Planning.of(sim.game).world(sim, wanted))
    return proposal(world, searched(world, wanted))


@dataclass(frozen=True)
class Turned:
    """A world whose worth is turned round."""

    world: World

    def turn(self) -> int | None:
        return self.world.turn()

    def options(self) -> list[Option]:
        return [replace(option, then=Turned(option.then)) for option in self.world.options()]

    def later(self, ticks: float) -> Turned:
        return Turned(self.world.later(ticks))

    def value(self) -> float:
        return -self.world.value()

    def key(self) -> Hashable:
        return self.world.key()


def table(result: dict[str, Any]) -> list[str]:
    """The numbers as text."""
    spread = "" if result["stderr"] is None else f" ± {result['stderr']:.2f}"  # one game has none
    lines = [f"{result['mean']:.2f}{spread} points in {result['episodes']} games, {result['plans']}"]
    lines += [f"  steps {name}: {count}" for name, count in result["steps"].items()]
    lines += [f"  {act} done: {share:.2f} of those begun" for act, share in sorted(result["done"].items())]
    return [
        *lines,
        f"  a look at the plan: {result['look_ms']['mean']:.2f} ms (p99 {result['look_ms']['p99']:.1f})",
    ]


def choices() -> list[str]:
    """What `plans` may be."""
    return [*names(), *CONTROLS]
