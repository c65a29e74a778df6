"""What networks read: each game's own encoder, found by the game's name, batched.

A game with public history worth digesting has `engine/games/<game>/features.py` (FEATURES_VERSION,
`input_size`, `encode_many`). Not for the canonical observation, which env and Simulation give.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from engine import games


@dataclass(frozen=True)
class Inputs:
    """An encoder: `encode(states, seats, out)` fills out (n, size) float32 from records (n, state_size)."""

    game: str
    version: int
    size: int
    encode: Callable[[np.ndarray, np.ndarray, np.ndarray], None]

    def __call__(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """(n, size) float32: what the network reads for each seat."""
        out = np.zeros((len(states), self.size), np.float32)
        self.encode(states, np.asarray(seats, np.int32), out)
        return out


@lru_cache
def _inputs(game: str, options: tuple[tuple[str, Any], ...]) -> Inputs:
    spec = games.spec(game)
    module = importlib.import_module(f"engine.games.{game}.features")
    state = np.zeros(spec.state_size, spec.state_dtype)
    spec.prepare(state, dict(options), 0, 0)
    return Inputs(game, module.FEATURES_VERSION, int(module.input_size(state)), module.encode_many)


def inputs_for(game: str, options: dict[str, Any] | None = None) -> Inputs:
    """The encoder of a game with these options (partial ones are completed; raises OptionError)."""
    complete = games.spec(game).validate(dict(options or {}))
    return _inputs(game, tuple(sorted(complete.items())))


def in_threads(function: Callable[..., None], pool: ThreadPoolExecutor | None, *arrays: np.ndarray) -> None:
    """Call a compiled function (GIL released) on two halves of its arrays at once, if there is a pool."""
    half = len(arrays[0]) // 2
    if pool is None or half == 0:
        function(*arrays)
        return
    other = pool.submit(function, *(array[:half] for array in arrays))
    function(*(array[half:] for array in arrays))
    other.result()
