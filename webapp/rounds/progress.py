"""Facts for a round's page and the list of rounds: states, times, differences between rounds. Pure reading,
no changes.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Min

from webapp.jobs.models import Job, JobLine, JobMetric
from webapp.jobs.progress import duration, job_json, no_worker
from webapp.rounds import programs
from webapp.rounds.models import Round

TITLES = {
    "snapshot": "Snapshot",
    "reward_model": "Reward model",
    "agent": "Agent",
    "evaluation": "Evaluation",
    "candidate": "Candidate",
    "told": "Told and untold",
}
PARTS = {**TITLES, "algorithms": "Algorithm", "told": "Instruction", "words": "People's instructions"}


def state(jobs: list[Job], decision: str) -> str:
    """One or two words for the list: what the round is doing or waiting for."""
    if decision:
        return decision
    for job in sorted(jobs, key=lambda job: job.position):
        if job.state != Job.COMPLETED:
            return f"{TITLES.get(job.kind, job.kind).lower()} {job.state}"
    return "waits for a decision"


def live(round_: Round, metrics_after: int, lines_after: int, most: int = 4000) -> dict[str, Any]:
    """Metrics and lines since the given ids, for the page's script."""
    jobs = list(round_.jobs.order_by("position"))
    metrics = JobMetric.objects.filter(job__in=jobs, pk__gt=metrics_after).order_by("pk")[:most]
    lines = JobLine.objects.filter(job__in=jobs, pk__gt=lines_after).order_by("pk")[:most]
    return {
        "jobs": [job_json(job) for job in jobs],
        "metrics": [{"id": m.pk, "job": str(m.job_id), "step": m.step, "values": m.values} for m in metrics],
        "lines": [
            {"id": n.pk, "job": str(n.job_id), "level": n.level, "text": n.text, "at": f"{n.at:%H:%M:%S}"}
            for n in lines
        ],
        "no_worker": None if all(job.is_over for job in jobs) else no_worker(),
        "decision": round_.decision,
    }


def round_before(round_: Round) -> Round | None:
    """The last round before it that trained for the same game and layout."""
    earlier = Round.objects.filter(game=round_.game, number__lt=round_.number).select_related("base_agent")
    return next((other for other in earlier.order_by("-number") if other.layout == round_.layout), None)


def differences(round_: Round) -> list[dict[str, Any]]:
    """Every setting of a round with its value in the round before it: [{"part", "name", "value", "before",
    …}]."""
    before = round_before(round_)
    rows = []
    for part, values in round_.settings.items():
        for name, value in values.items():
            old = before.settings.get(part, {}).get(name) if before else None
            changed = before is not None and old != value
            rows.append(
                {
                    "part": PARTS.get(part, part),
                    "name": name.replace("_", " "),
                    "value": value_text(value),
                    "before": value_text(old),
                    "changed": changed,
                }
            )
    return rows


def value_text(value: Any) -> str:
    """A setting's value as a page says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "all"
    return "–" if value in (None, "") else str(value)


def estimates(settings: dict[str, Any], game: str) -> dict[str, str]:
    """About how long each part will take, from the game's last completed job of its kind: {part:
    sentence}."""
    return {
        TITLES[part]: f"up to {duration(seconds)}; the last one took {duration(last)}."
        for part, (seconds, last) in _measured(settings, game).items()
    }


def seconds(settings: dict[str, Any], game: str) -> dict[str, float]:
    """The same in seconds, {part: seconds}, of the parts that were measured."""
    return {part: spent for part, (spent, _) in _measured(settings, game).items()}


def _measured(settings: dict[str, Any], game: str) -> dict[str, tuple[float, float]]:
    """{part: (seconds that it will take, seconds that the last one took)}."""
    measured = {}
    for part, chosen in settings["algorithms"].items():
        program = programs.chosen(part, chosen, game)
        done = Job.objects.filter(kind=part, program=program.name, state=Job.COMPLETED, round__game=game)
        last = done.order_by("-finished_at").first()
        name = next(iter(program.foremost), "")
        if last is not None and last.settings.get(name) and last.seconds is not None:
            more = settings[part][name] / last.settings[name] - 1
            measured[part] = (last.seconds + more * _growing(last, last.seconds), last.seconds)
    return measured


def _growing(job: Job, seconds: float) -> float:
    """Of the seconds that a job took, those that grow with its length: from its first point of a curve to the
    last, where it has several; what comes before and after them takes as long in every job. All, where it has
    not.
    """
    at = job.metrics.aggregate(first=Min("at"), last=Max("at"))
    between = (at["last"] - at["first"]).total_seconds() if at["first"] else 0.0
    return min(seconds, between) or seconds


def why_stopped(round_: Round) -> str:
    """Why a round has not come to its end, in a sentence."""
    for job in round_.jobs.order_by("position"):
        title = TITLES.get(job.kind, job.kind)
        if job.state in (Job.FAILED, Job.REFUSED):
            return f"{title} failed: {job.error}"
        if job.state in (Job.CANCELLED, Job.CANCELLING):
            return f"{title} was cancelled."
    return "It took too long."
