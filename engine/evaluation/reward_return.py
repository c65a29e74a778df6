"""Whole games between policies, with each game's score and what a reward model gives every seat for it.

Not for scores alone: engine.evaluation.self_play and cross_play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import games
from engine.agents.features import inputs_for
from engine.agents.policy import Policy, choose
from engine.learning.utility import OnlineUtility, RewardModel, states_after


@dataclass(frozen=True)
class Played:
    """n games: `scores` (n,); `utilities` (n, seats): what U gained by each seat's own moves, 0 without a
    model."""

    scores: np.ndarray
    utilities: np.ndarray


def play_rewarded(
    policies: Sequence[Policy],
    game: str,
    options: dict[str, Any],
    episodes: int,
    seed: int = 0,
    reward_model: RewardModel | None = None,
    instruction: np.ndarray | None = None,
    check: Callable[[], None] = lambda: None,
) -> Played:
    """Greedy games with policies[s] in seat s. The same seed deals the same games, whoever plays.

    `instruction` (F,): features of what the reward model is to take as the instruction; none by default.
    `check` is called before every move and may raise, to stop.
    """
    # Any: on the CPU its arrays are NumPy's, never tensors.
    batch: Any = games.make_batch(game, episodes, observations="none", seed=seed, **options)
    scores, utilities = np.zeros(episodes), np.zeros((episodes, len(policies)))
    running, every = np.ones(episodes, bool), np.arange(episodes)
    online = None
    if reward_model is not None:
        told = np.zeros(reward_model.sizes["instruction_size"]) if instruction is None else instruction
        online = OnlineUtility(reward_model, inputs_for(game, options), episodes, len(policies), told)
        online.begin(batch.states, every)
    while running.any():
        check()
        movers = batch.seats.copy()
        actions = batch.masks.argmax(1)
        for policy in {id(p): p for p in policies}.values():
            at = np.flatnonzero(running & np.array([policies[s] is policy for s in movers]))
            if len(at):
                actions[at] = choose(policy.logits_many(batch.states[at], movers[at], batch.masks[at]))
        if online is not None:
            rows = np.flatnonzero(running)
            reached, _ = states_after(game, batch.states[rows], actions[rows])
            gains = online.add(reached, rows)
            utilities[rows, movers[rows]] += gains[np.arange(len(rows)), movers[rows]]
        batch.step(actions)
        ended = running & (batch.dones != 0)
        scores[ended] = batch.scores[ended]
        running &= ~ended
    return Played(scores, utilities)
