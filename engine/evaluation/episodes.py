"""Single games of agents: the one loop in which this room plays them.

A kind of `Episode` says what its seats have been told, and what is counted or written down after each step.
Not for batches of games, which are faster and keep no past (self_play, reward_return).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine.agents.acting import Programs, act
from engine.agents.policy import Policy
from engine.games import stories
from engine.language import Reading, standings
from engine.simulation.life import State
from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

if TYPE_CHECKING:
    from typing import Self


@dataclass(eq=False)
class Episode:
    """A game of a `cast` of policies, by seat, to its end or to tick `until`."""

    sim: Simulation
    cast: Sequence[Policy]
    until: int | None = None
    chosen: dict[int, Any] = field(default_factory=dict, init=False)  # by seat, until it decides anew

    @property
    def goes_on(self) -> bool:
        """Whether there is anything left to play."""
        return not self.sim.over and (self.until is None or self.sim.tick < self.until)

    @property
    def movers(self) -> Sequence[int]:
        """The seats that move now."""
        return range(self.sim.seats) if self.sim.current is None else [self.sim.current]

    @property
    def deciding(self) -> Sequence[int]:
        """Those of them that decide now."""
        return self.movers if not self.chosen or self.sim.tick % self.every == 0 else ()

    @property
    def every(self) -> int:
        """Ticks for which a choice is repeated."""
        return self.sim.spec.decision_ticks

    def programs(self, seat: int) -> Programs:
        """The instructions of a seat in force now, oldest first."""
        return []

    def choose(self, seat: int, move: Any, rng: np.random.Generator) -> None:
        """A seat does this until it decides anew."""
        self.chosen[seat] = move

    def step(self) -> None:
        """All seats do what they chose."""
        joint = [self.sim.idle(seat) for seat in range(self.sim.seats)]
        for seat in self.movers:
            chosen = self.chosen[seat]
            joint[seat] = self.sim.resolve(seat, chosen) if self.sim.spec.heads else chosen
        self.sim.step(joint)


@dataclass(eq=False, kw_only=True)
class Logged(Episode):
    """A game that is written into its log. Its seats get the instructions in force for them, if anybody
    `obeys`; `sloppy`: the probability of a random move, by seat. Whether an instruction is done is looked at
    every `look_every` ticks, and after each move of a turn-based game.
    """

    log: EpisodeLog
    told: Told
    sloppy: Sequence[float] | np.ndarray = ()
    obeys: bool = True
    look_every: int = 1

    @classmethod
    def begun(cls, sim: Simulation, cast: Sequence[Policy], name: str, **how: Any) -> Self:
        """A game with a log of its own, of the episode of this name."""
        seats = [
            {"kind": "agent", "name": policy.card.get("title") or policy.name, "agent": policy.name}
            for policy in cast
        ]
        log = EpisodeLog(header_of(sim, name, seats))
        return cls(sim, cast, log=log, told=Told(log.header), **how)

    def programs(self, seat: int) -> Programs:
        return self.told.programs(seat) if self.obeys else []

    def choose(self, seat: int, move: Any, rng: np.random.Generator) -> None:
        if len(self.sloppy) and rng.random() < self.sloppy[seat]:
            move = random_choice(self.sim.legal(seat), self.sim.spec.heads, rng)
        super().choose(seat, move, rng)

    def give(self, reading: Reading, speaker: int, target: int | None, name: str) -> None:
        """A player gives an instruction to a seat, or to its whole side (None)."""
        self.write(confirmed(reading, self.sim.tick, speaker, target, name))
        for record in standings.settled(self.told, self.sim):
            self.write(record)

    def write(self, record: dict[str, Any]) -> None:
        """The next record, for the log and for the instructions in force."""
        self.log.append(record)
        self.told.note(record)

    def step(self) -> None:
        tick = self.sim.tick
        super().step()
        self.write({"type": "step", "tick": tick, "actions": self.sim.actions[-1]})
        if self.sim.spec.turn_based or self.sim.over or self.sim.tick % self.look_every == 0:
            for record in standings.done(self.told, self.sim):
                self.write(record)

    def finish(self) -> EpisodeLog:
        """The log with its end."""
        sim = self.sim
        end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest()}
        self.log.append(end | {"reason": "finished", "outcomes": stories.outcomes(sim.game, sim.view(None))})
        return self.log


def confirmed(reading: Reading, tick: int, speaker: int, target: int | None, name: str) -> dict[str, Any]:
    """The record of an instruction that a player gives to a seat, or to its whole side (None)."""
    record = {"tick": tick, "seat": speaker, "target_seat": target, "id": name, "text": reading.text}
    return {"type": "instruction", **record, "status": State.CONFIRMED, "reading": reading.as_json()}


Kind = TypeVar("Kind", bound=Episode)


def play_on(
    episodes: Sequence[Kind],
    rng: np.random.Generator | Callable[[int], np.random.Generator],
    check: Callable[[], None] = lambda: None,
    before: Callable[[list[Kind]], None] = lambda deciding: None,
) -> None:
    """Play games with the same options at the same time; each policy is asked once a tick for all its seats.
    `rng` may be a function of the tick. `check` is called before every tick and may raise, to stop; `before`
    with the episodes of which somebody decides now.
    """
    while running := [episode for episode in episodes if episode.goes_on]:
        check()
        before([episode for episode in running if episode.deciding])
        draw = rng if isinstance(rng, np.random.Generator) else rng(running[0].sim.tick)
        asked: dict[int, list[tuple[Kind, int]]] = {}
        for episode in running:
            for seat in episode.deciding:
                asked.setdefault(id(episode.cast[seat]), []).append((episode, seat))
        for rows in asked.values():
            policy = rows[0][0].cast[rows[0][1]]
            sims, seats = [episode.sim for episode, _ in rows], [seat for _, seat in rows]
            moves = act(policy, sims, seats, draw, [episode.programs(seat) for episode, seat in rows])
            for (episode, seat), move in zip(rows, moves, strict=True):
                episode.choose(seat, move, draw)
        for episode in running:
            episode.step()


def random_choice(mask: np.ndarray, heads: tuple[int, ...], rng: np.random.Generator) -> Any:
    """A random legal action; one choice per head if actions have heads."""
    if not heads:
        return int(rng.choice(np.flatnonzero(mask)))
    parts = np.split(mask, np.cumsum(heads)[:-1])
    return [int(rng.choice(np.flatnonzero(part))) for part in parts]
