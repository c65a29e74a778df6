"""Episodes made by agents alone: to look around, to test, to experiment. Their source says so, "simulated".

Not for: marks on them (webapp.annotation.simulated), learning (webapp.rounds).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

import numpy as np
from django.db import transaction
from django.utils import timezone

from engine.agents import catalogue
from engine.agents.catalogue import load
from engine.agents.policy import Policy, check_fits
from engine.evaluation.episodes import Logged, play_on
from engine.simulation.simulation import Simulation
from webapp.agents.models import Agent
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

SOURCE = "simulated"
LONGEST = 20_000  # ticks; no game is longer


def simulate(
    game: str,
    count: int,
    agents: Sequence[str],
    seed: int = 0,
    options: dict | None = None,
    mistakes: float | None = None,
    report: Callable[[Episode], None] | None = None,
) -> list[Episode]:
    """Play `count` games between these agents (refs or aliases, one a seat) and store them as finished
    episodes.

    Fewer refs than seats are repeated. Game i has seed `seed + i`; a move is a random legal one with
    probability `mistakes` (None: see `usual_mistakes`). Raises what the catalogue and the game raise for an
    unknown agent or option.
    """
    policies = {ref: load(ref, game, options or {}) for ref in agents}
    mistakes = usual_mistakes(game, options or {}) if mistakes is None else mistakes
    episodes = []
    for index in range(count):
        simulation = Simulation(game, options or {}, seed=seed + index)
        for policy in policies.values():
            check_fits(policy, game, simulation.options)
        seats = [agents[seat % len(agents)] for seat in range(simulation.seats)]
        episode = store(simulation, seats, policies, mistakes)
        episodes.append(episode)
        if report:
            report(episode)
    return episodes


def usual_mistakes(game: str, options: dict) -> float:
    """0 where the seed changes the game; else 0.1, or all games of the same agents would be the same."""
    first, second = (Simulation(game, options, seed=seed) for seed in (0, 1))
    return 0.1 if first.digest() == second.digest() else 0.0


def store(
    simulation: Simulation, refs: Sequence[str], policies: dict[str, Policy], mistakes: float = 0.0
) -> Episode:
    """Play one game between these agents by seat to its end, write its log, then its row."""
    episode_id, cast = uuid.uuid4(), [policies[ref] for ref in refs]
    sloppy = [mistakes] * len(cast) if mistakes else []
    game = Logged.begun(simulation, cast, str(episode_id), sloppy=sloppy)
    for seat, ref, policy in zip(game.log.header["seats"], refs, cast, strict=True):
        # One that was asked for by alias goes by its own ref, which is the name of a shipped policy.
        seat["agent"] = policy.name if policy.name in catalogue.shipped(policy.game) else ref
    game.until = LONGEST
    play_on([game], np.random.default_rng(simulation.seed))
    log = game.finish()
    log_store().append(episode_id, [log.header, *log.records])
    return add_row(episode_id, log.header, log.records[-1])


@transaction.atomic
def add_row(episode_id: uuid.UUID, header: dict, end: dict) -> Episode:
    """The index row of a finished log."""
    episode = Episode.objects.create(
        id=episode_id,
        game=header["game"],
        rules_version=str(header["rules_version"]),
        options=header["options"],
        seats=header["seats"],
        status=Episode.FINISHED,
        ticks=end["tick"],
        score=end["score"],
        digest=end["digest"],
        outcomes=end.get("outcomes", []),
        source=SOURCE,
        finished_at=timezone.now(),
    )
    episode.agents.add(*Agent.objects.filter(ref__in={seat["agent"] for seat in header["seats"]}))
    return episode
