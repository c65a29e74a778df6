"""How agents act: the one way for live play, evaluation, simulated episodes and what trainings measure.

What an agent's card says holds everywhere: with `"acts": "sampled"` its moves are drawn from its policy, else
they are its best ones. Scripted players are what they choose. What a seat was told is heard here, too: as a
prior on the logits, or as a goal in games with goals. Not for learners, which explore by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.policy import Policy, Worlds, check_fits, choose
from engine.simulation.simulation import Simulation

Programs = list[dict[str, Any]]


def draws(policy: Policy, greedy: bool | None = None) -> bool:
    """Whether an agent's moves are drawn: as its card says, or as `greedy` does where it isn't None."""
    if policy.card.get("kind") == "scripted":
        return False
    return policy.card.get("acts") == "sampled" if greedy is None else not greedy


def manner(policy: Policy, greedy: bool | None = None) -> str:
    """How an agent's moves were chosen, as results and cards say it: "sampled" or "best"."""
    return "sampled" if draws(policy, greedy) else "best"


def act(
    policy: Policy,
    sims: Sequence[Simulation],
    seats: Sequence[int],
    rng: np.random.Generator | None = None,
    programs: Sequence[Programs] | None = None,
    greedy: bool | None = None,
) -> list[Any]:
    """What an agent does in one seat of each game: an action id, or one choice a head.

    `programs`: what each of the seats was told, oldest first. Agents that draw need `rng`. Raises Unsupported
    for a game that the agent can't play.
    """
    for sim in sims:
        check_fits(policy, sim.game, sim.options)
    told = programs or [[]] * len(sims)
    heard = [asked(sim, seat, own) for sim, seat, own in zip(sims, seats, told, strict=True)]
    states = np.stack([sim.state for sim in sims])
    masks = np.stack([sim.legal(seat) for sim, seat in zip(sims, seats, strict=True)])
    worlds = [sim.world for sim in sims if sim.world is not None] or None
    priors = together([prior for prior, _ in heard], masks.shape[1], np.float32)
    goals = together([goal for _, goal in heard], sims[0].spec.goal_size, np.int16)
    return act_many(policy, states, np.asarray(seats), masks, rng, worlds, priors, goals, greedy)


def act_many(
    policy: Policy,
    states: np.ndarray,
    seats: np.ndarray,
    masks: np.ndarray,
    rng: np.random.Generator | None = None,
    worlds: Worlds = None,
    priors: np.ndarray | None = None,
    goals: np.ndarray | None = None,
    greedy: bool | None = None,
) -> list[Any]:
    """`act` from state records (n, state_size), seats (n,) and masks (n, num_actions); the agent fits."""
    logits = policy.logits_many(states, seats.astype(np.int32), masks, worlds, goals)
    heads = games.spec(policy.game).heads
    return choose(logits, priors, greedy=not draws(policy, greedy), rng=rng, heads=heads)


def asked(sim: Simulation, seat: int, programs: Programs) -> tuple[np.ndarray | None, np.ndarray | None]:
    """What a seat's instructions add to its logits, (num_actions,), and in games with goals instead the goal
    that they come to, (goal_size,); None for what there isn't.
    """
    if not programs:
        return None, None
    if sim.spec.goal_size:
        return None, language.goals(sim.game, programs, sim, seat)
    return language.priors(sim.game, programs, sim, seat), None


def together(rows: Sequence[np.ndarray | None], size: int, kind: Any) -> np.ndarray | None:
    """(n, size) with zeros where there is nothing; None where there is nothing at all."""
    if all(row is None for row in rows):
        return None
    return np.stack([np.zeros(size, kind) if row is None else row for row in rows])
