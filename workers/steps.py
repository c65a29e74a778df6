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
from engine.evaluation.people import HUMAN
from engine.learning.parts.sides import round_options
from engine.simulation.log import LogError
from webapp.agents.resolve import judging, load_ref
from webapp.datasets import snapshots
from webapp.datasets.snapshot_files import BadSnapshot
from webapp.replays import worth
from webapp.rounds import candidates, judges, launch, programs, watched
from webapp.rounds.models import Job, Round

# Programs take `--config FILE --out FOLDER` and report JSON lines (engine.learning.run.reporting). Those of
# the parts of a round are learning programs, which jobs name.
PROGRAMS = {
    "snapshot": ["manage.py", "datasets", "snapshot"],
    "candidate": ["manage.py", "rounds", "candidate"],
    "clip": ["manage.py", "episodes", "clip"],
    "utility": ["manage.py", "episodes", "utility"],
    "worth": ["manage.py", "episodes", "rank"],
    "told": ["-m", "engine.learning.told_apart"],
    "export": ["manage.py", "datasets", "pack"],
    "import": ["manage.py", "datasets", "take"],
}


class BadSettings(ValueError):
    """The job can't be started or its result can't be used; the message is one sentence."""


class Refused(BadSettings):
    """Nor can it ever be: what it is made from stays as it is."""


def folder(job: Job) -> Path:
    return settings.JOBS_DIR / str(job.pk)


def out(job: Job) -> Path:
    """Where the job's program leaves checkpoints, TensorBoard events and results."""
    return folder(job) / "out"


def command(job: Job) -> list[str]:
    """Write the config of the job's program and return how to start it. Raises BadSettings."""
    program = program_of(job)
    path = folder(job) / "config.json"
    write_atomically(path, json.dumps(CONFIGS.get(job.kind, plain)(job), indent=2).encode())
    out(job).mkdir(parents=True, exist_ok=True)
    return [sys.executable, *program, "--config", str(path), "--out", str(out(job))]


def program_of(job: Job) -> list[str]:
    """What Python is told to run. Raises BadSettings."""
    if job.kind in PROGRAMS:
        return PROGRAMS[job.kind]
    if job.kind not in programs.PARTS:
        raise BadSettings(f"There is no program for jobs of the kind {job.kind!r}.")
    return ["-m", _learning(job).module]


def _learning(job: Job) -> programs.Program:
    try:
        return programs.chosen(job.kind, job.program)
    except programs.NoProgram as error:
        raise BadSettings(str(error)) from None


def register(job: Job, result: dict[str, Any]) -> dict[str, Any]:
    """Make rows of what the program made; returns what the job row keeps as its result. Raises
    BadSettings."""
    try:
        if job.kind == "snapshot":
            snapshot = snapshots.adopted(result["folder"], job.round.created_by if job.round else None)
            if job.round:
                Round.objects.filter(pk=job.round.pk).update(snapshot=snapshot)
        if job.kind == "evaluation":
            watched.register(result, out(job))
        if job.kind == "told":
            watched.keep(result["games"], out(job))
        if job.kind == "candidate":
            candidates.register(job, out(job))
        if job.kind == worth.KIND:
            worth.keep(result)
    except (BadSnapshot, candidates.BadCandidate, LogError, OSError) as error:
        raise BadSettings(str(error)) from None
    return result


def plain(job: Job) -> dict[str, Any]:
    """The settings alone."""
    return dict(job.settings)


def snapshot_config(job: Job) -> dict[str, Any]:
    # The snapshot's id is the job's: a second attempt makes the same snapshot.
    return {"snapshot": str(job.pk), "filters": job.settings}


def reward_model_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    if owner.snapshot is None:
        raise BadSettings("The round has no snapshot yet.")
    # Marks may have been taken back since the round was started.
    if sentence := launch.too_little(owner.snapshot.counts):
        raise Refused(f"The training is not started. {sentence}")
    handed = {
        "game": owner.game,
        "dataset": str(snapshots.folder_of(owner.snapshot)),
        "base": load_ref(owner.base_agent),
    }
    return {**job.settings, **programs.handed(_learning(job), handed)}


def agent_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    played = str(snapshots.folder_of(owner.snapshot)) if owner.snapshot else ""
    handed = {
        "game": owner.game,
        "options": round_options(owner.game, owner.base_agent.card),
        "base": load_ref(owner.base_agent),
        "dataset": played,
        "file": played,
        "reward_model": reward_model_of(owner),
        "name": candidates.name_of(owner),
    }
    return {**job.settings, **programs.handed(_learning(job), handed)}


def evaluation_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    champion = launch.champion_for(owner.base_agent)
    handed = {
        "game": owner.game,
        "candidate": made(owner, "agent"),
        "base": load_ref(owner.base_agent),
        "champion": load_ref(champion),
        "people": judging(owner.game, HUMAN, round_options(owner.game, owner.base_agent.card)),
        "reward_model": reward_model_of(owner),
        "judge": str(second.result["folder"]) if (second := judges.second(owner)) else "",
    }
    return {**job.settings, **programs.handed(_learning(job), handed)}


def candidate_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    evaluation = Job.objects.get(round=owner, kind="evaluation").result
    champion = launch.champion_for(owner.base_agent)
    refs = {"base": owner.base_agent.ref, "champion": champion.ref}
    return {
        "agent": made(owner, "agent"),
        "additions": candidates.card_additions(owner),
        "evaluation": candidates.scores(evaluation, refs),
    }


def the_round(job: Job) -> Round:
    if job.round is None:
        raise BadSettings(f"A job of the kind {job.kind!r} belongs to a round.")
    return Round.objects.select_related("base_agent", "snapshot").get(pk=job.round.pk)


def made(owner: Round, kind: str) -> str:
    """The folder that the round's job of this kind reported as its result."""
    job = Job.objects.filter(round=owner, kind=kind, state=Job.COMPLETED).first()
    if job is None or "folder" not in job.result:
        raise BadSettings(f"The round's {kind.replace('_', ' ')} is not there yet.")
    return str(job.result["folder"])


def reward_model_of(owner: Round) -> str:
    """The folder of the round's reward model, once it is seen to be what the round made for its game; "" for
    a round that learns from an instruction instead.
    """
    if owner.told:
        return ""
    folder = made(owner, "reward_model")
    try:
        card = json.loads((Path(folder) / "card.json").read_text())
    except (OSError, ValueError):
        raise BadSettings(f"The round's reward model is gone from {folder}; start another round.") from None
    job = Job.objects.get(round=owner, kind="reward_model")
    if card.get("game", owner.game) != owner.game:
        raise BadSettings(
            f"The reward model in {folder} is one of {card['game']}, but the round is one of {owner.game}."
        )
    if job.result.get("sha256") not in (None, card.get("sha256")):
        raise BadSettings(f"The reward model in {folder} is not the one that the round made.")
    return folder


def told_config(job: Job) -> dict[str, Any]:
    return dict(job.settings["asked"])


CONFIGS: dict[str, Callable[[Job], dict[str, Any]]] = {
    "snapshot": snapshot_config,
    "reward_model": reward_model_config,
    "agent": agent_config,
    "evaluation": evaluation_config,
    "candidate": candidate_config,
    "told": told_config,
}
