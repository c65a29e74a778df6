"""A round without a broker and without a worker: this process claims the round's jobs itself, by the same
code.

Also the simulated side of the loop: episodes of agents alone and marks of simulated annotators, flagged as
such.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from engine import games
from engine.agents import catalogue
from engine.evaluation.annotators import Annotator
from engine.evaluation.reward_return import varied
from engine.evaluation.simulated_episodes import crew
from engine.learning.parts.sides import against, has_sides, round_options
from engine.simulation.simulation import Simulation
from webapp.agents.models import Agent
from webapp.agents.resolve import load_ref
from webapp.annotation.simulated import annotate_with
from webapp.episodes.models import Episode
from webapp.episodes.simulated import store
from webapp.jobs import jobs, runner
from webapp.jobs.models import Job
from webapp.rounds.models import Round

MOST_MISTAKES = 0.3  # share of random moves in an episode with partners
EPISODES = 24  # that are collected for a round, where neither a person nor the game says how many


def annotators(game: str) -> tuple[Annotator, ...]:
    """Two raters who differ as people do: one careful, one forgetful and late, by half a second in real
    time.
    """
    per_second = games.spec(game).ticks_per_second
    late = (per_second / 2, per_second / 3) if per_second else (1.0, 0.5)
    hasty = Annotator("hasty", threshold=0.8, delay_mean=late[0], delay_sd=late[1], miss=0.2)
    return Annotator("careful"), hasty


def collect(agent: Agent, episodes: int, seed: int, tell: Callable[[str], None]) -> list[Episode]:
    """Episodes of `agent` with marks of the simulated annotators on every seat: self-play, and where nothing
    is dealt, from anywhere, with scripted partners too, and with random moves; where sides play against each
    other, against scripted ones in half of them.
    """
    trained = round_options(agent.game, agent.card)
    options = games.spec(agent.game).validate({**trained, **varied(agent.game)})
    policies = {agent.ref: catalogue.load(load_ref(agent), agent.game)}
    policies |= {policy.name: policy for policy in crew(agent.game, trained)}
    rng, made, marks = np.random.default_rng(seed), [], 0
    for index in range(episodes):
        simulation = Simulation(agent.game, options, seed=seed + index)
        refs = [agent.ref] * simulation.seats
        mistakes = 0.0
        if has_sides(agent.game):
            rival = str(rng.choice(list(policies))) if index % 2 else agent.ref
            refs = against(agent.game, options, agent.ref, rival)
        elif len(policies) > 1:
            refs[int(rng.integers(simulation.seats))] = str(rng.choice(list(policies)))
            mistakes = float(rng.uniform(0, MOST_MISTAKES))
        episode = store(simulation, refs, policies, mistakes)
        marks += annotate_with(episode, annotators(agent.game), seed)
        made.append(episode)
    tell(f"{episodes} simulated episodes of {agent.ref} with {marks} simulated marks")
    return made


def finish(round_: Round, tell: Callable[[str], None], patience: float = 3600.0) -> bool:
    """Work through the round's jobs here (or wait for a worker that was faster); True if all are
    completed."""
    states: dict[object, str] = {}
    until = time.monotonic() + patience
    while time.monotonic() < until:
        for job_id in jobs.ready(Job.objects.filter(round=round_)).values_list("pk", flat=True):
            if claim := jobs.claim(job_id, jobs.worker_name()):
                tell(f"{claim.job.kind}: started")
                runner.run(claim)
        members = list(round_.jobs.order_by("position"))
        for job in members:
            if job.is_over and states.get(job.pk) != job.state:
                states[job.pk] = job.state
                error = f": {job.error}" if job.error else ""
                tell(f"{job.kind}: {job.state} after {job.seconds or 0:.1f} s{error}")
        if any(job.is_over and job.state != Job.COMPLETED for job in members):
            return False
        if all(job.state == Job.COMPLETED for job in members):
            return True
        time.sleep(0.2)
    return False
