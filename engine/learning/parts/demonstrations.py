"""The moves of recorded episodes with the inputs that an agent's network would have had: for imitation.

Reads the logs of a snapshot (engine.snapshots). Not for people's games with data about the people
(engine.learning.parts.people).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine import games, language
from engine.agents.features import Inputs
from engine.language.standings import completed
from engine.learning.parts import heads
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.told import changes
from engine.snapshots import Snapshot


def moves(
    folder: Path, game: str, inputs: Inputs, hears: bool, check: Callable[[], None]
) -> dict[str, Tensor]:
    """ "inputs" (N, I), "masks" (N, A), "actions" (N,) or (N, heads) of every move of every seat in the
    episodes of a snapshot, in the order of their names; raises Refusal where there are none. With `hears`,
    inputs end with what the seat was told.
    """
    played: list[tuple[np.ndarray, ...]] = []
    for episode, log in Snapshot(folder).logs():
        check()
        if log.header["game"] != game:
            raise Refusal(f"Episode {episode} is a game of {log.header['game']}, not of {game}.")
        played.append(_of(completed(log), inputs, hears))
    if not any(len(part[2]) for part in played):
        raise Refusal(f"The snapshot {folder} has no moves to imitate.")
    seen, masks, actions = (torch.from_numpy(np.concatenate(column)) for column in zip(*played, strict=True))
    parts = games.spec(game).heads
    return {"inputs": seen, "masks": heads.allowing(masks, actions, parts), "actions": actions}


def _of(log: EpisodeLog, inputs: Inputs, hears: bool) -> tuple[np.ndarray, ...]:
    """Inputs, masks and actions of one episode."""
    spec, steps = games.spec(log.header["game"]), log.steps
    in_force: dict[int, Any] = {}
    rows: list[tuple[int, int, np.ndarray, np.ndarray, Any]] = []
    world = None
    for sim in walk(log):
        world = sim.world
        if sim.tick >= len(steps) or sim.tick % spec.decision_ticks:
            continue
        movers = range(sim.seats) if sim.current is None else (sim.current,)
        for seat in movers:
            in_force.setdefault(seat, changes(log, seat) if hears else [])
            action: Any = steps[sim.tick][seat]
            choice = action[: len(spec.heads)] if spec.heads else action
            rows.append((sim.tick, seat, sim.state.copy(), sim.legal(seat), choice))
    if not rows:
        actions = spec.num_actions(log.header["options"])
        shape = (0, len(spec.heads)) if spec.heads else (0,)
        nothing = np.zeros((0, inputs.size + _heard(spec.name, hears)), np.float32)
        return nothing, np.zeros((0, actions), np.int8), np.zeros(shape, np.int64)
    ticks, seats, states, masks, actions_ = zip(*rows, strict=True)
    seen = inputs(np.stack(states), np.array(seats), world)
    if hears:
        known = [
            _told(log.header["game"], in_force[seat], tick) for tick, seat in zip(ticks, seats, strict=True)
        ]
        seen = np.concatenate([seen, np.stack(known)], 1)
    return seen.astype(np.float32), np.stack(masks), np.array(actions_, np.int64)


def _heard(game: str, hears: bool) -> int:
    return language.num_features(game) if hears else 0


def _told(game: str, known: list[tuple[int, Any]], tick: int) -> np.ndarray:
    """(F,) what a seat had been told at a tick."""
    now = [programs for at, programs in known if at <= tick]
    return language.together(game, now[-1] if now else []).astype(np.float32)
