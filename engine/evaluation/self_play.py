"""Scores of agents that play together: every seat the same agent (self-play), or one agent a seat.

Games are stepped in batches. The decks depend on seed, options and number of episodes alone, so different
agents are compared on the same decks. Not for tables of many agents (engine.evaluation.cross_play).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import games
from engine.agents.policy import Policy, check_fits, choose
from engine.simulation.batch import Batch

BATCH = 512


def play(
    policies: list[Policy],
    game: str = "hanabi",
    options: dict[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 0,
    greedy: bool = True,
    each_step: Callable[[], None] | None = None,
) -> np.ndarray:
    """Final scores (episodes,) of games with `policies[i]` in seat i; one policy stands for all seats.

    Each of the batch's games plays its share of the episodes, so short games are not counted more often than
    long ones. `each_step` is called at every step of the batch and may raise, to stop. Raises Unsupported
    or OptionError with a sentence.
    """
    if episodes < 1:
        raise ValueError(f"The number of episodes is at least 1, not {episodes}.")
    spec = games.spec(game)
    complete = spec.validate(dict(options or {}))
    seats = spec.seats(complete)
    if len(policies) not in (1, seats):
        raise ValueError(f"{len(policies)} agents were given for {seats} seats.")
    for policy in policies:
        check_fits(policy, game, complete)
    by_seat = policies * seats if len(policies) == 1 else policies
    rng = np.random.default_rng(seed)
    batch = Batch(spec, complete, min(episodes, BATCH), observations="none", seed=seed)
    share = np.full(batch.n, episodes // batch.n)
    share[: episodes % batch.n] += 1
    first = np.concatenate([[0], np.cumsum(share)[:-1]])
    played = np.zeros(batch.n, np.int64)
    scores = np.zeros(episodes, np.int64)
    while (played < share).any():
        if each_step is not None:
            each_step()
        actions = np.zeros(batch.n, np.int32)
        for policy in {id(policy): policy for policy in by_seat}.values():
            acting = np.array([by_seat[seat] is policy for seat in batch.seats])
            if acting.any():
                logits = policy.logits_many(batch.states[acting], batch.seats[acting], batch.masks[acting])
                actions[acting] = choose(logits, greedy=greedy, rng=rng)
        batch.step(actions)
        for index in np.flatnonzero((batch.dones != 0) & (played < share)):
            scores[first[index] + played[index]] = batch.scores[index]
            played[index] += 1
    return scores


def summary(scores: np.ndarray, highest: int) -> dict[str, Any]:
    """What a person wants to know about scores: mean with standard error and 95 % interval, share of games
    that scored 0 (bombs, in Hanabi) and of perfect ones, and how often each score came.
    """
    stderr = float(scores.std(ddof=1) / np.sqrt(len(scores))) if len(scores) > 1 else 0.0
    mean = float(scores.mean())
    return {
        "mean": mean,
        "stderr": stderr,
        "episodes": len(scores),
        "interval": [mean - 1.96 * stderr, mean + 1.96 * stderr],
        "median": float(np.median(scores)),
        "zeros": float((scores == 0).mean()),
        "perfect": float((scores == highest).mean()),
        "histogram": np.bincount(scores, minlength=highest + 1).tolist(),
    }


def self_play(
    policy: Policy,
    game: str = "hanabi",
    options: dict[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 0,
    greedy: bool = True,
    each_step: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """`summary` of a policy in every seat, with what was measured."""
    complete = games.spec(game).validate(dict(options or {}))
    scores = play([policy], game, complete, episodes, seed, greedy, each_step)
    return {
        **summary(scores, games.spec(game).max_score(complete)),
        "game": game,
        "agent": policy.name,
        "options": complete,
        "seed": seed,
        "greedy": greedy,
    }
