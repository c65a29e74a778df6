"""How agents play with partners that were in no training: the zoo, as shares of each partner's best response.

BR-Prox (ZSC-Eval): return(agent, partner) / return(best response to partner, partner), averaged over both
seats. A best response is an agent trained with that one partner; its folder has the partner's short name
("zoo-lazy"). If there is none, the share is missing and reported as missing. Over partners: the mean of the
middle half (interquartile mean) with a bootstrap interval, the lowest and the highest share. Not for tables
of agents with each other (engine.evaluation.cross_play).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, games
from engine.agents.acting import manner
from engine.agents.catalogue import CARD, load, shipped
from engine.agents.policy import Policy
from engine.evaluation.intervals import bootstrap, interval_over_seeds
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.self_play import play

DRAWS = 2000


def zoo(game: str) -> list[str]:
    """The refs of the partners of a game that are in no training."""
    return [ref for ref in shipped(game) if ref.startswith(f"{game}/zoo-")]


def tables(policy: Policy, partner: Policy, options: dict[str, Any]) -> list[list[Policy]]:
    """The seatings in games of an agent with a partner (complete options). If everybody plays together, the
    agent has one seat and the partner all others. If sides play against each other, the partner leads from
    player_0's seat, the agent plays all other seats of that side, and the game's yardstick (without one: the
    agent itself) plays the other sides.
    """
    spec = games.spec(policy.game)
    seats = range(spec.seats(options))
    if spec.side is None:
        return [[policy if seat == mine else partner for seat in seats] for mine in seats]
    other, mine = rival(policy, options), spec.side_of(options, 0)
    mates = [policy if spec.side_of(options, seat) == mine else other for seat in seats]
    return [[partner, *mates[1:]]]


def rival(policy: Policy, options: dict[str, Any]) -> Policy:
    """The agent that plays the other sides: the game's yardstick, without one the agent itself."""
    yardstick = brings.Training.of(policy.game).YARDSTICK
    return load(yardstick, policy.game, options) if yardstick else policy


def with_partner(
    policy: Policy,
    partner: Policy,
    options: dict[str, Any],
    episodes: int,
    seed: int,
    seeds: int,
    greedy: bool | None,
    told: str = "",
) -> dict[str, Any]:
    """{"mean", "interval", "by_seed", "by_seat"} of games of an agent with a partner (`tables`); `episodes`
    games for each seating and seed. The interval (95 %, over seeds) is None for one seed. `told`: an
    instruction for the partner, in all of its seats, all the time; the deals are the same. Raises ValueError
    for an instruction that can't be read.
    """

    def scores(table: list[Policy], run: int) -> np.ndarray:
        if not told:
            return play(table, policy.game, options, episodes, run, greedy)
        hearers = [seat for seat, policy in enumerate(table) if policy is partner]
        games_of = policy.game, options, episodes, run
        return play_rewarded(table, *games_of, told=told, hearers=hearers, greedy=greedy).scores

    seatings, runs = tables(policy, partner, options), range(seed, seed + seeds)
    means = np.array([[scores(seating, run).mean() for seating in seatings] for run in runs])
    by_seed = means.mean(axis=1).tolist()
    return {
        "mean": float(means.mean()),
        "interval": interval_over_seeds(by_seed) if seeds > 1 else None,
        "by_seed": by_seed,
        "by_seat": means.mean(axis=0).tolist(),
    }


def interquartile_mean(values: np.ndarray) -> float:
    """The mean of the middle half; of fewer than four values, of all of them."""
    cut = len(values) // 4
    return float(np.sort(values)[cut : len(values) - cut].mean())


def proximity(shares: list[float], seed: int = 0) -> dict[str, Any]:
    """{"iqm", "interval", "lowest", "highest", "partners"} of shares; the interval (95 %) is a bootstrap over
    partners.
    """
    values = np.array(shares)
    rng = np.random.default_rng(seed)
    drawn = bootstrap(len(values), lambda picked: interquartile_mean(values[picked]), rng, DRAWS)
    return {
        "iqm": interquartile_mean(values),
        "interval": drawn,
        "lowest": float(values.min()),
        "highest": float(values.max()),
        "partners": len(values),
    }


