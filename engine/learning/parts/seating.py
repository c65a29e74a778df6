"""Which agent plays which seat of many games: the learner, and in a share of the games another agent with it.

The other agent takes one seat, or, if sides play against each other, all sides but one. It is drawn again for
each new game. Not for how the learner acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.agents.acting import NOTHING, Player, is_scripted
from engine.agents.catalogue import load
from engine.agents.network import masked
from engine.agents.policy import check_fits
from engine.evaluation.told_games import MARK, ToldGames, parted
from engine.learning.parts import heads
from engine.learning.parts.rollouts import Collector, View
from engine.learning.parts.sides import sides_of
from engine.refusal import Refusal

LEARNER = -1
SCRIPTED = 0.1  # points of a scripted teacher's weights that make a factor e of probability
# Inputs (n, I) and memory (n, M) -> logits (n, A), not masked, and the memory afterwards.
Forward = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


class Seating:
    """`cast` (n, seats): LEARNER, or somebody else by their place in `others`, who are
    `networks` that have a name here, and agents; `shares` by name: in how many games each of them plays, at
    most 1 in all. `teachers`: agents by the name of whom they know how to play with.

    An agent may be told something: "hanabi/learner-1 | never discard" hears that in all of its seats, all the
    time. Raises Refusal for what it can't be told.
    """

    def __init__(
        self,
        collector: Collector,
        networks: Mapping[str, Forward],
        shares: Mapping[str, float],
        rng: np.random.Generator,
        teachers: Mapping[str, str] | None = None,
    ) -> None:
        self.collector, self.rng = collector, rng
        self.hearing: dict[str, ToldGames] = {}  # those who are told something, by name
        self.fresh = np.zeros(collector.batch.n, bool)  # games that began with the last step
        self.others: dict[str, Player | Forward] = {
            name: networks.get(name) or self._agent(name) for name, share in shares.items() if share > 0
        }
        self.shares = [shares[name] for name in self.others]
        known = teachers or {}
        self.teachers = {
            place: self._agent(known[name]) for place, name in enumerate(self.others) if name in known
        }
        self.sides = np.array(sides_of(collector.game, collector.batch.options))
        self.cast = np.full((collector.batch.n, len(self.sides)), LEARNER)
        self.begin(np.arange(collector.batch.n))

    def _agent(self, ref: str) -> Player:
        """An agent by ref or folder, if it can play these games, and what it is told, if anything."""
        game, options = self.collector.game, self.collector.batch.options
        name, text = parted(ref)
        agent = load(name, game, options)
        check_fits(agent, game, options)
        if text:
            try:
                states, seats = self.collector.batch.states, range(self.collector.seats)
                self.hearing[ref] = ToldGames(game, options, states, text, seats)
            except ValueError as error:
                raise Refusal(f"The partner {ref!r} can't be told that. {error}") from None
        return Player(agent, self.collector.batch.n, self.collector.seats)

    def name_of(self, ref: str) -> str:
        """What cards call somebody else: an agent's name, not its folder."""
        other, (_, text) = self.others.get(ref), parted(ref)
        if not isinstance(other, Player):
            return ref
        return f"{other.policy.name}{MARK}{text}" if text else other.policy.name

    @property
    def given(self) -> np.ndarray:
        """Which seats somebody else plays, bool (n, seats)."""
        return self.cast != LEARNER

    def begin(self, games: np.ndarray) -> None:
        """Draw who plays in these games."""
        if not self.others or not len(games):
            return
        for player in self._players():
            player.begin(games)
        for heard in self.hearing.values():
            heard.following.begin(self.collector.batch.states[games], games)
        self.fresh[games] = True
        chances = np.array([max(0.0, 1.0 - sum(self.shares)), *self.shares])
        who = self.rng.choice(len(chances), size=len(games), p=chances / chances.sum()) - 1
        seats = self.rng.integers(len(self.sides), size=len(games))
        if self.sides.any():
            theirs = self.sides != self.sides[seats][:, None]
        else:
            theirs = np.arange(len(self.sides)) == seats[:, None]
        self.cast[games] = np.where(theirs, who[:, None], LEARNER)

    def _follow(self, states: np.ndarray) -> None:
        """All games are at these states (n, state_size) now, a step after the last ones."""
        rows = np.flatnonzero(~self.fresh)
        for heard in self.hearing.values():
            heard.following.follow(states[rows], rows)
        self.fresh[:] = False

    def players(self, view: View) -> np.ndarray:
        """Who acts in each row (B,), as in `cast`."""
        return self.cast[np.repeat(np.arange(len(self.cast)), self.collector.rows), view.seats]

    def draw(self, view: View, logits: Tensor, memory: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """What everybody does (B,) or (B, heads), drawn by the learner's (masked) logits or chosen by whoever
        else plays; and which rows are the learner's, bool (B,). Of other networks' rows, `memory` (B, M),
        what the learner remembers afterwards, becomes what they do.
        """
        players, parts = self.players(view), self.collector.spec.heads
        self._follow(view.states[:: self.collector.rows])
        behaviour = logits.clone() if self.others else logits
        for _, rows, other in self._rows(players):
            if not isinstance(other, Player):
                theirs = self.collector.tensor(rows)
                liked, memory[theirs] = other(view.inputs[theirs], view.memory[theirs, : memory.shape[1]])
                behaviour[theirs] = masked(liked, masks[theirs])
        actions = heads.draw(behaviour, self.rng, parts)
        for name, rows, other in self._rows(players):
            if isinstance(other, Player):
                games_of = rows // self.collector.rows
                seen = view.states[rows], view.seats[rows], view.masks[rows]
                heard = NOTHING
                if name in self.hearing:
                    heard = self.hearing[name].heard(other.policy, games_of, view.seats[rows])
                chose = np.array(other.act(games_of, *seen, self.rng, self.collector.world, heard))
                actions[self.collector.tensor(rows)] = self.collector.tensor(chose)
        return actions, self.collector.tensor(players == LEARNER)

    def taught(self, view: View, base: Tensor, masks: Tensor) -> Tensor:
        """Log-probabilities (B, A) of whom the learner stays near: the base's, `base`, but in games with
        somebody whom a teacher knows how to play with, that teacher's (kickstarting, Schmitt et al. 2018).
        """
        with_whom = np.repeat(self.cast.max(1), self.collector.rows)
        for place, teacher in self.teachers.items():
            rows = np.flatnonzero(with_whom == place)
            if len(rows):
                theirs, games_of = self.collector.tensor(rows), rows // self.collector.rows
                seen = view.states[rows], view.seats[rows], view.masks[rows]
                liked = teacher.logits(games_of, *seen, self.collector.world).astype(np.float32)
                wishes = self.collector.tensor(liked) / (SCRIPTED if is_scripted(teacher.policy) else 1.0)
                base[theirs] = heads.log_probs(wishes, masks[theirs], self.collector.spec.heads)
        return base

    def _players(self) -> list[Player]:
        """Agents who play or teach."""
        agents = [*self.others.values(), *self.teachers.values()]
        return [other for other in agents if isinstance(other, Player)]

    def _rows(self, players: np.ndarray) -> Iterator[tuple[str, np.ndarray, Any]]:
        """Everybody else who plays now, by name, with their rows."""
        for place, (name, other) in enumerate(self.others.items()):
            rows = np.flatnonzero(players == place)
            if len(rows):
                yield name, rows, other

    def tensors(self) -> dict[str, Tensor]:
        """Who plays now and what they remember, for a checkpoint."""
        kept = {str(place): player.memory for place, player in enumerate(self._players())}
        return {name: torch.from_numpy(array.copy()) for name, array in {"cast": self.cast, **kept}.items()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.cast[...] = tensors["cast"].numpy()
        for place, player in enumerate(self._players()):
            player.memory[...] = tensors[str(place)].numpy()
        for heard in self.hearing.values():  # those in progress are looked at as if they began here
            heard.following.begin(self.collector.batch.states, np.arange(len(self.cast)))
        self.fresh[:] = True
