"""Inputs of networks: each game's own encoder, found by the game's name, batched.

Encoders of games with a shared world or with goals take those as well.

If a game's public history is worth summarising, it has a `features.py` (FEATURES_VERSION, `input_size`,
`encode_many`); reward models read its `rated_many`, if there is one. If these features contain conventions, a
`public.py` of the same form has features without any. Networks of other games, and those whose card says so,
read the canonical observation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from engine import brings, games
from engine.simulation import kernels
from engine.simulation.spec import GameSpec

FEATURES, OBSERVATION, PUBLIC = "features", "observation", "public"
READS = (FEATURES, OBSERVATION, PUBLIC)  # what a network may read: a card's "reads"
RATED = "rated"  # what reward models read if nothing else is chosen: a few numbers on what a rater sees


def by_world(worlds: Any, rows: int) -> Iterator[tuple[Any, np.ndarray]]:
    """(rows, their world) for each world in `worlds`, which is one array for all rows or a list with one per
    row.
    """
    if not isinstance(worlds, list):
        yield slice(0, rows), worlds
        return
    groups: dict[int, list[int]] = {}
    for row, world in enumerate(worlds):
        groups.setdefault(id(world), []).append(row)
    for members in groups.values():
        yield np.array(members), worlds[members[0]]


@dataclass(frozen=True)
class Inputs:
    """An encoder: `encode(states, seats, out)` fills out (n, size) float32 from records (n, state_size); in
    games with a shared world `encode(states, world, seats, goals, out)`.
    """

    game: str
    version: int
    size: int
    encode: Callable[..., None]
    goal_size: int = 0

    def __call__(
        self, states: np.ndarray, seats: np.ndarray, worlds: Any = None, goals: np.ndarray | None = None
    ) -> np.ndarray:
        """(n, size) float32: what the network reads for each seat."""
        out = np.zeros((len(states), self.size), np.float32)
        seats = np.asarray(seats, np.int32)
        if worlds is None:
            self.encode(states, seats, out)
            return out
        if goals is None:
            goals = np.zeros((len(states), self.goal_size), np.int16)
        for rows, world in by_world(worlds, len(states)):
            part = np.zeros((len(seats[rows]), self.size), np.float32)
            self.encode(states[rows], world, seats[rows], goals[rows], part)
            out[rows] = part
        return out


@lru_cache
def _inputs(game: str, options: tuple[tuple[str, Any], ...], reads: str = FEATURES) -> Inputs:
    part: type[brings.Features | brings.Public] = brings.Public if reads == PUBLIC else brings.Features
    module = part.brought(game) if reads != OBSERVATION else None
    if module is None:
        return _canonical(games.spec(game), dict(options))
    size = int(module.input_size(_first_state(game, options)))
    return Inputs(game, module.FEATURES_VERSION, size, module.encode_many, games.spec(game).goal_size)


def _canonical(spec: GameSpec, options: dict[str, Any]) -> Inputs:
    """The observation that the env gives, its numbers between -1 and 1."""
    see_as, nowhere = kernels.load(spec).see_as, np.zeros((1, 1), np.int8)
    scale = np.float32(max(spec.observation_high, -spec.observation_low))

    def encode(states: np.ndarray, *rest: np.ndarray) -> None:
        # On a shared ground (world, seats, goals, out), else (seats, out).
        world, seats = rest[:2] if spec.world else (nowhere, rest[0])
        see_as(states, world, seats, rest[-1])
        rest[-1][...] /= scale

    return Inputs(spec.name, spec.rules_version, spec.observation_size(options), encode)


@lru_cache
def _reward_inputs(game: str, options: tuple[tuple[str, Any], ...]) -> Inputs:
    module = brings.Features.brought(game)
    if module is None or module.rated_many is None or module.rated_size is None:
        return _inputs(game, options, FEATURES)
    state = _first_state(game, options)
    return Inputs(game, module.FEATURES_VERSION, int(module.rated_size(state)), module.rated_many)


def _first_state(game: str, options: tuple[tuple[str, Any], ...]) -> np.ndarray:
    spec = games.spec(game)
    state = np.zeros(spec.state_size, spec.state_dtype)
    spec.prepare(state, dict(options), 0, 0)
    return state


@lru_cache(256)
def _complete_options(game: str, options: str) -> dict[str, Any]:
    return games.spec(game).validate(json.loads(options))


def complete_options(game: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """A game's complete options from some of them, cached: they are needed before every move, and checking a
    kitchen's map takes a millisecond. Raises Refusal.
    """
    try:
        known = json.dumps(options or {})
    except (TypeError, ValueError):
        return games.spec(game).validate(dict(options or {}))
    return dict(_complete_options(game, known))


def reward_inputs_for(game: str, options: dict[str, Any] | None = None, reads: str = RATED) -> Inputs:
    """The inputs of reward models: what an annotator of a seat sees (the game's `rated_size` and
    `rated_many`), or the inputs of agents if the game has none, or if that is what they read. Raises Refusal.
    """
    if reads != RATED:
        return inputs_for(game, options, reads)
    return _reward_inputs(game, tuple(sorted(complete_options(game, options).items())))


def inputs_for(game: str, options: dict[str, Any] | None = None, reads: str = FEATURES) -> Inputs:
    """The encoder of a game with these options (partial ones are completed; raises Refusal): its own
    features, where it has some, or, if that is what a network reads, the canonical observation.
    """
    return _inputs(game, tuple(sorted(complete_options(game, options).items())), reads)


def in_threads(function: Callable[..., None], pool: ThreadPoolExecutor | None, *arrays: np.ndarray) -> None:
    """Call a compiled function (GIL released) on two halves of its arrays at once, if there is a pool."""
    half = len(arrays[0]) // 2
    if pool is None or half == 0:
        function(*arrays)
        return
    other = pool.submit(function, *(array[:half] for array in arrays))
    function(*(array[half:] for array in arrays))
    other.result()
