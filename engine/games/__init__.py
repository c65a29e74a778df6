"""The games: every folder here that has rules is one, and every package that names itself in the entry-point
group `coplay.games`; found by name.

`spec(name)` is a game's description, `part` a module of its folder, `make` its PettingZoo env, `make_batch`
the fast path for many games at once. Nothing here knows any game; a new one is a new folder. How they are
found is in `engine.simulation.registry`, so that what runs games needs nothing of this room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.refusal import Refusal
from engine.simulation.registry import (
    DEFAULT,
    brings,
    folder,
    installed,
    names,
    part,
    spec,
)

if TYPE_CHECKING:
    from engine.simulation.batch import Batch
    from engine.simulation.cuda import CudaBatch
    from engine.simulation.env import SimulationEnv

__all__ = [
    "DEFAULT",
    "brings",
    "folder",
    "installed",
    "make",
    "make_batch",
    "names",
    "part",
    "spec",
]


def make(name: str, **options: Any) -> SimulationEnv:
    """A PettingZoo `ParallelEnv` of a game; raises `Refusal` for an option that it doesn't know."""
    from engine.simulation.env import SimulationEnv

    return SimulationEnv(name, **options)


def make_batch(
    name: str, n: int, device: str = "cpu", observations: str = "float", seed: int = 0, **options: Any
) -> Batch | CudaBatch:
    """n games at once, on the CPU (NumPy arrays) or on a GPU (torch tensors).

    `observations` is "float", "packed" (eight bits a byte, or a byte a number) or "none" (masks only). Raises
    `Refusal` for a bad option or device, and when there is no GPU.
    """
    if device == "cpu":
        from engine.simulation.batch import Batch

        return Batch(spec(name), options, n, observations, seed)
    if device == "cuda" or device.startswith("cuda:"):
        from engine.simulation.cuda import CudaBatch

        return CudaBatch(spec(name), options, n, observations, seed, device)
    raise Refusal(f"A batch runs on device 'cpu' or 'cuda', not {device!r}.")
