"""A round without a broker and without a worker: this process claims the round's jobs itself, by the same
code.

Also the simulated side of the loop: episodes of agents alone and marks of simulated annotators, flagged as
such.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from engine import games
from engine.agents import catalogue
from engine.evaluation.annotators import Annotator
from engine.simulation.simulation import Simulation
from webapp.agents.models import Agent
from webapp.agents.resolve import load_ref
from webapp.replays.models import Episode
from webapp.replays.simulated import annotate_with, store
from webapp.rounds.models import Job, Round
from workers import jobs, runner

# Two raters who differ as people do: one careful, one late and forgetful.
ANNOTATORS = (Annotator("careful"), Annotator("hasty", threshold=0.8, delay_mean=1.0, delay_sd=0.5, miss=0.2))


def collect(agent: Agent, episodes: int, seed: int, tell: Callable[[str], None]) -> list[Episode]:
    """Self-play episodes of `agent` with marks of the simulated annotators on every seat."""
    policy = catalogue.load(load_ref(agent), agent.game)
    options = games.spec(agent.game).validate(dict(agent.card.get("options", {})))
    made = []
    marks = 0
    for index in range(episodes):
        simulation = Simulation(agent.game, options, seed=seed + index)
        episode = store(simulation, [agent.ref] * simulation.seats, {agent.ref: policy})
        marks += annotate_with(episode, ANNOTATORS, seed)
        made.append(episode)
    tell(f"{episodes} simulated episodes of {agent.ref} with {marks} simulated marks")
    return made


def finish(one: Round, tell: Callable[[str], None], patience: float = 3600.0) -> bool:
    """Work through the round's jobs here (or wait for a worker that was faster); True if all are
    completed."""
    told: dict[object, str] = {}
    until = time.monotonic() + patience
    while time.monotonic() < until:
        for job_id in jobs.ready(Job.objects.filter(round=one)).values_list("pk", flat=True):
            if claim := jobs.claim(job_id, jobs.worker_name()):
                tell(f"{claim.job.kind}: started")
                runner.run(claim)
        members = list(one.jobs.order_by("position"))
        for job in members:
            if job.is_over and told.get(job.pk) != job.state:
                told[job.pk] = job.state
                error = f": {job.error}" if job.error else ""
                tell(f"{job.kind}: {job.state} after {job.seconds or 0:.1f} s{error}")
        if any(job.state in (Job.FAILED, Job.CANCELLED) for job in members):
            return False
        if all(job.state == Job.COMPLETED for job in members):
            return True
        time.sleep(0.2)
    return False
