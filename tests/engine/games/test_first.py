"""Guided first games, played through with the agents that they name: each step is noticed, and the log says
the same as the match did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine import games, language
from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games import first as firsts
from engine.games.arena import state as s
from engine.games.hanabi.positions import color, play
from engine.games.pages import AGENT
from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation
from webapp.accounts.keys import keys_of

GUIDED = [game for game in games.names() if firsts.of(game)]


@dataclass
class Match:
    """A guided game with its agents, as a host plays it; the person's moves are the test's."""

    game: str
    records: list[dict[str, Any]] = field(default_factory=list)
    programs: list[dict[str, Any]] = field(default_factory=list)
    reached: list[int] = field(default_factory=list)  # ticks at which steps were done

    def __post_init__(self) -> None:
        first = firsts.of(self.game)
        assert first is not None
        self.first = first
        self.sim = Simulation(self.game, first.options, seed=first.seed)
        self.course = firsts.Course(first, self.sim, first.seat)
        self.rng = np.random.default_rng(0)
        self.header = header_of(self.sim, "0" * 32, [{}] * self.sim.seats)
        wished = {seat: wish.removeprefix(AGENT) for seat, wish in enumerate(first.wishes) if seat}
        self.agents = {seat: self.policy(name) for seat, name in (wished | first.asleep).items()}
        self.wished = wished
        for seat in first.asleep:
            self.note({"type": "control", "seat": seat, "controller": {"kind": "agent", "asleep": True}})

    def policy(self, name: str) -> Any:
        return load(f"{self.game}/{name}", self.game)

    def note(self, record: dict[str, Any]) -> None:
        self.records.append({"tick": self.sim.tick, **record})
        if self.course.note(self.records[-1], self.sim):
            self.go_on()

    def tell(self) -> None:
        """Say the sentence that the step offers."""
        (text,) = self.course.now.tell
        reading = language.read(self.game, text)
        assert not reading.refused and reading.program
        self.programs = [reading.program]
        told = {"type": "instruction", "seat": self.first.seat, "id": "a", "text": text}
        self.note({**told, "status": "confirmed"})

    def wake(self, seats: Any) -> None:
        for seat in list(seats):
            self.agents[seat] = self.policy(self.wished[seat])
            self.note({"type": "control", "seat": seat, "controller": {"kind": "agent"}})

    def go_on(self) -> None:
        self.reached.append(self.sim.tick)
        if self.course.now and self.course.now.wakes:
            self.wake(self.course.now.wakes)

    def step(self, own: Any) -> None:
        """One step in which the person does this (nothing where it isn't their turn)."""
        joint = [self.sim.idle(seat) for seat in range(self.sim.seats)]
        movers = range(self.sim.seats) if self.sim.current is None else [self.sim.current]
        for seat in movers:
            programs = self.programs if seat == self.first.partner else []
            told = [[*programs]]
            joint[seat] = own if seat == 0 else act(self.agents[seat], [self.sim], [seat], self.rng, told)[0]
        self.records.append({"type": "step", "tick": self.sim.tick, "actions": joint})
        self.sim.step(joint)
        if self.course.look(self.sim):
            self.go_on()


def hanabi(match: Match) -> Iterator[Any]:
    """A hint, an instruction, another hint, a one that is known."""
    yield color("W")
    yield None  # the partner's move
    match.tell()
    yield color("R")
    yield None
    yield play(0)


def overcooked(match: Match) -> Iterator[Any]:
    """The planner's moves in the person's place."""
    greedy = match.policy("greedy")
    while match.course.step < 2:
        yield act(greedy, [match.sim], [0], match.rng, [[]])[0]
    match.tell()
    while match.course.step < 5:
        yield act(greedy, [match.sim], [0], match.rng, [[]])[0]
    for change in ("on", "drop"):
        assert not match.course.over
        match.note({"type": "plan_edit", "seat": 0, "side": 0, "do": change, "step": "1"})


def arena(match: Match) -> Iterator[Any]:
    """Straight on, a shot, and the other squad is woken."""
    ahead = [0, 0, 1, s.B_NONE, s.PICK, s.KEEP]
    while match.course.step < 1:
        yield ahead
    match.tell()
    while match.course.step < 3:
        yield ahead
    while match.course.step < 4:
        yield [0, 0, 1, s.B_STOP, s.FIRE, s.KEEP]
    match.wake(match.course.scene.asleep)


def say_select(match: Match) -> Iterator[Any]:
    """The balls that are worth a point, and the last one again."""
    for number in (1, 4, 4):
        yield number - 1
        yield None


def frozen_lake_2(match: Match) -> Iterator[Any]:
    """Down, the sentence, down, right and down to the left goal; then waiting there."""
    yield 1
    match.tell()
    yield from (1, 2, 1)
    while not match.sim.over:
        yield 4


PERSON = {
    "hanabi": hanabi,
    "overcooked": overcooked,
    "arena": arena,
    "say_select": say_select,
    "frozen_lake_2": frozen_lake_2,
}


@pytest.mark.parametrize("game", GUIDED)
def test_every_step_is_noticed_and_the_log_tells_the_same(game: str) -> None:
    match = Match(game)
    for own in PERSON[game](match):
        match.step(own)
        assert match.sim.tick < 1200, f"step {match.course.step} isn't noticed"
    course = match.course
    assert course.over and course.moment in match.reached and course.shown
    again = firsts.course_of(match.first, EpisodeLog(match.header, match.records), match.first.seat)
    assert (again.step, again.moment) == (course.step, course.moment)


@pytest.mark.parametrize("game", GUIDED)
def test_its_steps_can_be_shown(game: str) -> None:
    first = firsts.of(game)
    assert first.about and sum(step.shows for step in first.steps) == 1
    assert games.spec(game).seats(games.spec(game).validate(first.options)) == len(first.wishes)
    keys = keys_of(game, {})
    for step in first.steps:
        assert step.say and step.noticed
        assert set(re.findall(r"\[([^]]*)\]", step.say)) <= {*keys} and "[" not in step.touch + step.noticed
        for text in step.tell:
            assert not language.read(game, text).refused


def test_nothing_hurts_in_the_first_match_of_arena_until_it_is_asked_for() -> None:
    """The other squad never moves, the zone never closes, and whoever walks to the border is unhurt."""
    match = Match("arena")
    begun = [at(match.sim.state, seat) for seat in (2, 3)]
    for _ in range(600):
        match.step([0, 0, 1, s.B_RUN, s.PICK, s.KEEP])
    assert [at(match.sim.state, seat) for seat in (2, 3)] == begun
    assert all(int(match.sim.state[s.player(seat) + s.HP]) == 100 for seat in range(4))
    zone = match.sim.view(None)["zone"]
    assert zone["blue"] == zone["white"] == [64.0, 64.0, 94.0] and not zone["shrinking"]


def at(state: np.ndarray, seat: int) -> tuple[int, int]:
    base = s.player(seat)
    return int(state[base + s.X]), int(state[base + s.Y])
