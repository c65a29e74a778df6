"""Games that a proxy of people plays, with itself or with others, while it learns: rollouts time first, each
row a seat of its own, with what the seat remembers. Not for agents without memory of a game
(engine.learning.rollouts), nor for what is learned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine import games
from engine.agents.acting import Player
from engine.agents.catalogue import load
from engine.agents.people import Shape
from engine.simulation.batch import Batch

Act = Callable[
    [Tensor, Tensor], tuple[Tensor, Tensor, Tensor]
]  # (inputs, masks) -> actions, logprobs, values


@dataclass
class Rollout:
    """T steps of B rows: `inputs` (T, B, I), `masks` (T, B, A), the rest (T, B); `last` (B,): the values
    behind the last step; `rewards` in what people count, `shaped` what the shaping paid; `ended`: [(variant,
    points)].
    """

    inputs: Tensor
    masks: Tensor
    actions: Tensor
    logprobs: Tensor
    values: Tensor
    rewards: Tensor
    shaped: Tensor
    dones: Tensor
    last: Tensor
    ended: list[tuple[int, int]]


class Company:
    """`n` games of each variant (options) at once. A partner is the ref of an agent, "" for oneself; games
    take them in turn, and seats too. Rows are own seats where all move at once, else games.
    """

    def __init__(
        self, game: str, variants: list[dict[str, Any]], n: int, partners: list[str], seed: int
    ) -> None:
        self.spec, self.shape, self.n = games.spec(game), Shape(game), n
        self.rng = np.random.default_rng(seed)
        self.batches = [
            Batch(self.spec, options, n, "none", seed + index) for index, options in enumerate(variants)
        ]
        self.seats = self.spec.seats(self.batches[0].options)
        at = np.arange(n)
        partner = at % len(partners)
        own_seat = (at // len(partners)) % self.seats
        # who sits where, by game and seat: -1 oneself, else the number of a partner
        self.who = np.where(np.arange(self.seats) == own_seat[:, None], -1, partner[:, None])
        self.who[[partners[one] == "" for one in partner]] = -1
        self.partners = [
            [Player(load(ref, game, batch.options), n, self.seats) if ref else None for ref in partners]
            for batch in self.batches
        ]
        self.memory = np.zeros((len(variants), n, self.seats, self.shape.module.MEMORY), np.float32)
        rows = int((self.who == -1).sum()) if not self.spec.turn_based else n
        self.variant = np.repeat(np.arange(len(variants)), rows)
        self.ended: list[tuple[int, int]] = []
        if self.spec.turn_based:
            self._others_move(np.zeros((len(variants), n), np.float32), np.zeros((len(variants), n), bool))

    def _view(self) -> tuple[np.ndarray, np.ndarray]:
        """(inputs (B, I), masks (B, A)) of all own rows now."""
        inputs, masks = [], []
        for index, batch in enumerate(self.batches):
            if self.spec.turn_based:
                which, seats = np.arange(self.n), batch.seats
                masks.append(batch.masks.copy())
            else:
                which, seats = np.nonzero(self.who == -1)
                masks.append(batch.masks[which, seats])
            memory = self.memory[index, which, seats]
            inputs.append(self.shape.read(batch.states[which], seats, memory))
            self.memory[index, which, seats] = memory
        return np.concatenate(inputs), np.concatenate(masks)

    def _step(
        self, index: int, actions: np.ndarray, rewards: np.ndarray, dones: np.ndarray, moving: np.ndarray
    ) -> None:
        """One step of a variant's games, as far as they are `moving` (n,): the others are put back as they
        were. Adds to rewards (n,) and sets dones (n,).
        """
        batch = self.batches[index]
        before = {name: getattr(batch, name).copy() for name in ("states", "seats", "masks")}
        batch.step(actions)
        over = (batch.dones != 0) & moving
        rewards[moving] += batch.rewards.reshape(self.n, -1)[moving, 0]
        dones |= over
        self.ended += [(index, int(batch.scores[game])) for game in np.flatnonzero(over)]
        self.memory[index, over] = 0
        for player in self.partners[index]:
            if player is not None:
                player.begin(np.flatnonzero(over))
        for name, was in before.items():
            getattr(batch, name)[~moving] = was[~moving]

    def _others_act(self, index: int, which: np.ndarray, seats: np.ndarray, actions: np.ndarray) -> None:
        """Fill in what partners do in these games and seats: actions (n,) or (n, seats)."""
        batch = self.batches[index]
        for number, player in enumerate(self.partners[index]):
            mine = self.who[which, seats] == number
            if player is None or not mine.any():
                continue
            games_of, own = which[mine], seats[mine]
            masks = batch.masks[games_of] if self.spec.turn_based else batch.masks[games_of, own]
            chosen = player.act(games_of, batch.states[games_of], own, masks, self.rng)
            if self.spec.turn_based:
                actions[games_of] = chosen
            else:
                actions[games_of, own] = chosen

    def _others_move(self, rewards: np.ndarray, dones: np.ndarray) -> None:
        """In games with turns, play on until it is an own turn everywhere; adds to rewards, dones (V, n)."""
        for index, batch in enumerate(self.batches):
            while (waiting := self.who[np.arange(self.n), batch.seats] != -1).any():
                actions = batch.masks.argmax(1).astype(batch.actions.dtype)
                which = np.flatnonzero(waiting)
                self._others_act(index, which, batch.seats[which], actions)
                self._step(index, actions, rewards[index], dones[index], waiting)

    @torch.no_grad()
    def collect(self, steps: int, act: Act, shaping: bool) -> Rollout:
        """The next `steps` own moves of every row."""
        self.ended = []
        kept: list[tuple[Tensor, ...]] = []
        everywhere = np.ones(self.n, bool)
        for _ in range(steps):
            inputs, masks = (torch.from_numpy(array) for array in self._view())
            actions, logprobs, values = act(inputs, masks)
            rewards = np.zeros((len(self.batches), self.n), np.float32)
            dones = np.zeros((len(self.batches), self.n), bool)
            shaped = np.zeros((len(self.batches), self.n, self.seats), np.float32)
            chosen = actions.numpy().reshape(len(self.batches), -1)
            for index, batch in enumerate(self.batches):
                joint = chosen[index]
                if not self.spec.turn_based:
                    joint = np.zeros_like(batch.actions)
                    joint[self.who == -1] = chosen[index]
                    which, seats = np.nonzero(self.who != -1)
                    self._others_act(index, which, seats, joint)
                self._step(index, joint, rewards[index], dones[index], everywhere)
                if shaping and not self.spec.turn_based:
                    batch.write_shaped(shaped[index])
            if self.spec.turn_based:
                self._others_move(rewards, dones)
            kept.append(
                (inputs, masks, actions, logprobs, values, *map(self._rows, (rewards, shaped, dones)))
            )
        inputs, masks = (torch.from_numpy(array) for array in self._view())
        stacked: list[Any] = [torch.stack(column) for column in zip(*kept, strict=True)]
        return Rollout(*stacked, last=act(inputs, masks)[2], ended=self.ended)

    def _rows(self, values: np.ndarray) -> Tensor:
        """Values (V, n) of games, or (V, n, seats), as float32 of the own rows (B,)."""
        if self.spec.turn_based:
            found = values.sum(2) if values.ndim == 3 else values
        else:
            wide = values if values.ndim == 3 else np.repeat(values[..., None], self.seats, 2)
            found = wide[:, self.who == -1]
        return torch.from_numpy(found.astype(np.float32).reshape(-1))
