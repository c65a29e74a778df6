"""Collecting rollouts: many games stepped together, time first. For algorithms that act with a network.

Not for returns and advantages (engine.learning.parts.returns), nor for measuring agents (engine.evaluation).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.agents.features import FEATURES, Inputs, in_threads, inputs_for
from engine.learning.parts.played import Played
from engine.learning.run.shared import Goals


@dataclass(frozen=True)
class View:
    """One moment of B rows: records (B, state_size), seats (B,), masks (B, A), inputs (B, I), what only
    critics are told (B, P), what networks remember (B, M), and who still plays (B,).

    In a turn-based game a row is a game and the seat that is to move; where all move at once, the rows are
    all seats of the first game, then of the second, ….
    """

    states: np.ndarray
    seats: np.ndarray
    masks: np.ndarray
    inputs: Tensor
    privileged: Tensor
    memory: Tensor
    playing: np.ndarray
    goals: np.ndarray | None = None  # what the seats are asked to do, (B, goal_size)


@dataclass(frozen=True)
class Cut:
    """Rows whose game ran out of time in a rollout: at `steps` (K,), in `rows` (K,), with `inputs` (K, I),
    `privileged` (K, P) and `memory` (K, M) of the last state, which no move was made in.
    """

    steps: Tensor
    rows: Tensor
    inputs: Tensor
    privileged: Tensor
    memory: Tensor


@dataclass(frozen=True)
class Rollout:
    """T steps of B rows (see View), each from the view of the seat that moved.

    `inputs` (T, B, I), `privileged` (T, B, P), `memory` (T, B, M), `masks` (T, B, A), `seats`, `playing`,
    `actions`, `shaped`, `dones` (T, B), `rewards` (T, B, groups); `extras` what else `act` and `follow`
    returned; `last` the moment after the last step; `cut` the last moments of games whose time was up;
    `scores` of the games that ended. In a turn-based game rewards are shared, so consecutive steps are one
    trajectory whoever moves; `shaped` is what the row's seat earned besides, 0 in games without shaping;
    `dones` where a row's game, or its part in it, ended.
    """

    inputs: Tensor
    privileged: Tensor
    memory: Tensor
    masks: Tensor
    seats: Tensor
    playing: Tensor
    actions: Tensor
    rewards: Tensor
    shaped: Tensor
    dones: Tensor
    extras: dict[str, Tensor]
    last: View
    cut: Cut
    scores: list[int]

    def discounts(self, gammas: list[float]) -> Tensor:
        """(T, B, groups): gamma where the game went on, 0 where it ended, for `parts.returns`."""
        return (1.0 - self.dones)[..., None] * torch.tensor(gammas).to(self.dones.device)

    @torch.no_grad()
    def with_cut(self, rewards: Tensor, gammas: list[float], values: Callable[[Cut], Tensor]) -> Tensor:
        """Rewards (T, B, groups), with what would have come where time was up: gamma times the values
        (K, groups) of the last state (Pardo et al. 2018, "Time limits in reinforcement learning").
        """
        if not len(self.cut.steps):
            return rewards
        whole = rewards.clone()
        come = values(self.cut)
        whole[self.cut.steps, self.cut.rows] += torch.tensor(gammas).to(come.device) * come
        return whole


COLUMNS = tuple(field.name for field in fields(Rollout) if field.type == "Tensor")


class Collector(Played):
    """n games (engine.learning.parts.played) that go on from one rollout to the next; B is n, or n x seats
    where all move at once.

    `threads` 2 spreads the compiled encoders over two threads; rollouts are kept on `device`; `reads` is a
    card's "reads", or an encoder. With `privileged` critics see what the game says they may. Inputs end with
    the `heard` numbers of each seat's instruction: `told` (n, seats, heard), as networks read that
    (engine.agents.acting.told_size), which learners fill in. `memory` (n, seats, M) is what networks remember
    of each game, zeros where it begins.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        n: int,
        seed: int,
        threads: int = 1,
        device: Any = "cpu",
        reads: str | Inputs = FEATURES,
        anywhere: float = 0.0,
        asked: Goals | None = None,
        weights: Mapping[str, Any] | None = None,
        privileged: bool = False,
        heard: int = 0,
        memory: int = 0,
    ) -> None:
        super().__init__(game, options, n, seed, anywhere, asked, weights)
        self.inputs = reads if isinstance(reads, Inputs) else inputs_for(game, options, reads)
        self.device = torch.device(device)
        self.pool = ThreadPoolExecutor(1) if threads > 1 else None
        self._privileged = self.suits.privileged if privileged else None
        self.instructions = np.zeros((n, self.seats, heard), np.float32)
        self.memory = torch.zeros(n, self.seats, memory, device=self.device)
        self.input_size = self.inputs.size + heard
        self.privileged_size = self._tell(self.batch.states[:1]).shape[-1]

    def view(self) -> View:
        batch = self.batch
        if self.asking:
            self.asking.renew(batch.states, batch.world, self.goals, self.steps)
        seats = batch.seats.copy() if self.spec.turn_based else self._all_seats(batch.n)
        states = np.repeat(batch.states, self.rows, axis=0)
        masks = batch.masks.reshape(len(states), -1).copy()
        goals = self._goals_of(np.arange(batch.n))
        inputs = self._read(states, seats, self.instructions, goals)
        memory = self.memory[self._of(batch.n, seats)]
        return View(states, seats, masks, inputs, self._tell(batch.states), memory, ~self._gone(), goals)

    def _of(self, games_: int, seats: np.ndarray) -> tuple[Tensor, Tensor]:
        """Where the rows of so many games are in what is kept by game and seat."""
        return self.tensor(np.repeat(np.arange(games_), self.rows)), self.tensor(seats.astype(np.int64))

    def _all_seats(self, games_: int) -> np.ndarray:
        return np.tile(np.arange(self.rows, dtype=np.int32), games_)

    def _goals_of(self, games_: np.ndarray) -> np.ndarray | None:
        """What the seats of these games are asked to do, by row; None in games without goals."""
        size = self.spec.goal_size
        return self.goals[games_].reshape(-1, size) if size else None

    def _read(
        self, states: np.ndarray, seats: np.ndarray, instructions: np.ndarray, goals: np.ndarray | None
    ) -> Tensor:
        """(B, I): what the network reads in games whose seats are `told` (games, seats, F)."""
        if self.world is not None:
            inputs = self.inputs(states, seats, self.world, goals)
        else:
            inputs = np.zeros((len(states), self.inputs.size), np.float32)
            in_threads(self.inputs.encode, self.pool, states, seats, inputs)
        if instructions.size:
            inputs = np.concatenate(
                [inputs, np.repeat(instructions, self.rows, axis=0)[range(len(seats)), seats]], 1
            )
        return self.tensor(inputs)

    def _tell(self, states: np.ndarray) -> Tensor:
        """(B, P): what only critics are told in these games, one after the other."""
        if self._privileged is None:
            return torch.zeros(len(states) * self.rows, 0, device=self.device)
        return self.tensor(self._privileged(states, self.batch.world).reshape(len(states) * self.rows, -1))

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array where rollouts are kept."""
        return torch.from_numpy(array).to(self.device)

    def collect(
        self,
        steps: int,
        act: Callable[[View], dict[str, Tensor]],
        follow: Callable[[np.ndarray, np.ndarray], dict[str, Tensor]] = lambda reached, ended: {},
    ) -> Rollout:
        """Step all games `steps` times with `act(view)["actions"]` (B,) or (B, heads), which may also say
        what is "remembered" (B, M) after them.

        `follow(reached, ended)` is shown the states (n, state_size) that each step led to, last states
        included, and which games ended there, bool (n,). Where agents keep to a choice for some ticks, a step
        is all of them, and its rewards are their sum.
        """
        rows: list[dict[str, Tensor]] = []
        cuts: list[tuple[int, np.ndarray, Tensor, Tensor, Tensor]] = []
        scores: list[int] = []
        view = self.view()
        for step in range(steps):
            acted = act(view)
            if "remembered" in acted:
                self.memory[self._of(self.batch.n, view.seats)] = acted.pop("remembered")
            moves = acted["actions"].cpu().numpy().reshape(self.batch.actions.shape)
            rewards, dones = self.step(moves, scores)
            if self.spec.truncates and dones.any():
                cuts.append((step, *self._last_moments(dones)))
            self.memory[self.tensor(dones)] = 0.0
            rows.append(
                {
                    **acted,
                    **follow(self.reached, dones),
                    "inputs": view.inputs,
                    "privileged": view.privileged,
                    "memory": view.memory,
                    "masks": self.tensor(view.masks),
                    "seats": self.tensor(view.seats),
                    "playing": self.tensor(view.playing),
                    "rewards": self.tensor(rewards),
                    "shaped": self.tensor(self.shaped()),
                    "dones": self.tensor((np.repeat(dones, self.rows) | self._gone()).astype(np.float32)),
                }
            )
            view = self.view()
        stacked = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
        named = {key: stacked.pop(key) for key in COLUMNS}
        return Rollout(**named, extras=stacked, last=view, cut=self._cut(cuts), scores=scores)

    def _last_moments(self, ended: np.ndarray) -> tuple[np.ndarray, Tensor, Tensor, Tensor]:
        """(rows (K,), inputs (K, I), privileged (K, P), memory (K, M)) of games that have ended, as whoever
        would move next sees them.
        """
        last = self.reached[ended]
        if self.spec.turn_based:
            seats = np.array([self.spec.current(state) for state in last], np.int32)
        else:
            seats = self._all_seats(len(last))
        rows = np.flatnonzero(np.repeat(ended, self.rows))
        goals = self._goals_of(np.flatnonzero(ended))
        inputs = self._read(np.repeat(last, self.rows, axis=0), seats, self.instructions[ended], goals)
        memory = self.memory[self.tensor(ended)][self._of(len(last), seats)]
        return rows, inputs, self._tell(last), memory

    def _cut(self, cuts: list[tuple[int, np.ndarray, Tensor, Tensor, Tensor]]) -> Cut:
        if not cuts:
            none = torch.zeros(0, dtype=torch.int64, device=self.device)
            sizes = self.input_size, self.privileged_size, self.memory.shape[2]
            return Cut(none, none, *(torch.zeros(0, size, device=self.device) for size in sizes))
        steps, rows, *seen = zip(*cuts, strict=True)
        return Cut(
            self.tensor(np.repeat(steps, [len(ended) for ended in rows])),
            self.tensor(np.concatenate(rows)),
            *map(torch.cat, seen),
        )

    def tensors(self) -> dict[str, Tensor]:
        """The games as they are, for a checkpoint."""
        kept = {"states": self.batch.states, "goals": self.goals, "steps": np.array(self.steps)}
        kept |= self.asking.kept() if self.asking else {}
        tensors = {name: torch.from_numpy(array.copy()) for name, array in kept.items()}
        return {**tensors, "memory": self.memory.cpu()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.batch.states[...] = tensors["states"].numpy()
        self.memory[...] = tensors["memory"]
        # Of a checkpoint from when goals had other numbers, they are drawn anew.
        for name, array in {"goals": self.goals, **(self.asking.kept() if self.asking else {})}.items():
            if name in tensors and tensors[name].shape == array.shape:
                array[...] = tensors[name].numpy()
        self.steps = int(tensors["steps"])
        self.batch.look()
