"""Scores of agents that play together: every seat the same agent (self-play), or one agent a seat.

Games are stepped in batches. The decks depend on seed, options and number of episodes alone, so different
agents are compared on the same decks. Not for tables of many agents (engine.evaluation.cross_play).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import games
from engine.agents.acting import Player, manner
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import interval_over_seeds, over_deals
from engine.simulation.batch import Batch

BATCH = 512


def play(
    policies: list[Policy],
    game: str = games.DEFAULT,
    options: dict[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 0,
    greedy: bool | None = None,
    each_step: Callable[[], None] | None = None,
    watch: Callable[[np.ndarray, np.ndarray, np.ndarray, Batch], None] | None = None,
) -> np.ndarray:
    """Final scores (episodes,) of games with `policies[i]` in seat i; one policy stands for all seats.

    Agents act as their cards say, or as `greedy` does (engine.agents.acting). Each of the batch's games plays
    its share of the episodes, so short games are not counted more often than long ones. `each_step` is called
    at every step of the batch and may raise, to stop; `watch` after every step, with the states before it
    (n, state_size), who was to move then, the actions, and the batch. Raises Refusal or
    Refusal with a sentence.
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
    players = [
        (Player(policy, batch.n, seats), np.array([other is policy for other in by_seat]))
        for policy in {id(policy): policy for policy in by_seat}.values()
    ]
    while (played < share).any():
        if each_step is not None:
            each_step()
        actions = _actions(batch, players, greedy, rng)
        for _ in range(spec.decision_ticks):
            before = (batch.states.copy(), batch.seats.copy()) if watch is not None else None
            batch.step(actions)
            if watch is not None and before is not None:
                watch(*before, actions, batch)
            for index in np.flatnonzero((batch.dones != 0) & (played < share)):
                scores[first[index] + played[index]] = batch.scores[index]
                played[index] += 1
            for player, _ in players:
                player.begin(batch.dones != 0)
    return scores


def _actions(
    batch: Batch, players: list[tuple[Player, np.ndarray]], greedy: bool | None, rng: np.random.Generator
) -> np.ndarray:
    """The actions of the players, each in its own seats, now: (n,) for the seats to move, or (n, seats) if
    all move at once.
    """
    actions = np.zeros_like(batch.actions)
    for player, theirs in players:
        acting = theirs[batch.seats] if batch.spec.turn_based else np.broadcast_to(theirs, actions.shape[:2])
        if acting.any():
            games_of = np.nonzero(acting)[0]
            seats = batch.seats[acting] if batch.spec.turn_based else np.nonzero(acting)[1]
            worlds = batch.world if batch.spec.world else None
            states, masks = batch.states[games_of], batch.masks[acting]
            actions[acting] = player.act(games_of, states, seats, masks, rng, worlds, greedy=greedy)
    return actions


def summary(scores: np.ndarray, highest: int) -> dict[str, Any]:
    """Statistics of scores (deals,), or (games of a deal, deals): `over_deals`, the share of games that
    scored 0 (in Hanabi: all lives lost) and of perfect ones, and how often each score occurred: a list for
    the scores from 0 to `highest`, or, if that is large or scores can be negative, {score: number}.
    """
    return {
        **over_deals(scores),
        "median": float(np.median(scores)),
        "zeros": float((scores == 0).mean()),
        "perfect": float((scores == highest).mean()),
        "histogram": _histogram(scores.reshape(-1), highest),
    }


def _histogram(scores: np.ndarray, highest: int) -> list[int] | dict[str, int]:
    if highest <= 100 and scores.min() >= 0:
        return np.bincount(scores, minlength=highest + 1).tolist()
    return {
        str(score): int(number) for score, number in zip(*np.unique(scores, return_counts=True), strict=True)
    }


def self_play(
    policy: Policy,
    game: str = games.DEFAULT,
    options: dict[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 0,
    greedy: bool | None = None,
    each_step: Callable[[], None] | None = None,
    seeds: int = 1,
) -> dict[str, Any]:
    """`summary` of a policy in every seat, with the settings of the measurement. With more `seeds`, from
    `seed` on, each plays `episodes`: "by_seed" has their means, "interval_over_seeds" the 95 % interval of
    the mean over seeds.
    """
    complete = games.spec(game).validate(dict(options or {}))
    runs = [
        play([policy], game, complete, episodes, seed + index, greedy, each_step) for index in range(seeds)
    ]
    result = {
        **summary(np.concatenate(runs), games.spec(game).max_score(complete)),
        "game": game,
        "agent": policy.name,
        "options": complete,
        "seed": seed,
        "acts": manner(policy, greedy),
    }
    if seeds > 1:
        means = [float(run.mean()) for run in runs]
        result |= {"by_seed": means, "interval_over_seeds": interval_over_seeds(means)}
    return result
