"""How agents act: the one way for live play, evaluation, simulated episodes and what trainings measure.

What an agent's card says holds everywhere: with `"acts": "sampled"` its moves are drawn from its policy, else
they are its best ones. Scripted players are what they choose. What a seat was told is heard here, too: as a
prior on the logits, or as a goal in games with goals, and as numbers for networks that read them. Not for
learners, which explore by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.policy import Policy, Worlds, check_fits, choose
from engine.simulation.simulation import Simulation

Programs = list[dict[str, Any]]


@dataclass(frozen=True)
class Heard:
    """What a seat was told, in each form in which it reaches a policy; None: nothing. Of n seats, all have
    one dimension more.

    `prior` (num_actions,) is added to the logits; games with goals have `goal` (goal_size,) instead. `told`
    (num_features,) is what networks read of it.
    """

    prior: np.ndarray | None = None
    goal: np.ndarray | None = None
    told: np.ndarray | None = None


NOTHING = Heard()


def draws(policy: Policy, greedy: bool | None = None) -> bool:
    """Whether an agent's moves are drawn: as its card says, or as `greedy` does where it isn't None."""
    if policy.card.get("kind") == "scripted":
        return False
    return policy.card.get("acts") == "sampled" if greedy is None else not greedy


def manner(policy: Policy, greedy: bool | None = None) -> str:
    """How an agent's moves were chosen, as results and cards say it: "sampled" or "best"."""
    return "sampled" if draws(policy, greedy) else "best"


def hears(policy: Policy) -> bool:
    """Whether an agent's network reads what its seat was told, besides what everybody hears of it."""
    return "told_version" in policy.card


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
    programs = programs or [[]] * len(sims)
    reads = [language.together(policy.game, own) if hears(policy) and own else None for own in programs]
    heard = [asked(*row) for row in zip(sims, seats, programs, reads, strict=True)]
    states = np.stack([sim.state for sim in sims])
    masks = np.stack([sim.legal(seat) for sim, seat in zip(sims, seats, strict=True)])
    worlds = [sim.world for sim in sims if sim.world is not None] or None
    return act_many(policy, states, np.asarray(seats), masks, rng, worlds, together(heard), greedy)


def act_many(
    policy: Policy,
    states: np.ndarray,
    seats: np.ndarray,
    masks: np.ndarray,
    rng: np.random.Generator | None = None,
    worlds: Worlds = None,
    heard: Heard = NOTHING,
    greedy: bool | None = None,
) -> list[Any]:
    """`act` from state records (n, state_size), seats (n,), masks (n, num_actions) and what the seats heard;
    the agent fits.
    """
    logits = policy.logits_many(states, seats.astype(np.int32), masks, worlds, heard.goal, heard.told)
    heads = games.spec(policy.game).heads
    return choose(logits, heard.prior, greedy=not draws(policy, greedy), rng=rng, heads=heads)


def asked(sim: Simulation, seat: int, programs: Programs, told: np.ndarray | None = None) -> Heard:
    """What a seat hears of the instructions that are in force for it, oldest first; `told`: what its network
    reads of them, if it does (`hears`).
    """
    if not programs:
        return NOTHING
    if sim.spec.goal_size:
        return Heard(goal=language.goals(sim.game, programs, sim, seat), told=told)
    return Heard(prior=language.priors(sim.game, programs, sim, seat), told=told)


def together(rows: Sequence[Heard]) -> Heard:
    """What n seats heard, with zeros for those that heard nothing."""
    return Heard(
        _stacked([row.prior for row in rows]),
        _stacked([row.goal for row in rows]),
        _stacked([row.told for row in rows]),
    )


def _stacked(rows: list[np.ndarray | None]) -> np.ndarray | None:
    some = next((row for row in rows if row is not None), None)
    if some is None:
        return None
    return np.stack([np.zeros_like(some) if row is None else row for row in rows])
