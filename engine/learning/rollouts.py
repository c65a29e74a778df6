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
from engine.learning.sides import training_of
from engine.simulation.batch import Batch


@dataclass(frozen=True)
class View:
    """One moment of B rows: records (B, state_size), seats (B,), masks (B, A), inputs (B, I).

    In a turn-based game a row is a game and the seat that is to move; where all move at once, the rows are
    all seats of the first game, then of the second, ….
    """

    states: np.ndarray
    seats: np.ndarray
    masks: np.ndarray
    inputs: Tensor


@dataclass(frozen=True)
class Rollout:
    """T steps of B rows (see View), each from the view of the seat that moved.

    `inputs` (T, B, I), `masks` (T, B, A), `seats`, `actions`, `rewards`, `shaped`, `dones` (T, B); `extras`
    what `act` returned besides actions; `last` the moment after the last step; `scores` of the games that
    ended. Rewards are shared, so consecutive steps of a turn-based game are one trajectory whoever moves;
    `shaped` is what the row's seat earned besides, 0 in games without shaping.
    """

    inputs: Tensor
    masks: Tensor
    seats: Tensor
    actions: Tensor
    rewards: Tensor
    shaped: Tensor
    dones: Tensor
    extras: dict[str, Tensor]
    last: View
    scores: list[int]

    def discounts(self, gamma: float) -> Tensor:
        """gamma where the game went on, 0 where it ended: what engine.learning.returns takes."""
        return gamma * (1.0 - self.dones)


class Collector:
    """n games that go on from one rollout to the next; B is n, or n x seats where all move at once.

    `threads` 2 spreads the compiled encoders over two threads.
    """

    def __init__(self, game: str, options: dict[str, Any], n: int, seed: int, threads: int = 1) -> None:
        self.spec = games.spec(game)
        self.batch = Batch(self.spec, options, n, observations="none", seed=seed)
        self.inputs = inputs_for(game, options)
        self.pool = ThreadPoolExecutor(1) if threads > 1 else None
        self.rows = 1 if self.spec.turn_based else self.spec.seats(self.batch.options)
        self.world = self.batch.world if self.spec.world else None
        self.training = training_of(game)

    def view(self) -> View:
        batch = self.batch
        if self.spec.turn_based:
            states, seats, masks = batch.states, batch.seats.copy(), batch.masks.copy()
        else:
            states = np.repeat(batch.states, self.rows, axis=0)
            seats = np.tile(np.arange(self.rows, dtype=np.int32), batch.n)
            masks = batch.masks.reshape(len(states), -1).copy()
        if self.world is not None:
            return View(states, seats, masks, torch.from_numpy(self.inputs(states, seats, self.world)))
        inputs = np.zeros((len(states), self.inputs.size), np.float32)
        in_threads(self.inputs.encode, self.pool, states, seats, inputs)
        return View(states, seats, masks, torch.from_numpy(inputs))

    def collect(self, steps: int, act: Callable[[View], dict[str, Tensor]]) -> Rollout:
        """Step all games `steps` times with `act(view)["actions"]` (B,) or (B, heads).

        Where agents keep to a choice for some ticks, a step is all of them, and its rewards are their sum.
        """
        rows: list[dict[str, Tensor]] = []
        scores: list[int] = []
        view = self.view()
        for _ in range(steps):
            acted = act(view)
            rewards, dones = self.step(acted["actions"].numpy().reshape(self.batch.actions.shape), scores)
            rows.append(
                {
                    **acted,
                    "inputs": view.inputs,
                    "masks": torch.from_numpy(view.masks),
                    "seats": torch.from_numpy(view.seats),
                    "rewards": torch.from_numpy(rewards),
                    "shaped": torch.from_numpy(self.shaped()),
                    "dones": torch.from_numpy(np.repeat(dones, self.rows).astype(np.float32)),
                }
            )
            view = self.view()
        stacked = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
        names = ("inputs", "masks", "seats", "actions", "rewards", "shaped", "dones")
        named = {key: stacked.pop(key) for key in names}
        return Rollout(**named, extras=stacked, last=view, scores=scores)

    def step(self, actions: np.ndarray, scores: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Do it until the next decision: rewards by row (B,), and which games ended (n,); notes their scores.

        A game that ends is followed by the next one, whose first ticks earn nothing.
        """
        rewards = np.zeros((self.batch.n, self.rows), np.float32)
        dones = np.zeros(self.batch.n, bool)
        for _ in range(self.spec.decision_ticks):
            self.batch.step(actions)
            going = ~dones[:, None]
            earned = (
                self.training.rewards(self.batch.states) if self.training else self.batch.rewards[:, None]
            )
            rewards += going * earned
            ended = (self.batch.dones != 0) & ~dones
            scores += self.batch.scores[ended].tolist()
            dones |= ended
        return rewards.reshape(-1), dones

    def shaped(self) -> np.ndarray:
        """The shaped reward of the last step by row, float32 (B,); 0 where the step ended the game."""
        out = np.zeros((self.batch.n, self.rows), np.float32)
        if self.spec.shaped is not None:
            self.batch.write_shaped(out)
        return out.reshape(-1)

    def tensors(self) -> dict[str, Tensor]:
        """The games as they are, for a checkpoint."""
        return {"states": torch.from_numpy(self.batch.states.copy())}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.batch.states[...] = tensors["states"].numpy()
        self.batch.look()
