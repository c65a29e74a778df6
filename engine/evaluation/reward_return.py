"""Whole games between policies, with each game's score and what a reward model gives every seat for it.

Not for scores alone: engine.evaluation.self_play and cross_play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import games
from engine.agents.features import reward_inputs_for
from engine.agents.policy import Policy, choose
from engine.learning.utility import OnlineUtility, RewardModel, states_after
from engine.simulation.batch import Batch


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
    greedy: bool = False,
) -> Played:
    """Games with policies[s] in seat s. The same seed deals the same games, whoever plays.

    Moves are the best ones where cards are dealt. Where all move at once nothing is, and greedy games from
    one start would all be the same: there networks draw their moves, unless `greedy`. `instruction` (F,):
    features of what the reward model is to take as the instruction; none by default. `check` is called before
    every move and may raise, to stop.
    """
    spec = games.spec(game)
    batch = Batch(spec, options, episodes, observations="none", seed=seed)
    scores, utilities = np.zeros(episodes), np.zeros((episodes, len(policies)))
    running, every = np.ones(episodes, bool), np.arange(episodes)
    best, rng = greedy or spec.turn_based, np.random.default_rng(seed)
    world = batch.world if spec.world else None
    online = None
    if reward_model is not None:
        told = np.zeros(reward_model.sizes["instruction_size"]) if instruction is None else instruction
        inputs = reward_inputs_for(game, options)
        online = OnlineUtility(reward_model, inputs, episodes, len(policies), told, world)
        online.begin(batch.states, every)
    while running.any():
        check()
        actions = np.zeros_like(batch.actions) if spec.heads else batch.masks.argmax(-1)
        moves = moving(batch, len(policies))
        for policy in {id(p): p for p in policies}.values():
            own = np.array([p is policy for p in policies])
            rows, seats = np.nonzero(moves & own & running[:, None])
            if len(rows):
                masks = batch.masks[rows] if spec.turn_based else batch.masks[rows, seats]
                logits = policy.logits_many(batch.states[rows], seats.astype(np.int32), masks, world)
                surely = best or policy.card.get("kind") == "scripted"
                chosen = choose(logits, greedy=surely, rng=rng, heads=spec.heads)
                actions[rows if spec.turn_based else (rows, seats)] = chosen
        if online is not None:
            rows = np.flatnonzero(running)
            reached, _ = states_after(game, batch.states[rows], actions[rows], world)
            utilities[rows] += online.add(reached, rows) * moves[rows]
        for _ in range(spec.decision_ticks):
            batch.step(actions)
            ended = running & (batch.dones != 0)
            scores[ended] = batch.scores[ended]
            running &= ~ended
    return Played(scores, utilities)


def play_both(
    policies: Sequence[Policy], game: str, options: dict[str, Any], episodes: int, **more: Any
) -> Played:
    """As `play_rewarded`; where nothing is dealt, half of the games with moves that are drawn, from the usual
    start, and half greedy, from anywhere: agents that play well when they draw may get stuck when they don't.
    """
    anywhere = varied(game)
    if not anywhere:
        return play_rewarded(policies, game, options, episodes, **more)
    parts = [play_rewarded(policies, game, options, (episodes + 1) // 2, **more)]
    if episodes > 1:
        parts.append(
            play_rewarded(policies, game, {**options, **anywhere}, episodes // 2, greedy=True, **more)
        )
    return Played(
        np.concatenate([part.scores for part in parts]), np.concatenate([part.utilities for part in parts])
    )


def varied(game: str) -> dict[str, Any]:
    """Options under which greedy games of the same agents differ: where nothing is dealt, a random start."""
    return {"start": "random"} if "start" in games.spec(game).options else {}


def moving(batch: Batch, seats: int) -> np.ndarray:
    """Which seats act now, bool (n, seats)."""
    if batch.spec.turn_based:
        return batch.seats[:, None] == np.arange(seats)
    return np.ones((batch.n, seats), bool)
