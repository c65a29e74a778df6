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

from engine.refusal import Refusal
from engine.simulation.batch import OBSERVATIONS, array_shapes, first_states, world_of
from engine.simulation.kernels import pick
from engine.simulation.rng import key_from_seed, random32
from engine.simulation.spec import GameSpec

if TYPE_CHECKING:
    import torch

THREADS = 4 if config.ENABLE_CUDASIM else 128  # a block; in the simulator each is a thread of the machine


@lru_cache
def build(spec: GameSpec) -> SimpleNamespace:
    """The CUDA kernels of one game; each thread handles the game of its number, with all its seats.

    `turn_based` is known when a kernel is compiled, so only the branch of the game's kind is.
    """
    new_game, legal, step, current = spec.new_game, spec.legal, spec.step, spec.current
    over, score, encode, encode_packed = spec.over, spec.score, spec.encode, spec.encode_packed
    resolve = spec.resolve
    turn_based, grounded, heads = spec.turn_based, spec.world is not None, len(spec.heads)
    sizes = np.array(spec.heads or (0,), np.int32)

    @cuda.jit
    def restart(states, world):
        i = cuda.grid(1)
        if i < states.shape[1]:
            if grounded:
                new_game(states[:, i], world)
            else:
                new_game(states[:, i])

    @cuda.jit
    def advance(states, world, actions, records, rewards, dones, scores, finals):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            if turn_based:
                rewards[i] = step(state, int(actions[i]))
            elif heads:
                for seat in range(records.shape[1]):
                    resolve(state, world, seat, actions[i, seat], records[i, seat])
                rewards[i] = step(state, world, records[i])
            elif grounded:
                rewards[i] = step(state, world, actions[i])
            else:
                rewards[i] = step(state, actions[i])
            dones[i] = 0
            if over(state) != 0:
                dones[i] = 1
                scores[i] = score(state)
                for field in range(states.shape[0]):
                    finals[field, i] = state[field]
                if grounded:
                    new_game(state, world)
                else:
                    new_game(state)

    @cuda.jit
    def look(states, world, seats, masks):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            if turn_based:
                seats[i] = current(state)
                legal(state, current(state), masks[i])
            else:
                seats[i] = -1
                for seat in range(masks.shape[1]):
                    if grounded:
                        legal(state, world, seat, masks[i, seat])
                    else:
                        legal(state, seat, masks[i, seat])

    @cuda.jit
    def see(states, world, observations):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            if turn_based:
                encode(state, current(state), observations[i])
            else:
                for seat in range(observations.shape[1]):
                    if grounded:
                        encode(state, world, seat, observations[i, seat])
                    else:
                        encode(state, seat, observations[i, seat])

    @cuda.jit
    def see_packed(states, world, observations):
        i = cuda.grid(1)
        if i < states.shape[1]:
            state = states[:, i]
            if turn_based:
                encode_packed(state, current(state), observations[i])
            else:
                for seat in range(observations.shape[1]):
                    if grounded:
                        encode_packed(state, world, seat, observations[i, seat])
                    else:
                        encode_packed(state, seat, observations[i, seat])

    @cuda.jit
    def choose_random(masks, actions, key, tick):
        i = cuda.grid(1)
        if i < actions.shape[0]:
            if turn_based:
                actions[i] = pick(masks[i], random32(key, i, tick))
            elif heads:
                for seat in range(masks.shape[1]):
                    offset = 0
                    for head in range(heads):
                        size = int(sizes[head])
                        word = random32(key, (i * 64 + seat) * 8 + head, tick)
                        actions[i, seat, head] = pick(masks[i, seat, offset : offset + size], word)
                        offset += size
            else:
                for seat in range(masks.shape[1]):
                    actions[i, seat] = pick(masks[i, seat], random32(key, i * 64 + seat, tick))

    return SimpleNamespace(
        restart=restart,
        advance=advance,
        look=look,
        see={"float": see, "packed": see_packed},
        choose_random=choose_random,
    )