def evaluate_partners(
    policies: list[Policy],
    game: str,
    options: dict[str, Any] | None = None,
    best_responses: Path | None = None,
    episodes: int = 1,
    seed: int = 0,
    seeds: int = 5,
    greedy: bool | None = None,
) -> dict[str, Any]:
    """Every agent with every member of the zoo.

    {"agents": {name: {"partners": {ref: {…`with_partner`, "share": of the best response or None}}, "mean":
    over partners, "proximity": {…} or None}}, "best_responses": {ref: {…}}, "missing": [refs without one]}.
    Raises Refusal with a sentence.
    """
    if not policies:
        raise ValueError("This needs at least one agent.")
    partners = zoo(game)
    if not partners:
        raise ValueError(f"{game} has no zoo of partners.")
    complete = games.spec(game).validate(dict(options or {}))
    setting = (complete, episodes, seed, seeds, greedy)
    members = {ref: load(ref, game, complete) for ref in partners}
    best: dict[str, dict[str, Any]] = {}
    for ref, partner in members.items():
        folder = best_responses / ref.split("/", 1)[1] if best_responses else None
        if folder is not None and (folder / "agent" / CARD).is_file():
            folder = folder / "agent"  # as engine.learning.algorithms.population leaves it
        if folder is not None and (folder / CARD).is_file():
            best[ref] = with_partner(load(str(folder.resolve()), game, complete), partner, *setting)
    results: dict[str, Any] = {}
    for policy in policies:
        rows = {}
        for ref, partner in members.items():
            rows[ref] = with_partner(policy, partner, *setting)
            # A best response that never scores leaves nothing to divide by.
            highest = best[ref]["mean"] if ref in best else 0.0
            rows[ref]["share"] = rows[ref]["mean"] / highest if highest > 0 else None
        shares = [row["share"] for row in rows.values() if row["share"] is not None]
        results[policy.name] = {
            "partners": rows,
            "mean": float(np.mean([row["mean"] for row in rows.values()])),
            "proximity": proximity(shares, seed) if shares else None,
        }
    return {
        "agents": results,
        "best_responses": best,
        "missing": [ref for ref in members if ref not in best],
        "game": game,
        "options": complete,
        "episodes": episodes,
        "seed": seed,
        "seeds": seeds,
        "acts": {policy.name: manner(policy, greedy) for policy in policies},
    }


def table(results: dict[str, Any]) -> list[str]:
    """`evaluate_partners` as text: one row per partner, one column per agent."""
    agents = results["agents"]
    lines = [
        f"Mean score with each partner, all seats averaged, {results['seeds']} seeds of "
        f"{results['episodes']} games a seat; in brackets the share of the partner's best response"
    ]
    lines.append(f"{'':<32}" + "".join(f"{name.split('/')[-1]:>32}" for name in agents))
    for ref in next(iter(agents.values()))["partners"]:
        cells = ""
        for agent in agents.values():
            row = agent["partners"][ref]
            spread = "" if row["interval"] is None else f" ± {row['interval'][1] - row['mean']:.1f}"
            share = "" if row["share"] is None else f" ({row['share']:.2f})"
            cells += f"{row['mean']:.1f}{spread}{share}".rjust(32)
        lines.append(f"{ref:<32}{cells}")
    lines.append(f"{'mean':<32}" + "".join(f"{agent['mean']:>32.1f}" for agent in agents.values()))
    for name, agent in agents.items():
        close = agent["proximity"]
        if close:
            interval = close["interval"]
            ends = f"95 %: {interval[0]:.2f} to {interval[1]:.2f}" if interval else "of one partner"
            lines.append(
                f"{name}: BR-Prox {close['iqm']:.2f} (interquartile mean; {ends}; "
                f"range {close['lowest']:.2f} to {close['highest']:.2f})"
            )
    if results["missing"]:
        lines.append(f"No best response to {', '.join(results['missing'])}.")
    return lines
