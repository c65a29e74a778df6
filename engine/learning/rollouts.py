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

from engine import games, language
from engine.agents.features import FEATURES, in_threads, inputs_for
from engine.learning.sides import said
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
class Cut:
    """Rows whose game ran out of time in a rollout: at `steps` (K,), in `rows` (K,), with `inputs` (K, I) of
    the last state, which no move was made in.
    """

    steps: Tensor
    rows: Tensor
    inputs: Tensor


@dataclass(frozen=True)
class Rollout:
    """T steps of B rows (see View), each from the view of the seat that moved.

    `inputs` (T, B, I), `masks` (T, B, A), `seats`, `actions`, `rewards`, `shaped`, `dones` (T, B); `extras`
    what `act` and `follow` returned besides actions; `last` the moment after the last step; `cut` the last
    moments of games whose time was up; `scores` of the games that ended. Rewards are shared, so consecutive
    steps of a turn-based game are one trajectory whoever moves; `shaped` is what the row's seat earned
    besides, 0 in games without shaping.
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
    cut: Cut
    scores: list[int]

    def discounts(self, gamma: float) -> Tensor:
        """gamma where the game went on, 0 where it ended: what engine.learning.returns takes."""
        return gamma * (1.0 - self.dones)

    @torch.no_grad()
    def with_cut(self, rewards: Tensor, gamma: float, value: Callable[[Tensor], Tensor]) -> Tensor:
        """Rewards (T, B), with what would have come where time was up: gamma times the value (K,) of the last
        state's inputs (Pardo et al. 2018, "Time limits in reinforcement learning").
        """
        if not len(self.cut.steps):
            return rewards
        whole = rewards.clone()
        whole[self.cut.steps, self.cut.rows] += gamma * value(self.cut.inputs)
        return whole


class Collector:
    """n games that go on from one rollout to the next; B is n, or n x seats where all move at once.

    `threads` 2 spreads the compiled encoders over two threads; rollouts are kept on `device`;
    `reads` is a card's "reads". With `hears`, inputs end with what each seat is told: `told` (n, seats, F),
    features of the instructions in force (engine.language.together), which learners fill in.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        n: int,
        seed: int,
        threads: int = 1,
        device: Any = "cpu",
        reads: str = FEATURES,
        hears: bool = False,
    ) -> None:
        self.spec = games.spec(game)
        self.batch = Batch(self.spec, options, n, observations="none", seed=seed)
        self.inputs = inputs_for(game, options, reads)
        self.device = torch.device(device)
        self.pool = ThreadPoolExecutor(1) if threads > 1 else None
        self.rows = 1 if self.spec.turn_based else self.spec.seats(self.batch.options)
        self.world = self.batch.world if self.spec.world else None
        self.rewards = said(game, "rewards")  # by seat, where they aren't shared
        size = language.num_features(game) if hears else 0
        self.told = np.zeros((n, self.spec.seats(self.batch.options), size), np.float32)
        # The states that the last step led to, of games that ended in it their last ones.
        self.reached = self.batch.states.copy()

    def view(self) -> View:
        batch = self.batch
        seats = batch.seats.copy() if self.spec.turn_based else self._all_seats(batch.n)
        states = np.repeat(batch.states, self.rows, axis=0)
        masks = batch.masks.reshape(len(states), -1).copy()
        return View(states, seats, masks, self._read(states, seats, self.told))

    def _all_seats(self, games_: int) -> np.ndarray:
        return np.tile(np.arange(self.rows, dtype=np.int32), games_)

    def _read(self, states: np.ndarray, seats: np.ndarray, told: np.ndarray) -> Tensor:
        """(B, I): what the network reads in games whose seats are `told` (games, seats, F)."""
        if self.world is not None:
            inputs = self.inputs(states, seats, self.world)
        else:
            inputs = np.zeros((len(states), self.inputs.size), np.float32)
            in_threads(self.inputs.encode, self.pool, states, seats, inputs)
        if told.size:
            inputs = np.concatenate([inputs, np.repeat(told, self.rows, axis=0)[range(len(seats)), seats]], 1)
        return self.tensor(inputs)

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array where rollouts are kept."""
        return torch.from_numpy(array).to(self.device)

    def collect(
        self,
        steps: int,
        act: Callable[[View], dict[str, Tensor]],
        follow: Callable[[np.ndarray, np.ndarray], dict[str, Tensor]] = lambda reached, ended: {},
    ) -> Rollout:
        """Step all games `steps` times with `act(view)["actions"]` (B,) or (B, heads).

        `follow(reached, ended)` is shown the states (n, state_size) that each step led to, last states
        included, and which games ended there, bool (n,). Where agents keep to a choice for some ticks, a step
        is all of them, and its rewards are their sum.
        """
        rows: list[dict[str, Tensor]] = []
        cuts: list[tuple[int, np.ndarray, Tensor]] = []
        scores: list[int] = []
        view = self.view()
        for step in range(steps):
            acted = act(view)
            moves = acted["actions"].cpu().numpy().reshape(self.batch.actions.shape)
            rewards, dones = self.step(moves, scores)
            if self.spec.truncates and dones.any():
                cuts.append((step, *self._last_moments(dones)))
            rows.append(
                {
                    **acted,
                    **follow(self.reached, dones),
                    "inputs": view.inputs,
                    "masks": self.tensor(view.masks),
                    "seats": self.tensor(view.seats),
                    "rewards": self.tensor(rewards),
                    "shaped": self.tensor(self.shaped()),
                    "dones": self.tensor(np.repeat(dones, self.rows).astype(np.float32)),
                }
            )
            view = self.view()
        stacked = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
        names = ("inputs", "masks", "seats", "actions", "rewards", "shaped", "dones")
        named = {key: stacked.pop(key) for key in names}
        return Rollout(**named, extras=stacked, last=view, cut=self._cut(cuts), scores=scores)

    def _last_moments(self, ended: np.ndarray) -> tuple[np.ndarray, Tensor]:
        """(rows (K,), inputs (K, I)) of games that have ended, as whoever would move next sees them."""
        last = self.reached[ended]
        if self.spec.turn_based:
            seats = np.array([self.spec.current(state) for state in last], np.int32)
        else:
            seats = self._all_seats(len(last))
        rows = np.flatnonzero(np.repeat(ended, self.rows))
        return rows, self._read(np.repeat(last, self.rows, axis=0), seats, self.told[ended])

    def _cut(self, cuts: list[tuple[int, np.ndarray, Tensor]]) -> Cut:
        if not cuts:
            none = torch.zeros(0, dtype=torch.int64, device=self.device)
            size = self.inputs.size + self.told.shape[2]
            return Cut(none, none, torch.zeros(0, size, device=self.device))
        return Cut(
            torch.cat([torch.full((len(rows),), step, device=self.device) for step, rows, _ in cuts]),
            torch.cat([self.tensor(rows) for _, rows, _ in cuts]),
            torch.cat([inputs for _, _, inputs in cuts]),
        )

    def step(self, actions: np.ndarray, scores: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Do it until the next decision: rewards by row (B,), and which games ended (n,); notes their scores.

        A game that ends is followed by the next one, whose first ticks earn nothing.
        """
        rewards = np.zeros((self.batch.n, self.rows), np.float32)
        dones = np.zeros(self.batch.n, bool)
        for _ in range(self.spec.decision_ticks):
            self.batch.step(actions)
            going = ~dones[:, None]
            earned = self.rewards(self.batch.states) if self.rewards else self.batch.rewards[:, None]
            rewards += going * earned
            ended = (self.batch.dones != 0) & ~dones
            scores += self.batch.scores[ended].tolist()
            self.reached[ended] = self.batch.finals[ended]
            dones |= ended
        self.reached[~dones] = self.batch.states[~dones]
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
