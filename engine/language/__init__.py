"""Instructions: reading what a player typed, and turning the reading into a prior over moves.

One game, one module or package here with `read`, `prior` and `questions`; this file only finds it by name.
Nothing here imports torch, steps a game, or asks a language model inside a tick. What was typed is data:
it is matched against words, never executed, formatted or passed on.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.language.reading import Reading

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

__all__ = ["Reading", "features", "games", "num_features", "prior", "questions", "read"]

_READERS = {"hanabi": "engine.language.hanabi"}


def games() -> list[str]:
    """The games whose instructions can be read."""
    return sorted(_READERS)


def _reader(game: str) -> ModuleType:
    if game not in _READERS:
        raise ValueError(
            f"Instructions can be read for {', '.join(games())}; there is no reader for {game!r}."
        )
    return import_module(_READERS[game])


def read(game: str, text: str) -> Reading:
    """What an agent understands from `text`. Never raises for any text; raises ValueError for an unknown
    game."""
    return _reader(game).read(text)


def prior(game: str, program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """The program's preference among the moves of `seat` in `sim`, float32 (num_actions,), in logit units.

    0 where the instruction says nothing. It is added to a policy's logits, so illegal moves stay illegal.
    """
    return _reader(game).prior(program, sim, seat)


def questions(game: str) -> list[dict[str, str]]:
    """Every yes/no question that a prior over (what the partner did, what to do) consists of."""
    return _reader(game).questions()


def features(game: str, program: dict[str, Any] | None) -> np.ndarray:
    """The program as float32 (num_features(game),); zeros for no program."""
    return _reader(game).features(program)


def num_features(game: str) -> int:
    """Length of `features`."""
    return int(_reader(game).NUM_FEATURES)
