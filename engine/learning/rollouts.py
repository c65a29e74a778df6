"""Collecting rollouts: many games stepped together, time first. For algorithms that act with a network.

Not for returns and advantages (engine.learning.returns), nor for measuring agents (engine.evaluation).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine import games
from engine.agents.features import in_threads, inputs_for
from engine.simulation.batch import Batch


@dataclass(frozen=True)
class View:
    """One moment of B games: records (B, state_size), seats to move (B,), masks (B, A), inputs (B, I)."""

    states: np.ndarray
    seats: np.ndarray
    masks: np.ndarray
    inputs: Tensor


@dataclass(frozen=True)
class Rollout:
    """T steps of B games, each from the view of the seat that moved.

    `inputs` (T, B, I), `masks` (T, B, A), `seats`, `actions`, `rewards`, `dones` (T, B); `extras` what `act`
    returned besides actions; `last` the moment after the last step; `scores` of the games that ended. Rewards
    are shared, so consecutive steps of a game are one trajectory whoever moves.
    """

    inputs: Tensor
    masks: Tensor
    seats: Tensor
    actions: Tensor
    rewards: Tensor
    dones: Tensor
    extras: dict[str, Tensor]
    last: View
    scores: list[int]

    def discounts(self, gamma: float) -> Tensor:
        """gamma where the game went on, 0 where it ended: what engine.learning.returns takes."""
        return gamma * (1.0 - self.dones)


class Collector:
    """B games of a turn-based game that go on from one rollout to the next.

    `threads` 2 spreads the compiled encoders over two threads.
    """

    def __init__(self, game: str, options: dict[str, Any], n: int, seed: int, threads: int = 1) -> None:
        self.batch = Batch(games.spec(game), options, n, observations="none", seed=seed)
        self.inputs = inputs_for(game, options)
        self.pool = ThreadPoolExecutor(1) if threads > 1 else None

    def view(self) -> View:
        batch = self.batch
        inputs = np.zeros((batch.n, self.inputs.size), np.float32)
        in_threads(self.inputs.encode, self.pool, batch.states, batch.seats, inputs)
        return View(batch.states, batch.seats.copy(), batch.masks.copy(), torch.from_numpy(inputs))

    def collect(self, steps: int, act: Callable[[View], dict[str, Tensor]]) -> Rollout:
        """Step all games `steps` times with `act(view)["actions"]` (B,)."""
        rows: list[dict[str, Tensor]] = []
        scores: list[int] = []
        view = self.view()
        for _ in range(steps):
            acted = act(view)
            self.batch.step(acted["actions"].numpy())
            scores += self.batch.scores[self.batch.dones != 0].tolist()
            rows.append(
                {
                    **acted,
                    "inputs": view.inputs,
                    "masks": torch.from_numpy(view.masks),
                    "seats": torch.from_numpy(view.seats),
                    "rewards": torch.from_numpy(self.batch.rewards.copy()),
                    "dones": torch.from_numpy(self.batch.dones.astype(np.float32)),
                }
            )
            view = self.view()
        stacked = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
        named = {key: stacked.pop(key) for key in ("inputs", "masks", "seats", "actions", "rewards", "dones")}
        return Rollout(**named, extras=stacked, last=view, scores=scores)

    def tensors(self) -> dict[str, Tensor]:
        """The games as they are, for a checkpoint."""
        return {"states": torch.from_numpy(self.batch.states.copy())}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.batch.states[...] = tensors["states"].numpy()
        self.batch.look()
