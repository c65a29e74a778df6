"""Moves that led somewhere, as moves towards it: windows of games under the goals that they met.

Goal-conditioned supervised learning (Ghosh et al. 2021), after hindsight experience replay (Andrychowicz et
al. 2017). Not for which goals a window met: the game says that (brings.Asking.came_to).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from engine.learning.parts.rollouts import Collector, Rollout

SHORTEST, LONGEST = 20, 100  # steps of a window


def towards(
    collector: Collector,
    states: np.ndarray,
    rollout: Rollout,
    games: np.ndarray,
    rng: np.random.Generator,
    columns: dict[str, Tensor],
) -> dict[str, Tensor]:
    """A window of each seat of `games` (n,) bool, in a rollout in which all move at once and which began its
    steps in `states` (T, n, state_size): "inputs" (rows, I) under the goal that the window met, and what else
    is in `columns` (T, B, …). Windows don't go over a game's end; none for a rollout that is too short.
    """
    steps, seats = len(states), collector.seats
    assert collector.asking is not None and collector.world is not None
    dones = rollout.dones.cpu().numpy().reshape(steps, -1, seats)
    playing = rollout.playing.cpu().numpy().reshape(steps, -1, seats)
    first, last, where, who = [], [], [], []
    for game in np.flatnonzero(games):
        for seat in range(seats):
            begin = int(rng.integers(0, max(1, steps - SHORTEST)))
            end = begin + int(rng.integers(SHORTEST, LONGEST + 1))
            over = np.flatnonzero(dones[begin:, game, seat])
            end = min([end, steps - 1, *(begin + over[:1])])
            if end - begin >= SHORTEST and playing[begin, game, seat]:
                first.append(begin)
                last.append(end)
                where.append(game)
                who.append(seat)
    word = int(rng.integers(1 << 31))
    told = np.asarray(who, np.int32)
    if not len(told):
        return {}
    goals = collector.asking.came_to(states[first, where], states[last, where], collector.world, told, word)
    rows: list[tuple[int, int, int]] = [
        (step, game, index)
        for index, (begin, end, game) in enumerate(zip(first, last, where, strict=True))
        if goals[index, 0]
        for step in range(begin, end)
    ]
    if not rows:
        return {}
    step, game, index = np.array(rows).T
    inputs = collector.inputs(states[step, game], told[index], collector.world, goals[index])
    row = game * seats + told[index]
    place = torch.from_numpy(step), torch.from_numpy(row)
    kept = {name: column[place] for name, column in columns.items() if name != "inputs"}
    return {**kept, "inputs": collector.tensor(inputs)}
