"""Many games at once on a GPU: `engine.simulation.batch` with one thread a game and torch tensors.

The kernels call the same rule functions as the CPU; integers only, so both play the same games bit for bit.
States lie transposed, (state_size, n), so that neighbouring threads read neighbouring memory.

With `NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1` the kernels run in numba's simulator on the CPU (slow; for
tests).
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import config, cuda

from engine.simulation.batch import OBSERVATIONS, array_shapes, first_states
from engine.simulation.kernels import pick
from engine.simulation.rng import key_from_seed, random32
from engine.simulation.spec import GameSpec, IllegalAction, OptionError

if TYPE_CHECKING:
    import torch

THREADS = 128  # a block


@lru_cache
def build(spec: GameSpec) -> SimpleNamespace:
    """The CUDA kernels of one turn-based game; each thread handles the game of its number."""
    new_game, legal, step, current = spec.new_game, spec.legal, spec.step, spec.current
    over, score, encode, encode_packed = spec.over, spec.score, spec.encode, spec.encode_packed

    @cuda.jit
    def restart(states):
        i = cuda.grid(1)
        if i < states.shape[1]:
            new_game(states[:, i])

    @cuda.jit
    def advance(states, actions, rewards, dones, scores):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            rewards[i] = step(state, int(actions[i]))
            dones[i] = 0
            if over(state) != 0:
                dones[i] = 1
                scores[i] = score(state)
                new_game(state)

    @cuda.jit
    def look(states, seats, masks):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            seats[i] = current(state)
            legal(state, current(state), masks[i])

    @cuda.jit
    def see(states, observations):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            encode(state, current(state), observations[i])

    @cuda.jit
    def see_packed(states, observations):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            encode_packed(state, current(state), observations[i])

    @cuda.jit
    def choose_random(masks, actions, key, tick):
        i = cuda.grid(1)
        if i < actions.shape[0]:
            actions[i] = pick(masks[i], random32(key, i, tick))

    return SimpleNamespace(
        restart=restart,
        advance=advance,
        look=look,
        see={"float": see, "packed": see_packed},
        choose_random=choose_random,
    )


class CudaBatch:
    """`Batch` on a GPU: the same arrays with the same names, as torch tensors on `device`; `states`
    transposed.

    Raises `OptionError` when there is no GPU to use, or the game isn't turn-based.
    """

    def __init__(
        self,
        spec: GameSpec,
        options: dict[str, Any],
        n: int,
        observations: str = "float",
        seed: int = 0,
        device: str = "cuda",
    ) -> None:
        import torch

        if not config.ENABLE_CUDASIM and not (torch.cuda.is_available() and cuda.is_available()):
            raise OptionError(
                "There is no GPU here that CUDA can use (or this PyTorch is built without CUDA); make the "
                "batch with device='cpu'."
            )
        if not spec.turn_based:
            raise OptionError(f"{spec.title} isn't turn-based; batches on a GPU are for turn-based games.")
        if n < 1:
            raise OptionError(f"A batch has at least one game, not {n}.")
        if observations not in OBSERVATIONS:
            raise OptionError(f"Observations are one of {', '.join(OBSERVATIONS)}, not {observations!r}.")
        self.spec = spec
        self.options = spec.validate(options)
        self.n = n
        self.kind = observations
        self.device = torch.device("cpu" if config.ENABLE_CUDASIM else device)
        self.ticks = 0
        self._kernels = build(spec)
        self._blocks = (n + THREADS - 1) // THREADS
        self._key = key_from_seed(seed)[0]
        states = np.ascontiguousarray(first_states(spec, self.options, n, seed).T)
        self.states = torch.from_numpy(states).to(self.device)
        shapes = array_shapes(spec, self.options, n, observations)
        self.actions, self.rewards, self.dones, self.scores, self.seats, self.masks, self.observations = (
            torch.zeros(shape, dtype=getattr(torch, np.dtype(dtype).name), device=self.device)
            for shape, dtype in shapes.values()
        )
        self.reset()

    def reset(self) -> None:
        """Begin a new game everywhere."""
        self._launch(self._kernels.restart, self.states)
        self.look()

    def look(self) -> None:
        """Write seats, masks and observations of the states as they are."""
        self._launch(self._kernels.look, self.states, self.seats, self.masks)
        if self.kind != "none":
            self._launch(self._kernels.see[self.kind], self.states, self.observations)

    def step(self, actions: torch.Tensor) -> None:
        """One step of every game with `actions` (n,), then a look.

        Raises `IllegalAction`, changing nothing, when one isn't legal.
        """
        self.actions.copy_(actions)
        known = self.actions.clamp(0, self.masks.shape[1] - 1)
        bad = (self.masks.gather(1, known[:, None].long())[:, 0] == 0) | (known != self.actions)
        if bool(bad.any()):
            first = int(bad.int().argmax())
            raise IllegalAction(
                f"Action {int(self.actions[first])} of game {first} in the batch isn't legal now."
            )
        self._advance()

    def choose_random(self) -> torch.Tensor:
        """A legal action for every game, drawn as `Batch.choose_random` draws it; the tensor is `actions`."""
        self._launch(self._kernels.choose_random, self.masks, self.actions, self._key, self.ticks)
        return self.actions

    def play_random(self, steps: int) -> None:
        """`steps` steps of random legal play; actions never leave the GPU."""
        for _ in range(steps):
            self.choose_random()
            self._advance()

    def _advance(self) -> None:
        arrays = self.states, self.actions, self.rewards, self.dones, self.scores
        self._launch(self._kernels.advance, *arrays)
        self.look()
        self.ticks += 1

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        """Run a kernel with a thread a game, on torch's own stream, with tensors as they lie in memory."""
        import torch

        if config.ENABLE_CUDASIM:
            kernel[self._blocks, THREADS](*(a.numpy() if torch.is_tensor(a) else a for a in arguments))
            return
        stream = cuda.external_stream(torch.cuda.current_stream(self.device).cuda_stream)
        seen = (cuda.as_cuda_array(a, sync=False) if torch.is_tensor(a) else a for a in arguments)
        kernel[self._blocks, THREADS, stream](*seen)