def numbered(gpus: int) -> list[str]:
    """Names of that many GPUs, the default one first."""
    return ["cuda", *(f"cuda:{index}" for index in range(gpus))]


class CudaBatch:
    """`Batch` on a GPU: the same arrays with the same names, as torch tensors on `device`; `states`
    and `finals` transposed.

    Raises `Refusal` when there is no GPU to use.
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
            raise Refusal(
                "There is no GPU here that CUDA can use (or this PyTorch is built without CUDA); make the "
                "batch with device='cpu'."
            )
        if not config.ENABLE_CUDASIM and device not in (known := numbered(torch.cuda.device_count())):
            raise Refusal(f"A batch runs on device cpu, cuda, {', '.join(known[1:])}; not on {device!r}.")
        if n < 1:
            raise Refusal(f"A batch has at least one game, not {n}.")
        if observations not in OBSERVATIONS:
            raise Refusal(f"Observations are one of {', '.join(OBSERVATIONS)}, not {observations!r}.")
        self.spec = spec
        self.options = spec.validate(options)
        self.n = n
        self.kind = observations
        self.device = torch.device("cpu" if config.ENABLE_CUDASIM else device)
        self.ticks = 0
        self._kernels = build(spec)
        self._blocks = (n + THREADS - 1) // THREADS
        self.world = torch.from_numpy(np.array(world_of(spec, self.options))).to(self.device)
        records = (n, spec.seats(self.options), spec.record_size)
        self.records = torch.zeros(records, dtype=torch.int32, device=self.device)
        self._key = key_from_seed(seed)[0]
        states = np.ascontiguousarray(first_states(spec, self.options, n, seed).T)
        self.states = torch.from_numpy(states).to(self.device)
        self.finals = torch.zeros_like(self.states)
        shapes = array_shapes(spec, self.options, n, observations)
        self.actions, self.rewards, self.dones, self.scores, self.seats, self.masks, self.observations = (
            torch.zeros(shape, dtype=getattr(torch, np.dtype(dtype).name), device=self.device)
            for shape, dtype in shapes.values()
        )
        self.reset()

    def reset(self) -> None:
        """Begin a new game everywhere."""
        self._launch(self._kernels.restart, self.states, self.world)
        self.look()

    def look(self) -> None:
        """Write seats, masks and observations of the states as they are."""
        self._launch(self._kernels.look, self.states, self.world, self.seats, self.masks)
        if self.kind != "none":
            self._launch(self._kernels.see[self.kind], self.states, self.world, self.observations)

    def step(self, actions: torch.Tensor) -> None:
        """One step of every game with `actions` (n,), (n, seats) or (n, seats, heads), then a look.

        Raises `Refusal`, changing nothing, when one isn't legal.
        """
        self.actions.copy_(actions)
        if bool((bad := self._illegal()).any()):
            first = int(bad.reshape(self.n, -1).any(1).int().argmax())
            raise Refusal(
                f"Action {self.actions[first].tolist()} of game {first} in the batch isn't legal now."
            )
        self._advance()

    def _illegal(self) -> torch.Tensor:
        """Where an action isn't one that its mask allows: the shape of `actions`."""
        if not self.spec.heads:
            known = self.actions.clamp(0, self.masks.shape[-1] - 1)
            return (self.masks.gather(-1, known[..., None].long())[..., 0] == 0) | (known != self.actions)
        sizes = self.actions.new_tensor(self.spec.heads)
        known = self.actions.clamp_min(0).minimum(sizes - 1)
        allowed = self.masks.gather(-1, (known + sizes.cumsum(0) - sizes).long())
        return (allowed == 0) | (known != self.actions)

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
        given = self.states, self.world, self.actions, self.records
        self._launch(self._kernels.advance, *given, self.rewards, self.dones, self.scores, self.finals)
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
