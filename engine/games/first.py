"""A first game: two minutes, by doing, at the real table with a real agent.

A game's `first.py` has a FIRST: where it is played, with whom, and its steps. A step says what to do, and how
what happened in the match tells that it was done. `Course` is how far somebody has come, told by the match as
it goes on or by its log alone, with the same result. Not for: who shows it (webapp.host.coaching).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import brings
from engine.games.pages import ME
from engine.simulation.life import State
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.simulation import Simulation
from engine.simulation.spoken import last_move


@dataclass
class Scene:
    """What a step is judged by: the game now, the person's `seat` and the `partner`'s, what the last step did
    (`news`: events, or in games that tell none the last move; "plan_drop" and so on for what somebody changed
    about the plan), the state when the step began (`start`), the person's confirmed instructions
    (`instructions`, records of the log), and the seats that are still `asleep`.
    """

    sim: Simulation
    seat: int
    partner: int
    start: np.ndarray
    news: list[dict[str, Any]] = field(default_factory=list)
    instructions: list[dict[str, Any]] = field(default_factory=list)
    asleep: set[int] = field(default_factory=set)

    def did(self, seat: int, *kinds: str) -> bool:
        """Whether a seat has just done one of these."""
        return any(event["seat"] == seat and event["kind"] in kinds for event in self.news)


@dataclass(frozen=True)
class Step:
    """What to do (`say`, for fingers `touch`), whether it was `done`, and what is said then (`noticed`). A
    key stands in `say` by the name of its action in brackets ("[kitchen.act]"), because people rebind them.

    `tell`: sentences that one click says. `shows`: what the agent does here is the move to mark. `wakes`: the
    seats that are woken here; `asks`: what the button says that wakes the rest. "{partner}" is the agent's
    name.
    """

    say: str
    done: Callable[[Scene], bool]
    noticed: str
    touch: str = ""
    tell: tuple[str, ...] = ()
    shows: bool = False
    wakes: tuple[int, ...] = ()
    asks: str = ""


@dataclass(frozen=True)
class First:
    """A game's first one: its options, who sits where (engine.games.pages: "me", "agent:…"), the seed of its
    deal, the agents that play for some seats until they are woken, and its steps.
    """

    options: dict[str, Any]
    wishes: tuple[str, ...]
    steps: tuple[Step, ...]
    seed: int
    partner: int = 1  # the seat of whom the steps speak
    asleep: dict[int, str] = field(default_factory=dict)
    about: str = ""  # what one will do, in a sentence
    after: str = "That was all. Stop here and mark what {partner} did, or play on as long as you like."

    @property
    def seat(self) -> int:
        """Where the person sits."""
        return self.wishes.index(ME)


def of(game: str) -> First | None:
    """A game's first one; None where it brings none."""
    return brings.FirstGame.of(game).FIRST


def has_instruction(scene: Scene) -> bool:
    """The person has told the partner something, and it is in force."""
    return bool(scene.instructions)


class Course:
    """How far a person has come. `step` counts from 0, and is their number at the end; `moment` is the tick
    that the agent's move to mark led to, with what was noticed then.
    """

    def __init__(self, first: First, sim: Simulation, seat: int) -> None:
        self.first = first
        self.step = 0
        self.moment: int | None = None
        self.scene = Scene(sim, seat, first.partner, sim.state.copy())

    @property
    def over(self) -> bool:
        """Whether every step was done."""
        return self.step == len(self.first.steps)

    @property
    def now(self) -> Step | None:
        """The step that is to be done."""
        return None if self.over else self.first.steps[self.step]

    @property
    def noticed(self) -> str:
        """The sentence about the step before."""
        return self.first.steps[self.step - 1].noticed if self.step else ""

    @property
    def shown(self) -> str:
        """The sentence about the move to mark."""
        return next((step.noticed for step in self.first.steps if step.shows), "")

    def look(self, sim: Simulation) -> bool:
        """The game has made a step; whether that was what was to be done."""
        scene = self.scene
        scene.sim = sim
        scene.news = sim.spec.events(sim.state) if sim.spec.events else [last_move(sim)]
        return self._judge()

    def note(self, record: dict[str, Any], sim: Simulation) -> bool:
        """Something was said or changed, as the log has it; whether that was what was to be done."""
        scene = self.scene
        scene.sim, scene.news = sim, []
        if record["type"] == "instruction" and record["seat"] == scene.seat:
            others = [earlier for earlier in scene.instructions if earlier["id"] != record["id"]]
            scene.instructions = [*others, record] if record["status"] == State.CONFIRMED else others
        elif record["type"] == "control" and record["seat"] in self.first.asleep:
            (scene.asleep.add if record["controller"].get("asleep") else scene.asleep.discard)(record["seat"])
        elif record["type"] == "plan_edit":
            scene.news = [{"seat": record["seat"], "kind": f"plan_{record['do']}"}]
        return self._judge()

    def _judge(self) -> bool:
        step, scene = self.now, self.scene
        if step is None or not step.done(scene):
            return False
        if step.shows:
            self.moment = scene.sim.tick
        self.step += 1
        scene.start = scene.sim.state.copy()
        return True


def course_of(first: First, log: EpisodeLog, seat: int) -> Course:
    """How far a match had come, by its log. Raises Refusal."""
    states = walk(log)
    sim = next(states)
    course = Course(first, sim, seat)
    for record in log.records:
        if record["type"] == "step":
            sim = next(states)
            course.look(sim)
        else:
            course.note(record, sim)
    return course
