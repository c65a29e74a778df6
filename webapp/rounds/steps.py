"""The steps of a round as jobs: which program each runs, with which settings, and what becomes of its result.

Not for running anything (webapp.jobs.runner), nor for when a step may begin (webapp.jobs.jobs).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.evaluation.people import HUMAN
from engine.learning.parts.sides import round_options
from engine.learning.run.settings import Role
from engine.refusal import NotNow, Refusal
from webapp.agents.resolve import judging, load_ref
from webapp.datasets import snapshots
from webapp.jobs.models import Job
from webapp.jobs.steps import Step, out
from webapp.rounds import candidates, cotrain, judges, kinds, launch, programs, watched
from webapp.rounds.models import Round


def snapshot_config(job: Job) -> dict[str, Any]:
    # The snapshot's id is the job's: a second attempt makes the same snapshot.
    return {"snapshot": str(job.pk), "filters": job.settings}


def reward_model_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    if owner.snapshot is None:
        raise NotNow("The round has no snapshot yet.")
    # Marks may have been taken back since the round was started.
    if sentence := launch.too_little(owner.snapshot.counts):
        raise Refusal(f"The training is not started. {sentence}")
    handed = {
        Role.GAME: owner.game,
        Role.DATASET: str(snapshots.folder_of(owner.snapshot)),
        Role.BASE: load_ref(owner.base_agent),
    }
    return {**job.settings, **programs.handed(_learning(job), handed)}


def agent_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    played = str(snapshots.folder_of(owner.snapshot)) if owner.snapshot else ""
    handed = {
        Role.GAME: owner.game,
        Role.OPTIONS: round_options(owner.game, owner.base_agent.card),
        Role.BASE: load_ref(owner.base_agent),
        Role.DATASET: played,
        Role.PEOPLES_GAMES: played,
        Role.PEOPLES_WORDS: played,
        Role.REWARD_MODEL: reward_model_of(owner),
        Role.NAME: candidates.name_of(owner),
    }
    return {**job.settings, **programs.handed(_learning(job), handed)}


def evaluation_config(job: Job) -> dict[str, Any]:
    owner = the_round(job)
    champion = launch.champion_for(owner.base_agent)
    handed = {
        Role.GAME: owner.game,
        Role.CANDIDATE: made(owner, "agent"),
        Role.BASE: load_ref(owner.base_agent),
        Role.CHAMPION: load_ref(champion),
        Role.HUMAN_PROXY: judging(owner.game, HUMAN, round_options(owner.game, owner.base_agent.card)),
        Role.REWARD_MODEL: reward_model_of(owner),
        Role.SECOND_REWARD_MODEL: str(second.result["folder"]) if (second := judges.second(owner)) else "",
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
        "filled": programs.filled(_learning(owner.jobs.get(kind="agent"))),
    }


def the_round(job: Job) -> Round:
    if job.round is None:
        raise NotNow(f"A job of the kind {job.kind!r} belongs to a round.")
    return Round.objects.select_related("base_agent", "snapshot").get(pk=job.round.pk)


def made(owner: Round, kind: str) -> str:
    """The folder that the round's job of this kind reported as its result."""
    job = Job.objects.filter(round=owner, kind=kind, state=Job.COMPLETED).first()
    if job is None or "folder" not in job.result:
        raise NotNow(f"The round's {kind.replace('_', ' ')} is not there yet.")
    return str(job.result["folder"])


def reward_model_of(owner: Round) -> str:
    """The folder of the round's reward model, once it is seen to be what the round made for its game; "" for
    a round that makes none.
    """
    if owner.kind != kinds.MARKS:
        return ""
    folder = made(owner, "reward_model")
    try:
        card = json.loads((Path(folder) / "card.json").read_text())
    except (OSError, ValueError):
        raise NotNow(f"The round's reward model is gone from {folder}; start another round.") from None
    job = Job.objects.get(round=owner, kind="reward_model")
    if card.get("game", owner.game) != owner.game:
        raise NotNow(
            f"The reward model in {folder} is one of {card['game']}, but the round is one of {owner.game}."
        )
    if job.result.get("sha256") not in (None, card.get("sha256")):
        raise NotNow(f"The reward model in {folder} is not the one that the round made.")
    return folder


def told_config(job: Job) -> dict[str, Any]:
    """As somebody asked on the agent's page, or what shows a round's candidate."""
    if job.round is None:
        return dict(job.settings["asked"])
    owner = the_round(job)
    return cotrain.shown_config(owner, made(owner, "agent"))


def learning(job: Job) -> list[str]:
    """Python's arguments for a part of a round: the learning program that the job names."""
    return ["-m", _learning(job).module]


def _learning(job: Job) -> programs.Program:
    return programs.chosen(job.kind, job.program)


def adopt(job: Job, result: dict[str, Any]) -> None:
    """The snapshot that was written is a row, and the round's."""
    snapshot = snapshots.adopted(result["folder"], job.round.created_by if job.round else None)
    if job.round:
        Round.objects.filter(pk=job.round.pk).update(snapshot=snapshot)


STEPS = {
    "snapshot": Step(
        ["manage.py", "datasets", "snapshot"],
        snapshot_config,
        adopt,
    ),
    "reward_model": Step(learning, reward_model_config),
    "agent": Step(learning, agent_config),
    "evaluation": Step(
        learning,
        evaluation_config,
        lambda job, result: watched.register(result, out(job)),
    ),
    "candidate": Step(
        ["manage.py", "rounds", "candidate"],
        candidate_config,
        lambda job, _: candidates.register(job, out(job)),
    ),
    "told": Step(
        ["-m", "engine.learning.told_apart"],
        told_config,
        lambda job, result: watched.keep(result["games"], out(job)),
    ),
}
