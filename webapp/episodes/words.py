"""What a seat of an episode saw at a tick, in the words of its game, by re-simulation of the log.

Long matches are stepped once and kept in the cache as stretches (the state at their beginning, the actions
after it), so that a tick costs a stretch or two and not the match. Not for: the words
(engine/games/<game>/words.py), who may ask (`access`, `views.replay`).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import brings, games
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.spoken import spoken, window
from webapp.common.made import cache
from webapp.episodes.frames import has_frames
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

CACHED_SECONDS = 3600
STRETCH = 200  # ticks


@dataclass(frozen=True)
class Stretches:
    """A match in pieces of STRETCH ticks: (state, int32 actions (ticks, seats, numbers)), both packed."""

    options: dict[str, Any]
    seats: int
    pieces: list[tuple[bytes, bytes]]


def words_at(episode: Episode, seat: int, tick: int) -> dict[str, Any]:
    """{"sees", "details"} (engine.simulation.spoken) of a seat at a tick, all that it knew then. Raises
    Refusal and FileNotFoundError.
    """
    spec = games.spec(episode.game)
    first = max(0, tick - window(spec.ticks_per_second))
    words = _stepped(episode, first, tick) if has_frames(episode.game) else _walked(episode, first, tick)
    return spoken(spec, *words, seat)


def _walked(episode: Episode, first: int, tick: int) -> tuple[np.ndarray, np.ndarray]:
    """The states at two ticks of a short game."""
    start = None
    for simulation in walk(log_store().read(episode.pk)):
        if simulation.tick == first:
            start = simulation.state.copy()
        if simulation.tick == tick and start is not None:
            return start, simulation.state.copy()
    raise Refusal(f"The log has no tick {tick}.")


def _stepped(episode: Episode, first: int, tick: int) -> tuple[np.ndarray, np.ndarray]:
    """The states at two ticks of a finished match that is kept in stretches."""
    key = f"stretches:{episode.pk}:{episode.digest}"
    kept = cache.get(key)
    if kept is None:
        kept = stretches_of(log_store().read(episode.pk))
        cache.set(key, kept, CACHED_SECONDS)
    return _state_at(episode.game, kept, first), _state_at(episode.game, kept, tick)


def stretches_of(log: EpisodeLog) -> Stretches:
    """The match of a log in stretches. Raises Refusal."""
    states_of = brings.Frames.of(log.header["game"]).states_of
    states = [state.copy() for tick, state in enumerate(states_of(log)) if tick % STRETCH == 0]
    steps, seats = log.steps, len(log.header["seats"])
    pieces = []
    for number, state in enumerate(states):
        actions = np.array(steps[number * STRETCH : (number + 1) * STRETCH], np.int32)
        pieces.append((zlib.compress(state.tobytes()), zlib.compress(actions.tobytes())))
    return Stretches(log.header["options"], seats, pieces)


def _state_at(game: str, kept: Stretches, tick: int) -> np.ndarray:
    spec = games.spec(game)
    if spec.world is None or tick // STRETCH >= len(kept.pieces):
        raise Refusal(f"The log has no tick {tick}.")
    packed_state, packed_actions = kept.pieces[tick // STRETCH]
    state = np.frombuffer(zlib.decompress(packed_state), spec.state_dtype).copy()
    actions = np.frombuffer(zlib.decompress(packed_actions), np.int32).copy()
    actions = actions.reshape(-1, kept.seats, spec.record_size)
    if tick % STRETCH > len(actions):
        raise Refusal(f"The log has no tick {tick}.")
    world = spec.world(spec.validate(dict(kept.options)))
    for joint in actions[: tick % STRETCH]:
        spec.step(state, world, joint)
    return state
