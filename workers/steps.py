"""Which program each kind of job runs, with which settings, and what is recorded once it has run.

`command` writes the program's config and gives its argument list; `register` turns its result into rows,
inside the transaction that completes the job. Not for running anything (runner.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from engine.agents.files import write_atomically
from webapp.agents import promotion
from webapp.agents.models import Agent
from webapp.agents.resolve import load_ref
from webapp.datasets import snapshots
from webapp.datasets.snapshot_files import BadSnapshot
from webapp.rounds import candidates
from webapp.rounds.models import Job, Round

# Programs take `--config FILE --out FOLDER` and report JSON lines (engine.learning.reporting).
PROGRAMS = {
    "snapshot": ["manage.py", "datasets", "snapshot"],
    "reward_model": ["-m", "engine.learning.ibt"],
    "agent": ["-m", "engine.learning.ppo"],
    "evaluation": ["-m", "engine.learning.evaluate_round"],
    "candidate": ["manage.py", "rounds", "candidate"],
    "clip": ["manage.py", "episodes", "clip"],
}


class BadSettings(ValueError):
    """The job can't be started or its result can't be used; the message is one sentence."""


def folder(job: Job) -> Path:
    return settings.JOBS_DIR / str(job.pk)


def out(job: Job) -> Path:
    """Where the job's program leaves checkpoints, TensorBoard events and results."""
    return folder(job) / "out"


def command(job: Job) -> list[str]:
    """Write the config of the job's program and return how to start it. Raises BadSettings."""
    if job.kind not in PROGRAMS:
        raise BadSettings(f"There is no program for jobs of the kind {job.kind!r}.")
    path = folder(job) / "config.json"
    write_atomically(path, json.dumps(CONFIGS.get(job.kind, plain)(job), indent=2).encode())
    out(job).mkdir(parents=True, exist_ok=True)
    return [sys.executable, *PROGRAMS[job.kind], "--config", str(path), "--out", str(out(job))]


def register(job: Job, result: dict[str, Any]) -> dict[str, Any]:
    """Make rows of what the program made; returns what the job row keeps as its result. Raises
    BadSettings."""
    try:
        if job.kind == "snapshot":
            snapshot = snapshots.register(result["folder"], job.round.created_by if job.round else None)
            if job.round:
                Round.objects.filter(pk=job.round.pk).update(snapshot=snapshot)
        if job.kind == "candidate":
            candidates.register(job, out(job))
    except (BadSnapshot, candidates.BadCandidate) as error:
        raise BadSettings(str(error)) from None
    return result


def plain(job: Job) -> dict[str, Any]:
    """The settings alone."""
    return dict(job.settings)


def snapshot_config(job: Job) -> dict[str, Any]:
    # The snapshot's id is the job's: a second attempt makes the same snapshot.
    return {"snapshot": str(job.pk), "filters": job.settings}


def reward_model_config(job: Job) -> dict[str, Any]:
    one = the_round(job)
    if one.snapshot is None:
        raise BadSettings("The round has no snapshot yet.")
    return {**job.settings, "game": one.game, "dataset": str(snapshots.folder_of(one.snapshot))}


def agent_config(job: Job) -> dict[str, Any]:
    one = the_round(job)
    return {
        **job.settings,
        "game": one.game,
        "base": load_ref(one.base_agent),
        "reward_model": made(one, "reward_model"),
        "name": candidates.name_of(one),
    }


def evaluation_config(job: Job) -> dict[str, Any]:
    one = the_round(job)
    champion = champion_of(one)
    return {
        **job.settings,
        "game": one.game,
        "candidate": made(one, "agent"),
        "base": load_ref(one.base_agent),
        "champion": load_ref(champion),
        "reward_model": made(one, "reward_model"),
    }


def candidate_config(job: Job) -> dict[str, Any]:
    one = the_round(job)
    evaluation = Job.objects.get(round=one, kind="evaluation").result
    champion = champion_of(one)
    refs = {"base": one.base_agent.ref, "champion": champion.ref}
    return {
        "agent": made(one, "agent"),
        "additions": candidates.card_additions(one),
        "evaluation": candidates.scores(evaluation, refs),
    }


def the_round(job: Job) -> Round:
    if job.round is None:
        raise BadSettings(f"A job of the kind {job.kind!r} belongs to a round.")
    return Round.objects.select_related("base_agent", "snapshot").get(pk=job.round.pk)


def champion_of(one: Round) -> Agent:
    """Who is in use now where the round's candidate would be."""
    return promotion.current(one.game, promotion.CHAMPION, one.layout) or one.base_agent


def made(one: Round, kind: str) -> str:
    """The folder that the round's job of this kind reported as its result."""
    job = Job.objects.filter(round=one, kind=kind, state=Job.COMPLETED).first()
    if job is None or "folder" not in job.result:
        raise BadSettings(f"The round's {kind.replace('_', ' ')} is not there yet.")
    return str(job.result["folder"])


CONFIGS: dict[str, Callable[[Job], dict[str, Any]]] = {
    "snapshot": snapshot_config,
    "reward_model": reward_model_config,
    "agent": agent_config,
    "evaluation": evaluation_config,
    "candidate": candidate_config,
}
