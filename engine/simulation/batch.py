"""Many games of one kind at once on the CPU: the fast path for training and measuring.

A `Batch` steps n games with the same compiled rules as a live game, begins a new game by itself where one
ended, and writes into arrays that stay the same, the caller's own if it wishes (NumPy views of torch tensors
work). One thread; kernels release the GIL. On a GPU: `engine.simulation.cuda`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.refusal import Refusal
from engine.simulation import kernels
from engine.simulation.rng import derive, key_from_seed
from engine.simulation.spec import GameSpec

OBSERVATIONS = ("none", "float", "packed")


def array_shapes(
    spec: GameSpec, options: dict[str, Any], n: int, observations: str
) -> dict[str, tuple[tuple[int, ...], type]]:
    """Name -> (shape, dtype) of every array of a batch, on any device."""
    seats = () if spec.turn_based else (spec.seats(options),)
    size = spec.observation_size(options)
    shapes: dict[str, tuple[tuple[int, ...], type]] = {
        "actions": ((n, *seats, *((len(spec.heads),) if spec.heads else ())), np.int32),
        "rewards": ((n,), np.float32),
        "dones": ((n,), np.uint8),
        "scores": ((n,), np.int32),
        "seats": ((n,), np.int32),
        "masks": ((n, *seats, spec.num_actions(options)), np.int8),
    }
    byte = np.int8 if spec.observation_low < 0 else np.uint8
    shapes["observations"] = {
        "none": ((n, *seats, 0), byte),
        "float": ((n, *seats, size), np.float32),
        "packed": ((n, *seats, spec.packed_size(options) if spec.packed_size else (size + 7) // 8), byte),
    }[observations]
    return shapes


def world_of(spec: GameSpec, options: dict[str, Any]) -> np.ndarray:
    """The shared ground of a game with these (complete) options; one byte for games that have none."""
    return spec.world(options) if spec.world else np.zeros((1, 1), np.int8)


def first_states(spec: GameSpec, options: dict[str, Any], n: int, seed: int) -> np.ndarray:
    """n prepared records (n, state_size), each with its own random stream; no game has begun in them yet."""
    states = np.zeros((n, spec.state_size), spec.state_dtype)
    key = key_from_seed(seed)
    for i in range(n):
        spec.prepare(states[i], options, *(int(word) for word in derive(*key, i)))
    return states


class Batch:
    """n games of a turn-based game (each step is the move of the seat to move) or of one where all move at
    once.

    After `reset` and after every `step`:
    - `masks` (n, A) int8, `observations` (n, size) float32 of 0 and 1, or (n, bytes) uint8 when packed: what
    the
      seat to move may do and sees; `seats` (n,) int32: that seat. Where all move, with a seat axis second.
    - `rewards` (n,) float32, `dones` (n,) uint8: of the last step; where done, a new game has begun and
    `scores`
      (n,) int32 holds the final score of the one that ended.

    - `finals` (n, state_size), where done: the last state of the game that ended. `truncated` says whether
      its time was up; else it came to its end (`terminated`).

    `states` (n, state_size) are the records themselves, for bots and beliefs; `world` (places, size) is the
    ground that they share in games that have one.
    """

    def __init__(
        self, spec: GameSpec, options: dict[str, Any], n: int, observations: str = "float", seed: int = 0
    ) -> None:
        if n < 1:
            raise Refusal(f"A batch has at least one game, not {n}.")
        if observations not in OBSERVATIONS:
            raise Refusal(f"Observations are one of {', '.join(OBSERVATIONS)}, not {observations!r}.")
        self.spec = spec
        self.options = spec.validate(options)
        self.n = n
        self.kind = observations
        self.ticks = 0
        self._kernels = kernels.load(spec)
        self._step = getattr(self._kernels, f"step_{observations}")
        self._shapes = array_shapes(spec, self.options, n, observations)
        self.states = first_states(spec, self.options, n, seed)
        self.actions, self.rewards, self.dones, self.scores, self.seats, self.masks, self.observations = (
            np.zeros(shape, dtype) for shape, dtype in self._shapes.values()
        )
        self.finals = np.zeros_like(self.states)
        self.world = world_of(spec, self.options)
        # What the rules are given for the heads that were chosen.
        self.records = np.zeros((n, spec.seats(self.options), spec.record_size), np.int32)
        self._key = key_from_seed(seed)[0]
        self.reset()

    def bind(self, **arrays: np.ndarray) -> None:
        """Write into these arrays from now on (`observations=buffer[t]`, …), same shape and type as before.

        The bound masks must be the current ones when `step` is next called: bind before `look` or `step`
        fills it.
        """
        for name, array in arrays.items():
            if name not in self._shapes:
                raise Refusal(f"A batch has no array {name!r}; its arrays are {', '.join(self._shapes)}.")
            shape, dtype = self._shapes[name]
            if array.shape != shape or array.dtype != dtype:
                raise Refusal(
                    f"{name} must be {np.dtype(dtype).name} {shape}, not {array.dtype.name} {array.shape}."
                )
            setattr(self, name, array)

    def reset(self) -> None:
        """Begin a new game everywhere."""
        self._kernels.restart(self.states, self.world)
        self.look()

    def look(self) -> None:
        """Write seats, masks and observations of the states as they are (after changing `states` by hand)."""
        self._kernels.look(self.states, self.world, self.seats, self.masks)
        if self.kind == "float":
            self._kernels.see(self.states, self.world, self.observations)
        elif self.kind == "packed":
            self._kernels.see_packed(self.states, self.world, self.observations)

    def step(self, actions: np.ndarray) -> None:
        """One step of every game with `actions` (n,), (n, seats) or (n, seats, heads), any integer type.

        Raises `Refusal`, changing nothing, when one isn't legal.
        """
        self.actions[...] = actions
        bad = self._kernels.first_illegal(self.masks, self.actions)
        if bad >= 0:
            raise Refusal(f"Action {self.actions[bad].tolist()} of game {bad} in the batch isn't legal now.")
        self._step(*self._arrays())
        self.ticks += 1

    def write_shaped(self, out: np.ndarray) -> None:
        """The shaping reward of each seat in the last step, into out (n, seats); 0 where one ended."""
        self._kernels.see_shaped(self.states, out)

    def choose_random(self) -> np.ndarray:
        """A legal action for every game, drawn from the batch's own random stream; the array is `actions`."""
        self._kernels.choose_random(self.masks, self.actions, self._key, self.ticks)
        return self.actions

    def play_random(self, steps: int) -> None:
        """`steps` steps of random legal play without coming back to Python: the same as choosing and
        stepping.
        """
        kind = OBSERVATIONS.index(self.kind)
        self._kernels.rollout(*self._arrays(), self._key, self.ticks, steps, kind)
        self.ticks += steps

    def _arrays(self) -> tuple[np.ndarray, ...]:
        return (
            self.states,
            self.world,
            self.actions,
            self.records,
            self.rewards,
            self.dones,
            self.scores,
            self.finals,
            self.seats,
            self.masks,
            self.observations,
        )
