"""Who plays which seat of many games: the learner, and in a share of the games somebody else with it.

Somebody else takes one seat, or where sides play against each other, all sides but one. It is drawn anew for
each game that begins. Not for how the learner acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.agents.acting import act_many
from engine.agents.catalogue import load
from engine.agents.network import masked
from engine.agents.policy import Policy, check_fits
from engine.learning import heads
from engine.learning.rollouts import Collector, View
from engine.learning.sides import sides_of

LEARNER = -1
Network = Callable[[Tensor], Tensor]  # inputs (n, I) -> logits (n, A), not masked


class Seating:
    """`cast` (n, seats): LEARNER, or somebody else by their place in `others`, who are `networks`
    that have a name here, and agents; `shares` by name: in how many
    games each of them plays, at most 1 in all.
    """

    def __init__(
        self,
        collector: Collector,
        networks: Mapping[str, Network],
        shares: Mapping[str, float],
        rng: np.random.Generator,
    ) -> None:
        self.collector, self.rng = collector, rng
        self.others: dict[str, Policy | Network] = {
            name: networks.get(name) or self._agent(name) for name, share in shares.items() if share > 0
        }
        self.shares = [shares[name] for name in self.others]
        self.sides = np.array(sides_of(collector.game, collector.batch.options))
        self.cast = np.full((collector.batch.n, len(self.sides)), LEARNER)
        self.begin(np.arange(collector.batch.n))

    def _agent(self, ref: str) -> Policy:
        """An agent by ref or folder, if it can play these games."""
        game, options = self.collector.game, self.collector.batch.options
        agent = load(ref, game, options)
        check_fits(agent, game, options)
        return agent

    def name_of(self, ref: str) -> str:
        """What cards call somebody else: an agent's name, not its folder."""
        return getattr(self.others.get(ref), "name", ref)

    @property
    def given(self) -> np.ndarray:
        """Which seats somebody else plays, bool (n, seats)."""
        return self.cast != LEARNER

    def begin(self, games: np.ndarray) -> None:
        """Draw who plays in these games."""
        if not self.others or not len(games):
            return
        chances = np.array([max(0.0, 1.0 - sum(self.shares)), *self.shares])
        who = self.rng.choice(len(chances), size=len(games), p=chances / chances.sum()) - 1
        seats = self.rng.integers(len(self.sides), size=len(games))
        if self.sides.any():
            theirs = self.sides != self.sides[seats][:, None]
        else:
            theirs = np.arange(len(self.sides)) == seats[:, None]
        self.cast[games] = np.where(theirs, who[:, None], LEARNER)

    def players(self, view: View) -> np.ndarray:
        """Who acts in each row (B,), as in `cast`."""
        return self.cast[np.repeat(np.arange(len(self.cast)), self.collector.rows), view.seats]

    def draw(self, view: View, logits: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """What everybody does (B,) or (B, heads), drawn by the learner's (masked) logits or chosen by whoever
        else plays; and which rows are the learner's, bool (B,).
        """
        players, parts = self.players(view), self.collector.spec.heads
        behaviour = logits.clone() if self.others else logits
        for rows, other in self._rows(players):
            if callable(other):
                theirs = self.collector.tensor(rows)
                behaviour[theirs] = masked(other(view.inputs[theirs]), masks[theirs])
        actions = heads.draw(behaviour, self.rng, parts)
        for rows, other in self._rows(players):
            if not callable(other):
                seen = view.states[rows], view.seats[rows], view.masks[rows]
                chose = np.array(act_many(other, *seen, self.rng, self.collector.world))
                actions[self.collector.tensor(rows)] = self.collector.tensor(chose)
        return actions, self.collector.tensor(players == LEARNER)

    def _rows(self, players: np.ndarray) -> Iterator[tuple[np.ndarray, Any]]:
        """The rows of everybody else who plays now."""
        for place, other in enumerate(self.others.values()):
            rows = np.flatnonzero(players == place)
            if len(rows):
                yield rows, other

    def tensors(self) -> dict[str, Tensor]:
        """Who plays now, for a checkpoint."""
        return {"cast": torch.from_numpy(self.cast.copy())}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.cast[...] = tensors["cast"].numpy()
