"""Games of a batch with instructions: as in live play, given once and in force until done, or as in training,
in force all the time.

As in live play, the player in seat 0 gives the instruction at the start to the others of its side
(engine.simulation.told says which seats they are), and what it asks of them is settled and ended as in a
match (engine.language.standings). The batch steps the games; this class follows them. Not for measuring
whether it is followed: engine.evaluation.obedience.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.acting import NOTHING, Heard, hears
from engine.agents.policy import Policy
from engine.evaluation.episodes import confirmed
from engine.language import standings
from engine.language.following import Programs, following
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

SPEAKER = 0
MARK = " | "  # between an agent's ref and what it is told


def parted(ref: str) -> tuple[str, str]:
    """(ref or folder, instruction) of "hanabi/learner-1 | never discard"; "" for no instruction."""
    name, _, text = ref.partition(MARK)
    return name.strip(), text.strip()


def audience(game: str, options: dict[str, Any]) -> list[int]:
    """The seats to which the player in seat 0 gives instructions, with complete options."""
    header = {"game": game, "options": options, "seats": [{}] * games.spec(game).seats(options)}
    return Told(header).audience(SPEAKER, None)


class ToldGames:
    """n games that begin at `states` (n, state_size) with the same instruction; `hearers`: the seats that
    have it all the time, as in training, None: as in live play; `firmness`: as in `language.softened`. The
    instruction is read here, or given as a program. Raises ValueError for a text that asks for nothing, and
    if no seat can get it.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        states: np.ndarray,
        instruction: str | language.Reading,
        hearers: Sequence[int] | None = None,
        firmness: float = 1.0,
    ) -> None:
        reading = language.meant(game, instruction) if isinstance(instruction, str) else instruction
        program = language.softened(game, reading.program or {}, firmness)
        reading = replace(reading, program=program)
        self.game, self.goals = game, bool(games.spec(game).goal_size)
        self.features = language.features(game, program)
        self.following = following(game, options, len(states))
        self.following.begin(states, np.arange(len(states)))
        self.ends = hearers is None
        self.said: dict[str, Programs] = {"[]": []}  # what seats may be told, the same once
        seats = games.spec(game).seats(games.spec(game).validate(options))
        self.which = np.zeros((len(states), seats), np.int64)  # of that, by game and seat
        if hearers is None:
            self.audience = self._say(options, states, reading)
        else:
            self.audience = list(hearers)
            self.which[:, self.audience] = self._known([program])
        # Who was told, whatever comes of it.
        if not self.audience:
            raise ValueError("Nobody can be told anything: the player in seat 0 has no one on its side.")
        self.read = np.stack([language.together(game, programs) for programs in self.said.values()])

    def _say(self, options: dict[str, Any], states: np.ndarray, reading: language.Reading) -> list[int]:
        """Give the instruction at the start of every game; returns the seats that get it."""
        audience: list[int] = []
        for row, state in enumerate(states):
            sim = Simulation.at(self.game, options, state)
            in_force = Told({"game": self.game, "options": sim.options, "seats": [{}] * sim.seats})
            in_force.note(confirmed(reading, 0, SPEAKER, None, "told"))
            standings.settled(in_force, sim)
            audience = in_force.audience(SPEAKER, None)
            for seat in audience:
                self.which[row, seat] = self._known(in_force.programs(seat))
        return audience

    def _known(self, programs: Programs) -> int:
        """The place of programs in `said`."""
        key = json.dumps(programs, sort_keys=True)
        self.said.setdefault(key, programs)
        return list(self.said).index(key)

    def programs(self, rows: np.ndarray, seats: np.ndarray) -> list[Programs]:
        """The programs in force for a seat of each game."""
        instructions = list(self.said.values())
        return [instructions[place] for place in self.which[rows, seats]]

    def heard(self, policy: Policy, rows: np.ndarray, seats: np.ndarray) -> Heard:
        """What an agent gets of them in a seat of each game."""
        which = self.which[rows, seats]
        goal = None
        for place, programs in enumerate(self.said.values()):
            at = np.flatnonzero(which == place)
            if programs and len(at):
                asked = self.following.asked(programs, rows[at], seats[at])
                goal = np.zeros((len(rows), asked.shape[1]), asked.dtype) if goal is None else goal
                goal[at] = asked
        if goal is None:
            return NOTHING
        instructions = self.read[which] if hears(policy) else None
        return (
            Heard(goal=goal, instructions=instructions)
            if self.goals
            else Heard(prior=goal, instructions=instructions)
        )

    def follow(self, rows: np.ndarray, states: np.ndarray) -> None:
        """Games `rows` have come to `states` by a step."""
        self.following.follow(states, rows)
        for place, programs in enumerate(self.said.values()):
            of, seats = np.nonzero(self.which[rows] == place)
            if self.ends and programs and len(of):
                done = self.following.done(programs[0], rows[of], seats)
                self.which[rows[of[done]], seats[done]] = 0
